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
from serverkit import (
    CALL_31,
    FLIP,
    PATIENCE,
    Caller,
    Closed,
    Failed,
    Server,
    caller,
    eventually,
    free_port,
    socket,
)

from fliptable.plugins import Registry
from fliptable_api.http import View

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


HEAD = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CONTENT = b'{"query": "{ __typename }"}'
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(CONTENT), CONTENT)
ANSWER = b'{"data":{"__typename":"Query"}}'
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
PARTS_OF_A_REQUEST = {
    "a part of a line": b"POST /gra",
    "a part of a head": HEAD,
    "a part of a body": HEAD + b"Content-Length: 500\r\n\r\n{",
    "a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    "a head that asks whether to go on": HEAD + b"Content-Length: 500\r\nExpect: 100-continue\r\n\r\n",
    "a body for another place": HEAD.replace(b"/graphql", b"/metrics") + b"Content-Length: 500\r\n\r\n{",
}


def last_of(found: bytes) -> tuple[int, str]:
    """The status and the code of the last answer; it says that no other will follow."""
    status, _, rest = found[found.rindex(b"HTTP/1.1 ") + 9 :].partition(b" ")
    head, _, content = rest.partition(b"\r\n\r\n")
    assert b"connection: close" in head and b"application/json" in head
    return int(status), json.loads(content)["errors"][0]["extensions"]["code"]


async def test_what_has_not_arrived_wholly_is_refused_at_once(server: Server) -> None:
    opened = {kind: await asyncio.open_connection("127.0.0.1", server.port) for kind in PARTS_OF_A_REQUEST}
    for kind, (_, writer) in opened.items():
        writer.write(PARTS_OF_A_REQUEST[kind])
    reader, _ = opened["a head that asks whether to go on"]
    # It is asked for, so the request is under way.
    assert await reader.readuntil(b"\r\n\r\n") == CONTINUE
    assert await stopped(server) < SOON
    for kind, (reader, writer) in opened.items():
        found = await reader.read()
        if kind == "a body for another place":
            # It was answered, or refused, without its body.
            assert found.startswith(b"HTTP/1.1 "), found
        else:
            assert last_of(found) == (503, "INTERRUPTED"), (kind, found)
        writer.close()


async def test_what_has_arrived_is_answered(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a part of another request came behind it, which is refused then."""
    begun, go_on = [], asyncio.Event()
    carry_out = View.run

    async def held(view: View, *arguments: Any, **named: Any) -> Any:
        begun.append(arguments)
        await go_on.wait()
        return await carry_out(view, *arguments, **named)

    monkeypatch.setattr(View, "run", held)
    opened = []
    async with asyncio.timeout(PATIENCE):
        async with local(registry) as server:
            port = int(server.base.rpartition(":")[2])
            for sent in (WHOLE, WHOLE + WHOLE[:-1], WHOLE + b"GET /"):
                opened.append(await asyncio.open_connection("127.0.0.1", port))
                opened[-1][1].write(sent)
            await eventually(lambda: len(begun) == len(opened), "the requests")
            asyncio.get_running_loop().call_later(0.5, go_on.set)
        for number, (reader, writer) in enumerate(opened):
            found = await reader.read()
            assert found.startswith(b"HTTP/1.1 200 ") and found.count(ANSWER) == 1, found
            if number:
                assert last_of(found) == (503, "INTERRUPTED")
            writer.close()
    assert len(begun) == len(opened)


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
