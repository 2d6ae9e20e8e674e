"""A server that is told to stop tells so, at once, to whoever follows something, whatever the way."""

from __future__ import annotations

import asyncio
import json
import signal
import socket as sockets
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from inprocess import local
from serverkit import CALL_31, FLIP, PATIENCE, Caller, Closed, Failed, Server, caller, free_port, socket

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio

TABLE = "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }"
LOBBY = "subscription { lobbyUpdates { tableId } }"
MINE = "subscription { myTables { id } }"
SUBSCRIPTIONS = [TABLE, LOBBY, MINE]
EVENTS = "text/event-stream"
PARTS = "multipart/mixed;subscriptionSpec=1.0"

SOON = 7.0
"""Far more seconds than it takes, and less than whoever has something under way is given."""


@pytest.fixture(params=["one worker", "two workers"])
def server(request: Any, tmp_path: Path) -> Iterator[Server]:
    if request.param == "one worker":
        one = Server(tmp_path, "--memory")
    else:
        arguments = ["--workers", "2", "--mongo-url", request.getfixturevalue("mongo_url")]
        one = Server(tmp_path, *arguments, FLIPTABLE_MONGO_DATABASE="stopping")
        one.port = free_port()
    with one as server:
        yield server
        assert "Traceback" not in server.log, server.log
        assert "exceeded" not in server.log, server.log


async def stopped(server: Server) -> float:
    """How many seconds it takes to stop."""
    assert server.process is not None
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    await asyncio.to_thread(server.process.wait, PATIENCE)
    return time.monotonic() - began


async def streamed(ann: Caller, query: str, table: str, accept: str, open: asyncio.Event) -> str:
    """All that comes, to the end of a whole answer."""
    variables = {"t": table} if query == TABLE else {}
    sent = {"query": query, "variables": variables}
    headers = {**ann.headers, "accept": accept}
    async with ann.http.stream("POST", ann._url(), json=sent, headers=headers) as answer:
        open.set()
        return "".join([text async for text in answer.aiter_text()])


@pytest.mark.parametrize("accept", [EVENTS, PARTS])
async def test_streams_end_with_the_code(server: Server, accept: str) -> None:
    async with caller(server.url) as ann:
        table = (await ann.open())["id"]
        opened = [asyncio.Event() for _ in SUBSCRIPTIONS]
        streams = [
            asyncio.create_task(streamed(ann, query, table, accept, one))
            for query, one in zip(SUBSCRIPTIONS, opened, strict=True)
        ]
        await asyncio.gather(*(one.wait() for one in opened))
        assert await stopped(server) < SOON
        for text in await asyncio.gather(*streams):
            if accept == EVENTS:
                events = [one.partition("\ndata: ") for one in text.split("\n\n") if one.startswith("event")]
                assert [name for name, _, _ in events if name != "event: next"] == []
                last = json.loads(events[-1][2])
            else:
                assert text.endswith("\r\n--graphql--\r\n")
                payloads = [one for one in text.split("\r\n") if one.startswith('{"payload"')]
                last = json.loads(payloads[-1])["payload"]
            assert [one["extensions"]["code"] for one in last["errors"]] == ["INTERRUPTED"]


async def test_sockets_have_an_error_for_each_operation_and_a_reason(server: Server) -> None:
    async with caller(server.url) as ann, AsyncExitStack() as stack:
        table = (await ann.open())["id"]
        one = await stack.enter_async_context(socket(server.socket_url, ann.token))
        for id, query in enumerate(SUBSCRIPTIONS):
            variables = {"t": table} if query == TABLE else {}
            payload = {"query": query, "variables": variables}
            await one.send({"id": str(id), "type": "subscribe", "payload": payload})
        assert (await one.receive())["type"] == "next"
        idle = await stack.enter_async_context(socket(server.socket_url))
        assert await stopped(server) < SOON
        told = [await one.receive() for _ in SUBSCRIPTIONS]
        assert sorted(message["id"] for message in told) == ["0", "1", "2"]
        for message in told:
            assert message["type"] == "error"
            assert [error["extensions"]["code"] for error in message["payload"]] == ["INTERRUPTED"]
        for socket_ in (one, idle):
            with pytest.raises(Closed) as closed:
                await socket_.receive()
            assert closed.value.code == 1012
            assert closed.value.reason.startswith("INTERRUPTED: ")


async def test_what_is_under_way_is_answered(server: Server) -> None:
    """A request that has begun to arrive is answered, while those who follow are told at once."""
    content = json.dumps({"query": "{ __typename }"}).encode()
    async with caller(server.url) as ann, socket(server.socket_url) as watcher:
        table = (await ann.open())["id"]
        following = watcher.follow(table, 0)
        await anext(following)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = (
            "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
        )
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode())
        # It is asked for, so the request is under way.
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        stopping = asyncio.create_task(stopped(server))
        with pytest.raises(Failed) as told:
            await anext(following)
        assert told.value.code == "INTERRUPTED"
        assert not stopping.done()
        writer.write(content)
        answer = await reader.read()
        assert answer.endswith(b'{"data":{"__typename":"Query"}}'), answer
        assert await stopping < SOON
        writer.close()


async def test_whoever_does_not_read_holds_nothing_up_for_long(tmp_path: Path) -> None:
    many = " ".join(f"a{index}: game {{ rules }}" for index in range(900))
    query = f"subscription ($t: ID!) {{ tableUpdates(tableId: $t, after: 0) {{ table {{ {many} }} }} }}"
    with Server(tmp_path, "--memory", FLIPTABLE_MAX_ALIASES="1000", FLIPTABLE_MAX_TOKENS="10000") as server:
        async with caller(server.url) as ann:
            table = (await ann.open())["id"]
            for move in (CALL_31, FLIP, FLIP, FLIP):
                await ann.move(table, move)
            content = json.dumps({"query": query, "variables": {"t": table}}).encode()
            with sockets.create_connection(("127.0.0.1", server.port)) as deaf:
                head = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                head += f"Accept: {EVENTS}\r\nContent-Length: {len(content)}\r\n\r\n"
                deaf.sendall(head.encode() + content)
                assert await asyncio.to_thread(deaf.recv, 10) == b"HTTP/1.1 2"
                assert await stopped(server) < 10
        assert "Traceback" not in server.log, server.log
        assert "exceeded" not in server.log, server.log


async def test_who_comes_too_late_is_told_too(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as ann:
        table = (await ann.open())["id"]
        server.parts.interrupt()
        for query in SUBSCRIPTIONS:
            text = await streamed(ann, query, table, EVENTS, asyncio.Event())
            assert "INTERRUPTED" in text and "complete" not in text
            async with socket(server.socket_url, ann.token) as one:
                with pytest.raises(Failed) as told:
                    await anext(one.run(query, **({"t": table} if query == TABLE else {})))
                assert told.value.code == "INTERRUPTED"
        # All else goes on.
        assert await ann.data("{ __typename }")


async def test_a_stopped_server_has_no_open_port(server: Server) -> None:
    assert await stopped(server) < SOON
    with pytest.raises(httpx.TransportError):
        await asyncio.to_thread(httpx.get, server.url)
