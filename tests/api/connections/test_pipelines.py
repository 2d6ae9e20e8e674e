"""A request that has arrived is answered, whatever comes behind it on its connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from inprocess import Local, local
from serverkit import eventually

from fliptable.plugins import Registry
from fliptable_api import httpprotocol
from fliptable_api.http import View

pytestmark = pytest.mark.anyio

LATER = 30.0
HEAD = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def asking(query: str) -> bytes:
    content = json.dumps({"query": query}).encode()
    return HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


NAMED = 'mutation { signInAsGuest(input: {name: "Ann"}) { player { name } } }'
FIRST, SECOND = asking(NAMED), asking("{ __typename }")
ANSWERS = [
    (200, {"data": {"signInAsGuest": {"player": {"name": "Ann"}}}}),
    (200, {"data": {"__typename": "Query"}}),
]

UNREADABLE = {
    "garbage": (b"\0\1\2\r\n\r\n", 400, "BAD_REQUEST"),
    "a head of 70 kB": (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", 431, "PAYLOAD_TOO_LARGE"),
    "a head of 70 kB that goes on": (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000, 431, "PAYLOAD_TOO_LARGE"),
    "a chunk that is none": (HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n", 400, "BAD_REQUEST"),
}


def messages(found: bytes) -> Iterator[tuple[int, Any]]:
    """The answers in what came, each by its status and content."""
    while found:
        head, _, found = found.partition(b"\r\n\r\n")
        fields = dict(one.lower().split(b": ", 1) for one in head.split(b"\r\n")[1:])
        size = int(fields[b"content-length"])
        yield int(head.split()[1]), json.loads(found[:size])
        found = found[size:]


def told(found: bytes) -> list[Any]:
    """The answers, errors as their status and code."""
    return [
        (status, content["errors"][0]["extensions"]["code"] if "errors" in content else content)
        for status, content in messages(found)
    ]


@asynccontextmanager
async def connection(
    server: Local,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
    try:
        async with asyncio.timeout(LATER):
            yield reader, writer
    finally:
        writer.transport.abort()


class Gate:
    """Requests wait at it before they are carried out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = asyncio.Event()
        self.waiting = 0
        carry_out = View.run

        async def held(view: View, *arguments: Any, **named: Any) -> Any:
            self.waiting += 1
            await self.open.wait()
            return await carry_out(view, *arguments, **named)

        monkeypatch.setattr(View, "run", held)


@pytest.mark.parametrize("kind", UNREADABLE)
@pytest.mark.parametrize("count", [1, 2])
async def test_what_came_before_the_unreadable_in_one_piece_is_answered_first(
    registry: Registry, kind: str, count: int
) -> None:
    sent, status, code = UNREADABLE[kind]
    async with local(registry) as server, connection(server) as (reader, writer):
        writer.write(b"".join([FIRST, SECOND][:count]) + sent)
        assert told(await reader.read()) == [*ANSWERS[:count], (status, code)]


@pytest.mark.parametrize("kind", UNREADABLE)
async def test_what_is_still_under_way_is_answered_first(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    sent, status, code = UNREADABLE[kind]
    gate = Gate(monkeypatch)
    async with local(registry) as server, connection(server) as (reader, writer):
        writer.write(FIRST)
        await eventually(lambda: gate.waiting == 1, "the request")
        writer.write(sent)
        # What comes behind is for nobody.
        for _ in range(20):
            writer.write(b"a" * 1000 + SECOND)
            await asyncio.sleep(0.002)
        gate.open.set()
        assert told(await reader.read()) == [ANSWERS[0], (status, code)]
        assert gate.waiting == 1


async def test_nobody_sends_for_ever_behind_the_unreadable(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httpprotocol, "MOST_WASTE", 1_000_000)
    gate = Gate(monkeypatch)
    async with local(registry) as server, connection(server) as (_, writer):
        writer.write(FIRST)
        await eventually(lambda: gate.waiting == 1, "the request")
        writer.write(b"\0\1\2\r\n\r\n")
        with pytest.raises(ConnectionError):
            while True:
                writer.write(b"a" * 65_536)
                await writer.drain()
                await asyncio.sleep(0)
        gate.open.set()


async def test_a_request_that_arrives_too_slowly_is_refused_behind_the_one_before(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httpprotocol, "PATIENCE", 0.1)
    gate = Gate(monkeypatch)
    async with local(registry) as server, connection(server) as (reader, writer):
        writer.write(FIRST)
        await eventually(lambda: gate.waiting == 1, "the request")
        writer.write(SECOND[:-1])
        await asyncio.sleep(0.5)
        gate.open.set()
        assert told(await reader.read()) == [ANSWERS[0], (408, "BAD_REQUEST")]
        assert gate.waiting == 1
