"""What a worker has in memory of tables, and the snapshots that bring it back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from servicekit import Troubled, Workers, asks, follow, followed, kept_table, play, until, versions

from fliptable.feed import Update
from fliptable.snapshot import to_snapshot
from fliptable.tablewriter import SNAPSHOT_EVERY


async def test_idle_tables_are_let_go_of_and_come_back(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(cached_tables=5)
    tables = [await kept_table(service, workers.registry) for _ in range(20)]
    assert service.numbers().tables <= 5
    for table in tables:
        await service.act(table, asks(), play(high.Swap()))
    assert service.numbers().tables <= 5
    assert [(await service.get(table)).version for table in tables] == [2] * 20


async def test_tables_that_are_followed_stay(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(cached_tables=2)
    tables = [await kept_table(service, workers.registry) for _ in range(2)]
    seen: dict[str, list[Update]] = {table: [] for table in tables}
    followers = [asyncio.create_task(follow(service, table, 0, seen[table])) for table in tables]
    await until(lambda: all(len(into) == 1 for into in seen.values()))
    for _ in range(30):
        await kept_table(service, workers.registry)
    for table in tables:
        await service.act(table, asks(), play(high.Swap()))
    await until(lambda: all(len(into) == 2 for into in seen.values()))
    assert service.numbers().tables <= 2 + 2
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_letting_go_while_requests_wait_loses_nothing(workers: Workers, high: SimpleNamespace) -> None:
    """A table may be let go of between a request and its turn: nobody then works on a second copy."""
    service = await workers.service(cached_tables=1)
    tables = [await kept_table(service, workers.registry) for _ in range(4)]
    seen: dict[str, list[Update]] = {table: [] for table in tables}
    followers = []
    for turn in range(6):
        moves = [service.act(table, asks(), play(high.Swap())) for table in tables for _ in range(3)]
        if turn == 3:
            followers = [asyncio.create_task(follow(service, table, 0, seen[table])) for table in tables]
        await asyncio.gather(*moves)
    for table in tables:
        assert (await service.get(table)).version == 19
        await until(lambda table=table: len(seen[table]) == 19)
        assert versions(seen[table]) == list(range(1, 20))
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_a_stale_copy_is_never_worked_on(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    stale = service._cache.peek(table)
    assert stale is not None
    await stale.lock.acquire()
    waiting = asyncio.create_task(service.act(table, asks(), play(high.Swap())))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    service._cache.drop(stale)
    # Somebody else loads it anew and follows it.
    async with followed(service, table) as seen:
        await until(lambda: len(seen) == 1)
        stale.lock.release()
        await waiting
        await until(lambda: len(seen) == 2)
        assert (await service.get(table)).version == 2


async def test_snapshots_are_used_and_may_be_deleted(workers: Workers, high: SimpleNamespace) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    for _ in range(SNAPSHOT_EVERY + 3):
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    expected = to_snapshot(await service.get(table))
    snapshot = await store.load_snapshot(table)
    assert snapshot.version == SNAPSHOT_EVERY

    reads: list[int] = []
    read = store._store.read

    async def spying_read(table: str, after: int = 0, limit: int | None = None) -> Any:
        reads.append(after)
        return await read(table, after, limit)

    store._store.read = spying_read
    assert to_snapshot(await (await workers.service(store)).get(table)) == expected
    assert reads == [SNAPSHOT_EVERY]
    # Of no use, of another form, or gone: the log is read from the start.
    for state in (
        {"form": 0},
        {**snapshot.state, "plugins": ["high-card 0.1"]},
        {**snapshot.state, "run": 3},
    ):
        await store.save_snapshot(type(snapshot)(table, SNAPSHOT_EVERY, state))
        reads.clear()
        assert to_snapshot(await (await workers.service(store)).get(table)) == expected
        assert reads == [0]
    del store._store.read


async def test_a_snapshot_is_no_shortcut_past_a_subscribers_version(
    workers: Workers, high: SimpleNamespace
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    for _ in range(SNAPSHOT_EVERY + 3):
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    total = SNAPSHOT_EVERY + 4
    for after in (0, 10, SNAPSHOT_EVERY - 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 1):
        got = [update async for update in service.updates(table, after, total)]
        assert versions(got) == list(range(after + 1, total + 1))
        assert [update.table.version for update in got] == versions(got)
