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
from fliptable.testing.broken import Broken, raised
from fliptable.testing.constrainttrials import ConstraintTrial, installed_games
from fliptable.testing.differences import difference
from fliptable.testing.literals import shown
from fliptable.testing.playout import Case, Playout, random_action
from fliptable.testing.shrinking import ATTEMPTS
from fliptable.testing.trials import fail, hold
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


@dataclass(frozen=True)
class ConstraintUpgradeTrial(ConstraintTrial):
    """An earlier version of a constraint in rounds of a game, at which both versions look."""

    check = "check_migration_case"

    new: Constraint

    @property
    def part(self) -> Any:
        """Both versions."""
        return self.constraint, self.new

    @property
    def named(self) -> str:
        """The plugin and both versions."""
        old, new = self.constraint, self.new
        return f"plugin {new.id!r}, version {new.version} after {old.version},"

    def hold(self, law: str, actions: Sequence[Action]) -> Broken | None:
        """Play the actions, and see whether a law is broken by reading the options, or at any time."""
        playout: Playout | None = None
        try:
            broken = next(_read(self.constraint, self.new, self.options), None)
            playout = Playout(self.case)
            for action in [None, *actions]:
                if broken is None and action is not None and playout.take(action) is not None:
                    return None
                broken = broken or self.look(playout)
        except BaseException as error:
            return raised(error, self.new, self.constraint)
        return broken if broken is None or broken.law == law else None

    def look(self, playout: Playout) -> Broken | None:
        """What is broken in a round as it stands: both versions have to say the same of it."""
        old, new = self.constraint, self.new
        over = playout.outcome is not None
        view = playout.game.view(playout.state, frozenset(range(self.case.seats)))
        before = old.status(self.options, view, over)
        after = new.status(_now(old, new, self.options), view, over)
        if before is after:
            return None
        told = f"the round was {before.value} by {old.version}, and is {after.value} by {new.version}"
        return Broken("meaning", told)

    def attempts(self, law: str) -> int:
        """As many as are tried of other laws."""
        return ATTEMPTS


def hold_constraint_migration(
    old: Constraint,
    new: Constraint,
    game: Game[Any, Any] | None,
    options: Iterable[Any] | None,
    seats: Iterable[int] | None,
    seeds: Collection[int],
) -> None:
    """Hold the laws of a new version of a constraint in random rounds.

    Errors: AssertionError names the law and the smallest case that was found, and has a test of it.
    """
    __tracebackhide__ = True
    for chosen in variants(old.Options) if options is None else options:
        for played in _games(old, game):
            for seed in seeds:
                case = Case(played, min(played.seats if seats is None else seats), seed)
                _hold(ConstraintUpgradeTrial(old, chosen, case, new))


def hold_constraint_case(
    old: Constraint,
    new: Constraint,
    law: str,
    actions: Sequence[Any],
    game: Game[Any, Any] | None,
    options: Any,
    seats: int | None,
    seed: int,
) -> None:
    """Hold one law of a new version of a constraint in a round. Errors: AssertionError names the law."""
    __tracebackhide__ = True
    played = _games(old, game)[0]
    case = Case(played, min(played.seats) if seats is None else seats, seed)
    chosen = old.Options() if options is None else options
    hold(ConstraintUpgradeTrial(old, chosen, case, new), law, actions)


def _games(old: Constraint, game: Game[Any, Any] | None) -> Sequence[Game[Any, Any]]:
    found = [game] if game is not None else installed_games(old)
    if not found:
        raise AssertionError(
            f"plugin {old.id!r} cannot be tried: none of {list(old.games)} is installed; pass game"
        )
    return found


def _hold(trial: ConstraintUpgradeTrial) -> None:
    """Play a round by lot, and look. Errors: LawFailure."""
    __tracebackhide__ = True
    random, actions = Random(trial.case.seed), list[Action]()
    try:
        broken = next(_read(trial.constraint, trial.new, trial.options), None)
        playout = Playout(trial.case)
        actions = playout.actions
        while broken is None:
            broken = trial.look(playout)
            if broken is not None or playout.outcome is not None or playout.moves >= _MOST:
                break
            action = random_action(playout, random)
            if action is None or playout.take(action) is not None:
                break
    except BaseException as error:
        broken = raised(error, trial.new, trial.constraint)
    if broken is not None:
        fail(trial, list(actions), broken)


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


def _now(old: Constraint, new: Constraint, options: Any) -> Any:
    chosen = ChosenConstraint(old.id, pack(options), old.version)
    return conditions_of(_Only(new), [chosen])[0].options
