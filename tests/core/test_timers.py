"""Timers: what is due at a table is touched at its time, and nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from servicekit import until

from fliptable import timers as module
from fliptable.migrations import UnreadableLog
from fliptable.testing import FakeClock
from fliptable.timers import Timers


class Touched:
    """Takes down which tables were touched; fails as often as it is told to."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.failures = 0
        self.error: Exception = ConnectionError("away")

    async def __call__(self, table: str) -> None:
        self.tables.append(table)
        if self.failures:
            self.failures -= 1
            raise self.error


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def touched() -> Touched:
    return Touched()


@pytest.fixture
async def timers(clock: FakeClock, touched: Touched) -> AsyncIterator[Timers]:
    made = Timers(clock, touched)
    yield made
    await made.close()


async def test_what_is_due_is_touched(timers: Timers, clock: FakeClock, touched: Touched) -> None:
    timers.note("past", clock.now - timedelta(hours=1))
    timers.note("now", clock.now)
    timers.note("far", clock.now + timedelta(hours=1))
    timers.note("never", None)
    assert len(timers) == 3
    await until(lambda: len(touched.tables) == 2)
    assert sorted(touched.tables) == ["now", "past"]
    assert len(timers) == 1


async def test_a_timer_that_fires_early_looks_at_the_clock_again(
    timers: Timers, clock: FakeClock, touched: Touched
) -> None:
    """The loop's clock and the server's are not the same one."""
    timers.note("t1", clock.now + timedelta(milliseconds=5))
    await asyncio.sleep(0.05)
    assert touched.tables == [] and len(timers) == 1
    clock.advance(1)
    await until(lambda: touched.tables == ["t1"])


async def test_a_deadline_can_move_and_go(timers: Timers, clock: FakeClock, touched: Touched) -> None:
    timers.note("t1", clock.now + timedelta(hours=1))
    timers.note("t1", clock.now)
    await until(lambda: touched.tables == ["t1"])
    timers.note("t2", clock.now)
    timers.note("t2", None)
    timers.note("t3", clock.now)
    timers.note("t3", clock.now + timedelta(hours=1))
    await asyncio.sleep(0.02)
    assert touched.tables == ["t1"] and len(timers) == 1


async def test_the_same_deadline_is_one_timer(timers: Timers, clock: FakeClock, touched: Touched) -> None:
    for _ in range(5):
        timers.note("t1", clock.now + timedelta(milliseconds=1))
    clock.advance(1)
    await until(lambda: bool(touched.tables))
    await asyncio.sleep(0.02)
    assert touched.tables == ["t1"]


async def test_a_touch_that_fails_is_tried_again(
    timers: Timers, clock: FakeClock, touched: Touched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_AGAIN", 0.0)
    touched.failures = 3
    timers.note("t1", clock.now)
    await until(lambda: len(touched.tables) == 4)
    await asyncio.sleep(0.02)
    assert touched.tables == ["t1"] * 4 and len(timers) == 0


async def test_a_table_that_cannot_be_read_here_is_left_to_others(
    timers: Timers, clock: FakeClock, touched: Touched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its version or plugin is not here, and will not be before the next start."""
    monkeypatch.setattr(module, "_AGAIN", 0.0)
    touched.failures, touched.error = 1, UnreadableLog("of a newer version")
    timers.note("t1", clock.now)
    await until(lambda: touched.tables == ["t1"])
    await asyncio.sleep(0.02)
    timers.note("t1", clock.now)
    timers.note("t2", clock.now)
    await until(lambda: "t2" in touched.tables)
    assert touched.tables == ["t1", "t2"] and len(timers) == 0


async def test_closing_takes_all_timers_away(timers: Timers, clock: FakeClock, touched: Touched) -> None:
    timers.note("t1", clock.now + timedelta(hours=1))
    await timers.close()
    timers.note("t2", clock.now)
    await asyncio.sleep(0.02)
    assert touched.tables == [] and len(timers) == 0


async def test_closing_waits_for_a_touch_under_way(clock: FakeClock) -> None:
    begun, gate, finished = asyncio.Event(), asyncio.Event(), []

    async def touch(table: str) -> None:
        begun.set()
        await gate.wait()
        finished.append(table)

    timers = Timers(clock, touch)
    timers.note("t1", clock.now)
    await begun.wait()
    closing = asyncio.create_task(timers.close())
    await asyncio.sleep(0)
    gate.set()
    await closing
    assert finished == ["t1"]
