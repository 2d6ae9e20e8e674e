"""Turns with a time limit: when a seat's clock starts, starts anew and stops, and what happens at its end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import Visibility, decide, hookimpl, lobby
from fliptable.events import HouseRules, RoundBegan, RoundOver, SeatLeft, TablePaused, TurnExpired
from fliptable.memory import MemoryStore
from fliptable.opening import Opening
from fliptable.plugins import Registry
from fliptable.projection import to_act
from fliptable.requests import Refused, Request
from fliptable.service import TableService
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Status
from fliptable.testing import START, FakeClock, TableScript, stacked
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    CallItOptions,
    CallPassed,
    Flip,
)

LIMIT = 30
NAMES = ("Ann", "Bob", "Cid", "Dot")


def at(number: float) -> datetime:
    return START + timedelta(seconds=number)


def ends(table: TableScript) -> dict[int, float]:
    """When each seat's time is up, in seconds since the start."""
    return {seat: (end - START).total_seconds() for seat, end in table.table.turn_ends()}


@pytest.fixture
def timed(plugins: Registry) -> Any:
    """A table whose turns have a limit; every version of it survives the log and a snapshot."""
    opened: list[TableScript] = []

    def make(
        players: int = 2, *decks: str, game: str = "call-it", mode: str = "race", **more: Any
    ) -> TableScript:
        more.setdefault("house", HouseRules(turn_seconds=LIMIT))
        table = TableScript(
            more.pop("registry", plugins),
            game,
            mode,
            players=NAMES[:players],
            chance=stacked(*decks) if decks else None,
            **more,
        )
        opened.append(table)
        return table

    yield make
    for table in opened:
        check(table)


def check(table: TableScript) -> None:
    """The log alone gives the table, its clocks too, and so does a snapshot of it."""
    assert to_snapshot(table.refold()) == to_snapshot(table.table)
    assert table.refold().clocks == table.table.clocks
    again = from_snapshot(table.catalogue, to_snapshot(table.table))  # type: ignore[arg-type]
    assert again is not None and again.clocks == table.table.clocks
    assert again.turn_ends() == table.table.turn_ends()
    assert again.deadline() == table.table.deadline()


# When a clock starts


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


# When it stops


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


# When it is up


def test_when_it_is_up_the_game_does_what_it_does_by_default(timed: Any) -> None:
    table = timed(3)
    table.play(0, Call(380))
    table.clock.advance(20)
    table.play(0, Flip())
    table.play(2, Flip())
    table.clock.advance(10)
    assert table.tick()
    assert table.commits[-1].events == (TurnExpired(1), Busted(1, BustReason.TIME_UP))
    assert table.commits[-1].at == at(30) and table.commits[-1].actor is None
    assert to_act(table.table) == [0, 2] and ends(table) == {0: 50, 2: 50}
    assert table.events[-2].text(table.table.names) == "The time of Bob is up."


def test_just_before_it_is_up_nothing_happens(timed: Any) -> None:
    table = timed(2)
    table.clock.advance(29.999)
    assert not table.tick()
    table.play(0, Call(100))
    assert ends(table) == {0: 59.999, 1: 59.999}


def test_several_seats_can_be_out_of_time_at_once(timed: Any) -> None:
    table = timed(4)
    table.play(0, Call(380))
    table.clock.advance(10)
    table.play(0, Flip())
    table.clock.advance(20)
    assert table.tick()
    assert table.commits[-1].events == (
        TurnExpired(1),
        Busted(1, BustReason.TIME_UP),
        TurnExpired(2),
        Busted(2, BustReason.TIME_UP),
        TurnExpired(3),
        Busted(3, BustReason.TIME_UP),
    )
    assert to_act(table.table) == [0]


def test_all_at_once_end_the_round_and_nobody_is_out_of_time_in_the_next(timed: Any) -> None:
    table = timed(2)
    table.play(0, Call(380))
    table.clock.advance(30)
    assert table.tick()
    over = [event for event in table.events if isinstance(event, RoundOver)]
    assert [one.reason for one in over[0].outcome.seats] == ["TIME_UP", "TIME_UP"]
    # Bob's time was up in the round that is over, not in the one in which he calls.
    assert [event for event in table.events if isinstance(event, TurnExpired)] == [
        TurnExpired(0),
        TurnExpired(1),
    ]
    assert to_act(table.table) == [1] and ends(table) == {1: 60}


def test_a_round_that_ends_at_the_first_of_several_ends_it_for_the_rest(
    timed: Any, high: SimpleNamespace
) -> None:
    class Together(high.HighCard):  # type: ignore[misc]
        """All at once, and the first whose time is up ends the round; the next one is dealt ahead."""

        deals_ahead = True

        def _over(self, state: Any) -> bool:
            return any(state.kept) or any(state.gone)

        def to_act(self, state: Any) -> Any:
            return () if self._over(state) else tuple(range(len(state.hands)))

    class Brings(high.Plugin):  # type: ignore[misc]
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [Together()]

    registry = Registry()
    registry.register(Brings(), "brings")
    options = high.TimedOptions(rounds=9, seconds=999)
    table = timed(3, registry=registry, game="high-card", mode="timed", mode_options=options)
    table.clock.advance(30)
    assert table.tick()
    assert [event for event in table.events if isinstance(event, TurnExpired)] == [TurnExpired(0)]
    assert ends(table) == {0: 60, 1: 60, 2: 60}


def test_deadlines_that_passed_long_ago_happen_at_their_own_times(timed: Any) -> None:
    table = timed(3)
    table.play(0, Call(380))
    table.clock.advance(10)
    table.play(1, Flip())
    table.clock.advance(10)
    table.play(2, Flip())
    before = len(table.commits)
    table.clock.advance(86_400)
    assert table.tick()
    times = [(commit.at - START).total_seconds() for commit in table.commits[before:]]
    # Ann, Bob, Cid; then nobody calls: round after round the call goes round, until the mode has enough.
    assert times[:3] == [30, 40, 50]
    assert times == sorted(times) and times[-1] == 50 + 3 * 3 * 30
    assert table.table.status is Status.OVER and table.table.over_reason == "NOT_PLAYED"
    assert len(table.commits) - before == 3 + 9


def test_a_move_after_the_limit_comes_too_late(timed: Any) -> None:
    table = timed(2)
    table.clock.advance(30)
    table.tick()
    assert table.refused_move(0, Call(30)).code == "NOT_YOUR_TURN"


def test_a_round_that_waits_for_its_first_move_begins_when_nobody_makes_it(timed: Any) -> None:
    table = timed(2, "KC KD KH")
    table.play(0, Call(30), Flip(), Flip(), Flip())
    assert table.table.staged is not None
    table.clock.advance(30)
    table.tick()
    assert table.commits[-1].events == (TurnExpired(1), RoundBegan(2), CallPassed(1, 0))
    assert ends(table) == {0: 60}


def test_a_seat_that_the_game_does_nothing_for_is_waited_for(timed: Any, high: SimpleNamespace) -> None:
    class Calm(high.HighCard):  # type: ignore[misc]
        """It waits."""

        def expired(self, state: Any, seat: int, ctx: Any) -> Any:
            return ()

    class Brings(high.Plugin):  # type: ignore[misc]
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [Calm()]

    registry = Registry()
    registry.register(Brings(), "brings")
    options = high.TimedOptions(seconds=9999)
    table = timed(3, registry=registry, game="high-card", mode="timed", mode_options=options)
    table.clock.advance(1000)
    assert table.tick()
    # It is said once, and the log does not grow while nothing happens.
    assert table.commits[-1].at == at(30) and table.commits[-1].events == (TurnExpired(0),)
    assert to_act(table.table) == [0] and ends(table) == {} and table.table.deadline() == at(9999)
    check(table)
    table.disconnect("bob")
    table.leave("cid")
    assert ends(table) == {}, "what others do is no reason to begin again"
    table.play(0, high.Swap())
    assert ends(table) == {0: 1030}


def test_the_mode_and_a_turn_may_be_due_at_once(timed: Any, high: SimpleNamespace) -> None:
    table = timed(2, game="high-card", mode="timed", mode_options=high.TimedOptions(seconds=30))
    table.clock.advance(30)
    table.tick()
    # The session ends first, so that nobody loses a turn in it.
    assert table.table.over_reason == "TIME_UP"
    assert not any(isinstance(event, TurnExpired) for event in table.events)


def test_the_default_is_as_if_the_seat_left_the_round_but_not_the_table(
    timed: Any, high: SimpleNamespace
) -> None:
    table = timed(2, game="high-card", mode="timed", mode_options=high.TimedOptions(seconds=999))
    table.clock.advance(30)
    table.tick()
    assert table.commits[-1].events == (TurnExpired(0), high.Gone(0))
    assert table.table.seats[0].held and not any(isinstance(event, SeatLeft) for event in table.events)
    assert to_act(table.table) == [1]


def test_alone_the_time_is_up_as_it_is_with_several(timed: Any) -> None:
    table = timed(1, mode="streak")
    table.play(0, Call(30))
    table.clock.advance(30)
    table.tick()
    assert Busted(0, BustReason.TIME_UP) in table.events
    assert table.table.over_reason == "BUST"


@pytest.mark.parametrize("shared", [False, True])
def test_clocks_of_a_fold_are_those_of_the_decisions(timed: Any, shared: bool) -> None:
    from random import Random

    for seed in range(6):
        random = Random(seed)
        table = timed(4, game_options=CallItOptions(shared), secret=random.randbytes(32))
        steps: list[Callable[[], Any]] = [
            lambda table=table, random=random: table.disconnect(random.choice(NAMES).lower()),
            lambda table=table, random=random: table.reconnect(random.choice(NAMES).lower()),
        ]
        for _ in range(60):
            table.clock.advance(random.choice([0, 1, 5, 12]))
            table.tick()
            acting = to_act(table.table)
            if table.table.status is Status.OVER:
                break
            if acting and random.random() < 0.7:
                seat = random.choice(acting)
                calls = table.table.playable.state.target is None
                table.play(seat, Call(random.choice([30, 31, 100])) if calls else Flip())
            else:
                random.choice(steps)()
            assert set(ends(table)) == set(to_act(table.table))
            check(table)


@pytest.mark.parametrize(("value", "field"), [(4, "turn_seconds"), (86_401, "turn_seconds")])
def test_a_limit_has_limits(value: int, field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: {value} is not from 5 to 86400$"):
        HouseRules(turn_seconds=value)


@pytest.mark.anyio
async def test_a_server_lets_all_happen_that_was_due_before_it_hears_anybody(registry: Registry) -> None:
    clock = FakeClock()
    service = TableService(registry, MemoryStore(registry.codec), clock=clock)
    opening = Opening(
        id="tbl_late",
        code="LATE22",
        secret=bytes(range(32)),
        game="call-it",
        mode="race",
        game_options=registry.game("call-it").Options(),
        mode_options=registry.mode("race").Options(),
        seats=8,
        local_seats=tuple([f"Local {number}" for number in range(1, 9)]),
        visibility=Visibility.UNLISTED,
        host="ann",
        host_name="Ann",
        house=HouseRules(turn_seconds=LIMIT),
    )
    await service.open(opening)
    clock.advance(3 * LIMIT + 1)
    late = await service.get("tbl_late")
    assert late.version == 4 and late.updated_at == at(3 * LIMIT)
    # Everything is down for a day; then a call comes in.
    clock.advance(86_400)
    answer = await service.act("tbl_late", Request("ann"), lambda d: decide.play(d, 0, Call(30)))
    assert isinstance(answer, Refused) and answer.refusal.code == "TABLE_OVER"
    assert answer.table.version == 1 + 3 * 8 and answer.table.updated_at == at(24 * LIMIT)
    await service.stop()
