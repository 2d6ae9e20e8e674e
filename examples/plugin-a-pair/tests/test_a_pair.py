"""What A Pair asks, and the laws that every constraint has to keep."""

from __future__ import annotations

from types import SimpleNamespace

from fliptable import CARD, ConstraintStatus, NoOptions
from fliptable.testing import check_constraint
from fliptable_api.testing import check_api

from fliptable_a_pair import APair


def status(cards: str, over: bool = False) -> ConstraintStatus:
    """How it stands with these cards on the table."""
    hand = SimpleNamespace(cards=tuple([CARD[code] for code in cards.split()]))
    return APair().status(NoOptions(), SimpleNamespace(hands=(hand,)), over)


def test_it_keeps_the_laws() -> None:
    check_constraint(APair())


def test_it_is_part_of_the_schema() -> None:
    check_api(APair())


def test_a_pair_is_met_at_once() -> None:
    assert status("2C 3C") is ConstraintStatus.OPEN
    assert status("2C 3C 2D") is ConstraintStatus.MET


def test_without_one_it_fails_in_the_end() -> None:
    assert status("2C 3C", over=True) is ConstraintStatus.FAILED
