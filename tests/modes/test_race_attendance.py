"""Players of a race who are away, late or gone, and the host: rule sheet call-it, R6 and R7."""

from __future__ import annotations

import pytest

from fliptable.testing import START, HostChanged, HouseRules, RoundBegan, Status
from fliptable_games.call_it.vocabulary import BustReason, Call, Flip
from tests.modes.call_it_tables import BUST, WIN, OpenTable, caller, win


def test_r6_a_round_does_not_wait_and_they_come_back_to_seat_score_and_hand(race: OpenTable) -> None:
    table = race(3, WIN, "10H 10D 10C")
    win(table, 1)
    table.play(1, Call(30))
    table.play(2, Flip(), Flip())
    table.disconnect("cid")
    assert table.to_act == [0, 1]
    table.reconnect("cid")
    assert table.table.seat_of("cid") == 2
    assert table.to_act == [0, 1, 2]
    table.play(2, Flip())
    assert table.scores == (0, 1, 1)


def test_r6_the_round_ends_with_everybody_who_is_there_bust(race: OpenTable) -> None:
    table = race(3, BUST)
    table.play(0, Call(30))
    table.play(1, Flip())
    table.disconnect("bob")
    table.play(0, *[Flip()] * 4)
    table.play(2, *[Flip()] * 4)
    (outcome,) = table.outcomes
    assert [one.reason for one in outcome.seats] == ["OVER", "AWAY", "OVER"]
    assert outcome.seats[1].points == 0


@pytest.mark.parametrize("shared", [False, True])
def test_r6_the_same_with_a_shared_deck(race: OpenTable, shared: bool) -> None:
    table = race(3, "10H 9D KC QC JC KS 8S", shared=shared)
    table.play(0, Call(30))
    table.disconnect("bob")
    while not table.outcomes:
        table.play(table.to_act[-1], Flip())
    assert table.outcomes[0].seats[1].reason == "AWAY"


def test_r6_with_fewer_than_two_there_the_match_waits_and_ends_after_a_limit(race: OpenTable) -> None:
    table = race(3, WIN, house=HouseRules(wait_seconds=90))
    win(table, 1)
    table.disconnect("bob")
    table.disconnect("ann")
    assert table.table.status is Status.PAUSED
    assert table.refused_move(2, Call(30)).code == "TABLE_PAUSED"
    table.clock.advance(89)
    assert not table.tick()
    table.reconnect("bob")
    assert table.table.status is Status.PLAYING and table.scores == (0, 1, 0)
    table.disconnect("cid")
    table.clock.advance(90)
    assert table.tick()
    assert table.over == "NOT_ENOUGH_PLAYERS" and table.run().winner is None


def test_r6_local_seats_count_as_long_as_their_host_is_there(race: OpenTable) -> None:
    table = race(1, WIN, local_seats=("Uncle",))
    assert table.table.status is Status.PLAYING
    win(table, 1)
    assert table.scores == (0, 1)
    table.disconnect("ann")
    assert table.table.status is Status.PAUSED


def test_leaving_keeps_the_points_of_those_who_stay(race: OpenTable) -> None:
    table = race(3, WIN, WIN, score=3)
    win(table, 1)
    table.leave("ann")
    win(table, 2)
    assert table.run().points == (0, 1, 1)
    table.leave("bob")
    assert table.over == "NOT_ENOUGH_PLAYERS"


def test_r7_the_host_leaves_and_the_next_connected_seat_clockwise_is_host(race: OpenTable) -> None:
    table = race(4, WIN)
    win(table, 3)
    table.disconnect("bob")
    table.leave("ann")
    assert table.table.host == "cid" and HostChanged(2, "cid") in table.commits[-1].events
    # The race goes on for the others.
    assert table.table.status is Status.PLAYING and table.scores == (0, 0, 0, 1)
    assert caller(table) == 2


def test_r7_a_host_whose_connection_is_gone_passes_the_role_on(race: OpenTable) -> None:
    table = race(3)
    table.disconnect("ann")
    assert table.table.host == "bob"
    table.reconnect("ann")
    assert table.table.host == "bob"


def test_a_race_that_nobody_plays_any_more_ends(race: OpenTable) -> None:
    table = race(3, WIN, house=HouseRules(turn_seconds=10))
    win(table, 0)
    table.clock.advance(1000)
    table.tick()
    # In each of three rounds the call went round once in vain.
    assert table.over == "NOT_PLAYED"
    over = table.outcomes[1:]
    assert [[one.reason for one in outcome.seats] for outcome in over] == [["NOT_CALLED"] * 3] * 3
    assert (table.commits[-1].at - START).total_seconds() == 90
    assert table.run().winner is None


def test_one_call_in_between_and_the_race_goes_on(race: OpenTable) -> None:
    table = race(2, house=HouseRules(turn_seconds=10))
    for _ in range(3):
        table.clock.advance(40)
        table.tick()
        assert [one.seats[0].reason for one in table.outcomes[-2:]] == ["NOT_CALLED"] * 2
        assert table.table.status is Status.PLAYING
        table.play(caller(table), Call(100))
        table.clock.advance(10)
        table.tick()
        assert table.outcomes[-1].seats[0].reason == BustReason.TIME_UP.value


def test_a_slow_caller_loses_the_call_and_not_the_round(race: OpenTable) -> None:
    table = race(3, WIN, WIN, house=HouseRules(turn_seconds=10))
    win(table, 0)
    table.clock.advance(10)
    table.tick()
    assert RoundBegan(2) in table.commits[-1].events and caller(table) == 2
    table.play(2, Call(30))
    table.play(1, Flip(), Flip(), Flip())
    assert table.scores == (1, 1, 0)
    assert caller(table) == 0
