"""Who sits at a table before and after its start, who starts it, and who is its host (call-it R5, R7)."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from turnkit import check

from fliptable import Refusal, hookimpl, lobby
from fliptable.decide import Decision
from fliptable.events import HostChanged, RoundOver, SeatLeft, SeatReady, SeatTaken, TableStarted
from fliptable.plugins import Registry
from fliptable.projection import to_act
from fliptable.table import Status
from fliptable.testing import TableScript, stacked
from fliptable_games.call_it.vocabulary import Call

Command = Callable[[Decision], Refusal | None]


def join(name: str) -> Command:
    return lambda decision: lobby.join(decision, name.lower(), name)


def ready(player: str, is_ready: bool = True) -> Command:
    return lambda decision: lobby.ready(decision, player, is_ready)


def kick(player: str, seat: int) -> Command:
    return lambda decision: lobby.kick(decision, player, seat)


def hand_over(player: str, seat: int) -> Command:
    return lambda decision: lobby.hand_over(decision, player, seat)


def start(player: str) -> Command:
    return lambda decision: lobby.start(decision, player)


@pytest.fixture
def open_table(registry: Registry) -> Any:
    """A table of Call It and Flip that is still open; the log gives the same table in the end."""
    opened: list[TableScript] = []

    def make(*players: str, seats: int = 4, **more: Any) -> TableScript:
        table = TableScript(
            registry, "call-it", more.pop("mode", "classic"), players=players or ("Ann",), seats=seats, **more
        )
        opened.append(table)
        return table

    yield make
    for table in opened:
        check(table)


# Sitting down


def test_of_eight_who_join_a_table_of_four_only_as_many_as_there_are_seats_sit_down(open_table: Any) -> None:
    table = open_table("Ann")
    names = ("Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida")
    refusals = [table.attempt(name.lower(), join(name)) for name in names]
    assert [one and one.code for one in refusals] == [None] * 3 + ["TABLE_FULL"] * 5
    assert table.table.names == ("Ann", "Bob", "Cid", "Dot")
    # A refusal is no commit.
    assert len(table.commits) == 4 and table.table.version == 4
    assert table.table.status is Status.OPEN


def test_decisions_on_the_same_table_can_take_the_same_seat_only_once(open_table: Any) -> None:
    # Eight requests that all saw the table as it was: the log takes one, the others decide again.
    table = open_table("Ann")
    before = table.table
    for name in ("Bob", "Cid"):
        decision = Decision(before, table.clock())
        assert lobby.join(decision, name.lower(), name) is None
        assert decision.events == [SeatTaken(1, name, name.lower())]
    table.do("bob", join("Bob"))
    table.do("cid", join("Cid"))
    assert [place.player for place in table.table.seats] == ["ann", "bob", "cid", None]


def test_who_sits_already_stays_where_they_are(open_table: Any) -> None:
    table = open_table("Ann", "Bob", seats=2)
    before = len(table.commits)
    assert table.attempt("bob", join("Bob")) is None
    assert len(table.commits) == before


def test_nobody_sits_down_after_the_start_or_the_end(open_table: Any) -> None:
    table = open_table("Ann", "Bob", seats=2)
    assert table.refused(join("Cid")).code == "TABLE_STARTED"
    table.leave("ann")
    table.leave("bob")
    assert table.refused(join("Cid")).code == "TABLE_OVER"


def test_a_seat_that_was_left_before_the_start_is_taken_again(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid")
    table.leave("bob")
    table.join("Dot")
    table.join("Bob")
    assert table.table.names == ("Ann", "Dot", "Cid", "Bob")


# Being ready


def test_who_is_ready_says_so_and_may_think_again(open_table: Any) -> None:
    table = open_table("Ann", "Bob")
    table.do("bob", ready("bob"))
    assert [place.ready for place in table.table.seats] == [False, True, False, False]
    assert table.events[-1] == SeatReady(1, True)
    assert table.events[-1].text(table.table.names) == "Bob is ready."
    table.do("bob", ready("bob", False))
    assert table.events[-1].text(table.table.names) == "Bob is not ready."
    assert not table.table.seats[1].ready
    before = len(table.commits)
    table.do("bob", ready("bob", False))
    assert len(table.commits) == before


def test_a_new_player_is_not_as_ready_as_the_one_before(open_table: Any) -> None:
    table = open_table("Ann", "Bob")
    table.do("bob", ready("bob"))
    table.leave("bob")
    table.join("Cid")
    assert not table.table.seats[1].ready


def test_being_ready_is_for_who_sits_at_an_open_table(open_table: Any) -> None:
    table = open_table("Ann", "Bob", seats=3)
    assert table.refused(ready("eve")).code == "NOT_SEATED"
    table.start()
    assert table.refused(ready("ann")).code == "TABLE_STARTED"
    for player in ("ann", "bob"):
        table.leave(player)
    assert table.refused(ready("ann")).code == "NOT_SEATED"


# Starting


def test_only_the_host_starts_and_only_once(open_table: Any) -> None:
    table = open_table("Ann", "Bob", seats=3)
    assert table.refused(start("bob")).code == "NOT_HOST"
    assert table.refused(start("eve")).code == "NOT_HOST"
    table.start()
    assert table.refused(start("ann")).code == "TABLE_STARTED"


def test_a_start_takes_free_seats_away(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", seats=6)
    table.do("cid", ready("cid"))
    table.leave("bob")
    table.start()
    assert [place.player for place in table.table.seats] == ["ann", "cid"]
    assert [place.ready for place in table.table.seats] == [False, True]
    assert table.table.scores == (0, 0)
    assert table.table.round is not None and len(table.table.round.state.hands) == 2
    assert table.table.seat_of("cid") == 1 and table.viewer("cid") == {1}
    # The session begins with as many as are left, in the mode too.
    assert table.table.status is Status.PLAYING


def test_with_free_seats_in_a_race_the_points_are_of_who_is_left(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", seats=8, mode="race")
    table.start()
    assert len(table.table.run.points) == 3


def test_too_few_cannot_start(open_table: Any) -> None:
    table = open_table("Ann", seats=3, mode="race")
    refusal = table.refused(start("ann"))
    assert refusal.code == "SEATS_FREE" and "1 of 3 seats" in refusal.message
    assert table.table.status is Status.OPEN
    table.join("Bob")
    table.start()


def test_options_that_do_not_suit_so_few_refuse_the_start(
    plugins: Registry, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(self: Any, options: Any, seats: int) -> None:
        if seats == 2:
            raise ValueError("double: not for two")

    monkeypatch.setattr(high.HighCard, "check", check)
    table = TableScript(plugins, "high-card", "timed", players=("Ann", "Bob"), seats=3)
    refusal = table.refused(start("ann"))
    assert refusal.code == "SEATS_FREE" and "double: not for two" in refusal.message
    table.join("Cid")
    table.start()


def test_a_table_that_is_over_cannot_start(open_table: Any) -> None:
    table = open_table("Ann")
    table.leave("ann")
    assert table.refused(start("ann")).code == "TABLE_OVER"


def test_everybody_need_not_be_ready(open_table: Any) -> None:
    table = open_table("Ann", "Bob", seats=3)
    table.start()
    assert TableStarted() in table.events


# Kicking


def test_the_host_sends_a_player_away_before_the_start(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid")
    table.do("ann", kick("ann", 1))
    assert table.events[-1] == SeatLeft(1, "Bob", kicked=True)
    assert table.events[-1].text(table.table.names) == "Bob is sent away."
    assert table.table.seat_of("bob") is None and not table.table.seats[1].held


def test_who_was_sent_away_cannot_sit_down_again(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid")
    table.do("ann", kick("ann", 1))
    refusal = table.refused(lambda decision: lobby.join(decision, "bob", "Bob"))
    assert refusal.code == "SENT_AWAY"
    table.join("Dot")
    assert table.table.seat_of("dot") == 1
    table.start()
    assert table.refused(lambda decision: lobby.join(decision, "bob", "Bob")).code == "SENT_AWAY"


def test_the_host_sends_a_player_away_who_loses_the_round(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", seats=3)
    table.play(0, Call(40))
    table.do("ann", kick("ann", 1))
    assert to_act(table.table) == [0, 2]
    assert table.table.names == ("Ann", "Bob", "Cid"), "the name stays for the log"
    assert table.refused(kick("ann", 1)).field == "seat"


@pytest.mark.parametrize("seat", [0, 3, -1, 99])
def test_the_host_cannot_send_themself_or_nobody_away(open_table: Any, seat: int) -> None:
    table = open_table("Ann", "Bob", "Cid")
    refusal = table.refused(kick("ann", seat))
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "seat")


def test_only_the_host_sends_away(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid")
    assert table.refused(kick("bob", 2)).code == "NOT_HOST"
    table.leave("ann")
    assert table.table.host == "bob"
    table.do("bob", kick("bob", 2))


def test_a_local_seat_can_be_sent_away(open_table: Any) -> None:
    table = open_table("Ann", "Bob", local_seats=("Uncle",), seats=3)
    table.do("ann", kick("ann", 2))
    assert table.table.status is Status.PLAYING and table.viewer("ann") == {0}


def test_of_local_seats_alone_one_can_be_sent_away(registry: Registry, open_table: Any) -> None:
    table = open_table("Ann", local_seats=("Uncle", "Aunt"), seats=2)
    assert table.table.seat_of("ann") is None
    table.do("ann", kick("ann", 0))
    # The other one plays on, with the same host.
    assert table.table.status is Status.PLAYING and table.viewer("ann") == {1}
    assert table.table.host == "ann"


def test_nobody_is_sent_away_from_a_table_that_is_over(open_table: Any) -> None:
    table = open_table("Ann")
    table.leave("ann")
    assert table.refused(kick("ann", 0)).code == "TABLE_OVER"
    assert table.refused(hand_over("ann", 0)).code == "TABLE_OVER"


# Handing over


def test_the_host_makes_another_player_host(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid")
    table.do("ann", hand_over("ann", 2))
    assert table.table.host == "cid" and table.events[-1] == HostChanged(2, "cid")
    assert table.refused(start("ann")).code == "NOT_HOST"
    table.start("cid")
    table.do("cid", hand_over("cid", 0))
    assert table.table.host == "ann"


def test_handing_over_to_oneself_changes_nothing(open_table: Any) -> None:
    table = open_table("Ann", "Bob")
    before = len(table.commits)
    table.do("ann", hand_over("ann", 0))
    assert len(table.commits) == before


def test_the_host_is_somebody_who_is_there(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", local_seats=("Uncle",), seats=5)
    table.disconnect("bob")
    for seat in (1, 3, 4):  # not there, free, local
        refusal = table.refused(hand_over("ann", seat))
        assert (refusal.code, refusal.field) == ("INVALID_VALUE", "seat")
    assert table.refused(hand_over("bob", 0)).code == "NOT_HOST"
    table.reconnect("bob")
    table.do("ann", hand_over("ann", 1))
    assert table.viewer("bob") == {1, 4}, "the local seats are the new host's to act for"


# Leaving


def test_r7_the_next_seat_clockwise_becomes_host(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", "Dot")
    table.do("ann", hand_over("ann", 2))
    table.leave("cid")
    assert table.table.host == "dot" and table.events[-1] == HostChanged(3, "dot")
    table.leave("dot")
    assert table.table.host == "ann", "round the table to the first seat"


def test_r7_whoever_is_not_there_is_passed_over(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", seats=3)
    table.disconnect("bob")
    table.leave("ann")
    assert table.table.host == "cid"


def test_r7_with_nobody_there_the_next_seat_becomes_host_all_the_same(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", seats=3)
    table.disconnect("bob")
    table.disconnect("cid")
    table.leave("ann")
    assert table.table.host == "bob"
    # And who comes back first takes over from a host who is not there.
    table.reconnect("cid")
    assert table.table.host == "cid" and HostChanged(2, "cid") in table.commits[-1].events


def test_somebody_else_leaving_keeps_the_host(open_table: Any) -> None:
    table = open_table("Ann", "Bob", "Cid", seats=3)
    table.leave("bob")
    assert table.table.host == "ann" and not any(isinstance(one, HostChanged) for one in table.events)


def test_local_seats_go_with_the_host_who_leaves(open_table: Any) -> None:
    table = open_table("Ann", "Bob", local_seats=("Uncle", "Aunt"))
    table.play(0, Call(40))
    table.leave("ann")
    assert [one.seat for one in table.events if isinstance(one, SeatLeft)] == [0, 2, 3]
    assert to_act(table.table) == [1]
    assert table.table.host == "bob" and table.viewer("bob") == {1}


def test_a_round_dealt_ahead_can_end_with_a_leaving(high: SimpleNamespace) -> None:
    class Duel(high.HighCard):  # type: ignore[misc]
        """As soon as somebody leaves, the round is over."""

        deals_ahead = True

        def _over(self, state: Any) -> bool:
            return any(state.gone) or super()._over(state)

    class Brings(high.Plugin):  # type: ignore[misc]
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [Duel()]

    registry = Registry()
    registry.register(Brings(), "duel")
    table = TableScript(
        registry,
        "high-card",
        "timed",
        players=("Ann", "Bob", "Cid"),
        mode_options=high.TimedOptions(rounds=9),
        chance=stacked("1 2 3 4 5 6"),
    )
    for seat in range(3):
        table.play(seat, high.Keep())
    assert table.table.scores == (0, 0, 3) and table.table.staged is not None
    table.leave("cid")
    assert [one.number for one in table.events if isinstance(one, RoundOver)] == [1, 2]
    assert table.table.scores == (0, 5, 3)
