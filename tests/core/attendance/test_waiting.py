"""With too few there a table waits for who can come back, up to a limit (call-it R6)."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from fliptable import decide, lobby
from fliptable.events import SeatDisconnected, SeatReconnected, TableOver, TablePaused, TableResumed
from fliptable.house import HouseRules
from fliptable.plugins import Registry
from fliptable.projection import legal_moves, to_act
from fliptable.table import Status
from fliptable.testing import START, TableScript
from fliptable_games.call_it.vocabulary import Call, CameBack, Flip, WentAway


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


# Waiting


def test_r6_with_fewer_than_two_there_the_match_waits(race: Any) -> None:
    table = race(3)
    table.disconnect("cid")
    assert table.table.status is Status.PLAYING
    table.clock.advance(7)
    table.disconnect("bob")
    assert table.table.status is Status.PAUSED
    until = START + seconds(7 + 300)
    assert table.commits[-1].events == (SeatDisconnected(1), TablePaused(until))
    assert table.table.deadline() == until == table.table.paused_until
    assert to_act(table.table) == [] and legal_moves(table.table, frozenset({0})) == []
    assert table.refused_move(0, Call(30)).code == "TABLE_PAUSED"
    assert table.refused(lambda d: decide.next_round(d, "ann")).code == "TABLE_PAUSED"


def test_r6_it_goes_on_when_two_are_there_again(race: Any) -> None:
    table = race(3)
    table.play(0, Call(100))
    table.disconnect("cid")
    table.disconnect("bob")
    table.reconnect("cid")
    assert table.table.status is Status.PLAYING and table.table.paused_until is None
    # Cid's hand is back, and now the round goes on without Bob.
    assert table.commits[-1].events == (SeatReconnected(2), CameBack(2), TableResumed(), WentAway(1))
    assert table.table.deadline() is None
    assert to_act(table.table) == [0, 2]


def test_r6_who_went_last_is_not_missed_when_they_are_the_first_back(race: Any) -> None:
    table = race(2)
    table.play(0, Call(100), Flip())
    table.disconnect("bob")
    table.reconnect("bob")
    assert table.commits[-1].events == (SeatReconnected(1), TableResumed())
    assert to_act(table.table) == [0, 1]


def test_r6_after_a_limit_the_match_ends_at_its_own_time(race: Any) -> None:
    table = race(2, house=HouseRules(wait_seconds=60))
    table.play(0, Call(100), Flip())
    table.clock.advance(5)
    table.disconnect("ann")
    table.clock.advance(59.999)
    assert not table.tick()
    # Everything was down for a day, and the end comes as of its own time.
    table.clock.advance(86_400)
    assert table.tick()
    assert table.commits[-1].at == START + seconds(65)
    assert table.events[-2] == TableOver("NOT_ENOUGH_PLAYERS")
    assert table.table.status is Status.OVER and table.table.deadline() is None
    assert table.table.round.outcome is None, "the round is dropped"
    assert all(one.seed is not None for one in table.table.shuffles)
    table.reconnect("ann")
    assert table.table.status is Status.OVER


def test_r6_coming_back_stops_the_limit(race: Any) -> None:
    table = race(2, house=HouseRules(wait_seconds=60))
    table.disconnect("ann")
    table.clock.advance(59)
    table.reconnect("ann")
    table.clock.advance(1000)
    assert not table.tick() and table.table.status is Status.PLAYING
    # The next wait is a new one.
    table.disconnect("bob")
    assert table.table.paused_until == table.clock() + seconds(60)


def test_r6_while_it_waits_more_may_go_and_one_back_is_not_enough(race: Any) -> None:
    table = race(3)
    for player in ("ann", "bob", "cid"):
        table.disconnect(player)
    until = table.table.paused_until
    assert table.table.status is Status.PAUSED
    table.clock.advance(10)
    table.reconnect("bob")
    assert table.table.status is Status.PAUSED and table.table.paused_until == until
    table.reconnect("ann")
    assert table.table.status is Status.PLAYING


def test_r6_no_waiting_at_all_is_possible(race: Any) -> None:
    table = race(2, house=HouseRules(wait_seconds=0))
    table.disconnect("ann")
    assert table.table.status is Status.PAUSED
    assert table.tick()
    assert table.table.over_reason == "NOT_ENOUGH_PLAYERS"
    assert table.commits[-1].at == table.clock()


def test_a_mode_that_needs_nobody_never_waits(plugins: Registry, high: SimpleNamespace) -> None:
    table = TableScript(plugins, "high-card", "timed", players=("Ann", "Bob"))
    table.disconnect("ann")
    table.disconnect("bob")
    assert table.table.status is Status.PLAYING
    # A game that says nothing of it waits for its turns as ever.
    assert to_act(table.table) == [0]


def test_r6_a_table_that_starts_without_enough_waits_at_once(race: Any) -> None:
    table = race(2, seats=3)
    table.disconnect("bob")
    assert table.table.status is Status.OPEN
    table.start()
    assert table.table.status is Status.PAUSED
    assert table.table.paused_until == table.clock() + seconds(300)
    table.reconnect("bob")
    assert table.table.status is Status.PLAYING
    table.play(0, Call(30))
    assert to_act(table.table) == [0, 1]


# Leaving for good


def test_waiting_for_who_has_left_would_be_in_vain(race: Any) -> None:
    table = race(2)
    table.play(0, Call(100))
    table.leave("ann")
    assert table.table.host == "bob"
    assert table.table.status is Status.OVER and table.table.over_reason == "NOT_ENOUGH_PLAYERS"


def test_leaving_may_leave_too_few_there_while_others_can_come_back(race: Any) -> None:
    table = race(3)
    table.disconnect("bob")
    table.leave("cid")
    assert table.table.status is Status.PAUSED
    table.reconnect("bob")
    assert table.table.status is Status.PLAYING and table.table.present() == {0, 1}


def test_who_is_not_there_can_be_sent_away(race: Any) -> None:
    table = race(3)
    table.disconnect("bob")
    table.do("ann", lambda d: lobby.kick(d, "ann", 1))
    assert table.table.absent() == frozenset() and table.table.status is Status.PLAYING
    table.reconnect("bob")
    assert table.table.seat_of("bob") is None


def test_sending_away_while_the_match_waits(race: Any) -> None:
    table = race(2)
    table.disconnect("bob")
    table.do("ann", lambda d: lobby.kick(d, "ann", 1))
    assert table.table.over_reason == "NOT_ENOUGH_PLAYERS"


def test_r6_leaving_while_the_match_waits(race: Any) -> None:
    table = race(4)
    for player in ("bob", "cid", "dot"):
        table.disconnect(player)
    until = table.table.paused_until
    table.leave("dot")
    assert table.table.status is Status.PAUSED and table.table.paused_until == until
    table.reconnect("cid")
    assert table.table.status is Status.PLAYING
    assert to_act(table.table) == [0]
