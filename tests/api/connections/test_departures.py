"""Whoever is gone, however, counts no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from connectionkit import EVENTS, FOLLOW, of_stream, open_at, stream
from inprocess import Local, local
from serverkit import Caller, Closed, caller, eventually, raw_socket, socket

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio


def port_of(server: Local) -> int:
    return int(server.base.rpartition(":")[2])


HANDSHAKE = (
    b"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)


class Scene:
    """A server, a player with a table, and ways to come and go."""

    def __init__(self, server: Local, ann: Caller, table: str) -> None:
        self.server, self.ann, self.table = server, ann, table

    @property
    def init(self) -> dict[str, Any]:
        return {"type": "connection_init", "payload": {"authorization": f"Bearer {self.ann.token}"}}

    def following(self, query: str = FOLLOW) -> bytes:
        content = json.dumps({"query": query, "variables": {"t": self.table}}).encode()
        return (
            b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer %s\r\nAccept: text/event-stream\r\nContent-Length: %d\r\n\r\n%s"
        ) % (str(self.ann.token).encode(), len(content), content)

    async def drop(self, sent: bytes, until: bytes = b"") -> None:
        """Send, wait for something perhaps, and hang up without a word."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(self.server))
        writer.write(sent)
        await writer.drain()
        if until:
            await reader.readuntil(until)
        writer.transport.abort()


async def handshake_cut(scene: Scene) -> None:
    await scene.drop(HANDSHAKE)


async def accepted_cut(scene: Scene) -> None:
    await scene.drop(HANDSHAKE, b"101 Switching")


async def no_subprotocol(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with raw_socket(scene.server.socket_url, subprotocols=None) as one:
            await one.receive()


async def bad_token(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with raw_socket(scene.server.socket_url) as one:
            await one.send({"type": "connection_init", "payload": {"authorization": "Bearer ft_0"}})
            await one.receive()


async def two_inits(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with socket(scene.server.socket_url, scene.ann.token) as one:
            await one.send(scene.init)
            await one.receive()


async def nonsense(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with socket(scene.server.socket_url, scene.ann.token) as one:
            await one.connection.send("{")
            await one.receive()


async def init_cut(scene: Scene) -> None:
    async with raw_socket(scene.server.socket_url) as one:
        await one.send(scene.init)
        one.connection.transport.abort()


async def following_cut(scene: Scene) -> None:
    async with socket(scene.server.socket_url, scene.ann.token) as one:
        await anext(one.follow(scene.table))
        one.connection.transport.abort()


async def standing_still(scene: Scene) -> None:
    """The pings find out."""
    async with socket(scene.server.socket_url, scene.ann.token) as one:
        await anext(one.follow(scene.table))
        one.connection.transport.pause_reading()
        await eventually(lambda: open_at(scene.server) == 0, "the server to notice")
        one.connection.transport.abort()


async def closed_well(scene: Scene) -> None:
    async with socket(scene.server.socket_url, scene.ann.token) as one:
        await anext(one.follow(scene.table))


async def stream_cut_at_once(scene: Scene) -> None:
    await scene.drop(scene.following())


async def stream_cut(scene: Scene) -> None:
    await scene.drop(scene.following(), b'"version":')


async def stream_of_nothing(scene: Scene) -> None:
    await scene.drop(scene.following("subscription { nothing }"), b"GRAPHQL_VALIDATION_FAILED")


async def stream_of_no_table(scene: Scene) -> None:
    query = 'subscription { tableUpdates(tableId: "x") { version } }'
    await scene.drop(scene.following(query), b"NOT_FOUND")


async def stream_of_a_query(scene: Scene) -> None:
    await scene.drop(scene.following("{ me { id } }"), b"event: complete")


async def stream_with_nonsense(scene: Scene) -> None:
    await scene.drop(scene.following() + b"\0\0\0\r\n\r\n")


WAYS: list[Callable[[Scene], Awaitable[None]]] = [
    handshake_cut,
    accepted_cut,
    no_subprotocol,
    bad_token,
    two_inits,
    nonsense,
    init_cut,
    following_cut,
    standing_still,
    closed_well,
    stream_cut_at_once,
    stream_cut,
    stream_of_nothing,
    stream_of_no_table,
    stream_of_a_query,
    stream_with_nonsense,
]


@pytest.fixture(scope="module")
async def scene(registry: Registry) -> AsyncIterator[Scene]:
    limits = {"connections_per_address": 2, "connections_per_player": 2}
    pings = {"ping_frame_interval": 0.2, "ping_frame_timeout": 0.3}
    async with local(registry, **limits, **pings) as server, caller(server.url) as ann:
        yield Scene(server, ann, (await ann.open())["id"])


@pytest.mark.parametrize("way", WAYS, ids=[one.__name__ for one in WAYS])
async def test_whoever_is_gone_counts_no_more(
    scene: Scene, way: Callable[[Scene], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    server, ann = scene.server, scene.ann
    for _ in range(3):
        await way(scene)
        await eventually(lambda: open_at(server) == 0, "nothing to be open")
    async with socket(server.socket_url, ann.token), stream(server, scene.table, headers=ann.headers):
        assert open_at(server) == 2
    await eventually(lambda: open_at(server) == 0, "nothing to be open")
    assert "Traceback" not in caplog.text, caplog.text


async def test_a_subscription_that_is_over_counts_no_more_though_its_client_stays(registry: Registry) -> None:
    async with local(registry, connections_per_address=1) as server, caller(server.url) as ann:
        for _ in range(3):
            table = (await ann.open())["id"]
            sent = {"query": FOLLOW, "variables": {"t": table}}
            headers = {**ann.headers, "accept": EVENTS}
            async with ann.http.stream("POST", server.url, json=sent, headers=headers) as answer:
                leave = "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }"
                await ann.data(leave, i=table)
                assert "event: complete" in [line async for line in answer.aiter_lines()]
            await eventually(lambda: open_at(server) == 0, "nothing to be open")


async def test_an_error_of_the_servers_own_leaves_nothing_open(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with local(registry, connections_per_address=1) as server, caller(server.url) as ann:
        table = (await ann.open())["id"]

        async def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("nobody has thought of it")

        monkeypatch.setattr("fliptable_api.http.View.on_ws_connect", broken)
        monkeypatch.setattr("fliptable_api.schema.Schema.stream", broken)
        for _ in range(2):
            with pytest.raises(Closed):
                async with raw_socket(server.socket_url) as one:
                    await one.send({"type": "connection_init"})
                    await one.receive()
            await eventually(lambda: open_at(server) == 0, "the socket to count no more")
            answer = await of_stream(server, table)
            assert answer.status_code == 500
            assert answer.json()["errors"][0]["extensions"]["code"] == "INTERNAL"
            assert open_at(server) == 0
