"""Group commit: what is ready at the same time is written together, and each gets its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from fliptable.groupcommit import GroupCommit


class Writes:
    """A write that takes as long as it is told to."""

    def __init__(self, *, held: bool = False) -> None:
        self.batches: list[list[int]] = []
        self.under_way = self.most_under_way = 0
        self.gate, self.begun = asyncio.Event(), asyncio.Event()
        if not held:
            self.gate.set()

    async def __call__(self, items: Sequence[int]) -> list[Exception | None]:
        self.batches.append(list(items))
        self.begun.set()
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await self.gate.wait()
        self.under_way -= 1
        return [ValueError(str(item)) if item < 0 else None for item in items]


async def test_what_is_ready_goes_out_together() -> None:
    writes = Writes()
    group = GroupCommit(writes)
    await asyncio.gather(*[group.add(number) for number in range(50)])
    assert writes.batches == [list(range(50))]


async def test_what_comes_during_a_write_goes_into_the_next() -> None:
    writes = Writes(held=True)
    group = GroupCommit(writes, lanes=1)
    first = asyncio.create_task(group.add(0))
    await writes.begun.wait()
    rest = [asyncio.create_task(group.add(number)) for number in range(1, 30)]
    await asyncio.sleep(0)
    writes.gate.set()
    await asyncio.gather(first, *rest)
    assert writes.batches == [[0], list(range(1, 30))]


async def test_a_write_has_its_limit_and_lanes_have_theirs() -> None:
    writes = Writes(held=True)
    group = GroupCommit(writes, most=10, lanes=2)
    tasks = [asyncio.create_task(group.add(number)) for number in range(45)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert writes.most_under_way <= 2
    writes.gate.set()
    await asyncio.gather(*tasks)
    assert max(map(len, writes.batches)) <= 10
    assert sorted(number for batch in writes.batches for number in batch) == list(range(45))


async def test_each_gets_its_own_answer() -> None:
    group = GroupCommit(Writes())
    answers = await asyncio.gather(*[group.add(number) for number in (1, -2, 3, -4)], return_exceptions=True)
    assert [str(answer) for answer in answers] == ["None", "-2", "None", "-4"]


async def test_a_write_that_fails_is_told_to_all_of_it_and_no_other() -> None:
    failing = True

    async def write(items: Sequence[int]) -> list[Exception | None]:
        if failing:
            raise ConnectionError("away")
        return [None] * len(items)

    group = GroupCommit(write)
    answers = await asyncio.gather(*[group.add(number) for number in range(3)], return_exceptions=True)
    assert [type(answer) for answer in answers] == [ConnectionError] * 3
    failing = False
    await group.add(4)


async def test_who_goes_away_takes_nobody_along() -> None:
    writes = Writes(held=True)
    group = GroupCommit(writes)
    tasks = [asyncio.create_task(group.add(number)) for number in range(4)]
    await writes.begun.wait()
    tasks[1].cancel()
    writes.gate.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers] == [
        type(None),
        asyncio.CancelledError,
        type(None),
        type(None),
    ]


async def test_closing_waits_for_what_is_under_way() -> None:
    writes = Writes(held=True)
    group = GroupCommit(writes)
    task = asyncio.create_task(group.add(1))
    await writes.begun.wait()
    closing = asyncio.create_task(group.close())
    await asyncio.sleep(0)
    assert not closing.done()
    writes.gate.set()
    await closing
    await asyncio.wait_for(task, 5)
    await group.close()


@pytest.mark.parametrize("lanes", [1, 2, 5])
async def test_nothing_is_lost_under_load(lanes: int) -> None:
    async def write(items: Sequence[int]) -> list[Exception | None]:
        stored.extend(items)
        await asyncio.sleep(0)
        return [None] * len(items)

    stored: list[int] = []
    group = GroupCommit(write, most=7, lanes=lanes)

    async def client(number: int) -> None:
        for turn in range(20):
            await group.add(number * 100 + turn)

    await asyncio.gather(*[client(number) for number in range(20)])
    assert sorted(stored) == sorted(number * 100 + turn for number in range(20) for turn in range(20))


@pytest.mark.parametrize("lanes", [1, 2])
async def test_whoever_comes_as_the_last_write_ends_is_written_too(lanes: int) -> None:
    """A writer that has looked and found nothing more to do is none that will do it."""
    writes = Writes()
    group = GroupCommit(writes, most=1, lanes=lanes)

    async def one_after_another(number: int) -> None:
        for step in range(10):
            await group.add(10 * number + step)

    async with asyncio.timeout(30):
        await asyncio.gather(*[one_after_another(number) for number in range(lanes)])
    assert sorted(item for batch in writes.batches for item in batch) == list(range(10 * lanes))
