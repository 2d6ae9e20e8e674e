"""Many subscribers come at the same time, as they do when a worker has died: each misses nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import Any

import pytest
from servicekit import opening

from fliptable import decide
from fliptable.memory import MemoryStore
from fliptable.plugins import Registry
from fliptable.requests import Request
from fliptable.service import TableService
from fliptable_games.call_it.vocabulary import Call, Flip

pytestmark = pytest.mark.anyio

ANN = "ply_ann"
LAST = 30


class Slow(MemoryStore):
    """A store that takes its time to read, and counts."""

    def __init__(self, codec: Any, rng: random.Random) -> None:
        super().__init__(codec)
        self.reads = 0
        self._rng = rng

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Any]:
        self.reads += 1
        for _ in range(self._rng.randint(1, 5)):
            await asyncio.sleep(0)
        return await super().read(table, after, limit)


@pytest.fixture
async def service(registry: Registry) -> AsyncIterator[TableService]:
    one = TableService(registry, Slow(registry.codec, random.Random(1)))
    await one.start()
    await one.open(opening(registry, "call-it", "classic", id="tbl_1", host=ANN))
    await play(one, Call(1000))
    yield one
    await one.stop()


async def play(service: TableService, move: Any) -> None:
    await service.act("tbl_1", Request(ANN), partial(decide.play, seat=0, move=move))


async def follow(service: TableService, after: int | None, upto: int) -> list[int]:
    """The versions from there on, each with its own table."""
    seen: list[int] = []
    async with aclosing(service.subscribe("tbl_1", after)) as updates:
        async for update in updates:
            assert update.table.version == update.commit.version
            seen.append(update.commit.version)
            if seen[-1] == upto:
                break
    return seen


async def test_subscribers_who_come_at_once_read_the_log_once(service: TableService) -> None:
    store: Any = service.store
    for _ in range(3):
        await play(service, Flip())
    store.reads = 0
    seen = await asyncio.gather(*[follow(service, after, 5) for after in [None] * 50 + [4] * 50])
    assert seen == [[5]] * 100
    assert store.reads == 1
    following = asyncio.create_task(follow(service, None, 7))
    await asyncio.sleep(0.01)
    await play(service, Flip())
    store.reads = 0
    assert await follow(service, 5, 6) == [6]
    assert store.reads == 0
    await play(service, Flip())
    assert await following == [5, 6, 7]


async def test_nobody_who_comes_while_moves_are_played_misses_one(service: TableService) -> None:
    rng = random.Random(2)
    tasks: dict[asyncio.Task[list[int]], int | None] = {}
    for version in range(3, LAST + 1):
        for _ in range(rng.randint(0, 6)):
            now = version - 1
            after = rng.choice([None, now, now - 1, max(0, now - rng.randint(0, 12))])
            task = asyncio.create_task(follow(service, after, LAST))
            tasks[task] = after
            for _ in range(rng.randint(0, 3)):
                await asyncio.sleep(0)
        await play(service, Flip())
    for task, after in tasks.items():
        async with asyncio.timeout(10):
            seen = await task
        # Without `after` it begins with the latest when its turn comes.
        assert seen == list(range(seen[0] if after is None else after + 1, LAST + 1))
