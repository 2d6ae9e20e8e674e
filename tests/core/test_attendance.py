"""Who of those seated is there, and what a table does about it (call-it R6, R7)."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import decide, hookimpl, lobby
from fliptable.events import (
    HostChanged,
    RoundOver,
    SeatDisconnected,
    SeatLeft,
    SeatReconnected,
    TableOver,
    TablePaused,
    TableResumed,
)
from fliptable.house import HouseRules
from fliptable.plugins import Registry
from fliptable.projection import legal_moves, to_act
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Status
from fliptable.testing import START, TableScript, stacked
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    CallItOptions,
    CallPassed,
    CameBack,
    Flip,
    WentAway,
)

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.fixture
def race(registry: Registry) -> Any:
    """A race; the log and a snapshot give the same table in the end."""
    opened: list[TableScript] = []

    def make(players: int = 3, *decks: str, shared: bool = False, **more: Any) -> TableScript:
        table = TableScript(
            registry,
            "call-it",
            more.pop("mode", "race"),
            players=NAMES[:players],
            game_options=CallItOptions(shared),
            chance=stacked(*decks) if decks else None,
            **more,
        )
        opened.append(table)
        return table

    yield make
    for table in opened:
        assert to_snapshot(table.refold()) == to_snapshot(table.table)
        again = from_snapshot(registry, to_snapshot(table.table))
        assert again is not None and to_snapshot(again) == to_snapshot(table.table)


# The same seat


def test_r6_who_comes_back_has_the_same_seat_and_score(race: Any) -> None:
    table = race(3, "10H 10D 10C")
    table.play(0, Call(30))
    table.play(1, Flip(), Flip(), Flip())
    assert table.table.scores == (0, 1, 0)
    table.disconnect("bob")
    place = table.table.seats[1]
    assert (place.player, place.name, place.connected) == ("bob", "Bob", False)
    assert table.table.present() == {0, 2} and table.table.absent() == {1}
    table.reconnect("bob")
    assert table.table.seats[1].connected and table.table.seat_of("bob") == 1
    assert table.table.scores == (0, 1, 0) and table.table.run.points == (0, 1, 0)
    assert table.table.absent() == frozenset()


def test_what_is_known_already_changes_nothing(race: Any) -> None:
    table = race(3)
    before = len(table.commits)
    table.reconnect("bob")
    table.disconnect("eve")
    assert len(table.commits) == before
    table.disconnect("bob")
    table.disconnect("bob")
    assert len(table.commits) == before + 1


def test_after_the_end_nobody_is_missed(race: Any) -> None:
    table = race(2)
    table.leave("bob")
    assert table.table.status is Status.OVER
    before = len(table.commits)
    table.disconnect("ann")
    assert len(table.commits) == before


def test_sentences(race: Any) -> None:
    table = race(2)
    table.disconnect("bob")
    table.reconnect("bob")
    said = [event.text(table.table.names) for event in table.events[-4:]]
    assert said == [
        "Bob is not there any more.",
        "The table waits for players to come back.",
        "Bob is back.",
        "The table goes on.",
    ]


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


# The host


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


# The round


def test_r6_a_round_does_not_wait_and_the_next_is_dealt_without_them(race: Any) -> None:
    table = race(3, "9C 9D KH KS")
    table.play(0, Call(30))
    table.disconnect("cid")
    for seat in (0, 1):
        table.play(seat, *[Flip()] * 4)
    over = [event for event in table.events if isinstance(event, RoundOver)]
    assert [one.reason for one in over[0].outcome.seats] == ["OVER", "OVER", "AWAY"]
    assert table.table.staged.state.hands[2].away
    # The round that waits hears of it when they are back, and of who goes meanwhile.
    table.reconnect("cid")
    assert not table.table.staged.state.hands[2].away
    table.disconnect("bob")
    assert to_act(table.table) == [2], "the call passes on"
    assert table.events[-1] == CallPassed(1, 2)


def test_a_round_may_end_with_somebody_being_missed(race: Any) -> None:
    table = race(3, "KC KD KH KS")
    table.play(0, Call(31), *[Flip()] * 4)
    table.play(1, *[Flip()] * 4)
    assert table.table.staged is None and to_act(table.table) == [2]
    table.disconnect("cid")
    busts = [(event.seat, event.reason.value) for event in table.events if isinstance(event, Busted)]
    assert busts == [(0, "OVER"), (1, "OVER"), (2, "AWAY")]
    assert table.table.staged is not None and to_act(table.table) == [1]


def test_a_game_is_told_in_a_round_that_waits_as_well(high: SimpleNamespace) -> None:
    told: list[Any] = []

    class Attentive(high.HighCard):  # type: ignore[misc]
        """It notes what it is told."""

        def absent(self, state: Any, seat: int, ctx: Any) -> Any:
            told.append(("absent", seat))
            return ()

        def present(self, state: Any, seat: int, ctx: Any) -> Any:
            told.append(("present", seat))
            return ()

    class Needs(high.Timed):  # type: ignore[misc]
        """It needs two."""

        def quorum(self, run: Any) -> int:
            return 2

    class Brings(high.Plugin):  # type: ignore[misc]
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [Attentive()]

        @hookimpl
        def fliptable_modes(self) -> list[Any]:
            return [Needs()]

    plugins = Registry()
    plugins.register(Brings(), "brings")
    table = TableScript(plugins, "high-card", "timed", players=("Ann", "Bob", "Cid"), seats=3)
    table.disconnect("ann")
    table.disconnect("bob")
    assert told == [("absent", 0)], "while the table waits nobody is skipped"
    table.reconnect("ann")
    assert told == [("absent", 0), ("present", 0), ("absent", 1)]
    # Between rounds there is nothing to be told.
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    table.play(2, high.Keep())
    table.disconnect("cid")
    assert len(told) == 3 and table.table.status is Status.PAUSED


def test_who_was_away_and_leaves_is_out_of_the_round(race: Any) -> None:
    table = race(3)
    table.play(0, Call(100))
    table.disconnect("bob")
    table.leave("bob")
    assert table.commits[-1].events == (Busted(1, BustReason.ABANDONED), SeatLeft(1, "Bob"))
    assert table.table.absent() == frozenset() and table.table.status is Status.PLAYING
