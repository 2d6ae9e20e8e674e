"""How Few Rounds goes on and ends, and the laws that every mode has to keep."""

from __future__ import annotations

from fliptable import Outcome, Result, SeatOutcome, Session
from fliptable.testing import START, check_mode
from fliptable_api.testing import check_api

from fliptable_few_rounds import FewRounds, FewRoundsOptions


def test_it_keeps_the_laws() -> None:
    check_mode(FewRounds())


def test_it_can_be_played_over_graphql() -> None:
    check_api(FewRounds())


def test_points_add_up_until_the_last_round() -> None:
    mode = FewRounds()
    run = mode.begin(Session(FewRoundsOptions(rounds=2), 2, START))
    outcome = Outcome((SeatOutcome(Result.WON, 3), SeatOutcome(Result.LOST)))
    assert mode.over(run) is None
    for _ in range(2):
        for event in mode.round_over(run, outcome, START):
            run = mode.evolve(run, event)
    assert mode.over(run) == "PLAYED"
    assert run.points == (6, 0)
    assert mode.view(run, frozenset()).leaders == (0,)
