"""The time of a seat is up: what happens then, and when not."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from turnkit import LIMIT, NAMES, at, check, ends

from fliptable import Visibility, decide, hookimpl
from fliptable.events import RoundBegan, RoundOver, SeatLeft, TurnExpired
from fliptable.house import HouseRules
from fliptable.memory import MemoryStore
from fliptable.opening import Opening
from fliptable.plugins import Registry
from fliptable.projection import to_act
from fliptable.requests import Refused, Request
from fliptable.service import TableService
from fliptable.table import Status
from fliptable.testing import START, FakeClock
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    CallItOptions,
    CallPassed,
    Flip,
)


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
    with pytest.raises(ValueError, match=f"^{field}: {value} is not possible, only from 5 to 86400$"):
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
