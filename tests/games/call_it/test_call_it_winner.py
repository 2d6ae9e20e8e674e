"""Who wins where several play, and how the round ends for the others: rule sheet call-it, R4."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from fliptable import STANDARD_DECK, Outcome, Result, SeatOutcome
from fliptable.testing import check_game, suited
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    CallItOptions,
    CallItTerms,
    Flip,
    HandStatus,
)
from tests.games.call_it.call_it_rounds import COPIES, SHARED, reasons, script


def test_r4_the_first_to_land_wins_and_locks_the_others() -> None:
    round = script(suited("10 10 10"), seats=3)
    round.play(0, Call(30), Flip(), Flip())
    round.play(1, Flip(), Flip(), Flip())
    assert round.to_act == []
    assert [hand.status for hand in round.view().hands] == [
        HandStatus.LOCKED,
        HandStatus.WON,
        HandStatus.LOCKED,
    ]
    assert round.outcome == Outcome(
        (
            SeatOutcome(Result.LOST, 0, "BEATEN", {"flips": 2}),
            SeatOutcome(Result.WON, 1, None, {"flips": 3}),
            SeatOutcome(Result.LOST, 0, "BEATEN", {"flips": 0}),
        )
    )
    assert round.refused(0, Flip()).code == "NOT_YOUR_TURN"


def test_r4_a_bust_before_the_end_stays_a_bust() -> None:
    round = script(suited("10 10 10"), seats=2)
    round.play(0, Call(30))
    round.leave(0)
    round.play(1, *[Flip()] * 3)
    assert [one.result for one in round.outcome.seats] == [Result.BUST, Result.WON]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_r4_order_of_arrival_decides(order: tuple[int, ...]) -> None:
    """All three are one flip from the target; whichever flip arrives first wins alone."""
    round = script("10H 10D 10C", seats=3, called=30)
    for seat in range(3):
        round.play(seat, Flip(), Flip())
    round.play(order[0], Flip())
    assert round.outcome is not None and round.outcome.winners == [order[0]]
    for late in order[1:]:
        # The others' decks are locked: their flips are refused and change nothing.
        before = round.view()
        assert round.refused(late, Flip()).code == "NOT_YOUR_TURN"
        assert round.view() == before
        assert round.view().hands[late].status is HandStatus.LOCKED
    assert reasons(round) == [None if seat == order[0] else "BEATEN" for seat in range(3)]


def test_r4_a_bust_scores_nothing_and_the_rest_go_on() -> None:
    round = script("KH KD KC KS", seats=3, called=35)
    round.play(1, *[Flip()] * 4)
    assert round.events[-1] == Busted(1, BustReason.OVER)
    assert round.outcome is None and round.to_act == [0, 2]
    assert round.refused(1, Flip()).code == "NOT_YOUR_TURN"


def test_r4_over_when_everybody_is_bust() -> None:
    round = script("KH KD KC KS", seats=3, called=35)
    for seat in (2, 0, 1):
        assert round.outcome is None
        round.play(seat, *[Flip()] * 4)
    assert round.outcome is not None and round.outcome.winners == []
    assert [(one.result, one.points) for one in round.outcome.seats] == [(Result.BUST, 0)] * 3
    assert round.to_act == []


@pytest.mark.parametrize("options", [COPIES, SHARED])
def test_r4_never_more_than_one_winner(options: CallItOptions) -> None:
    random = Random(4)
    for _ in range(150):
        seats, target = random.randint(2, 8), random.choice([30, 31, 33, 60, 340])
        cards = random.sample(STANDARD_DECK, len(STANDARD_DECK))
        round = script(" ".join(cards), seats, options, called=target)
        while round.outcome is None:
            round.play(random.choice(round.to_act), Flip())
        results = [one.result for one in round.outcome.seats]
        assert results.count(Result.WON) <= 1
        assert sum(one.points for one in round.outcome.seats) == results.count(Result.WON)
        if Result.WON not in results:
            assert set(results) == {Result.BUST}


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_the_laws_hold_with_several_seats(seats: int) -> None:
    terms = [CallItTerms(caller=seats - 1), CallItTerms(target=45, caller=1), CallItTerms(peek=3)]
    check_game(CallIt(), seats=[seats], terms=terms, seeds=range(2))
