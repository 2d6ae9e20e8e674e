"""The laws of a constraint, held against random rounds of the games that it is for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random
from typing import Any

from fliptable.constraints import Constraint, ConstraintStatus, Demand
from fliptable.plugins import load_plugins
from fliptable.rules import Game, Viewer
from fliptable.testing.broken import Broken, report
from fliptable.testing.conformance import variants
from fliptable.testing.playout import Action, Case, NextRound, Playout, random_action
from fliptable.testing.shrinking import shortest
from fliptable.testing.sources import impure
from fliptable.testing.storage import storable, storage_trouble
from fliptable.vetting import ContractBroken, vet_constraint

_MOST = 2_000
"""The most moves of a round."""


def check_constraint(
    constraint: Constraint,
    *,
    options: Iterable[Any] | None = None,
    games: Iterable[Game[Any, Any]] | None = None,
    seats: int | None = None,
    seeds: Collection[int] = range(8),
) -> None:
    """Hold the laws against a constraint, in random rounds of its games.

    ``options`` have to be given where they have no defaults; ``games`` are those of the installed
    games that the constraint names; ``seats`` is the smallest number, since challenges are for one
    player. The laws: *status* (it answers, with a status), *purity* (asked
    twice it says the same, and changes nothing), *lasting* (MET is not undone, FAILED not mended
    within a round), *end* (once a round is over, whoever played it sees MET or FAILED), *text*,
    *demand* and *storage* of the options.

    Errors: AssertionError names the plugin, the law and the shortest sequence of moves that was found.
    """
    try:
        vet_constraint(constraint)
    except ContractBroken as error:
        raise AssertionError(f"plugin {constraint.id!r} breaks the contract: {error}") from None
    for complaint in impure(constraint):
        raise AssertionError(f"plugin {constraint.id!r} breaks the law 'purity': {complaint}")
    found = list(games) if games is not None else _installed(constraint)
    if not found:
        raise AssertionError(
            f"plugin {constraint.id!r}: none of {list(constraint.games)} is installed; pass games"
        )
    for chosen in variants(constraint.Options) if options is None else options:
        _check_words(constraint, chosen)
        for game in found:
            for seed in seeds:
                count = min(game.seats) if seats is None else seats
                case = Case(game, count, seed)
                _check_round(constraint, chosen, case)


def _installed(constraint: Constraint) -> list[Game[Any, Any]]:
    registry = load_plugins(strict=False)
    return [registry.games[id] for id in constraint.games if id in registry.games]


def _check_words(constraint: Constraint, options: Any) -> None:
    trouble = storage_trouble(options, constraint.Options)
    if trouble:
        raise report(constraint.id, Broken("storage", f"the options: {trouble}"), str(options), ())
    text, demand = constraint.text(options), constraint.demand(options)
    if not isinstance(text, str) or not text.strip() or "\n" in text:
        raise report(constraint.id, Broken("text", f"its text is {text!r}"), str(options), ())
    if demand is not None and not isinstance(demand, Demand):
        raise report(constraint.id, Broken("demand", f"its demand is {demand!r}"), str(options), ())
    if text != constraint.text(options) or demand != constraint.demand(options):
        complaint = "text or demand is not the same when it is asked for again"
        raise report(constraint.id, Broken("purity", complaint), str(options), ())


def _check_round(constraint: Constraint, options: Any, case: Case) -> None:
    random = Random(case.seed)
    playout = Playout(case)
    watch = _Watch(constraint, options)
    broken = watch.look(playout)
    while broken is None and playout.outcome is None and playout.moves < _MOST:
        action = random_action(playout, random)
        if action is None or playout.take(action) is not None:
            return  # check_game is there for games that break a law.
        broken = watch.look(playout)
    if broken is not None:
        law = broken.law
        least = shortest(playout.actions, lambda actions: _same(constraint, options, case, actions, law))
        told = _look_back(constraint, options, case, least) or broken
        raise report(constraint.id, told, f"{options} in {case.game.id!r}, {case}", least)


def _same(constraint: Constraint, options: Any, case: Case, actions: Sequence[Action], law: str) -> bool:
    broken = _look_back(constraint, options, case, actions)
    return broken is not None and broken.law == law


def _look_back(constraint: Constraint, options: Any, case: Case, actions: Sequence[Action]) -> Broken | None:
    playout, watch = Playout(case), _Watch(constraint, options)
    broken = watch.look(playout)
    for action in actions:
        if broken is not None or isinstance(action, NextRound) or playout.take(action) is not None:
            break
        broken = watch.look(playout)
    return broken


class _Watch:
    """How a constraint stood for each viewer of a round."""

    def __init__(self, constraint: Constraint, options: Any) -> None:
        self._constraint = constraint
        self._options = options
        self._stood: dict[Viewer, ConstraintStatus] = {}

    def look(self, playout: Playout) -> Broken | None:
        """The first law that is broken as the round stands."""
        over = playout.outcome is not None
        everybody: Viewer = frozenset(range(playout.case.seats))
        for viewer in (frozenset({0}), everybody, frozenset[int]()):
            view = playout.game.view(playout.state, viewer)
            broken = self._ask(view, over, viewer, viewer == everybody)
            if broken is not None:
                return broken
        return None

    def _ask(self, view: Any, over: bool, viewer: Viewer, plays: bool) -> Broken | None:
        who = f"for the eyes of seats {sorted(viewer)}" if viewer else "for a spectator"
        before = storable(view)
        ask: Callable[[], Any] = lambda: self._constraint.status(self._options, view, over)  # noqa: E731
        try:
            status, again = ask(), ask()
        except Exception as error:
            return Broken("status", f"{who} it raises {type(error).__name__}: {error}")
        if not isinstance(status, ConstraintStatus):
            return Broken("status", f"{who} it gives {status!r}, which is no ConstraintStatus")
        if status is not again:
            return Broken(
                "purity", f"{who} it gives {status.value} and then {again.value} for the same round"
            )
        if storable(view) != before:
            return Broken("purity", f"{who} it changes the view that it is shown")
        stood = self._stood.get(viewer, ConstraintStatus.OPEN)
        if stood is not ConstraintStatus.OPEN and status is not stood:
            return Broken("lasting", f"{who} it was {stood.value} and is {status.value} in the same round")
        if over and plays and status is ConstraintStatus.OPEN:
            return Broken("end", f"the round is over, and {who} it is still OPEN")
        self._stood[viewer] = status
        return None
