"""A host who is not there hands the role on, and local seats go with it (call-it R7)."""

from __future__ import annotations

from typing import Any

from fliptable.events import HostChanged
from fliptable.projection import to_act
from fliptable.table import Status
from fliptable_games.call_it.vocabulary import Call, WentAway


def test_r7_the_next_connected_seat_clockwise_becomes_host(race: Any) -> None:
    table = race(4)
    table.disconnect("bob")
    table.disconnect("ann")
    assert table.table.host == "cid" and HostChanged(2, "cid") in table.commits[-1].events
    # The one who was host is back as a player.
    table.reconnect("ann")
    assert table.table.host == "cid"
    table.disconnect("dot")
    table.disconnect("cid")
    assert table.table.host == "ann", "round the table to the first seat"


def test_r7_before_the_start_too(race: Any) -> None:
    table = race(2, seats=4)
    table.disconnect("ann")
    assert table.table.host == "bob"
    table.start("bob")
    assert table.table.status is Status.PAUSED


def test_r7_with_nobody_else_there_the_host_stays_until_somebody_comes(race: Any) -> None:
    table = race(2)
    table.disconnect("bob")
    table.disconnect("ann")
    assert table.table.host == "ann"
    table.reconnect("bob")
    assert table.table.host == "bob" and table.table.status is Status.PAUSED
    table.reconnect("ann")
    assert table.table.host == "bob" and table.table.status is Status.PLAYING


def test_local_seats_are_there_as_long_as_their_host_is(race: Any) -> None:
    table = race(1, local_seats=("Uncle", "Aunt"))
    assert table.table.present() == {0, 1, 2}
    table.play(0, Call(100))
    table.disconnect("ann")
    # Nobody acts for anybody: the match waits.
    assert table.table.present() == frozenset() and table.table.status is Status.PAUSED
    table.reconnect("ann")
    assert table.table.status is Status.PLAYING and to_act(table.table) == [0, 1, 2]


def test_local_seats_go_to_the_next_host_with_the_role(race: Any) -> None:
    table = race(2, local_seats=("Uncle",))
    table.play(0, Call(100))
    table.disconnect("ann")
    assert table.table.host == "bob" and table.viewer("bob") == {1, 2}
    assert table.table.absent() == {0} and table.table.status is Status.PLAYING
    assert to_act(table.table) == [1, 2]


def test_local_seats_of_a_host_who_is_not_there_are_missed_by_the_game(race: Any) -> None:
    table = race(2, mode="classic", local_seats=("Uncle",))
    table.play(0, Call(100))
    table.disconnect("bob")
    table.disconnect("ann")
    away = [event.seat for event in table.events if isinstance(event, WentAway)]
    assert away == [1, 0, 2]
    table.reconnect("bob")
    assert table.viewer("bob") == {1, 2} and to_act(table.table) == [1, 2]


def test_a_host_of_local_seats_alone_is_never_missed(race: Any) -> None:
    table = race(1, local_seats=("Uncle", "Aunt"), seats=2)
    assert table.table.seat_of("ann") is None and table.table.present() == {0, 1}
    table.disconnect("ann")
    assert table.table.status is Status.PLAYING
