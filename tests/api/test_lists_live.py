"""Lists that are followed tell what lists show, once, and of nothing that they never had."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, ClassVar

import pytest
from inprocess import Local, local
from serverkit import JOIN, START, Caller, caller, eventually, socket

from fliptable_api import listing, subscriptions

LOBBY = """subscription ($f: TableFilter) { lobbyUpdates(filter: $f) {
  tableId table { status host { name } seats { taken } } } }"""
MINE = "subscription { myTables { id status host { name } mySeat seats { name taken ready } } }"
LEAVE = "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }"
KICK = "mutation ($t: ID!) { kickPlayer(input: {tableId: $t, seat: 1}) { __typename } }"
READY = "mutation ($t: ID!) { setReady(input: {tableId: $t, ready: true}) { __typename } }"
HAND_OVER = "mutation ($t: ID!) { handOverHost(input: {tableId: $t, seat: 1}) { __typename } }"

FREE = {"hasFreeSeat": True}


class Following:
    """A list that is followed: what it told until a table that is opened only to end it."""

    ends: ClassVar[set[str]] = set()

    def __init__(self, opener: Caller, told: asyncio.Queue[dict[str, Any]]) -> None:
        self._opener, self._told = opener, told

    async def so_far(self) -> list[dict[str, Any]]:
        last = (await self._opener.open(seats=2, visibility="PUBLIC"))["id"]
        self.ends.add(last)
        heard: list[dict[str, Any]] = []
        while True:
            one = await asyncio.wait_for(self._told.get(), 30)
            if last in one.values():
                return heard
            if not self.ends.intersection(map(str, one.values())):
                heard.append(one)


@asynccontextmanager
async def following(
    server: Local, opener: Caller, document: str, token: str | None = None, filter: Any = None
) -> AsyncIterator[Following]:
    """Follow a list. It has the tables of ``opener``."""
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    queues = server.parts.service.lobby._queues  # type: ignore[union-attr]
    others = len(queues)

    async def hear() -> None:
        async with socket(server.socket_url, token) as connection:
            async for payload in connection.run(document, f=filter):
                (one,) = payload["data"].values()
                await told.put(one)

    hearing = asyncio.create_task(hear())
    await eventually(lambda: len(queues) > others, "the list is followed")
    try:
        yield Following(opener, told)
    finally:
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
        await eventually(lambda: len(queues) == others, "the list is followed no more")


async def opened(ann: Caller, **house: Any) -> str:
    """A public table of FLIP with a free seat, whose turns have a time limit."""
    table = await ann.open(
        {"flip": {}}, seats=2, visibility="PUBLIC", house={"turnSeconds": 3600, "graceSeconds": 3600, **house}
    )
    id: str = table["id"]
    return id


async def play(*players: Caller, table: str, moves: int = 6) -> None:
    """Let whoever is to act do the first thing that they may."""
    for _ in range(moves):
        for player in players:
            legal = (await player.table(table))["legalMoves"]
            if legal:
                assert (await player.move(table, legal[0]["input"]))["__typename"] == "MovePlayed"


async def test_play_is_no_change_of_a_list() -> None:
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        table = await opened(ann)
        async with (
            following(server, ann, LOBBY, filter=FREE) as lobby,
            following(server, ann, MINE, ann.token) as mine,
        ):
            await bob.data(JOIN, i={"tableId": table})
            # It is not one with a free seat any more, and that is told once.
            assert await lobby.so_far() == [{"tableId": table, "table": None}]
            (joined,) = await mine_of(mine, table)
            assert [seat["name"] for seat in joined["seats"]] == ["Ann", "Bob"]
            await ann.data(START, i={"tableId": table})
            await play(ann, bob, table=table)
            assert await lobby.so_far() == []
            assert [one["status"] for one in await mine_of(mine, table)] == ["PLAYING"]
            await play(ann, bob, table=table)
            assert await mine_of(mine, table) == []
            await ann.data(HAND_OVER, t=table)
            assert [one["host"]["name"] for one in await mine_of(mine, table)] == ["Bob"]
            await bob.data(LEAVE, t=table)
            assert await lobby.so_far() == []
            assert await mine_of(mine, table)


def names(table: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in table["seats"] if seat["taken"]]


@pytest.mark.parametrize("heard_before", [True, False])
async def test_who_loses_a_seat_is_told_once(heard_before: bool) -> None:
    """Sent away, gone by themself in another tab, gone after the start: the table comes without them."""
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        kicked, left, hidden = [await opened(ann), await opened(ann), await opened(ann, spectators=False)]
        for table in (kicked, left, hidden):
            await bob.data(JOIN, i={"tableId": table})
        await ann.data(START, i={"tableId": hidden})
        if not heard_before:
            # As in a worker that has just begun, and finds these tables in the store.
            server.parts.service.lobby._known.clear()  # type: ignore[union-attr]
        async with following(server, bob, MINE, bob.token) as bobs:
            await ann.data(KICK, t=kicked)
            await bob.data(LEAVE, t=left)
            await ann.data(KICK, t=hidden)
            await ann.data(LEAVE, t=hidden)
            await ann.data(READY, t=kicked)
            told = await bobs.so_far()
            assert [one["id"] for one in told] == [kicked, left, hidden]
            assert [one["mySeat"] for one in told] == [None] * 3
            assert [names(one) for one in told] == [["Ann"]] * 3
            # Who sits down again has the table again.
            await bob.data(JOIN, i={"tableId": left})
            assert [one["mySeat"] for one in await mine_of(bobs, left)] == [1]


async def test_readiness_is_a_change_of_who_sits_there() -> None:
    async with local() as server, caller(server.url) as ann, following(server, ann, MINE, ann.token) as mine:
        table = await opened(ann)
        assert [one["seats"][0]["ready"] for one in await mine_of(mine, table)] == [False]
        await ann.data(READY, t=table)
        assert [one["seats"][0]["ready"] for one in await mine_of(mine, table)] == [True]


async def mine_of(mine: Following, table: str) -> list[dict[str, Any]]:
    return [one for one in await mine.so_far() if one["id"] == table]


async def test_nobody_is_told_that_a_table_is_gone_that_was_never_there() -> None:
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        tables = [await opened(ann), await opened(ann, spectators=False)]
        for table in tables:
            await bob.data(JOIN, i={"tableId": table})
            await ann.data(START, i={"tableId": table})
        async with (
            following(server, ann, LOBBY, filter=FREE) as free,
            following(server, ann, LOBBY, filter={"status": "OPEN"}) as waiting,
            following(server, ann, LOBBY) as everything,
        ):
            for table in tables:
                await play(ann, bob, table=table)
                await ann.data(HAND_OVER, t=table)
                await bob.data(LEAVE, t=table)
            # One that is full and starts as it is opened was never in the list either.
            solo = (await ann.open(visibility="PUBLIC"))["id"]
            assert await free.so_far() == []
            assert await waiting.so_far() == []
            heard = await everything.so_far()
            assert {one["tableId"] for one in heard} == {tables[0], solo}
            assert all(one["table"] for one in heard)


async def test_a_table_that_leaves_a_list_is_told_of_once() -> None:
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        hidden = await opened(ann, spectators=False)
        await bob.data(JOIN, i={"tableId": hidden})
        other = await opened(ann)
        await bob.data(JOIN, i={"tableId": other})
        mine = {"mine": True}
        async with (
            following(server, ann, LOBBY) as everything,
            following(server, bob, LOBBY, bob.token, mine) as bobs,
        ):
            # Who only looks on loses it by the start, and who is sent away by that.
            await ann.data(START, i={"tableId": hidden})
            await play(ann, bob, table=hidden)
            await ann.data(HAND_OVER, t=hidden)
            await ann.data(KICK, t=other)
            told = await everything.so_far()
            assert [one for one in told if one["tableId"] == hidden] == [{"tableId": hidden, "table": None}]
            (freed,) = [one["table"] for one in told if one["tableId"] == other]
            assert [seat["taken"] for seat in freed["seats"]] == [True, False]
            own = await bobs.so_far()
            assert [one for one in own if one["tableId"] == other] == [{"tableId": other, "table": None}]
            assert [one["table"]["status"] for one in own if one["tableId"] == hidden] == ["PLAYING"] * 2


class Late:
    """Whoever follows lists looks at no table until they may, as when many change at once."""

    def __init__(self, server: Local, monkeypatch: pytest.MonkeyPatch) -> None:
        self._queues = server.parts.service.lobby._queues  # type: ignore[union-attr]
        self._looking = 0
        self.look = asyncio.Event()
        monkeypatch.setattr(subscriptions, "listed", self._listed)

    async def _listed(self, *arguments: Any) -> Any:
        self._looking += 1
        await self.look.wait()
        return await listing.listed(*arguments)

    async def behind(self, changes: int) -> None:
        """Wait until each of them has so many changes to tell: one in its hands, the others waiting."""

        def reached() -> bool:
            waiting = all(queue.qsize() == changes - 1 for queue in self._queues)
            return waiting and self._looking == len(self._queues)

        await eventually(reached, "the changes wait")


async def test_who_comes_late_to_a_change_is_told_once_how_the_table_is_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By then it is further than the change, and the next change has nothing new."""
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        table = await opened(ann)
        late = Late(server, monkeypatch)
        async with (
            following(server, ann, LOBBY) as everything,
            following(server, ann, LOBBY, filter=FREE) as free,
            following(server, ann, MINE, ann.token) as mine,
            following(server, bob, MINE, bob.token) as bobs,
        ):
            await bob.data(JOIN, i={"tableId": table})
            await late.behind(1)
            await ann.data(START, i={"tableId": table})
            await late.behind(2)
            late.look.set()
            (told,) = await everything.so_far()
            assert (told["tableId"], told["table"]["status"]) == (table, "PLAYING")
            assert await free.so_far() == [{"tableId": table, "table": None}]
            assert [one["status"] for one in await mine_of(mine, table)] == ["PLAYING"]
            assert [one["status"] for one in await mine_of(bobs, table)] == ["PLAYING"]
            # What is new afterwards is told as ever.
            await ann.data(HAND_OVER, t=table)
            assert [one["host"]["name"] for one in await mine_of(mine, table)] == ["Bob"]
            (told,) = await everything.so_far()
            assert told["table"]["host"]["name"] == "Bob"


async def test_a_table_that_is_left_again_is_told_without_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        table = await opened(ann)
        late = Late(server, monkeypatch)
        async with (
            following(server, bob, MINE, bob.token) as bobs,
            following(server, ann, LOBBY, filter=FREE) as free,
        ):
            await bob.data(JOIN, i={"tableId": table})
            await late.behind(1)
            await bob.data(LEAVE, t=table)
            await late.behind(2)
            late.look.set()
            assert [names(one) for one in await mine_of(bobs, table)] == [["Ann"]]
            (told,) = await free.so_far()
            assert [seat["taken"] for seat in told["table"]["seats"]] == [True, False]
            # Whoever sits down once more has the table once more.
            await bob.data(JOIN, i={"tableId": table})
            assert [one["status"] for one in await mine_of(bobs, table)] == ["OPEN"]
            assert await free.so_far() == [{"tableId": table, "table": None}]
