"""Of games that are broken in odd ways too, the printed test fails for the same reason in a fresh file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from brokenconstraints import Red
from brokenmodes import Short
from highcard import HighCard
from oddgames import ODD_GAMES, Limited, Tuned

from fliptable import ConstraintStatus, Suit
from fliptable.testing import OneCard, Sealed, check_constraint, check_game, check_mode
from fliptable.testing.broken import LawFailure


def failure(check: Callable[..., None], *given: Any, **more: Any) -> LawFailure:
    with pytest.raises(LawFailure) as caught:
        check(*given, **more)
    return caught.value


def pasted(test: str) -> tuple[dict[str, Any], Any]:
    """The names in a fresh module of the test, and the test."""
    names: dict[str, Any] = {}
    exec(test, names)
    return names, next(value for name, value in names.items() if name.startswith("test_"))


@pytest.mark.parametrize(("make", "law", "said"), ODD_GAMES)
def test_a_pasted_test_fails_for_the_same_reason_and_passes_once_mended(
    make: Callable[[], Any], law: str, said: str
) -> None:
    broken = make()
    one = failure(check_game, broken)
    told = one.told.splitlines()[0]
    assert told.startswith(f"plugin {broken.id!r} breaks the law {law!r}: ") and said in told, one.told
    names, test = pasted(one.test)
    with pytest.raises(AssertionError) as caught:
        test()
    assert str(caught.value) == told
    kind = type(broken)
    (whole,) = [base for base in kind.__bases__ if base in (HighCard, OneCard, Sealed)]
    # A move that the mended game does not know is not legal there.
    names[kind.__name__] = lambda *_, **__: whole()
    test()


class Lasts(Short):
    """A mode that is made with a number of rounds."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds

    def over(self, run: Any) -> str | None:
        return "all played" if run.played == self.rounds else None


class Suited(Red):
    """A constraint that is made with a suit."""

    def __init__(self, suit: Suit) -> None:
        self.suit = suit

    def status(self, options: Any, view: Any, over: bool) -> Any:
        if any(card is not None and card.suit is self.suit for card in view.cards):
            return ConstraintStatus.MET
        return ConstraintStatus.OPEN


def test_modes_and_constraints_are_made_as_they_were_too() -> None:
    of_mode = failure(check_mode, Lasts(1), games=[OneCard()], seeds=[0])
    of_constraint = failure(check_constraint, Suited(Suit.CLUBS), games=[OneCard()])
    for one, kind, said in (
        (of_mode, Lasts, "why the session is over is 'all played'"),
        (of_constraint, Suited, "it is still OPEN"),
    ):
        assert said in one.told.splitlines()[0]
        # A class of a test is not to be imported.
        assert f"# {kind.__name__} has to be imported too, or defined here.\n" in one.test
        test = one.test.replace("def test_", f"from {__name__} import {kind.__name__}\n\ndef test_", 1)
        with pytest.raises(AssertionError) as caught:
            pasted(test)[1]()
        assert str(caught.value) == one.told.splitlines()[0]


def test_what_a_game_was_made_with_is_written_where_it_is_known() -> None:
    one = failure(check_game, Limited(1, deep=True), seeds=[0])
    assert 'check_case(Limited(limit=1, deep=True), "answers", seats=1)' in one.test
    one = failure(check_game, Limited(0, names=("Ann", "Bob")), seeds=[0])
    assert 'check_case(Limited(limit=0, names=("Ann", "Bob")), "answers", seats=1)' in one.test
    assert "from oddgames import Limited" in one.test and "load_plugins" not in one.test


def test_what_a_game_was_made_with_is_asked_for_where_it_is_not_known() -> None:
    one = failure(check_game, Tuned(lambda drawn: drawn < 1), seeds=[0])
    assert "# Tuned takes allowed: give it what it was given where it was checked.\n" in one.test
    assert 'check_case(Tuned(...), "answers", seats=1)' in one.test
