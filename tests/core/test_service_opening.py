"""Opening a table while others ask for it already, and while its opener goes away."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from servicekit import Troubled, Workers, asks, followed, opening, play, until, versions

from fliptable.heads import head_of
from fliptable.log import HeadFilter


class Slow(Troubled):
    """A store whose answers take as long as they are told to, after it has done what was asked."""

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.held: dict[str, asyncio.Event] = {}

    def __getattr__(self, name: str) -> Any:
        method = super().__getattr__(name)
        if name not in {"append", "read"}:
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            result = await method(*args, **kwargs)
            if name in self.held:
                self.calls.append(f"{name} done")
                await self.held[name].wait()
            return result

        return call


async def test_who_follows_a_table_before_its_opener_knows_of_it_hears_of_all(
    workers: Workers, high: SimpleNamespace
) -> None:
    """As after a rematch that two ask for at once: it is stored, and found, before the first is told so."""
    store = Slow(await workers.store())
    service = await workers.service(store)
    store.held["append"] = asyncio.Event()
    wanted = opening(workers.registry)
    opener = asyncio.create_task(service.open(wanted))
    await until(lambda: "append done" in store.calls)
    async with followed(service, wanted.id) as seen:
        await until(lambda: versions(seen) == [1])
        store.held.pop("append").set()
        assert (await opener).table.version == 1
        await service.act(wanted.id, asks(), play(high.Swap()))
        await until(lambda: versions(seen) == [1, 2])
        assert service.numbers().subscriptions == 1


async def test_a_table_that_is_read_while_it_is_opened_is_the_one_that_was_opened(
    workers: Workers, high: SimpleNamespace
) -> None:
    store = Slow(await workers.store())
    service = await workers.service(store)
    store.held["append"] = asyncio.Event()
    wanted = opening(workers.registry)
    opener = asyncio.create_task(service.open(wanted))
    await until(lambda: "append done" in store.calls)
    store.held["read"] = asyncio.Event()
    reader = asyncio.create_task(service.get(wanted.id))
    await until(lambda: "read done" in store.calls)
    # The opener is told first, somebody follows the table and plays; only then the reader has it.
    store.held.pop("append").set()
    await opener
    async with followed(service, wanted.id, None) as seen:
        await until(lambda: service.numbers().subscriptions == 1)
        await service.act(wanted.id, asks(), play(high.Swap()))
        store.held.pop("read").set()
        assert (await reader).version == 2
        await service.act(wanted.id, asks(), play(high.Swap()))
        await until(lambda: bool(seen) and seen[-1].commit.version == 3)


async def test_a_table_whose_opener_goes_away_is_listed_all_the_same(workers: Workers) -> None:
    store = Slow(await workers.store())
    service = await workers.service(store)
    heard: list[int] = []
    service.observe(lambda before, update: heard.append(update.commit.version))
    store.held["append"] = asyncio.Event()
    wanted = opening(workers.registry)
    opener = asyncio.create_task(service.open(wanted))
    await until(lambda: "append done" in store.calls)
    opener.cancel()
    await asyncio.gather(opener, return_exceptions=True)
    store.held.pop("append").set()
    await service.stop()
    assert heard == [1]
    assert await store.list_heads(HeadFilter(), 10) == [head_of(await service.get(wanted.id))]
