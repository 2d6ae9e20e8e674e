"""The lists of tables, after every change and after a crash."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from servicekit import ANN, BOB, Troubled, Workers, asks, kept_table, play, until

from fliptable import lobby
from fliptable.heads import head_of
from fliptable.log import HeadFilter
from fliptable.table import Status


async def test_lists_are_right_after_every_change(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()

    async def listed() -> list[Any]:
        return list(await service.store.list_heads(HeadFilter(), 10))

    table = await kept_table(service, workers.registry, seats=2)
    assert await listed() == [head_of(await service.get(table))]
    assert (await listed())[0].free_seats == 1
    await service.act(table, asks(player=BOB), lambda d: lobby.join(d, BOB, "Bob"))
    assert (await listed())[0].players == (ANN, BOB) and (await listed())[0].free_seats == 0
    await service.act(table, asks(), lambda d: lobby.start(d, ANN))
    head = (await listed())[0]
    assert (head.status, head.deadline) == ("PLAYING", (await service.get(table)).deadline())
    # A move changes nothing that lists show.
    await service.act(table, asks(), play(high.Swap()))
    assert (await listed())[0] == head
    await service.act(table, asks(player=BOB), lambda d: lobby.leave(d, BOB))
    assert (await listed())[0].players == (ANN,)
    await service.act(table, asks(), lambda d: lobby.leave(d, ANN))
    await service.stop()
    head = (await listed())[0]
    assert (head.status, head.deadline, head.players) == ("OVER", None, ())


async def test_lists_recover_after_a_crash(workers: Workers, high: SimpleNamespace) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry, mode="classic")
    # The worker dies right after the last commit, before the list was written.
    store.failing["save_heads"] = "before"
    await service.act(table, asks(), play(high.Keep()))
    store.failing = {}
    service._heads._changed.clear()
    (head,) = await store.list_heads(HeadFilter(), 10)
    assert head.status == "PLAYING"
    other = await workers.service(store)
    await other.get(table)
    await other.stop()
    (head,) = await store.list_heads(HeadFilter(), 10)
    assert (head.status, head.version) == ("OVER", 2)


async def test_a_stop_in_the_middle_of_a_write_leaves_no_list_behind(
    workers: Workers, high: SimpleNamespace
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry, mode="classic")
    gate = store.delays["save_heads"] = asyncio.Event()
    before = store.calls.count("save_heads")
    assert (await service.act(table, asks(), play(high.Keep()))).table.status is Status.OVER
    await until(lambda: store.calls.count("save_heads") == before + 1)
    writing = service._heads._task
    stopping = asyncio.create_task(service.stop())
    await until(lambda: writing.done() or store.calls.count("save_heads") > before + 1)
    gate.set()
    await stopping
    (head,) = await store.list_heads(HeadFilter(), 10)
    assert (head.status, head.version) == ("OVER", 2)
