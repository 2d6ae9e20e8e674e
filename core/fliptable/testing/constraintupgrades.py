"""Two versions of a constraint: what a challenge asked under the old one, it asks under the new one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from fliptable.challenges import ChosenConstraint, conditions_of
from fliptable.codec import pack
from fliptable.constraints import Constraint
from fliptable.migrations import OtherVersion
from fliptable.rules import Game
from fliptable.testing.actions import Action
from fliptable.testing.broken import Broken, raised, report
from fliptable.testing.constrainttrials import installed_games
from fliptable.testing.differences import difference
from fliptable.testing.literals import Literals, shown
from fliptable.testing.playout import Case, Playout, random_action
from fliptable.testing.variants import variants

_OPTIONS: Final = "Options"
_MOST = 300
"""The most moves of a round."""


@dataclass(frozen=True)
class _Only:
    """One constraint that is loaded."""

    one: Constraint

    def game(self, id: str) -> Game[Any, Any]:
        raise LookupError(id)

    def constraint(self, id: str) -> Constraint:
        return self.one


def hold_constraint_migration(
    named: str,
    old: Constraint,
    new: Constraint,
    games: Sequence[Game[Any, Any]] | None,
    options: Iterable[Any] | None,
    seats: Iterable[int] | None,
    seeds: Collection[int],
) -> None:
    """Hold the laws of a new version of a constraint in random rounds. ``named`` begins what is told.

    Errors: AssertionError names the law, the options and the moves.
    """
    __tracebackhide__ = True
    found = list(games) if games is not None else installed_games(old)
    if not found:
        raise AssertionError(f"{named} cannot be tried: none of {list(old.games)} is installed; pass game")
    for chosen in variants(old.Options) if options is None else options:
        words = Literals().write(chosen)
        for broken in _read(old, new, chosen):
            raise AssertionError(report(named, broken, words, []))
        for game in found:
            for seed in seeds:
                case = Case(game, min(game.seats if seats is None else seats), seed)
                for broken, actions in _played(old, new, chosen, case):
                    setting = f"game {game.id!r}, seed {seed}, {words}"
                    raise AssertionError(report(named, broken, setting, actions))


def _read(old: Constraint, new: Constraint, options: Any) -> Iterator[Broken]:
    """What is broken by reading the options."""
    document = pack(options)
    try:
        now = _now(old, new, options)
    except OtherVersion as error:
        cause = error.__cause__ or error
        told = f"what {old.version} has stored as {_OPTIONS}, {shown(document)}, cannot be read"
        yield Broken("readable", f"{told}: {type(cause).__name__}: {cause}")
        return
    given = deepcopy(document)
    first = new.migrate(_OPTIONS, given, old.version)
    changed = difference(document, given, _OPTIONS, "and after it was asked")
    if changed is not None:
        yield Broken(
            "purity", f"`migrate` changes what it is given, so copy it, {{**document, …}}: {changed}"
        )
    changed = difference(
        first, new.migrate(_OPTIONS, deepcopy(document), old.version), _OPTIONS, "and, again,"
    )
    if changed is not None:
        yield Broken("purity", f"`migrate` gives another answer each time: {changed}")
    text = new.text(now)
    if not isinstance(text, str) or not text.strip() or "\n" in text:
        yield Broken("meaning", f"what it asks is told as {text!r}")


def _played(
    old: Constraint, new: Constraint, options: Any, case: Case
) -> Iterator[tuple[Broken, Sequence[Action]]]:
    """What is broken in a round: however it goes, both versions have to say the same of it."""
    playout, random = Playout(case), Random(case.seed)
    everybody = frozenset(range(case.seats))
    try:
        now = _now(old, new, options)
        while True:
            over = playout.outcome is not None
            view = playout.game.view(playout.state, everybody)
            before, after = old.status(options, view, over), new.status(now, view, over)
            if before is not after:
                told = f"the round was {before.value} by {old.version}, and is {after.value} by {new.version}"
                yield Broken("meaning", told), playout.actions
            if over or playout.moves >= _MOST:
                return
            action = random_action(playout, random)
            if action is None or playout.take(action) is not None:
                return
    except BaseException as error:
        yield raised(error, new, old), playout.actions


def _now(old: Constraint, new: Constraint, options: Any) -> Any:
    chosen = ChosenConstraint(old.id, pack(options), old.version)
    return conditions_of(_Only(new), [chosen])[0].options
