"""A database that fails, before or after it has done what was asked."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from servicekit import Troubled, Workers, asks, follow, followed, kept_table, play, until, versions

from fliptable.evolve import fold
from fliptable.feed import TooSlow, Update
from fliptable.heads import head_of
from fliptable.log import HeadFilter, Unavailable
from fliptable.snapshot import to_snapshot
from fliptable.tablewriter import SNAPSHOT_EVERY


@pytest.mark.parametrize("how", ["before", "after"])
async def test_a_failed_write_leaves_no_wrong_state(
    workers: Workers, high: SimpleNamespace, how: str
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    async with followed(service, table) as seen:
        await until(lambda: len(seen) == 1)
        store.failing["append"] = how
        with pytest.raises(Unavailable):
            await service.act(table, asks("key-1"), play(high.Swap()))
        del store.failing["append"]
        # Whether it was stored is what the log says, and asking again with the key tells.
        answer = await service.act(table, asks("key-1"), play(high.Swap()))
        assert answer.commit.version == 2
        stored = await store.read(table)
        assert [commit.version for commit in stored] == [1, 2] and stored[1] == answer.commit
        await service.act(table, asks(), play(high.Swap()))
        await until(lambda: len(seen) == 3)
        assert versions(seen) == [1, 2, 3]
        assert [update.commit for update in seen] == await store.read(table)
        assert to_snapshot(await service.get(table)) == to_snapshot(seen[-1].table)


@pytest.mark.parametrize("how", ["before", "after"])
async def test_requests_that_waited_for_a_failed_write_go_by_the_log(
    workers: Workers, high: SimpleNamespace, how: str
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    async with followed(service, table) as seen:
        await until(lambda: len(seen) == 1)
        gate = store.delays["append"] = asyncio.Event()
        store.failing["append"] = how
        moves = [asyncio.create_task(service.act(table, asks(), play(high.Swap()))) for _ in range(5)]
        await until(lambda: store.calls.count("append") == 2)
        # The first write fails, while the other four wait for their turn.
        gate.set()
        await until(lambda: any(move.done() for move in moves))
        del store.failing["append"]
        results = await asyncio.gather(*moves, return_exceptions=True)
        failed = [result for result in results if isinstance(result, Unavailable)]
        fine = [result for result in results if isinstance(result, Update)]
        assert len(failed) + len(fine) == 5 and failed
        assert await service.act(table, asks(), play(high.Swap()))
        stored = await store.read(table)
        assert [commit.version for commit in stored] == list(range(1, len(stored) + 1))
        assert {result.commit.version for result in fine} <= {commit.version for commit in stored}
        # What is in memory is what is stored, and followers have all of it.
        assert (await service.get(table)).version == len(stored)
        await until(lambda: len(seen) == len(stored))
        assert [update.commit for update in seen] == stored


async def test_a_database_that_is_away_is_named_and_comes_back(
    workers: Workers, high: SimpleNamespace
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    other = await workers.service(store)
    store.failing = {"read": "before", "load_snapshot": "before"}
    with pytest.raises(Unavailable):
        await other.get(table)
    store.failing = {}
    assert (await other.get(table)).version == 1


async def test_lists_catch_up_when_the_database_is_back(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("fliptable.heads._AGAIN", 0.01)
    store = Troubled(await workers.store())
    service = await workers.service(store)
    store.failing["save_heads"] = "before"
    # A move is not lost because a list could not be written.
    table = await kept_table(service, workers.registry)
    assert await store.list_heads(HeadFilter(), 10) == []
    assert "the lists of tables are behind" in caplog.text
    store.failing = {}
    for _ in range(500):
        if found := await store.list_heads(HeadFilter(), 10):
            break
        await asyncio.sleep(0.01)
    assert found == [head_of(await service.get(table))]


async def test_a_snapshot_that_cannot_be_kept_costs_nothing(
    workers: Workers, high: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    store.failing["save_snapshot"] = "before"
    for _ in range(SNAPSHOT_EVERY):
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    assert f"no snapshot of table {table}" in caplog.text
    assert (await service.get(table)).version == SNAPSHOT_EVERY + 1


class Flaky(Troubled):
    """A store on which anything may fail now and then, done or not."""

    def __init__(self, store: Any, random: Random) -> None:
        super().__init__(store)
        self.random = random
        self.share = 0.0

    def __getattr__(self, name: str) -> Any:
        method = super().__getattr__(name)
        if name not in {"append", "read", "save_heads", "save_snapshot", "load_snapshot", "find_key"}:
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            await asyncio.sleep(0 if self.random.random() < 0.5 else 0.001)
            fails = self.random.random() < self.share
            if fails and (self.random.random() < 0.5 or name != "append"):
                raise Unavailable("the database is away")
            result = await method(*args, **kwargs)
            if fails:
                raise Unavailable("the answer was lost")
            return result

        return call


@pytest.mark.parametrize("seed", range(2))
async def test_two_workers_on_a_flaky_database(workers: Workers, high: SimpleNamespace, seed: int) -> None:
    """Moves with keys, retried until they are answered, from two workers that forget tables all the time."""
    random = Random(seed)
    stores = [Flaky(await workers.store(), random) for _ in range(2)]
    services = [
        await workers.service(store, shared_store=True, cached_tables=random.choice([1, 2, 50]))
        for store in stores
    ]
    options = high.TimedOptions(rounds=10**6, seconds=10**6)
    tables = [await kept_table(services[0], workers.registry, mode_options=options) for _ in range(3)]
    for store in stores:
        store.share = 0.15
    seen: list[tuple[str, list[Update]]] = []

    async def follower(service: Any, table: str) -> None:
        into: list[Update] = []
        seen.append((table, into))
        while True:
            try:
                await follow(service, table, into[-1].commit.version if into else 0, into)
            except (Unavailable, TooSlow):
                await asyncio.sleep(0)

    answers: dict[str, list[Update]] = {table: [] for table in tables}

    async def player(number: int) -> None:
        for turn in range(12):
            table = random.choice(tables)
            request = asks(f"{number}-{turn}", player=f"ply_{number}")
            while True:
                try:
                    answer = await random.choice(services).act(table, request, play(high.Swap()))
                except Unavailable:
                    continue
                assert isinstance(answer, Update)
                answers[table].append(answer)
                break

    followers = [asyncio.create_task(follower(service, table)) for service in services for table in tables]
    await asyncio.gather(*[player(number) for number in range(5)])
    for store in stores:
        store.share = 0.0
    for table in tables:
        # Every request was carried out exactly once, whatever went wrong on the way.
        stored = await stores[0]._store.read(table)
        assert [commit.version for commit in stored] == list(range(1, len(stored) + 1))
        assert len(stored) == 1 + len(answers[table])
        assert sorted(versions(answers[table])) == list(range(2, len(stored) + 1))
        folded = to_snapshot(fold(workers.registry, stored))  # type: ignore[arg-type]
        for service in services:
            assert to_snapshot(await service.get(table)) == folded
        for _, into in [one for one in seen if one[0] == table]:
            await until(lambda into=into, stored=stored: len(into) >= len(stored))
            assert [update.commit for update in into] == stored
            assert [update.table.version for update in into] == versions(into)
    for task in followers:
        task.cancel()
    await asyncio.gather(*followers, return_exceptions=True)
