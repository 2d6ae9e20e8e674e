"""Clients that are gone without a word, stand still or do not read: noticed in time, and nothing is left."""

from __future__ import annotations

import asyncio
import logging
import re
import socket as sockets
from collections.abc import AsyncIterator
from typing import Any

import psutil
import pytest
from inprocess import Local, local
from serverkit import (
    FLIP,
    FOLLOW,
    JOIN,
    Caller,
    Closed,
    Socket,
    caller,
    eventually,
    raw_socket,
    socket,
)

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio

GRACE = 1
NOTICED = GRACE + 5.0
"""Seconds after which a table has been told of somebody who is gone."""
BUSY = 5.0
"""Seconds more for a machine that has other things to do."""
GONE = 200
RUN = {"callIt": {"call": {"target": 1000}}}


@pytest.fixture
async def server(registry: Registry) -> AsyncIterator[Local]:
    async with local(registry) as one:
        yield one


async def shared_table(ann: Caller, bob: Caller) -> str:
    house = {"graceSeconds": GRACE}
    table: str = (await ann.open(mode={"race": {}}, seats=2, house=house))["id"]
    await bob.data(JOIN, i={"tableId": table})
    return table


@pytest.mark.parametrize("how", ["gone without a close frame", "standing still"])
async def test_a_player_whose_client_is_gone_is_told_of_in_time(server: Local, how: str) -> None:
    """With the server's own settings, whose worst case has to fit."""
    settings = server.parts.settings
    assert GRACE + settings.ping_frame_interval + settings.ping_frame_timeout < NOTICED
    loop = asyncio.get_running_loop()
    async with caller(server.url) as ann, caller(server.url, "Bob") as bob:
        table = await shared_table(ann, bob)
        async with (
            socket(server.socket_url, ann.token) as watching,
            socket(server.socket_url, bob.token) as playing,
        ):
            following = watching.follow(table)
            await anext(following)
            assert (await anext(playing.follow(table)))["table"]["seats"][1]["connected"]
            began = loop.time()
            transport = playing.connection.transport
            if how == "standing still":
                transport.pause_reading()
            else:
                transport.abort()
            async with asyncio.timeout(NOTICED + BUSY):
                while True:
                    update = await anext(following)
                    if any(event["__typename"] == "SeatDisconnected" for event in update["events"]):
                        break
            assert loop.time() - began >= GRACE
            assert [seat["connected"] for seat in update["table"]["seats"]] == [True, False]
            transport.abort()


async def test_nothing_is_left_of_clients_that_are_gone(server: Local) -> None:
    service: Any = server.parts.service
    process = psutil.Process()

    def inventory() -> tuple[int, int, int, int]:
        presence = service._presence
        feeds = service.numbers().subscriptions
        return len(asyncio.all_tasks()), process.num_fds(), feeds, len(presence._served)

    async def come_and_go(bob: Caller, table: str, number: int) -> None:
        async with raw_socket(server.socket_url) as one:
            if number % 4:
                payload = {"authorization": f"Bearer {bob.token}"}
                await one.send({"type": "connection_init", "payload": payload})
            if number % 4 > 1:
                assert (await one.receive())["type"] == "connection_ack"
                payload = {"query": FOLLOW, "variables": {"i": table, "a": 0 if number % 4 == 2 else None}}
                await one.send({"id": "1", "type": "subscribe", "payload": payload})
                await one.receive()
            one.connection.transport.abort()

    async with caller(server.url) as ann, caller(server.url, "Bob") as bob:
        table = await shared_table(ann, bob)
        await come_and_go(bob, table, 2)
        await eventually(lambda: inventory()[2:] == (0, 0), "the first one to be gone")
        before = inventory()
        for start in range(0, GONE, 20):
            await asyncio.gather(*[come_and_go(bob, table, start + number) for number in range(20)])
        await eventually(
            lambda: all(now <= then for now, then in zip(inventory(), before, strict=True)),
            f"no more than {before} tasks, files, subscriptions and tables served",
        )


async def deaf(server: Local) -> Any:
    """A WebSocket whose client has room for little."""
    narrow = sockets.socket()
    narrow.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    narrow.setblocking(False)
    port = int(server.base.rpartition(":")[2])
    await asyncio.get_running_loop().sock_connect(narrow, ("127.0.0.1", port))
    return raw_socket(server.socket_url, sock=narrow, compression=None, max_queue=None)


async def subscribe(one: Socket, table: str, count: int) -> None:
    await one.send({"type": "connection_init"})
    assert (await one.receive())["type"] == "connection_ack"
    for number in range(count):
        payload = {"query": FOLLOW, "variables": {"i": table, "a": 0}}
        await one.send({"id": str(number), "type": "subscribe", "payload": payload})


async def test_a_subscriber_that_reads_nothing_is_closed_with_a_reason_and_nobody_else_notices(
    registry: Registry, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "fliptable.sockets")
    # A busy machine may take long until the slow one reads again.
    monkeypatch.setattr("fliptable_api.wsprotocol.LAST_WORDS", 60.0)
    async with (
        local(registry, ping_frame_interval=0.5, ping_frame_timeout=1.0) as server,
        caller(server.url) as ann,
        socket(server.socket_url) as reader,
        await deaf(server) as slow,
    ):
        table = (await ann.open())["id"]
        following = reader.follow(table, 0)
        await subscribe(slow, table, 40)
        await anext(following)
        slow.connection.transport.pause_reading()
        seen = [1]

        async def read() -> None:
            async for update in following:
                seen.append(update["version"])
                if update["version"] == 41:
                    return

        reading = asyncio.create_task(read())
        await ann.move(table, RUN)
        for _ in range(39):
            await ann.move(table, FLIP)
        async with asyncio.timeout(10):
            await reading
        assert seen == list(range(1, 42))
        service: Any = server.parts.service
        await eventually(lambda: service.numbers().subscriptions == 1, "the slow one's subscriptions to end")
        (line,) = [one for one in caplog.messages if "is cut off" in one]
        waiting = re.search(r"TOO_SLOW.*\((\d+) bytes waiting\)", line)
        assert waiting and 0 < int(waiting[1]) < 200_000
        # Whoever reads again in time finds out why.
        slow.connection.transport.resume_reading()
        with pytest.raises(Closed) as closed:
            while True:
                await slow.receive()
        assert closed.value.code == 1013
        assert closed.value.reason.startswith("TOO_SLOW: ")


async def test_of_a_connection_that_is_over_nothing_stays_open(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when its peer never takes what is left to send."""
    monkeypatch.setattr("fliptable_api.wsprotocol.LAST_WORDS", 0.3)
    async with (
        local(registry, ping_frame_interval=0.3, ping_frame_timeout=0.5) as server,
        caller(server.url) as ann,
        await deaf(server) as slow,
    ):
        table = (await ann.open())["id"]
        await subscribe(slow, table, 40)
        slow.connection.transport.pause_reading()
        ours = slow.connection.local_address

        def connected() -> bool:
            connections = psutil.Process().net_connections("tcp")
            return any(
                one.raddr and tuple(one.raddr) == ours and one.status == "ESTABLISHED" for one in connections
            )

        assert connected()
        for move in (RUN, *[FLIP] * 30):
            await ann.move(table, move)
        await eventually(lambda: not connected(), "the server's end to be closed")
        slow.connection.transport.abort()
