"""The laws of a mode, held against random tables of the games that it supports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from fliptable import decide, lobby, projection
from fliptable.challenges import Challenge
from fliptable.codec import Owner
from fliptable.events import RoundOver
from fliptable.hookspecs import hookimpl
from fliptable.modes import Mode
from fliptable.opening import OpeningRefused
from fliptable.plugins import Registry, load_plugins
from fliptable.rules import MoveRange, Refusal
from fliptable.table import Status
from fliptable.testing.broken import ANSWERS, Broken, LawBroken, report
from fliptable.testing.conformance import variants
from fliptable.testing.laws import covers
from fliptable.testing.leaks import viewers
from fliptable.testing.playout import Leave, NextRound, Play, random_move
from fliptable.testing.shrinking import shortest
from fliptable.testing.sources import impure
from fliptable.testing.storage import storage_trouble
from fliptable.testing.tablelaws import _persistence
from fliptable.testing.tables import TableScript
from fliptable.testing.toys import OneCard
from fliptable.testing.watching import watched
from fliptable.vetting import ContractBroken, vet_mode

_PLAYERS = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes, and what is due happens."""

    seconds: int

    def __str__(self) -> str:
        """The action on one line."""
        return f"{self.seconds} seconds pass"


TableAction = Play | Leave | NextRound | Wait


@dataclass(frozen=True, slots=True)
class _Case:
    registry: Registry
    mode: Mode[Any]
    game: str
    seats: int
    options: Any
    challenge: Challenge | None

    def open(self) -> TableScript:
        return TableScript(
            self.registry,
            self.game,
            self.mode.id,
            players=_PLAYERS[: self.seats],
            mode_options=self.options,
            challenge=self.challenge,
        )

    def __str__(self) -> str:
        seats = f"{self.seats} seat{'s' if self.seats > 1 else ''}"
        return f"{self.options} in {self.game!r}, {seats}"


def check_mode(
    mode: Mode[Any],
    *,
    games: Iterable[Any] | None = None,
    options: Iterable[Any] | None = None,
    challenge: Challenge | None = None,
    seeds: Collection[int] = range(3),
    steps: int = 60,
) -> None:
    """Hold the laws against a mode, at random tables.

    ``games`` are the installed ones and :class:`OneCard` where none are given, as far as the mode
    supports them; ``options`` are the default ones and those with one switch or choice changed. The
    laws: *answers*, *purity* (asked twice it says the same, and changes no run), *events* (of declared
    classes, with a sentence, storable), *storage* and *replay* of the run, *refusals* (declared),
    *moves* (what ``narrow`` leaves is not refused), *deadlines* (each one moves on), *terms*, *over*
    and *scores*.

    Errors: AssertionError names the plugin, the law and the shortest sequence of actions that was found.
    """
    try:
        vet_mode(mode)
    except ContractBroken as error:
        raise AssertionError(f"plugin {mode.id!r} breaks the contract: {error}") from None
    for complaint in impure(mode):
        raise AssertionError(f"plugin {mode.id!r} breaks the law 'purity': {complaint}")
    given = None if games is None else list(games)
    registry = _registry(mode, given)
    found = _supported(registry, mode) if given is None else [game.id for game in given]

    opened = 0
    for chosen in variants(mode.Options) if options is None else options:
        trouble = storage_trouble(chosen, mode.Options)
        if trouble:
            raise report(mode.id, Broken("storage", f"the options: {trouble}"), str(chosen), ())
        for game in found:
            counts = mode.seats(registry.game(game))
            for number, seed in enumerate(seeds):
                seats = min(sorted(counts)[number % len(counts)], len(_PLAYERS))
                opened += _check(
                    _Case(registry, registry.mode(mode.id), game, seats, chosen, challenge), seed, steps
                )
    if not opened:
        raise AssertionError(f"plugin {mode.id!r}: no table could be opened; pass games or options")


def _registry(mode: Mode[Any], games: Sequence[Any] | None) -> Registry:
    """The installed plugins, the games, and the mode under watch."""
    registry = load_plugins(strict=False)
    here = watched(mode)
    known = {game.id: game for game in [*(games or ()), OneCard()]}
    new = [game for id, game in known.items() if id not in registry.games]

    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return new

        @hookimpl
        def fliptable_modes(self) -> list[Any]:
            return [] if mode.id in registry.modes else [here]

    registry.register(Brings(), "what is tested")
    if registry.mode(mode.id) is not here:
        registry._modes[mode.id] = here
        registry.codec.register(f"mode:{mode.id}", *mode.events, owner=Owner.of("mode", mode))
        here.connect(registry)
    return registry


def _supported(registry: Registry, mode: Mode[Any]) -> list[str]:
    fits = [game for game in registry.games.values() if mode.supports(game)]
    return [game.id for game in fits if game.modes is None or mode.id in game.modes]


def _check(case: _Case, seed: int, steps: int) -> bool:
    """Whether a table could be opened. Errors: AssertionError, when a law is broken."""
    random = Random(f"{case.mode.id} {case.game} {seed}")
    try:
        script = case.open()
    except OpeningRefused:
        return False
    except LawBroken as error:
        raise report(case.mode.id, error.broken, str(case), ()) from error
    actions: list[TableAction] = []
    broken = _look(case.registry, script)
    while broken is None and script.table.status is not Status.OVER and len(actions) < steps:
        actions.append(_draw(script, random))
        broken = _take(case.registry, script, actions[-1])
    if broken is not None:
        law = broken.law

        def fails(shorter: Sequence[TableAction]) -> bool:
            there = _replayed(case, shorter)
            return there is not None and there.law == law

        least = shortest(actions, fails)
        raise report(case.mode.id, _replayed(case, least) or broken, str(case), least)
    return True


def _replayed(case: _Case, actions: Sequence[TableAction]) -> Broken | None:
    script = case.open()
    broken = _look(case.registry, script)
    for action in actions:
        if broken is not None:
            return broken
        broken = _take(case.registry, script, action)
    return broken


def _draw(script: TableScript, random: Random) -> TableAction:
    table = script.table
    everybody = frozenset(range(len(table.seats)))
    chance = random.random()
    if chance < 0.15:
        return Wait(random.choice([1, 5, 30, 120, 600, 90_000]))
    held = [seat for seat, place in enumerate(table.seats) if place.held]
    if chance < 0.17 and len(held) > 1:
        return Leave(random.choice(held))
    if table.playable is None:
        return NextRound()
    legal = projection.legal_moves(table, everybody)
    if not legal:
        return Wait(60)
    one = random.choice(legal)
    return Play(one.seat, random_move(MoveRange(one.move, one.fields) if one.fields else one.move, random))


def _take(registry: Registry, script: TableScript, action: TableAction) -> Broken | None:
    """Carry out an action, if it can be done now; the first law that is broken."""
    try:
        return _carry_out(script, action) or _look(registry, script)
    except LawBroken as error:
        return error.broken
    except Exception as error:
        return Broken(ANSWERS, f"{action}: {type(error).__name__}: {error}")


def _carry_out(script: TableScript, action: TableAction) -> Broken | None:
    table = script.table
    if isinstance(action, Wait):
        script.clock.advance(action.seconds)
        script.tick()
    elif isinstance(action, NextRound):
        script.attempt(table.host, lambda decision: decide.next_round(decision, table.host))
    elif isinstance(action, Leave):
        player = table.seats[action.seat].player
        if player is not None:
            script.attempt(player, lambda decision: lobby.leave(decision, player))
    elif any(_allows(one, action) for one in projection.legal_moves(table, frozenset({action.seat}))):
        refusal = script.attempt(None, partial(decide.play, seat=action.seat, move=action.move))
        if isinstance(refusal, Refusal):
            complaint = (
                f"{action.move} is among the legal moves, and is refused: {refusal.code}: {refusal.message}"
            )
            return Broken("moves", complaint)
    return None


def _allows(legal: projection.LegalMove, action: Play) -> bool:
    return covers(MoveRange(legal.move, legal.fields), action.move)


def _look(registry: Registry, script: TableScript) -> Broken | None:
    """The first law that is broken as the table stands."""
    try:
        complaint = next(_persistence(registry, script), None)
        if complaint is not None:
            return Broken("replay", complaint)
        _ask(script)
    except LawBroken as error:
        return error.broken
    return None


def _ask(script: TableScript) -> None:
    """Ask the mode what a server asks it now and then. Errors: LawBroken."""
    table = script.table
    for viewer in viewers(len(table.seats)):
        projection.view_run(table, viewer)
    for ask in (table.mode.scope, table.mode.day, table.mode.quorum):
        ask(table.run)
    for event in script.commits[-1].events:
        if isinstance(event, RoundOver):
            for seat, outcome in enumerate(event.outcome.seats):
                table.mode.scores(table.run, seat, outcome)


__all__ = ["TableAction", "Wait", "check_mode"]
