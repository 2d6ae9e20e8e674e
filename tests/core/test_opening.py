"""Opening a table, sitting down at it and starting it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from decidekit import SECRET, kinds, solo

from fliptable import Shuffled, decide, lobby
from fliptable.events import RoundBegan, RoundDealt, SeatTaken, TableCreated, TableStarted
from fliptable.house import Visibility
from fliptable.opening import Opening, open_table
from fliptable.plugins import Registry
from fliptable.projection import legal_moves, to_act
from fliptable.table import Status
from fliptable.testing import START


def test_a_solo_table_starts_by_itself(registry: Registry) -> None:
    table = solo(registry)
    assert len(table.commits) == 1
    assert kinds(table.events) == [TableCreated, SeatTaken, TableStarted, RoundDealt, RoundBegan, Shuffled]
    assert table.table.status is Status.PLAYING and table.table.version == 1
    assert to_act(table.table) == [0]


def test_a_table_with_free_seats_waits(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=3)
    assert kinds(table.events) == [TableCreated, SeatTaken]
    assert table.table.status is Status.OPEN and to_act(table.table) == []
    assert legal_moves(table.table, frozenset({0, 1, 2})) == []


def test_local_seats_come_last_and_need_no_account(high_table: Any) -> None:
    table = high_table(players=("Ann",), local_seats=("Uncle", "Aunt"))
    assert table.table.names == ("Ann", "Uncle", "Aunt")
    assert table.table.status is Status.PLAYING
    assert table.viewer("ann") == {0, 1, 2} and table.table.seat_of("ann") == 0


def test_a_host_of_local_seats_alone_has_no_seat(high_table: Any, plugins: Registry) -> None:
    opening = Opening(
        id="tbl_local",
        code="LOCAL2",
        secret=SECRET,
        game="high-card",
        mode="timed",
        game_options=plugins.game("high-card").Options(),
        mode_options=plugins.mode("timed").Options(),
        seats=2,
        local_seats=("Uncle", "Aunt"),
        visibility=Visibility.UNLISTED,
        host="ann",
        host_name="Ann",
    )
    table = open_table(plugins, opening, START, b"").table
    assert table.seat_of("ann") is None
    assert table.viewer("ann") == {0, 1}
    assert table.viewer("bob") == table.viewer(None) == frozenset()


def test_what_it_was_opened_with_is_stored(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(game_options=high.HighOptions(double=True), mode_options=high.TimedOptions(rounds=7))
    created = table.events[0]
    assert created.game_options == {"double": True, "least": 0}
    assert created.mode_options == {"rounds": 7, "seconds": 60, "swaps": True, "deck": ""}
    assert (created.game_version, created.mode_version) == ("1.0", "1.0")
    assert table.refold().game_options == high.HighOptions(double=True)
    assert repr(created).count("secret") == 0


def test_players_sit_down_clockwise_and_the_host_starts(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=3)
    table.join("Bob")
    table.join("Cid")
    assert table.table.names == ("Ann", "Bob", "Cid")
    assert table.refused(lambda d: lobby.join(d, "dot", "Dot")).code == "TABLE_FULL"
    assert table.refused(lambda d: lobby.start(d, "bob")).code == "NOT_HOST"
    table.start()
    assert table.refused(lambda d: lobby.start(d, "ann")).code == "TABLE_STARTED"
    assert table.refused(lambda d: lobby.join(d, "dot", "Dot")).code == "TABLE_STARTED"


def test_sitting_down_twice_changes_nothing(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    before = len(table.commits)
    table.join("Ann")
    assert len(table.commits) == before
    table.join("Bob")
    table.start()
    table.join("Bob")
    assert len(table.commits) == before + 2


def test_nothing_is_played_before_the_start(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(players=("Ann",), seats=2)
    assert table.refused_move(0, high.Keep()).code == "NOT_STARTED"
    assert table.refused(lambda d: decide.next_round(d, "ann")).code == "NOT_STARTED"
