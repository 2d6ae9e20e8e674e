"""Leaving a table for good: the seat, the round and who is host then."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from decidekit import SECRET, solo

from fliptable import lobby
from fliptable.events import (
    HostChanged,
    SeatLeft,
    TableOver,
)
from fliptable.plugins import Registry
from fliptable.projection import to_act
from fliptable.table import Status
from fliptable.testing import TableScript, stacked
from fliptable_games.call_it.vocabulary import Busted, Call, Flip


def test_a_seat_is_free_again_before_the_start(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    table.join("Bob")
    table.leave("bob")
    assert not table.table.seats[1].held
    table.join("Cid")
    assert table.table.names == ("Ann", "Cid")


def test_who_has_no_seat_cannot_leave(high_table: Any) -> None:
    assert high_table().refused(lambda d: lobby.leave(d, "eve")).code == "NOT_SEATED"


@pytest.mark.parametrize(("leaves", "heir"), [("ann", 1), ("cid", 0)])
def test_the_host_role_goes_clockwise(high_table: Any, leaves: str, heir: int) -> None:
    table = high_table(players=("Ann", "Bob", "Cid"))
    if leaves == "cid":
        table.leave("ann")
        table.leave("bob")
        assert table.table.host == "cid"
        return
    table.leave(leaves)
    assert table.events[-1] == HostChanged(heir, "bob")
    assert table.table.host == "bob"


def test_the_host_role_goes_round_to_the_first_seat(high_table: Any) -> None:
    table = high_table(players=("Ann", "Bob", "Cid"))
    table.leave("ann")
    assert table.table.host == "bob"
    table.leave("bob")
    assert table.table.host == "cid"


def test_local_seats_leave_with_their_host(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(players=("Ann", "Bob"), local_seats=("Uncle",))
    table.leave("ann")
    assert [event.seat for event in table.events if isinstance(event, SeatLeft)] == [0, 2]
    assert table.viewer("bob") == {1} and table.table.host == "bob"
    assert to_act(table.table) == [1]


def test_the_round_goes_on_without_who_left(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table("9 3 4", players=("Ann", "Bob", "Cid"))
    table.leave("ann")
    assert to_act(table.table) == [1]
    table.play(1, high.Keep())
    table.play(2, high.Keep())
    assert table.table.scores == (0, 0, 4)
    # Nobody moves for the empty seat in later rounds either, and its name stays for the log.
    table.next_round()
    assert to_act(table.table) == [1]
    assert table.table.names[0] == "Ann"


def test_the_last_one_to_leave_abandons_the_table(high_table: Any) -> None:
    table = high_table()
    table.leave("bob")
    assert table.table.status is Status.PLAYING
    table.leave("ann")
    assert table.table.status is Status.OVER and table.table.over_reason == "ABANDONED"
    assert all(one.seed is not None for one in table.table.shuffles)
    assert table.table.deadline() is None


def test_what_the_mode_says_of_a_round_that_the_last_one_left_does_not_count(high_table: Any) -> None:
    table = high_table(mode="classic")
    table.leave("bob")
    assert table.table.status is Status.PLAYING
    table.leave("ann")
    assert table.table.over_reason == "ABANDONED"


def test_a_round_that_ends_since_one_of_several_left_is_over_as_the_mode_says(registry: Registry) -> None:
    script = TableScript(registry, game="flip", players=["Ann", "Bob"])
    script.leave("bob")
    assert script.table.over_reason == "PLAYED"


def test_an_open_table_is_abandoned_too(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    table.leave("ann")
    assert table.table.status is Status.OVER and table.events[-1] == TableOver("ABANDONED")


def test_call_it_c3_leaving_a_solo_round_is_a_bust(registry: Registry) -> None:
    table = solo(registry, mode="streak")
    table.play(0, Call(30))
    table.leave("ann")
    assert next(event for event in table.events if isinstance(event, Busted)).reason.value == "ABANDONED"
    assert table.table.status is Status.OVER


def test_who_leaves_while_a_round_waits_is_out_of_it(plugins: Registry, high: SimpleNamespace) -> None:
    # The caller of the round that was dealt ahead leaves: the next seat calls instead of nobody.
    table = TableScript(
        plugins,
        "call-it",
        "timed",
        players=("Ann", "Bob", "Cid"),
        secret=SECRET,
        chance=stacked("10H 10D 10C"),
    )
    table.play(0, Call(30), Flip(), Flip(), Flip())
    assert table.table.staged is not None and to_act(table.table) == [0]
    table.leave("ann")
    assert to_act(table.table) == [1]
    table.play(1, Call(40))
    assert to_act(table.table) == [1, 2]
