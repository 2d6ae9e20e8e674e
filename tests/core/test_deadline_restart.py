"""A time-attack run whose deadline passes while the server is down ends as of its deadline (call-it M6)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from servicekit import opening

from fliptable import decide
from fliptable.events import TableOver
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.requests import Refused, Request
from fliptable.service import TableService
from fliptable.table import Status
from fliptable.testing import FakeClock
from fliptable_games.call_it.vocabulary import Call, Flip

pytestmark = pytest.mark.anyio


async def test_m6_a_deadline_that_passed_while_the_server_was_down(
    registry: Registry, mongo_url: str
) -> None:
    clock = FakeClock()
    store = MongoStore(mongo_url, registry.codec, "deadline_restart")
    await store.open()
    first = TableService(registry, store, clock=clock)
    await first.start()
    await first.open(
        opening(registry, "call-it", "time-attack", id="tbl_deadline", code="DEADLN", host="ann")
    )
    for move in (Call(1000), Flip(), Flip()):
        await first.act("tbl_deadline", Request("ann"), partial(decide.play, seat=0, move=move))
    due = (await first.get("tbl_deadline")).deadline()
    assert due == clock() + timedelta(minutes=5)
    # It goes without a word, as after kill -9: nothing of it is asked to stop.
    clock.advance(9 * 3600)
    second = TableService(registry, store, clock=clock)
    late = await second.act("tbl_deadline", Request("ann"), partial(decide.play, seat=0, move=Flip()))
    assert isinstance(late, Refused) and late.refusal.code == "TABLE_OVER"
    last = (await store.read("tbl_deadline"))[-1]
    assert last.at == due and last.actor is None
    assert TableOver("TIME_UP") in last.events
    table = await second.get("tbl_deadline")
    assert table.status is Status.OVER and table.run.wins == 0
    await second.stop()
    await first.stop()
    await store.close()


async def test_m6_the_next_start_ends_it_without_anybody_asking(registry: Registry, mongo_url: str) -> None:
    clock = FakeClock()
    store = MongoStore(mongo_url, registry.codec, "deadline_restart_unasked")
    await store.open()
    first = TableService(registry, store, clock=clock)
    await first.open(opening(registry, "call-it", "time-attack", id="tbl_unasked", code="UNASKD", host="ann"))
    for move in (Call(1000), Flip()):
        await first.act("tbl_unasked", Request("ann"), partial(decide.play, seat=0, move=move))
    due = (await first.get("tbl_unasked")).deadline()
    clock.advance(3600)
    second = TableService(registry, store, clock=clock)
    await second.start()
    ended = [update async for update in second.subscribe("tbl_unasked", 1)][-1]
    assert ended.commit.at == due and ended.table.status is Status.OVER
    await second.stop()
    await first.stop()
    await store.close()
