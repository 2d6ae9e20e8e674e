"""Who calls where several play, and what becomes of the call: rule sheet call-it, R1 with R6 and C3."""

from __future__ import annotations

from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    Called,
    CallPassed,
    CameBack,
    Flip,
    Phase,
    WentAway,
)
from tests.games.call_it.call_it_rounds import reasons, script


def test_r1_when_the_caller_leaves_the_next_one_calls() -> None:
    round = script(seats=4, caller=2)
    round.leave(3)
    round.leave(2)
    assert round.to_act == [0] and round.view().caller == 0
    round.play(0, Call(30))
    assert round.to_act == [0, 1]


def test_r1_one_seat_calls_and_nobody_else_can() -> None:
    round = script(seats=4, caller=2)
    assert round.to_act == [2] and round.view().caller == 2
    assert round.view().phase is Phase.CALL
    for seat in (0, 1, 3):
        assert round.refused(seat, Call(40)).code == "NOT_YOUR_TURN"
        assert round.refused(seat, Flip()).code == "NOT_YOUR_TURN"
        assert round.legal_moves(seat) == []
    assert round.refused(2, Flip()).code == "ILLEGAL_MOVE"
    assert round.refused(2, Call(29)).field == "target"
    assert round.play(2, Call(30)) == [Called(2, 30)]


def test_r1_the_caller_plays_too() -> None:
    round = script("10H 10D 10C", seats=3, caller=1)
    assert round.to_act == [1] and round.view().caller == 1
    round.play(1, Call(30))
    assert round.to_act == [0, 1, 2]
    round.play(1, Flip(), Flip(), Flip())
    assert round.outcome is not None and round.outcome.winners == [1]


def test_r1_the_target_is_called_once_for_all() -> None:
    round = script(seats=3, caller=1, called=55)
    assert [round.view(seat).target for seat in range(3)] == [55, 55, 55]
    assert round.refused(1, Call(60)).code == "ILLEGAL_MOVE"
    assert round.refused(0, Call(60)).code == "ILLEGAL_MOVE"


def test_r1_who_has_left_is_passed_over_as_caller() -> None:
    assert script(seats=4, number=2, caller=1, gone=[1]).to_act == [2]
    assert script(seats=4, number=2, caller=3, gone=[3, 0]).to_act == [1]


def test_r1_r6_the_call_passes_on_clockwise_from_a_caller_who_goes_away() -> None:
    round = script(seats=4, caller=2)
    round.disconnect(3)
    assert round.disconnect(2) == [WentAway(2), CallPassed(2, 0)]
    assert round.to_act == [0] and round.view().caller == 0
    # The one who was to call is back, and only flips.
    round.reconnect(2)
    assert round.to_act == [0]
    round.play(0, Call(50))
    assert round.to_act == [0, 1, 2]
    assert round.view().caller == 0


def test_r1_r6_once_the_call_is_made_it_stands() -> None:
    round = script(seats=3, caller=1, called=50)
    assert round.disconnect(1) == [WentAway(1)]
    assert round.view().caller == 1 and round.view().target == 50


def test_r1_r6_with_nobody_else_there_the_call_waits_for_the_first_back() -> None:
    round = script(seats=3, caller=1)
    round.disconnect(0)
    round.disconnect(2)
    assert round.to_act == [1]
    assert round.disconnect(1) == [WentAway(1)]
    assert round.to_act == [1]
    assert round.reconnect(0) == [CameBack(0), CallPassed(1, 0)]
    assert round.to_act == [0]


def test_r6_who_is_away_at_the_deal_is_skipped_as_caller_and_not_waited_for() -> None:
    round = script(seats=4, number=2, caller=1, away=[1, 2])
    assert round.to_act == [3]
    round.play(3, Call(50))
    assert round.to_act == [0, 3]
    round.reconnect(2)
    assert round.to_act == [0, 2, 3]


def test_r6_with_all_away_at_the_deal_the_round_waits() -> None:
    round = script(seats=3, number=2, caller=1, away=[0, 1, 2])
    assert round.to_act == [1]
    assert round.reconnect(2) == [CameBack(2), CallPassed(1, 2)]


def test_r6_a_target_that_is_fixed_needs_no_caller_who_is_there() -> None:
    round = script(seats=3, number=2, caller=0, away=[0], target=45)
    assert round.events[-1] == Called(1, 45, fixed=True)
    assert round.to_act == [1, 2]


def test_c3_leaving_is_a_bust_and_a_caller_who_leaves_passes_the_call_on() -> None:
    round = script(seats=3, caller=2)
    assert round.leave(2) == [Busted(2, BustReason.ABANDONED), CallPassed(2, 0)]
    assert round.to_act == [0]
    assert round.leave(2) == []
    round.play(0, Call(30))
    assert round.to_act == [0, 1]


def test_c3_a_caller_who_leaves_passes_over_who_is_away() -> None:
    round = script(seats=4, caller=0)
    round.disconnect(1)
    round.leave(0)
    assert round.to_act == [2]


def test_c3_with_only_those_away_left_one_of_them_has_the_call() -> None:
    round = script(seats=3, caller=0)
    round.disconnect(1)
    round.disconnect(2)
    assert round.leave(0) == [Busted(0, BustReason.ABANDONED), CallPassed(0, 1)]
    assert round.outcome is None and round.to_act == [1]
    assert round.reconnect(2) == [CameBack(2), CallPassed(1, 2)]


def test_before_the_call_the_next_one_calls_when_the_time_is_up() -> None:
    round = script(seats=4, caller=1)
    round.disconnect(2)
    assert round.expire(1) == [CallPassed(1, 3)]
    assert round.expire(3) == [CallPassed(3, 0)]
    round.play(0, Call(30))
    assert round.to_act == [0, 1, 3], "only the call was lost"


def test_a_round_that_nobody_calls_in_time_is_lost_for_all() -> None:
    round = script(seats=3, caller=1)
    round.disconnect(0)
    round.expire(1)
    round.expire(2)
    assert reasons(round) == ["NOT_CALLED"] * 3
    assert round.outcome is not None and round.outcome.winners == []


def test_who_comes_back_gets_a_turn_to_call_too() -> None:
    round = script(seats=3, caller=0)
    round.disconnect(0)
    assert round.to_act == [1]
    round.reconnect(0)
    round.expire(1)
    round.expire(2)
    assert round.to_act == [0]
    round.expire(0)
    assert reasons(round) == ["NOT_CALLED"] * 3
