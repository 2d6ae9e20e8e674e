"""Who of those seated is there, and what a round does about it (call-it R6)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from fliptable import hookimpl
from fliptable.events import RoundOver, SeatLeft
from fliptable.plugins import Registry
from fliptable.projection import to_act
from fliptable.table import Status
from fliptable.testing import TableScript
from fliptable_games.call_it.vocabulary import Busted, BustReason, Call, CallPassed, Flip

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
