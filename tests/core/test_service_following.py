"""Following a table: where it begins, what it brings and how it ends."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from types import SimpleNamespace

import pytest
from servicekit import ANN, BOB, Workers, asks, follow, followed, kept_table, play, until, versions

from fliptable.events import SeedRevealed
from fliptable.feed import TooSlow, Update
from fliptable.requests import Interrupted, UnknownVersion
from fliptable.table import Status


async def test_backlog_and_live_follow_without_gap_or_repeat(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    seen: dict[int | None, list[Update]] = {}
    followers = []

    async def many_moves() -> None:
        for _ in range(60):
            await service.act(table, asks(), play(high.Swap()))

    async def join_in() -> None:
        for number in range(12):
            into = seen.setdefault(number, [])
            followers.append(asyncio.create_task(follow(service, table, 0, into)))
            await asyncio.sleep(0.002)

    await asyncio.gather(many_moves(), join_in())
    await until(lambda: all(len(into) == 61 for into in seen.values()))
    for into in seen.values():
        assert versions(into) == list(range(1, 62))
        assert [update.table.version for update in into] == versions(into)
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_where_a_subscription_begins(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    for _ in range(4):
        await service.act(table, asks(), play(high.Swap()))
    for after, expected in ((0, 1), (3, 4), (None, 5)):
        async with aclosing(service.subscribe(table, after)) as updates:
            update = await anext(updates)
            assert update.commit.version == update.table.version == expected
    for after in (-1, 6):
        with pytest.raises(UnknownVersion, match="the table is at version 5"):
            await anext(service.subscribe(table, after))
    async with followed(service, table, 5) as seen:
        await asyncio.sleep(0.05)
        assert seen == []
        await service.act(table, asks(), play(high.Swap()))
        await until(lambda: versions(seen) == [6])


async def test_a_subscription_ends_with_the_table(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry, mode="classic")
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await service.act(table, asks(), play(high.Keep()))
    await asyncio.wait_for(follower, 10)
    assert versions(seen) == [1, 2] and seen[-1].table.status is Status.OVER
    assert any(isinstance(event, SeedRevealed) for event in seen[-1].commit.events)
    # One that begins afterwards gets what is stored and ends.
    late: list[Update] = []
    await asyncio.wait_for(follow(service, table, 0, late), 10)
    assert [update.commit for update in late] == [update.commit for update in seen]
    nothing: list[Update] = []
    await asyncio.wait_for(follow(service, table, 2, nothing), 10)
    assert nothing == []


async def test_who_is_too_slow_is_cut_off_and_can_resume(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(queue=4)
    table = await kept_table(service, workers.registry)
    updates = service.subscribe(table, 0)
    assert (await anext(updates)).commit.version == 1
    waiting = asyncio.create_task(anext(updates))
    await asyncio.sleep(0)
    await service.act(table, asks(), play(high.Swap()))
    assert (await waiting).commit.version == 2
    for _ in range(5):
        await service.act(table, asks(), play(high.Swap()))
    with pytest.raises(TooSlow):
        await anext(updates)
    assert service.numbers().subscriptions == 0
    async with followed(service, table, 2) as seen:
        await until(lambda: len(seen) == 5)
        assert versions(seen) == [3, 4, 5, 6, 7]


async def test_a_slow_one_holds_nobody_up(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(queue=2)
    table = await kept_table(service, workers.registry)
    slow = service.subscribe(table, 0)
    await anext(slow)
    async with followed(service, table) as seen:
        for number in range(10):
            await service.act(table, asks(), play(high.Swap()))
            await until(lambda number=number: len(seen) == number + 2)
        assert versions(seen) == list(range(1, 12))
        await slow.aclose()


async def test_stopping_interrupts_subscriptions(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    await service.stop()
    with pytest.raises(Interrupted):
        await asyncio.wait_for(follower, 10)
    # Who comes after that is told at once, not left waiting.
    with pytest.raises(Interrupted):
        await asyncio.wait_for(anext(service.subscribe(table, 1)), 10)


async def test_a_subscription_that_is_given_up_is_forgotten(workers: Workers) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    async with aclosing(service.subscribe(table)) as updates:
        await anext(updates)
        assert service.numbers().subscriptions == 1
    assert service.numbers().subscriptions == 0


async def test_who_follows_is_known(workers: Workers) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    updates = service.subscribe(table, None, ANN)
    await anext(updates)
    assert service.follows(table, ANN) and not service.follows(table, BOB)
    await updates.aclose()
    assert not service.follows(table, ANN) and not service.follows("tbl_nobody", ANN)
