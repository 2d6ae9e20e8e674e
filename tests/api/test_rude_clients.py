"""Clients that drop, stall, stop half way or do not read leave nothing behind."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest
from inprocess import Local, local
from serverkit import (
    CALL_31,
    FLIP,
    FOLLOW,
    Caller,
    Closed,
    Failed,
    Server,
    Socket,
    caller,
    eventually,
    metric,
    raw_socket,
    socket,
)

from fliptable_api import http as view
from fliptable_api import socketadapter as handler

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def rude(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("rude"), "--memory") as server:
        yield server
        assert "Traceback" not in server.log, server.log


def process(server: Server) -> psutil.Process:
    assert server.process is not None
    return psutil.Process(server.process.pid)


def abort(connection: sockets.socket) -> None:
    """Drop a connection with a reset, as when a cable is pulled and plugged in again."""
    connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


async def quiet(server: Server, files: int) -> None:
    """Nobody follows anything any more, and the connections are closed."""
    await eventually(lambda: metric(server.base, "fliptable_subscriptions") == 0, "no subscriptions")
    await eventually(lambda: process(server).num_fds() <= files + 3, "connections to be closed")


async def test_two_hundred_sockets_that_are_dropped_leave_nothing(rude: Server) -> None:
    files = process(rude).num_fds()
    async with caller(rude.url) as player:
        table = (await player.open())["id"]

        async def come_and_go(number: int) -> None:
            async with raw_socket(rude.socket_url) as one:
                transport = one.connection.transport
                if number % 4:
                    await one.send({"type": "connection_init"})
                    await one.receive()
                if number % 4 > 1:
                    payload = {"query": FOLLOW, "variables": {"i": table, "a": 0}}
                    await one.send({"id": "1", "type": "subscribe", "payload": payload})
                if number % 4 > 2:
                    await one.receive()
                transport.abort()

        await player.move(table, CALL_31)
        for start in range(0, 200, 50):
            await asyncio.gather(*[come_and_go(number) for number in range(start, start + 50)])
        await quiet(rude, files + 1)
        assert (await player.move(table, FLIP))["__typename"] == "MovePlayed"


async def test_memory_does_not_grow_with_sockets_that_come_and_go(rude: Server) -> None:
    async with caller(rude.url) as player:
        table = (await player.open())["id"]

        async def round_of(count: int) -> int:
            for _ in range(count):
                async with socket(rude.socket_url) as one:
                    await anext(one.follow(table, 0))
            memory: int = process(rude).memory_info().rss
            return memory

        await round_of(100)
        before = await round_of(1)
        after = await round_of(200)
        assert after - before < 8 << 20


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /graphql HTTP/1.1\r\n",
        b"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
        b"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n",
        b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
        b'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"que',
        b"POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\x00" * 4096,
        b"X-Long: " + b"a" * 200_000,
    ],
    ids=[
        "nothing",
        "half a request",
        "half a handshake",
        "a handshake without a key",
        "a handshake with a bad key",
        "half a body",
        "half a chunk",
        "no chunk",
        "TLS",
        "NULs",
        "a header without end",
    ],
)
async def test_half_a_request_leaves_nothing(rude: Server, sent: bytes) -> None:
    files = process(rude).num_fds()
    for _ in range(10):
        connection = sockets.create_connection(("127.0.0.1", rude.port))
        with suppress(OSError):
            connection.sendall(sent)
        abort(connection)
    await quiet(rude, files)
    async with caller(rude.url) as player:
        await player.open()


async def test_a_socket_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A WebSocket has to introduce itself within a while."""
    monkeypatch.setattr(view, "INIT_PATIENCE", timedelta(seconds=0.2))
    async with local() as server, raw_socket(server.socket_url) as one:
        with pytest.raises(Closed) as closed:
            await one.receive()
        assert closed.value.code == 4408


@asynccontextmanager
async def deaf_subscriber(server: Local, table: str) -> AsyncIterator[Socket]:
    """A subscriber that reads nothing any more, at a connection with a small buffer."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
    raw.connect(("127.0.0.1", int(server.base.rpartition(":")[2])))
    async with raw_socket(server.socket_url, sock=raw, compression=None) as deaf:
        await deaf.send({"type": "connection_init"})
        await deaf.receive()
        deaf.connection.transport.pause_reading()
        payload = {"query": FOLLOW, "variables": {"i": table, "a": 0}}
        await deaf.send({"id": "1", "type": "subscribe", "payload": payload})
        await eventually(lambda: numbers(server).subscriptions == 1, "the subscription")
        yield deaf


async def endless_table(player: Caller) -> str:
    """A table where round after round can be played."""
    mode = {"mode": {"practice": {}}, "house": {"graceSeconds": 3600}}
    table: str = (await player.open({"callIt": {}}, **mode))["id"]
    return table


async def leave(player: Caller, table: str) -> int:
    """End a table; its last version."""
    document = "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }"
    await player.data(document, i=table)
    version: int = (await player.table(table))["version"]
    return version


async def test_a_subscriber_that_never_reads_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its updates wait in a bounded queue and in the buffers of its connection, and then it is let go."""
    monkeypatch.setattr(handler, "SEND_PATIENCE", 0.5)
    async with local(subscriber_queue=8) as server, Caller(server.url) as player:
        await player.sign_in()
        table = await endless_table(player)
        async with deaf_subscriber(server, table) as deaf:
            # Somebody who reads goes on meanwhile; far more is sent than any buffer holds.
            other = asyncio.create_task(versions(server, table, 0))
            await eventually(lambda: numbers(server).subscriptions == 2, "both subscriptions")
            for _ in range(2000):
                await play_a_round(player, table)
                if numbers(server).subscriptions == 1:
                    break
            assert numbers(server).subscriptions == 1, "it is never cut off"
            deaf.connection.transport.abort()
        last = await leave(player, table)
        assert await other == list(range(1, last + 1))
        await eventually(lambda: numbers(server).subscriptions == 0, "no subscriptions")
        assert not [task for task in asyncio.all_tasks() if "SocketHandler" in repr(task)]


async def test_a_subscriber_that_was_too_slow_is_told_and_misses_nothing_when_it_comes_back() -> None:
    async with local(subscriber_queue=8) as server, Caller(server.url) as player:
        await player.sign_in()
        table = await endless_table(player)
        async with deaf_subscriber(server, table) as deaf:
            (feed,) = server.parts.service._cache.peek(table).feeds  # type: ignore[union-attr]
            for _ in range(2000):
                await play_a_round(player, table)
                if feed._lost:
                    break
            deaf.connection.transport.resume_reading()
            seen = []
            while (message := await deaf.receive())["type"] == "next":
                seen.append(message["payload"]["data"]["tableUpdates"]["version"])
            assert message["type"] == "error"
            assert message["payload"][0]["extensions"]["code"] == "TOO_SLOW"
        rest = asyncio.create_task(versions(server, table, seen[-1]))
        await asyncio.sleep(0.05)
        last = await leave(player, table)
        assert seen + await rest == list(range(1, last + 1))


async def test_a_server_that_stops_sends_its_subscribers_away_at_once(tmp_path: Path) -> None:
    """Not with `complete`, which would say that the table is over."""
    with Server(tmp_path, "--memory") as server:
        async with caller(server.url) as player, AsyncExitStack() as stack:
            table = (await player.open())["id"]
            watchers = [await stack.enter_async_context(socket(server.socket_url)) for _ in range(5)]
            feeds = [watcher.follow(table, 0) for watcher in watchers]
            assert [(await anext(feed))["version"] for feed in feeds] == [1] * 5
            assert await asyncio.to_thread(server.stop) == 0
            for feed in feeds:
                with pytest.raises((Closed, Failed)) as told:
                    await anext(feed)
                if isinstance(told.value, Failed):
                    assert told.value.code == "INTERRUPTED"
    assert "Traceback" not in server.log, server.log


def numbers(server: Local) -> Any:
    assert server.parts.service is not None
    return server.parts.service.numbers()


async def versions(server: Local, table: str, after: int) -> list[int]:
    async with socket(server.socket_url) as one:
        return [update["version"] async for update in one.follow(table, after)]


async def play_a_round(player: Caller, table: str) -> None:
    play = (
        "mutation ($i: PlayMoveInput!) { playMove(input: $i) { ... on MovePlayed { update { version } } } }"
    )
    await player.data(play, i={"tableId": table, "move": CALL_31})
    for _ in range(4):
        await player.data(play, i={"tableId": table, "move": FLIP})


async def test_a_flood_of_pings_is_answered_and_bounded(rude: Server) -> None:
    async with socket(rude.socket_url) as one:
        for _ in range(500):
            await one.send({"type": "ping"})
        assert [json.loads(await one.connection.recv())["type"] for _ in range(500)] == ["pong"] * 500
