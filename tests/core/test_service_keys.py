"""Asking once: idempotency keys and expected versions."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from servicekit import BOB, Workers, asks, kept_table, play

from fliptable.requests import Refused
from fliptable.snapshot import to_snapshot
from fliptable.tablewriter import SNAPSHOT_EVERY


async def test_the_same_key_many_times_at_once_is_one_move(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    request = asks("key-1")
    answers = await asyncio.gather(*[service.act(table, request, play(high.Swap())) for _ in range(20)])
    assert [answer.commit.version for answer in answers] == [2] * 20
    assert all(answer == answers[0] for answer in answers)
    assert len(await service.store.read(table)) == 2


async def test_a_key_answers_the_same_later_on_and_elsewhere(workers: Workers, high: SimpleNamespace) -> None:
    store = await workers.store()
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    first = await service.act(table, asks("key-1"), play(high.Swap()))
    for _ in range(3):
        await service.act(table, asks(), play(high.Swap()))
    again = await service.act(table, asks("key-1"), play(high.Swap()))
    assert again == first and again.table.version == 2
    # A worker that has nothing in memory finds the key in the log.
    other = await workers.service()
    assert to_snapshot((await other.act(table, asks("key-1"), play(high.Swap()))).table) == to_snapshot(
        first.table
    )
    assert (await service.get(table)).version == 5


async def test_a_key_is_found_after_a_snapshot_too(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    first = await service.act(table, asks("key-1"), play(high.Swap()))
    while (await service.get(table)).version < SNAPSHOT_EVERY + 5:
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    other = await workers.service()
    assert (await other.get(table)).version == SNAPSHOT_EVERY + 5
    assert (await other.act(table, asks("key-1"), play(high.Swap()))).commit == first.commit


async def test_a_key_cannot_be_used_for_something_else(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    await service.act(table, asks("key-1", "one"), play(high.Swap()))
    refused = await service.act(table, asks("key-1", "two"), play(high.Keep()))
    assert isinstance(refused, Refused) and refused.refusal.code == "KEY_REUSED"
    assert (await service.get(table)).version == 2
    # Another player has keys of their own.
    other = await service.act(table, asks("key-1", "two", player=BOB), play(high.Swap()))
    assert other.commit.version == 3


async def test_a_refused_request_does_not_use_its_key_up(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    refused = await service.act(table, asks("key-1"), play(high.Keep(99)))
    assert isinstance(refused, Refused)
    assert (await service.act(table, asks("key-1"), play(high.Keep(1)))).commit.version == 2


async def test_of_many_who_expect_a_version_one_gets_it(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    answers = await asyncio.gather(
        *[service.act(table, asks(version=1), play(high.Swap())) for _ in range(20)]
    )
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(refused) == 19 and {answer.refusal.code for answer in refused} == {"STALE_VERSION"}
    assert {answer.refusal.field for answer in refused} == {"expectedVersion"}
    assert len(await service.store.read(table)) == 2
    ahead = await service.act(table, asks(version=9), play(high.Swap()))
    assert isinstance(ahead, Refused) and "not at the expected 9" in ahead.refusal.message
