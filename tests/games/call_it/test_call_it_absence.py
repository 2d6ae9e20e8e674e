"""Players who are away, late or gone for good while several play: rule sheet call-it, R6 and C3."""

from __future__ import annotations

import pytest

from fliptable import Result
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    Called,
    CallItOptions,
    CallPassed,
    CameBack,
    Flip,
    HandStatus,
    WentAway,
)
from tests.games.call_it.call_it_rounds import COPIES, SHARED, reasons, script, shown


def test_r6_seats_that_were_left_earlier_are_out_of_the_round() -> None:
    round = script(seats=3, number=2, caller=1, gone=[1])
    assert round.to_act == [2]
    assert [hand.status for hand in round.view().hands] == [HandStatus.IN, HandStatus.BUST, HandStatus.IN]


@pytest.mark.parametrize("options", [COPIES, SHARED])
def test_r6_a_round_does_not_wait_for_who_is_away(options: CallItOptions) -> None:
    round = script("KH KD KC KS 9H 9D 9C 9S", seats=3, options=options, called=31)
    round.play(2, Flip())
    assert round.disconnect(2) == [WentAway(2)]
    assert round.to_act == [0, 1]
    assert round.view().hands[2].away and round.view().hands[2].status is HandStatus.IN
    assert round.view().hands[2].flips == 1
    while round.outcome is None:
        round.play(round.to_act[0], Flip())
    assert round.events[-1] == Busted(2, BustReason.AWAY)
    assert round.outcome.seats[2].points == 0 and round.outcome.seats[2].result is Result.BUST
    assert reasons(round)[2] == "AWAY" and round.outcome.winners == []


def test_r6_they_come_back_to_the_same_hand_while_the_round_runs() -> None:
    round = script("10H 10D 10C", seats=3, called=30)
    round.play(2, Flip(), Flip())
    round.disconnect(2)
    round.play(0, Flip())
    assert round.reconnect(2) == [CameBack(2)]
    assert round.to_act == [0, 1, 2] and not round.view().hands[2].away
    assert shown(round, 2)[2] == ["10H", "10D"]
    round.play(2, Flip())
    assert round.outcome is not None and round.outcome.winners == [2]


def test_r6_they_come_too_late_to_a_round_that_is_over() -> None:
    round = script("KH KD KC KS", seats=2, called=31)
    round.disconnect(1)
    round.play(0, *[Flip()] * 4)
    assert reasons(round) == ["OVER", "AWAY"]
    assert round.reconnect(1) == []


def test_r6_who_wins_leaves_those_away_beaten() -> None:
    round = script("10H 10D 10C", seats=3, called=30)
    round.disconnect(1)
    round.play(0, Flip(), Flip(), Flip())
    assert reasons(round) == [None, "BEATEN", "BEATEN"]


def test_r6_going_away_ends_a_round_in_which_all_others_are_bust() -> None:
    round = script("KH KD KC KS", seats=3, called=31)
    round.play(0, *[Flip()] * 4)
    round.play(1, *[Flip()] * 4)
    assert round.disconnect(2) == [WentAway(2), Busted(2, BustReason.AWAY)]
    assert reasons(round) == ["OVER", "OVER", "AWAY"]


def test_r6_a_bust_player_who_goes_away_changes_nothing() -> None:
    round = script("KH KD KC KS", seats=3, called=31)
    round.play(0, *[Flip()] * 4)
    round.disconnect(0)
    assert round.outcome is None and round.to_act == [1, 2]
    round.play(1, *[Flip()] * 4)
    assert round.outcome is None and round.to_act == [2]


def test_r6_with_nobody_there_the_round_waits() -> None:
    round = script("KH KD KC KS", seats=3, called=31)
    round.play(0, *[Flip()] * 4)
    for seat in (0, 1, 2):
        round.disconnect(seat)
    assert round.outcome is None and round.to_act == [1, 2]
    # The bust player is the first back: now everybody who is there is bust.
    assert round.reconnect(0) == [CameBack(0), Busted(1, BustReason.AWAY), Busted(2, BustReason.AWAY)]


def test_r6_the_shared_deck_is_empty_for_who_is_away_too() -> None:
    round = script(options=SHARED, seats=3, called=500)
    round.disconnect(1)
    for number in range(52):
        round.play((0, 2)[number % 2], Flip())
    assert reasons(round) == ["DECK_EMPTY"] * 3


def test_r6_hearing_it_twice_changes_nothing() -> None:
    round = script(seats=3, called=31)
    round.disconnect(1)
    assert round.disconnect(1) == []
    round.reconnect(1)
    assert round.reconnect(1) == [] and round.reconnect(0) == []


def test_c3_leaving_for_good_while_others_are_away_ends_nothing_for_them() -> None:
    round = script("KH KD KC KS", seats=3, called=31)
    round.disconnect(1)
    round.leave(0)
    assert round.to_act == [2]
    round.leave(2)
    assert round.outcome is None and round.to_act == [1], "nobody is there: the round waits"


def test_c3_who_was_bust_and_leaves_is_not_there_any_more() -> None:
    round = script("KH KD KC KS", seats=3, called=31)
    round.play(0, *[Flip()] * 4)
    assert round.leave(0) == [WentAway(0)]
    round.disconnect(1)
    assert round.disconnect(2) == [WentAway(2)]
    assert round.outcome is None


def test_c3_everybody_leaves() -> None:
    round = script(seats=3)
    for seat in (1, 0, 2):
        assert round.outcome is None
        round.leave(seat)
    assert reasons(round) == ["ABANDONED"] * 3


def test_c3_who_has_left_for_good_is_bust_from_the_start() -> None:
    round = script(seats=3, number=2, gone=[1])
    assert round.view().hands[1].status is HandStatus.BUST
    assert round.disconnect(1) == [] and round.reconnect(1) == [] and round.leave(1) == []
    round.play(0, Call(30))
    assert round.to_act == [0, 2]


def test_after_the_call_the_seat_is_bust_when_its_time_is_up() -> None:
    round = script(seats=3, called=50)
    assert round.expire(1) == [Busted(1, BustReason.TIME_UP)]
    assert round.to_act == [0, 2]
    round.disconnect(2)
    assert round.expire(0) == [Busted(0, BustReason.TIME_UP), Busted(2, BustReason.AWAY)]


def test_c3_alone_being_out_of_time_is_a_bust_with_the_same_reason_as_with_several() -> None:
    for target in (None, 30):
        round = script(seats=1, called=target)
        assert round.expire(0) == [Busted(0, BustReason.TIME_UP)]
        assert reasons(round) == ["TIME_UP"]


def test_alone_nobody_is_skipped() -> None:
    round = script(seats=1)
    assert round.disconnect(0) == [] and round.reconnect(0) == []
    assert not script(away=[0]).view().hands[0].away


def test_what_happens_can_be_read() -> None:
    names = ["Ann", "Bob", "Cid"]
    said = [
        event.text(names)
        for event in (
            CallPassed(0, 2),
            WentAway(1),
            CameBack(1),
            Busted(1, BustReason.NOT_CALLED),
            Busted(1, BustReason.ABANDONED),
            Called(0, 31),
            Called(0, 31, fixed=True),
        )
    ]
    assert said == [
        "Cid calls instead of Ann.",
        "The round does not wait for Bob.",
        "Bob is back in the round.",
        "Bob is bust (not called).",
        "Bob is out.",
        "Ann calls 31.",
        "The target is 31.",
    ]


def test_the_caller_is_asked_for_the_call_and_who_flips_alone_for_a_flip() -> None:
    names, game = ["Ann", "Bob"], CallIt()
    round = script(seats=2)
    assert game.ask(round.state, 0, names) == "Ann, call a target of 30 or more."
    round.play(0, Call(31))
    assert game.ask(round.state, 0, names) is None  # of several, the table asks all in one sentence
    round.expire(0)
    assert game.ask(round.state, 1, names) == "Bob, turn the top card up: the target is 31."
