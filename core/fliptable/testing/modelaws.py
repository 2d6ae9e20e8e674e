"""The laws of a mode, held against random tables of the games that it supports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, Final

from fliptable.challenges import Challenge
from fliptable.events import RoundOver
from fliptable.modes import Mode
from fliptable.opening import OpeningRefused
from fliptable.plugins import load_plugins
from fliptable.projection import view_run
from fliptable.rules import Game, Refusal
from fliptable.testing.actions import TableAction
from fliptable.testing.broken import ANSWERS, SAME, Broken, LawFailure
from fliptable.testing.classlaws import hold_class, hold_class_in_case, hold_pair, pair_broken
from fliptable.testing.conformance import check_game
from fliptable.testing.elsewhere import hold_elsewhere
from fliptable.testing.given import hold_given
from fliptable.testing.laws import LAWS
from fliptable.testing.leaks import viewers
from fliptable.testing.sealed import Sealed
from fliptable.testing.tableplay import PLAYERS, TablePlay, TableSetting
from fliptable.testing.tabletrials import TableTrial, play_by_lot
from fliptable.testing.toys import OneCard
from fliptable.testing.trials import hold
from fliptable.testing.variants import extremes, variants
from fliptable.testing.watchdog import CALL_SECONDS, watching
from fliptable.testing.watching import refusal_complaints

MODE_LAWS: Final[Mapping[str, str]] = {
    ANSWERS: "it answers whatever it may be asked with what it has to give, and raises nothing",
    "purity": "asked twice it says the same and changes no run; it keeps nothing beside the run, and has no "
    "clock, chance or I/O of its own",
    "events": "its events are of declared classes, have a sentence and survive storage",
    "storage": "its options, runs and views survive storage",
    "replay": "the log of a table alone gives its run",
    "refusals": "it refuses moves, and tables, with declared codes, in words",
    "moves": "the moves that `narrow` leaves are not refused, and those that it does not leave are",
    "deadlines": "a deadline has a zone; what happens then moves it on, or ends the session",
    "terms": "the terms of the next round can be stored, and what is drawn by lot is drawn from something",
    "over": "the reason why a session is over is a code",
    "scores": "it scores whole numbers for its own metrics",
    "outcomes": "as it judges them, outcomes have a result for each seat, which agrees with its points",
    "nothing leaks": "what a viewer cannot know makes no difference to what they see of the run",
    SAME: "the same seed and the same actions lead to the same, in another process too",
}
"""The laws of a mode by name, and what they say."""

_HELD = ("storage", "replay", "turns", "moves", "points", "nothing leaks")
"""The laws of a table that are held too, since a mode may break them."""
_BESIDE = {"nothing leaks": ("events leak nothing",), "points": ("outcomes",)}
"""The laws of games that say what a law of tables says."""
_ALONE = "the game breaks this law without it, so repair the game, or pass others as games to check the mode"
_LIKELY = {"waits": (1, 5, 30, 120, 600, 90_000), "waiting": 0.15, "leaving": 0.02, "dropping": 0.02}
_AT_LIMITS = 25
"""So many steps are played where a number of the options is at its limit."""
_ELSEWHERE = 400
"""So many actions, at all tables together, are played in another process too."""


@dataclass(frozen=True)
class ModeTrial(TableTrial):
    """Tables in a mode that is held to its contract at every question."""

    kind = "mode"
    check = "check_mode_case"

    @property
    def part(self) -> Mode[Any]:
        """The mode."""
        mode: Mode[Any] = self.where.mode
        return mode

    @property
    def named(self) -> str:
        """The mode alone."""
        return f"plugin {self.part.id!r}"

    def asked(self, play: TablePlay) -> Broken | None:
        """Ask the mode what a server asks it now and then; it is watched, so it raises what it breaks."""
        table = play.table
        for viewer in viewers(len(table.seats)):
            view_run(table, viewer)
        for ask in (table.mode.scope, table.mode.day, table.mode.quorum):
            ask(table.run)
        for event in play.script.commits[-1].events:
            if isinstance(event, RoundOver):
                for seat, outcome in enumerate(event.outcome.seats):
                    table.mode.scores(table.run, seat, outcome)
        return None

    def refused(self, refusal: Refusal) -> Broken | None:
        """What is broken where the mode refuses to open a table: with what code, and in what words."""
        complaint = next(refusal_complaints(self.part, refusal), None)
        names = [one.name for one in fields(self.part.Options)]
        if complaint is None and refusal.field is not None and refusal.field not in names:
            there = ", ".join(names) or "no options"
            complaint = f"the refusal {refusal.code} is about {refusal.field!r}, which is none of: {there}"
        return None if complaint is None else Broken("refusals", complaint)

    def simpler(self) -> Iterator[ModeTrial]:
        """The smallest game, fewer seats, and whatever can be left at its default."""
        one_card = OneCard()
        if self.where.game.id != one_card.id and self.part.supports(one_card):
            seats = min(self.part.seats(one_card))
            other = replace(
                self.where, game=one_card, seats=seats, players=seats, game_options=None, given=None
            )
            yield replace(self, where=other)
        for where in self.where.simpler():
            yield replace(self, where=where)

    def culprit(self, broken: Broken) -> LawFailure | None:
        """The game, where it breaks the law without the mode."""
        game, where = self.where.game, self.where
        if type(game) in (OneCard, Sealed):
            return None
        options = game.Options() if where.game_options is None else where.game_options
        laws = [broken.law] if broken.law in LAWS else list(LAWS)
        try:
            check_game(
                game, seats=[where.seats], options=[options], laws=[*laws, *_BESIDE.get(broken.law, ())]
            )
        except LawFailure as failure:
            names = (broken.law, *_BESIDE.get(broken.law, ()))
            if failure.told.startswith(
                tuple([f"plugin {game.id!r} breaks the law {one!r}: " for one in names])
            ):
                return LawFailure(
                    f"{failure.told}\n(The mode {self.part.id!r} was checked; {_ALONE})", failure.test
                )
        except AssertionError:
            pass  # The game alone cannot be played like this.
        return None

    def setting(self) -> Sequence[str]:
        """The game too."""
        return [f"game {self.where.game.id!r}", *super().setting()]

    def arguments(self, law: str) -> Mapping[str, Any]:
        """What :func:`check_mode_case` needs to be told."""
        return {"game": self.where.game, **self.where.chosen()}


def check_mode(
    mode: Mode[Any],
    *,
    games: Iterable[Any] | None = None,
    options: Iterable[Any] | None = None,
    challenge: Challenge | None = None,
    seeds: Collection[int] = range(3),
    steps: int = 60,
    call_seconds: float = CALL_SECONDS,
) -> None:
    """Hold the laws against a mode, at random tables.

    ``games`` are :class:`OneCard`, :class:`Sealed` and the installed ones where none are given, as far as
    the mode supports them; ``options`` are the default ones and those with one switch or choice changed, and
    with the first game, few seats and many, those with one number at its limit.
    Whatever is asked of the mode has to be answered within ``call_seconds``; 0 lets it take for ever.
    :data:`MODE_LAWS` has the laws.

    Errors: AssertionError names the plugin, the law and the smallest case that was found, and has a
    test of it to paste.
    """
    __tracebackhide__ = True
    hold_class(mode, "check_mode_case", MODE_LAWS)
    hold_given(games=games, options=options, seeds=seeds)
    found = _there() if games is None else list(games)
    for game in found:
        hold_pair(mode, game)
    if games is None:
        found = [one for one in found if mode.supports(one) and (one.modes is None or mode.id in one.modes)]
    jobs: list[tuple[ModeTrial, Sequence[TableAction]]] = []
    why = ""
    for chosen in variants(mode.Options) if options is None else options:
        for game in found:
            counts = sorted(mode.seats(game))
            for number, seed in enumerate(seeds):
                seats = min(counts[number % len(counts)], len(PLAYERS))
                where = TableSetting.of(
                    game, mode, seats, seed=seed, mode_options=chosen, challenge=challenge, watch=True
                )
                trial = ModeTrial(where)
                random = Random(f"{mode.id} {game.id} {seed}")
                try:
                    with watching(call_seconds):
                        jobs.append((trial, play_by_lot(trial, random, steps, _HELD, **_LIKELY)))
                except OpeningRefused as error:
                    why = f", since it refuses: {error.refusal.code}: {error.refusal.message}"
    if options is None:
        with watching(call_seconds):
            _hold_limits(mode, found, challenge, list(seeds)[:1])
    if not jobs:
        told = f"plugin {mode.id!r}: no table could be opened{why}"
        raise AssertionError(f"{told.rstrip('.')}. Pass games or options with which one can")
    hold_elsewhere(jobs, _ELSEWHERE)


def _hold_limits(
    mode: Mode[Any], games: Sequence[Game[Any, Any]], challenge: Challenge | None, seeds: Sequence[int]
) -> None:
    """Hold the laws where a number of the options is at its limit, with few seats and with many."""
    __tracebackhide__ = True
    for game in games[:1]:
        counts = mode.seats(game)
        for chosen in extremes(mode.Options, mode.limits(game)):
            for seats in sorted({min(counts), min(max(counts), len(PLAYERS))} & set(counts)):
                for seed in seeds:
                    where = TableSetting.of(
                        game, mode, seats, seed=seed, mode_options=chosen, challenge=challenge, watch=True
                    )
                    random = Random(f"{mode.id} {game.id} {seed}")
                    with suppress(OpeningRefused):
                        play_by_lot(ModeTrial(where), random, _AT_LIMITS, _HELD, **_LIKELY)


def _there() -> list[Game[Any, Any]]:
    toys: list[Game[Any, Any]] = [OneCard(), Sealed()]
    installed = load_plugins(strict=False).games
    return list({game.id: game for game in [*toys, *installed.values()]}.values())


def check_mode_case(
    mode: Mode[Any],
    law: str,
    actions: Sequence[TableAction] = (),
    *,
    game: Game[Any, Any] | None = None,
    seats: int | None = None,
    seed: int = 0,
    players: int | None = None,
    game_options: Any = None,
    mode_options: Any = None,
    challenge: Challenge | None = None,
    turn_seconds: int | None = None,
) -> None:
    """Play one table in a mode and hold one law; failures of :func:`check_mode` print such cases.

    The game is :class:`OneCard` where none is given. A case in which something is refused passes.
    Errors: AssertionError names the law and what is wrong.
    """
    __tracebackhide__ = True
    hold_class_in_case(mode, law)
    played = game or OneCard()
    broken = pair_broken(mode, played)
    if broken is not None:
        raise AssertionError(f"plugin {mode.id!r} breaks the law {broken.law!r}: {broken.complaint}")
    where = TableSetting.of(
        played,
        mode,
        seats,
        players,
        seed=seed,
        game_options=game_options,
        mode_options=mode_options,
        challenge=challenge,
        turn_seconds=turn_seconds,
        watch=True,
    )
    with watching(CALL_SECONDS):
        hold(ModeTrial(where), law, actions)


__all__ = ["MODE_LAWS", "ModeTrial", "check_mode", "check_mode_case"]
