"""One counted attempt for a player and a date (call-it M3), with both stores and several workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from servicekit import opening

from fliptable.log import CodeTaken
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.opening import Opening, OpeningRefused
from fliptable.service import TableService
from fliptable.shuffle import commitment
from fliptable.testing import FakeClock

MIDNIGHT = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MIDNIGHT - timedelta(milliseconds=1))


@pytest.fixture(params=["memory", "mongo"])
async def workers(
    request: pytest.FixtureRequest, registry: Any, clock: FakeClock, mongo_database: str
) -> AsyncIterator[list[TableService]]:
    """Two workers with one database: two connections to it, or one memory."""
    if request.param == "memory":
        stores: list[Any] = [MemoryStore(registry.codec)] * 2
    else:
        url = request.getfixturevalue("mongo_url")
        stores = [MongoStore(url, registry.codec, mongo_database) for _ in range(2)]
        for store in stores:
            await store.open()
    services = [TableService(registry, one, clock=clock, shared_secret=b"s") for one in stores]
    yield services
    for service in services:
        await service.stop()
        await service.store.close()


def attempt(registry: Any, player: str = "ply_ann", mode: str = "daily") -> Opening:
    return opening(registry, "call-it", mode, host=player)


async def test_m3_a_second_attempt_on_the_same_date_is_refused(
    workers: list[TableService], registry: Any
) -> None:
    assert await workers[1].claimed("call-it", "daily", "ply_ann") is None
    first = await workers[0].open(attempt(registry))
    with pytest.raises(OpeningRefused) as refused:
        await workers[1].open(attempt(registry))
    assert refused.value.refusal.code == "DAILY_PLAYED"
    assert refused.value.refusal.code in registry.refusals
    assert refused.value.table_id == first.table.id
    assert await workers[1].claimed("call-it", "daily", "ply_ann") == first.table.id


async def test_m3_another_player_and_another_date_have_their_own_attempt(
    workers: list[TableService], registry: Any, clock: FakeClock
) -> None:
    tables = [await workers[0].open(attempt(registry)), await workers[0].open(attempt(registry, "ply_bob"))]
    clock.set(MIDNIGHT)
    assert await workers[0].claimed("call-it", "daily", "ply_ann") is None
    tables.append(await workers[0].open(attempt(registry)))
    dates = [update.table.run.date for update in tables]
    assert dates == ["2026-11-29", "2026-11-29", "2026-11-30"]
    with pytest.raises(OpeningRefused):
        await workers[0].open(attempt(registry))


async def test_m3_of_attempts_that_race_between_workers_one_is_opened(
    workers: list[TableService], registry: Any
) -> None:
    attempts = [workers[index % 2].open(attempt(registry)) for index in range(10)]
    results = await asyncio.gather(*attempts, return_exceptions=True)
    refused = [one for one in results if isinstance(one, OpeningRefused)]
    opened = [one for one in results if not isinstance(one, BaseException)]
    assert len(opened) == 1 and len(refused) == 9
    assert {one.table_id for one in refused} == {opened[0].table.id}


async def test_m3_the_claim_is_in_the_log(workers: list[TableService], registry: Any) -> None:
    update = await workers[0].open(attempt(registry))
    (commit,) = await workers[1].store.read(update.table.id)
    assert commit == update.commit
    assert commit.claim == "daily/call-it/2026-11-29/ply_ann"


async def test_tables_without_a_claim_do_not_collide(workers: list[TableService], registry: Any) -> None:
    for _ in range(2):
        update = await workers[0].open(attempt(registry, mode="streak"))
        assert update.commit.claim is None
    assert await workers[0].claimed("call-it", "streak", "ply_ann") is None


async def test_a_taken_code_and_a_taken_claim_are_told_apart(
    workers: list[TableService], registry: Any
) -> None:
    first = attempt(registry)
    await workers[0].open(first)
    with pytest.raises(CodeTaken):
        await workers[1].open(replace(attempt(registry, "ply_bob"), code=first.code))


async def test_m3_the_service_tells_the_seed_when_the_date_is_over(
    workers: list[TableService], registry: Any, clock: FakeClock
) -> None:
    update = await workers[0].open(attempt(registry))
    (shuffle,) = update.table.shuffles
    assert workers[1].seed_of(shuffle) is None
    clock.set(MIDNIGHT)
    seed = workers[1].seed_of(shuffle)
    assert seed is not None and commitment(bytes.fromhex(seed)) == shuffle.commitment
