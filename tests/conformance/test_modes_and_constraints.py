"""Every installed mode and constraint keeps the laws; each law has one that breaks it, and is told of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from fliptable import (
    Constraint,
    ConstraintStatus,
    Mode,
    NoOptions,
    Rank,
    Refusal,
    RoundPlan,
    Suit,
)
from fliptable.challenges import Challenge, ChosenConstraint
from fliptable.plugins import load_plugins
from fliptable.testing import START, OneCard, check_constraint, check_mode
from fliptable.testing.toys import OneCardView

INSTALLED = load_plugins(strict=False)
OPTIONS = {"flips": 5, "rank": Rank.ACE, "suit": Suit.HEARTS}


@pytest.mark.parametrize("mode", sorted(set(INSTALLED.modes) - {"custom"}))
def test_a_mode_keeps_the_laws(mode: str) -> None:
    check_mode(INSTALLED.mode(mode))


def test_custom_keeps_the_laws_with_a_challenge() -> None:
    custom = INSTALLED.mode("custom")
    chosen = (ChosenConstraint("min-flips", {"flips": 4}),)
    challenge = Challenge("TESTED", "A test", "call-it", None, chosen, "ann", "Ann", START)
    check_mode(
        custom,
        games=[INSTALLED.game("call-it")],
        options=[custom.Options(challenge="TESTED")],
        challenge=challenge,
    )


@pytest.mark.parametrize("constraint", sorted(INSTALLED.constraints))
def test_a_constraint_keeps_the_laws(constraint: str) -> None:
    part = INSTALLED.constraint(constraint)
    names = [] if part.Options is NoOptions else list(part.Options.__dataclass_fields__)
    check_constraint(part, options=[part.Options(**{name: OPTIONS[name] for name in names})])


@dataclass(frozen=True)
class ShortRun:
    """A session."""

    ends_at: datetime
    played: int = 0
    late: int = 0


@dataclass(frozen=True)
class ShortView:
    """A session."""

    played: int


@dataclass(frozen=True)
class Counted:
    """A round counts."""

    def text(self, names: Sequence[str]) -> str:
        return "The round counts."


@dataclass(frozen=True)
class Late:
    """It is late."""

    def text(self, names: Sequence[str]) -> str:
        return "It is late."


@dataclass(frozen=True)
class Undeclared:
    """Of no class in events."""

    def text(self, names: Sequence[str]) -> str:
        return "?"


class Short(Mode[ShortRun]):
    """Two rounds; every minute it is later."""

    id = "short"
    name = "Short"
    graphql = "Short"
    summary = "Two rounds."
    Run = ShortRun
    View = ShortView
    events = (Counted, Late)

    def begin(self, session: Any) -> ShortRun:
        return ShortRun(session.now + timedelta(minutes=1))

    def round_over(self, run: ShortRun, outcome: Any, now: datetime) -> Sequence[Any]:
        return [Counted()]

    def over(self, run: ShortRun) -> str | None:
        return "PLAYED" if run.played == 2 else None

    def evolve(self, run: ShortRun, event: Any) -> ShortRun:
        if isinstance(event, Late):
            return replace(run, ends_at=run.ends_at + timedelta(minutes=1))
        return replace(run, played=run.played + 1)

    def deadline(self, run: ShortRun) -> datetime:
        return run.ends_at

    def at_deadline(self, run: ShortRun, at: datetime) -> Sequence[Any]:
        return [Late()]

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        return ShortView(run.played)


def _changes_its_run(self: Any, run: Any) -> Any:
    object.__setattr__(run, "late", run.late + 1)


def _raises(self: Any, run: Any, viewer: Any) -> Any:
    raise RuntimeError("no view")


def _clock(self: Any, run: Any, now: datetime) -> RoundPlan:
    return RoundPlan({"minutes": datetime.now().minute})


def refuses(code: str) -> Callable[..., Refusal]:
    return lambda *given: Refusal(code, "No.")


MODES: Sequence[tuple[str, str, dict[str, Any]]] = [
    ("answers", "view raises RuntimeError: no view", {"view": _raises}),
    ("purity", "over changes the run", {"over": _changes_its_run}),
    ("purity", "plan uses datetime.now", {"plan": _clock}),
    ("events", "is of no class in events", {"round_over": lambda self, run, outcome, now: [Undeclared()]}),
    ("storage", "the run: it", {"evolve": lambda self, run, event: replace(run, played="one")}),
    ("deadlines", "the next one is due", {"at_deadline": lambda self, run, at: [Counted()]}),
    ("refusals", "the refusal code NOPE", {"moved": refuses("NOPE")}),
    ("moves", "is among the legal moves", {"moved": refuses("ILLEGAL_MOVE")}),
    ("over", "is ''", {"over": lambda self, run: ""}),
    ("scores", "'flips', which is no metric", {"scores": lambda self, run, seat, outcome: {"flips": 1}}),
    ("terms", "low is drawn from no numbers", {"plan": lambda *given: RoundPlan(draws={"low": range(0)})}),
]


def test_a_mode_that_keeps_every_law_passes() -> None:
    check_mode(Short())


@pytest.mark.parametrize(("law", "complaint", "members"), MODES)
def test_a_broken_law_of_modes_is_named(law: str, complaint: str, members: dict[str, Any]) -> None:
    with pytest.raises(AssertionError) as caught:
        check_mode(type("Broken", (Short,), members)(), games=[OneCard()], steps=30)
    said = str(caught.value)
    assert said.startswith(f"plugin 'short' breaks the law {law!r}: "), said
    assert complaint in said.splitlines()[0], said
    # One move ends a round of one seat, so nothing needs more than one action.
    assert "  2. " not in said, said


class Red(Constraint):
    """A red card has to be turned up."""

    id = "red"
    name = "Red"
    graphql = "Red"
    summary = "A red card."
    games = ("one-card",)

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        if any(card is not None and card.suit in (Suit.HEARTS, Suit.DIAMONDS) for card in view.cards):
            return ConstraintStatus.MET
        return ConstraintStatus.FAILED if over else ConstraintStatus.OPEN


def _mends(self: Any, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
    return ConstraintStatus.MET if over else ConstraintStatus.FAILED


CONSTRAINTS: Sequence[tuple[str, str, dict[str, Any]]] = [
    ("status", "raises ZeroDivisionError", {"status": lambda self, options, view, over: 1 // 0}),
    ("status", "which is no ConstraintStatus", {"status": lambda self, options, view, over: True}),
    ("lasting", "it was FAILED and is MET in the same round", {"status": _mends}),
    ("end", "it is still OPEN", {"status": lambda self, options, view, over: ConstraintStatus.OPEN}),
    ("text", "its text is ''", {"text": lambda self, options: ""}),
    ("demand", "its demand is 3", {"demand": lambda self, options: 3}),
]


def test_a_constraint_that_keeps_every_law_passes() -> None:
    check_constraint(Red(), games=[OneCard()])


@pytest.mark.parametrize(("law", "complaint", "members"), CONSTRAINTS)
def test_a_broken_law_of_constraints_is_named(law: str, complaint: str, members: dict[str, Any]) -> None:
    with pytest.raises(AssertionError) as caught:
        check_constraint(type("Broken", (Red,), members)(), games=[OneCard()])
    said = str(caught.value)
    assert said.startswith(f"plugin 'red' breaks the law {law!r}: "), said
    assert complaint in said.splitlines()[0], said
    assert "  2. " not in said, said


def test_a_constraint_of_no_installed_game_says_so() -> None:
    with pytest.raises(AssertionError, match="none of \\['one-card'\\] is installed; pass games"):
        check_constraint(Red())
