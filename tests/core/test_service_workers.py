"""Several workers at one table."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from servicekit import Workers, asks, follow, kept_table, play, until, versions

from fliptable.feed import Update
from fliptable.requests import Interrupted
from fliptable.service import TableService
from fliptable.snapshot import to_snapshot
from fliptable.testing import FakeClock


async def test_two_workers_race_on_one_table(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    seen: tuple[list[Update], list[Update]] = ([], [])
    followers = [
        asyncio.create_task(follow(worker, table, 0, into))
        for worker, into in zip((one, other), seen, strict=True)
    ]
    answers = await asyncio.gather(
        *[worker.act(table, asks(), play(high.Swap())) for _ in range(15) for worker in (one, other)]
    )
    # Every move got a version of its own, and nobody's was lost.
    assert sorted(answer.commit.version for answer in answers) == list(range(2, 32))
    stored = await one.store.read(table)
    assert [commit.version for commit in stored] == list(range(1, 32))
    await until(lambda: min(len(seen[0]), len(seen[1])) == 31)
    assert versions(seen[0]) == versions(seen[1]) == list(range(1, 32))
    assert [update.commit for update in seen[0]] == [update.commit for update in seen[1]] == stored
    assert to_snapshot(await one.get(table)) == to_snapshot(await other.get(table))
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_a_key_is_one_move_across_workers(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    answers = await asyncio.gather(
        *[worker.act(table, asks("key-1"), play(high.Swap())) for _ in range(10) for worker in (one, other)]
    )
    assert {answer.commit.version for answer in answers} == {2}
    assert len({tuple(answer.commit.events) for answer in answers}) == 1
    assert len(await one.store.read(table)) == 2


async def test_an_expected_version_holds_across_workers(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    answers = await asyncio.gather(
        *[worker.act(table, asks(version=1), play(high.Swap())) for _ in range(10) for worker in (one, other)]
    )
    assert sum(isinstance(answer, Update) for answer in answers) == 1


async def test_a_worker_sees_what_another_did(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await other.get(table)
    await one.act(table, asks(), play(high.Swap()))
    assert (await other.get(table)).version == 2


async def test_what_was_stored_before_the_watch_began_is_told(
    workers: Workers, high: SimpleNamespace
) -> None:
    one = await workers.service(shared_store=True)
    table = await kept_table(one, workers.registry)
    other = TableService(workers.registry, await workers.store(), clock=FakeClock(), shared_store=True)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(other, table, 0, seen))
    await until(lambda: len(seen) == 1)
    # The other worker follows nothing yet, so it cannot hear of this by itself.
    await one.act(table, asks(), play(high.Swap()))
    await other.start()
    await until(lambda: len(seen) == 2)
    await other.stop()
    with pytest.raises(Interrupted):
        await follower


async def test_a_worker_counts_the_commits_that_it_made_itself(
    workers: Workers, high: SimpleNamespace
) -> None:
    """So the numbers of all workers add up to what was stored."""
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await one.act(table, asks(), play(high.Swap()))
    assert (await other.get(table)).version == 2
    await one.act(table, asks(), play(high.Swap()))
    assert (await other.act(table, asks(), play(high.Swap()))).commit.version == 4
    assert (one.numbers().commits, other.numbers().commits) == (3, 1)
