"""What A Pair asks, and the laws that every constraint has to keep."""

from __future__ import annotations

from fliptable import ConstraintStatus
from fliptable.testing import (
    RoundScript,
    check_constraint,
    constraint_status,
    load_plugins,
    stacked,
)
from fliptable_api.testing import check_api

from fliptable_a_pair import APairConstraint


def status(target: int, cards: str) -> ConstraintStatus:
    """How it stands when these cards were turned up for a target."""
    script = RoundScript(load_plugins(builtin_only=True).game("call-it"), stacked(cards))
    script.follow(f"call {target}", *["flip"] * len(cards.split()))
    return constraint_status(APairConstraint(), script)


def test_it_keeps_the_laws() -> None:
    check_constraint(APairConstraint())


def test_it_is_part_of_the_schema() -> None:
    check_api(APairConstraint())


def test_a_pair_is_met_at_once() -> None:
    assert status(30, "2C 3C") is ConstraintStatus.OPEN
    assert status(30, "2C 3C 2D") is ConstraintStatus.MET


def test_without_one_it_fails_in_the_end() -> None:
    assert status(30, "10C KC QC") is ConstraintStatus.FAILED
