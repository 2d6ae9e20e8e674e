"""A worker that has not heard yet of what another did gives no answer that was true only before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
from servicekit import opening

from fliptable import decide, lobby
from fliptable.events import SeatDisconnected
from fliptable.feed import Update
from fliptable.lobbyfeed import HeadChange
from fliptable.log import Head, Unavailable
from fliptable.memory import MemoryStore
from fliptable.plugins import Registry
from fliptable.requests import Refused, Request
from fliptable.service import TableService
from fliptable_games.call_it.vocabulary import Call, Flip

pytestmark = pytest.mark.anyio

ANN, BOB = "ply_ann", "ply_bob"


class Quiet(MemoryStore):
    """A store that is slow to tell workers what others stored, and may be away."""

    def __init__(self, codec: Any) -> None:
        super().__init__(codec)
        self.tell = asyncio.Event()
        self.away = False
        self.heads: asyncio.Queue[Head | None] = asyncio.Queue()

    async def watch(self) -> AsyncIterator[tuple[str, int] | None]:
        yield None
        await self.tell.wait()
        async for change in super().watch():
            yield change

    async def watch_heads(self) -> AsyncIterator[Head | None]:
        yield None
        while True:
            yield await self.heads.get()

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Any]:
        if self.away:
            raise Unavailable("away")
        return await super().read(table, after, limit)

    async def append(self, commit: Any) -> None:
        if self.away:
            raise Unavailable("away")
        await super().append(commit)


@pytest.fixture
async def pair(registry: Registry) -> AsyncIterator[tuple[TableService, TableService]]:
    store = Quiet(registry.codec)
    services = [TableService(registry, store, shared_store=True) for _ in range(2)]
    for one in services:
        await one.start()
    yield services[0], services[1]
    for one in services:
        await one.stop()


async def opened(one: TableService, seats: int = 1, mode: str = "classic") -> None:
    await one.open(opening(one.registry, "call-it", mode, id="tbl_1", host=ANN, seats=seats))


def play(move: Any) -> Any:
    return partial(decide.play, seat=0, move=move)


async def test_a_move_that_became_legal_on_another_worker_is_not_refused(
    pair: tuple[TableService, TableService],
) -> None:
    one, other = pair
    await opened(one)
    assert isinstance(await other.act("tbl_1", Request(ANN), play(Flip())), Refused)
    await one.act("tbl_1", Request(ANN), play(Call(340)))
    answer = await other.act("tbl_1", Request(ANN), play(Flip()))
    assert isinstance(answer, Update)
    assert answer.commit.version == 3


async def test_what_is_known_of_a_table_is_enough_for_lists(pair: tuple[TableService, TableService]) -> None:
    """So a change that many follow is not looked up by each of them."""
    one, other = pair
    await opened(one)
    await other.get("tbl_1")
    await one.act("tbl_1", Request(ANN), play(Call(340)))
    assert (await other.get("tbl_1", version=1)).version == 1
    assert (await other.get("tbl_1", version=2)).version == 2
    one.store.away = True  # type: ignore[attr-defined]
    assert (await other.get("tbl_1", version=2)).version == 2
    with pytest.raises(Unavailable):
        await other.get("tbl_1")


async def test_a_version_that_another_worker_stored_is_not_unexpected(
    pair: tuple[TableService, TableService],
) -> None:
    one, other = pair
    await opened(one)
    await other.get("tbl_1")
    await one.act("tbl_1", Request(ANN), play(Call(340)))
    answer = await other.act("tbl_1", Request(ANN, expected_version=2), play(Flip()))
    assert isinstance(answer, Update)


async def test_a_key_that_another_worker_took_is_known_although_its_move_would_be_refused(
    pair: tuple[TableService, TableService],
) -> None:
    one, other = pair
    await opened(one)
    await other.get("tbl_1")
    first = await one.act("tbl_1", Request(ANN, "k", "d"), play(Call(340)))
    again = await other.act("tbl_1", Request(ANN, "k", "d"), play(Call(340)))
    assert isinstance(first, Update) and isinstance(again, Update)
    assert again.commit == first.commit


async def test_somebody_who_was_sent_away_on_another_worker_does_not_seem_to_sit_there(
    pair: tuple[TableService, TableService],
) -> None:
    one, other = pair
    await opened(one, 2, "race")
    joined = await other.act("tbl_1", Request(BOB), lambda d: lobby.join(d, BOB, "Bob"))
    assert isinstance(joined, Update)
    await one.act("tbl_1", Request(ANN), lambda d: lobby.kick(d, ANN, 1))
    again = await other.act("tbl_1", Request(BOB), lambda d: lobby.join(d, BOB, "Bob"))
    assert isinstance(again, Refused) and again.refusal.code == "SENT_AWAY"
    assert again.table.version == 3 and again.table.seat_of(BOB) is None


async def test_a_worker_contradicts_when_another_says_that_its_player_is_gone(
    pair: tuple[TableService, TableService],
) -> None:
    one, other = pair
    await opened(one, 2, "race")
    await one.act("tbl_1", Request(BOB), lambda d: lobby.join(d, BOB, "Bob"))
    following = other.subscribe("tbl_1", 2, BOB)
    waiting = asyncio.ensure_future(anext(following))
    await asyncio.sleep(0.05)
    one.store.tell.set()  # type: ignore[attr-defined]
    await one.act("tbl_1", Request(BOB), lambda d: d.emit(SeatDisconnected(1)))
    assert (await waiting).table.seats[1].connected is False
    async with asyncio.timeout(10):
        assert (await anext(following)).table.seats[1].connected
    await following.aclose()  # type: ignore[attr-defined]


async def test_subscribers_wait_for_a_database_that_is_away(pair: tuple[TableService, TableService]) -> None:
    one, _ = pair
    store: Any = one.store
    await opened(one)
    following = one.subscribe("tbl_1", 0)
    assert (await anext(following)).commit.version == 1
    waiting = asyncio.ensure_future(anext(following))
    await asyncio.sleep(0.05)
    store.away = True
    with pytest.raises(Unavailable):
        await one.act("tbl_1", Request(ANN), play(Call(340)))
    with pytest.raises(Unavailable):
        await anext(one.subscribe("tbl_1", 0))
    store.away = False
    await one.act("tbl_1", Request(ANN), play(Call(340)))
    async with asyncio.timeout(10):
        assert (await waiting).commit.version == 2
    await following.aclose()  # type: ignore[attr-defined]


async def test_who_follows_a_list_is_told_when_something_may_have_been_missed(
    pair: tuple[TableService, TableService],
) -> None:
    one, _ = pair
    store: Any = one.store

    async def hear() -> list[HeadChange]:
        return [head async for head in one.lobby.subscribe()]

    hearing = asyncio.create_task(hear())
    await asyncio.sleep(0.01)
    for _ in range(2):
        await store.heads.put(None)  # One for each of the two who watch.
    async with asyncio.timeout(10):
        assert await hearing == []
