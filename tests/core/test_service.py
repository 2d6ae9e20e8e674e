"""The table service: opening a table, acting there, being refused, going away meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest
from servicekit import Troubled, Workers, asks, follow, kept_table, opening, play, until, versions

from fliptable.feed import Update
from fliptable.log import CodeTaken
from fliptable.plugins import PluginMissing
from fliptable.requests import Refused, TableNotFound
from fliptable.testing import FakeClock


async def test_a_table_is_opened_played_and_over(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    opened = await service.open(opening(workers.registry))
    assert opened.commit.version == opened.table.version == 1
    table = opened.table.id
    played = await service.act(table, asks(), play(high.Keep()))
    assert isinstance(played, Update) and played.table.scores == (int(played.table.round.state.hands[0]),)
    assert await service.get(table) == played.table
    assert await service.find_code(opened.table.code) == table
    refused = await service.act(table, asks(), play(high.Keep()))
    assert isinstance(refused, Refused) and refused.refusal.code == "ROUND_OVER"
    assert refused.table.version == 2


async def test_tables_that_are_not_there(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    with pytest.raises(TableNotFound):
        await service.get("tbl_nobody")
    with pytest.raises(TableNotFound):
        await service.act("tbl_nobody", asks(), play(high.Keep()))
    with pytest.raises(TableNotFound):
        await anext(service.subscribe("tbl_nobody"))
    with pytest.raises(PluginMissing, match="chess"):
        await service.open(replace(opening(workers.registry), game="chess"))


async def test_a_code_is_used_once(workers: Workers) -> None:
    service = await workers.service()
    first = opening(workers.registry)
    await service.open(first)
    with pytest.raises(CodeTaken):
        await service.open(opening(workers.registry, code=first.code))


async def test_what_changes_nothing_is_not_stored(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    answer = await service.act(table, asks(), lambda decision: None)
    assert answer.commit.version == 1 and answer.commit.events == ()
    assert len(await service.store.read(table)) == 1


# Callers who go away


async def test_what_was_begun_is_finished_without_its_caller(workers: Workers, high: SimpleNamespace) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    store.delays["append"] = asyncio.Event()
    caller = asyncio.create_task(service.act(table, asks("key-1"), play(high.Swap())))
    await until(lambda: store.calls.count("append") == 2)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    stopping = asyncio.create_task(service.stop())
    await asyncio.sleep(0.01)
    assert not stopping.done()
    store.delays["append"].set()
    await stopping
    assert len(await store.read(table)) == 2
    assert (await service.get(table)).version == 2


async def test_a_deadline_is_told_even_if_who_touched_the_table_is_gone(workers: Workers) -> None:
    store = Troubled(await workers.store())
    clock = FakeClock()
    service = await workers.service(store, clock=clock)
    table = await kept_table(service, workers.registry)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    clock.advance(60)
    store.delays["append"] = asyncio.Event()
    caller = asyncio.create_task(service.get(table))
    await until(lambda: store.calls.count("append") == 2)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    store.delays["append"].set()
    await asyncio.wait_for(follower, 10)
    assert versions(seen) == [1, 2]
