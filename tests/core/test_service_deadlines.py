"""What is due at a table, whoever looks at it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from types import SimpleNamespace

from servicekit import Workers, asks, kept_table, play

from fliptable.events import TableOver
from fliptable.requests import Refused
from fliptable.service import TableService
from fliptable.table import Status
from fliptable.testing import FakeClock


async def test_a_deadline_is_applied_as_of_its_own_time(workers: Workers, high: SimpleNamespace) -> None:
    clock = FakeClock()
    store = await workers.store()
    service = await workers.service(store, clock=clock)
    table = await kept_table(service, workers.registry)
    began = clock.now
    # Everything is down for an hour; the next worker that touches the table lets it happen.
    clock.advance(3600)
    other = TableService(workers.registry, store, clock=clock)
    over = await other.get(table)
    assert over.status is Status.OVER and over.updated_at == began + timedelta(seconds=60)
    stored = await store.read(table)
    assert stored[-1].at == began + timedelta(seconds=60) and stored[-1].actor is None
    refused = await other.act(table, asks(), play(high.Swap()))
    assert isinstance(refused, Refused) and refused.refusal.code == "TABLE_OVER"
    await other.stop()


async def test_nothing_is_accepted_at_or_after_a_deadline(workers: Workers, high: SimpleNamespace) -> None:
    """The clock goes on while a move is looked at; its time is that of the first look."""
    start = FakeClock().now
    times = iter([start + timedelta(seconds=60) - timedelta(milliseconds=1)] * 2)

    def clock() -> datetime:
        return next(times, start + timedelta(seconds=60))

    opener = await workers.service()
    table = await kept_table(opener, workers.registry)
    late = TableService(workers.registry, opener.store, clock=clock)
    answers = [await late.act(table, asks(), play(high.Swap())) for _ in range(4)]
    for commit in await opener.store.read(table):
        if not any(isinstance(event, TableOver) for event in commit.events):
            assert commit.at < start + timedelta(seconds=60)
    assert isinstance(answers[-1], Refused) and answers[-1].refusal.code == "TABLE_OVER"
    await late.stop()


async def test_two_workers_apply_a_deadline_once(workers: Workers, high: SimpleNamespace) -> None:
    clock = FakeClock()
    one, other = [await workers.service(shared_store=True, clock=clock) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await other.get(table)
    clock.advance(61)
    await asyncio.gather(*[worker.get(table) for worker in (one, other) for _ in range(3)])
    commits = await one.store.read(table)
    assert [commit.version for commit in commits] == [1, 2]


async def test_time_does_not_go_back_at_a_table(workers: Workers, high: SimpleNamespace) -> None:
    clock = FakeClock()
    service = await workers.service(clock=clock)
    table = await kept_table(service, workers.registry)
    clock.advance(-30)
    played = await service.act(table, asks(), play(high.Swap()))
    assert played.commit.at == played.table.created_at
