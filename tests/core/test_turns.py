"""Turns with a time limit: when a seat's clock starts, starts anew and stops."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from turnkit import at, check, ends

from fliptable import lobby
from fliptable.events import TablePaused
from fliptable.house import HouseRules
from fliptable.projection import to_act
from fliptable.table import Status
from fliptable_games.call_it.vocabulary import (
    Call,
    Flip,
)


def test_without_a_limit_nothing_is_due(timed: Any) -> None:
    table = timed(2, house=HouseRules())
    assert ends(table) == {} and table.table.deadline() is None
    table.play(0, Call(100))
    table.clock.advance(10**6)
    assert not table.tick()


def test_a_clock_starts_when_the_seat_gets_to_act(timed: Any) -> None:
    table = timed(3)
    assert ends(table) == {0: 30}
    assert table.table.deadline() == at(30)
    table.clock.advance(10)
    table.play(0, Call(100))
    assert ends(table) == {0: 40, 1: 40, 2: 40}
    check(table)


def test_a_clock_starts_anew_with_the_seats_own_moves(timed: Any) -> None:
    table = timed(3)
    table.play(0, Call(380))
    table.clock.advance(10)
    table.play(1, Flip())
    table.clock.advance(10)
    table.play(0, Flip())
    assert ends(table) == {0: 50, 1: 40, 2: 30}
    check(table)


def test_a_clock_stops_when_the_seat_is_not_to_act_any_more(timed: Any) -> None:
    table = timed(3, "KC KD KH KS")
    table.play(0, Call(31))
    table.play(1, *[Flip()] * 4)
    assert ends(table) == {0: 30, 2: 30}


def test_no_clock_runs_before_the_start_or_after_the_end(timed: Any) -> None:
    table = timed(2, seats=3)
    table.clock.advance(100)
    assert ends(table) == {}
    table.start()
    assert ends(table) == {0: 130}
    table.leave("bob")
    assert table.table.status is Status.OVER and ends(table) == {}


def test_a_start_with_free_seats_starts_the_clocks_of_those_who_are_left(timed: Any) -> None:
    table = timed(3, seats=4)
    table.leave("ann")
    table.clock.advance(5)
    table.start("bob")
    assert ends(table) == {0: 35}
    table.play(0, Call(100))
    assert ends(table) == {0: 35, 1: 35}


def test_coming_going_and_being_made_host_gain_no_time(timed: Any) -> None:
    table = timed(4)
    table.play(0, Call(380))
    table.clock.advance(10)
    table.do("ann", lambda d: lobby.hand_over(d, "ann", 1))
    assert ends(table) == {0: 30, 1: 30, 2: 30, 3: 30}
    table.disconnect("dot")
    assert ends(table) == {0: 30, 1: 30, 2: 30}
    table.leave("cid")
    assert ends(table) == {0: 30, 1: 30}


def test_who_is_waited_for_gains_no_time_by_coming_back(timed: Any, high: SimpleNamespace) -> None:
    # This game says nothing of players who are not there: it waits for them, as long as for anybody.
    table = timed(2, game="high-card", mode="timed", mode_options=high.TimedOptions(seconds=999))
    table.clock.advance(10)
    table.disconnect("ann")
    assert ends(table) == {0: 30}
    table.clock.advance(10)
    table.reconnect("ann")
    assert ends(table) == {0: 30}


def test_r6_who_is_away_has_no_clock_and_a_new_one_when_back(timed: Any) -> None:
    table = timed(3)
    table.play(0, Call(380))
    table.clock.advance(10)
    table.disconnect("cid")
    assert ends(table) == {0: 30, 1: 30}
    table.clock.advance(10)
    table.reconnect("cid")
    assert ends(table) == {0: 30, 1: 30, 2: 50}


def test_a_new_round_is_a_new_turn(timed: Any) -> None:
    # Bob, who is to call next, has not moved for a while when Ann wins the round.
    table = timed(2, "KC KD KH")
    table.play(0, Call(30))
    table.clock.advance(20)
    table.play(0, Flip(), Flip(), Flip())
    assert table.table.staged is not None and to_act(table.table) == [1]
    assert ends(table) == {1: 50}
    check(table)


def test_a_turn_that_comes_back_to_the_same_seat_is_a_new_one(timed: Any, high: SimpleNamespace) -> None:
    table = timed(1, game="high-card", mode="timed", mode_options=high.TimedOptions(seconds=999), seats=1)
    table.clock.advance(10)
    table.play(0, high.Swap())
    assert ends(table) == {0: 40}


def test_a_pause_stops_all_clocks(timed: Any) -> None:
    table = timed(3)
    table.play(0, Call(380))
    table.clock.advance(20)
    table.disconnect("cid")
    table.disconnect("bob")
    assert isinstance(table.events[-1], TablePaused)
    assert table.table.clocks == () and ends(table) == {}
    check(table)
    table.clock.advance(100)
    assert not table.tick()
    table.reconnect("bob")
    # Everybody who is there has the whole time again.
    assert ends(table) == {0: 150, 1: 150}
