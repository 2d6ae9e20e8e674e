"""A call that never comes back ends the check that it hangs in, and is told with what was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from brokenconstraints import Red
from brokenmodes import Short

from fliptable.testing import OneCard, check_constraint, check_game, check_mode
from fliptable.testing.toys import OneCardState, OneCardView

SECONDS = 3


def for_ever() -> None:
    while True:
        pass


class EndlessDecide(OneCard):
    """Nobody gets a third card."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        while state.drawn == 2:
            pass
        return super().decide(state, seat, move, ctx)


class EndlessView(OneCard):
    """Once a card is turned up there is no end of looking at it, whatever is raised meanwhile."""

    def view(self, state: OneCardState, viewer: Any) -> OneCardView:
        while state.drawn:
            try:
                for _ in range(1000):
                    pass
            except Exception:
                pass
        return super().view(state, viewer)


class EndlessMode(Short):
    """Rounds are counted for ever."""

    def round_over(self, run: Any, outcome: Any, now: Any) -> Any:
        for_ever()


class EndlessConstraint(Red):
    """It never makes up its mind."""

    def status(self, options: Any, view: Any, over: bool) -> Any:
        for_ever()


def said(check: Callable[..., None], *arguments: Any, **named: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(*arguments, call_seconds=SECONDS, **named)
    return str(caught.value)


def test_a_call_of_a_game_that_never_comes_back_is_told_with_the_moves() -> None:
    found = said(check_game, EndlessDecide(), seats=[3])
    first, _, rest = found.partition("\n")
    assert first.startswith(
        "plugin 'one-card' breaks the law 'answers': EndlessDecide.decide (test_kit_watchdog.py, line "
    ), found
    assert f") has not come back after {SECONDS} seconds, when seat 2 plays TurnUp()" in first, found
    assert "\n  2. seat 1: TurnUp()\n\n" in rest and 'check_case(EndlessDecide(), "answers", actions' in rest


def test_what_a_game_catches_does_not_keep_it_going() -> None:
    found = said(check_game, EndlessView(), seats=[1])
    assert "EndlessView.view (test_kit_watchdog.py, line " in found, found
    assert f") has not come back after {SECONDS} seconds" in found, found


def test_a_mode_that_never_comes_back_is_told() -> None:
    found = said(check_mode, EndlessMode(), games=[OneCard()])
    assert found.startswith("plugin 'short' breaks the law 'answers': for_ever (test_kit_watchdog.py"), found
    assert f") has not come back after {SECONDS} seconds" in found, found
    assert "when seat 0 plays TurnUp()" in found, found


def test_a_constraint_that_never_comes_back_is_told() -> None:
    found = said(check_constraint, EndlessConstraint(), games=[OneCard()])
    assert found.startswith("plugin 'red' breaks the law 'status': for seat 0, for_ever ("), found
    assert f") has not come back after {SECONDS} seconds" in found, found


def test_a_check_leaves_no_thread_behind() -> None:
    from threading import enumerate as threads

    check_game(OneCard(), seats=[1], seeds=[0])
    assert not [one for one in threads() if one.name == "fliptable-watchdog"]
