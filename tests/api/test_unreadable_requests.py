"""What cannot be read as HTTP, or as a WebSocket's handshake, is answered as all else is: JSON with a code.

And nobody is waited for without an end, or listened to without one.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest
from inprocess import Local, local
from serverkit import caller

from fliptable.plugins import Registry
from fliptable_api import httpprotocol

pytestmark = pytest.mark.anyio

PLAIN = b"GET /graphql HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
SHAKE = PLAIN + UPGRADE + KEY
LATER = 30.0
"""Seconds that a test waits for what happens within one."""


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: Any

    @property
    def code(self) -> str:
        code: str = self.body["errors"][0]["extensions"]["code"]
        return code


async def told(server: Local, *sent: bytes) -> bytes:
    """What comes back to some bytes until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
    try:
        for part in sent:
            writer.write(part)
            await writer.drain()
        async with asyncio.timeout(LATER):
            return await reader.read()
    finally:
        writer.close()


async def answer(server: Local, *sent: bytes) -> Answer:
    head, _, content = (await told(server, *sent)).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    assert int(headers["content-length"]) == len(content)
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["connection"] == "close"
    return Answer(int(first.split()[1]), headers, json.loads(content))


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (PLAIN + b"X Y: z\r\n\r\n", 400, "BAD_REQUEST"),
        (b"\0" * 100, 400, "BAD_REQUEST"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "BAD_REQUEST"),
        (b"GET /gr\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "BAD_REQUEST"),
        (b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "BAD_REQUEST"),
        (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400, "BAD_REQUEST"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n", 400, "BAD_REQUEST"),
        ((PLAIN + b"X: ").ljust(httpprotocol.MOST_HEAD + 1, b"a"), 431, "PAYLOAD_TOO_LARGE"),
        (PLAIN + UPGRADE + b"\r\n", 400, "BAD_REQUEST"),
        (SHAKE.replace(b"GET", b"POST") + b"\r\n", 405, "BAD_REQUEST"),
        (SHAKE.replace(b": 13", b": 8") + b"\r\n", 400, "BAD_REQUEST"),
        (SHAKE + b"Content-Length: 2\r\n\r\n{}", 400, "BAD_REQUEST"),
        (SHAKE + b"Content-Length: 1000000000\r\n\r\n", 400, "BAD_REQUEST"),
        (SHAKE + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "BAD_REQUEST"),
        (SHAKE + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", 400, "BAD_REQUEST"),
        (SHAKE + b"X: 1\r\n" * 200 + b"\r\n", 431, "PAYLOAD_TOO_LARGE"),
        (SHAKE + b"X: " + b"a" * 10_000 + b"\r\n\r\n", 431, "PAYLOAD_TOO_LARGE"),
    ],
    ids=[
        "a header that is none",
        "NULs",
        "TLS",
        "a path that is not ASCII",
        "CONNECT",
        "two lengths",
        "a chunk that is none",
        "a header without end",
        "a handshake without a key",
        "a handshake by POST",
        "a handshake of another version",
        "a handshake with a body",
        "a handshake with the beginning of a large body",
        "a handshake with a body of nothing in chunks",
        "a handshake with a body in chunks",
        "a handshake of many headers",
        "a handshake with a long header",
    ],
)
async def test_what_cannot_be_read_is_answered(
    registry: Registry, sent: bytes, status: int, code: str
) -> None:
    async with local(registry) as server:
        found = await answer(server, sent)
        assert (found.status, found.code) == (status, code)
        async with caller(server.url) as player:
            await player.open()


async def test_a_refusal_is_not_put_into_an_answer_that_is_under_way(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as player:
        table = (await player.open())["id"]
        query = f'subscription {{ tableUpdates(tableId: "{table}") {{ version }} }}'
        content = json.dumps({"query": query}).encode()
        head = POST + b"Accept: text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(content)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
        writer.write(head + content)
        async with asyncio.timeout(LATER):
            await reader.readuntil(b'"version":1')
            writer.write(b"\0\0\0\r\n\r\n")
            assert b"HTTP/1.1" not in await reader.read()
        writer.close()


@pytest.mark.parametrize(
    "sent",
    [
        PLAIN,
        POST + b"Content-Length: 1000\r\n\r\n{",
        POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        PLAIN + UPGRADE,
    ],
    ids=["half a head", "half a body", "half a chunk", "half a handshake"],
)
async def test_half_a_request_is_not_waited_for_for_ever(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(httpprotocol, "PATIENCE", 0.2)
    async with local(registry) as server:
        found = await answer(server, sent)
        assert (found.status, found.code) == (408, "BAD_REQUEST")


async def test_a_connection_that_says_nothing_is_closed(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httpprotocol, "PATIENCE", 0.2)
    async with local(registry) as server:
        assert await told(server) == b""


async def test_lines_without_anything_on_them_keep_no_connection_open(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTTP lets them come before a request (RFC 9112, 2.2), so they are none, nor a sign of one."""
    monkeypatch.setattr(httpprotocol, "PATIENCE", 0.2)
    async with local(registry) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(LATER):
            assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200")
            writer.write(b"\r\n")
            assert await reader.read() == b""
        writer.close()


async def test_only_the_request_has_to_be_quick_not_its_answer(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httpprotocol, "PATIENCE", 0.2)
    async with local(registry) as server, caller(server.url) as player:
        table = (await player.open())["id"]
        sent = {"query": f'subscription {{ tableUpdates(tableId: "{table}") {{ version }} }}'}
        headers = {**player.headers, "accept": "text/event-stream"}
        async with player.http.stream("POST", server.url, json=sent, headers=headers) as following:
            lines = following.aiter_lines()
            async for line in lines:
                if '"version":1' in line:
                    break
            await asyncio.sleep(0.5)  # more than the request had
            leave = "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }"
            await player.data(leave, i=table)
            assert any('"version":2' in line for line in [line async for line in lines])
        # Nor is a connection closed that waits for its next request.
        assert await player.data("{ __typename }")


FIRST = POST + b"Content-Length: 27\r\n\r\n" + b'{"query": "{ __typename }"}'
ANSWERED = b'{"data":{"__typename":"Query"}}'
LARGE = PLAIN + b"X: ".ljust(httpprotocol.MOST_HEAD, b"a") + b"\r\n\r\n"


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ([LARGE], 431),
        ([LARGE[:40_000], LARGE[40_000:]], 431),
        ([LARGE.removesuffix(b"\r\n\r\n"), b"a" * 100], 431),
        ([SHAKE + b"X: " + b"a" * 10_000 + b"\r\n\r\n"], 431),
        ([SHAKE + b"Content-Length: 2\r\n\r\n{}"], 400),
        ([PLAIN + b"X Y: z\r\n\r\n"], 400),
        ([b"\0" * 100], 400),
        ([POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}"], 400),
        ([POST + b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n"], 400),
        ([POST + b"Content-Length: 5\r\n\r\n{}   "], 400),
        ([POST + b"Content-Length: 1000000\r\n\r\n{"], 413),
        ([POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1;" + b"a" * 40_000_000], 413),
        ([PLAIN], 408),
        ([POST + b"Content-Length: 1000\r\n\r\n{"], 408),
    ],
    ids=[
        "a large head",
        "a large head in two pieces",
        "a head without end",
        "a handshake with a long header",
        "a handshake with a body",
        "a header that is none",
        "NULs",
        "two lengths",
        "a chunk that is none",
        "a body that is no request",
        "a large body",
        "too much around a body",
        "half a head",
        "half a body",
    ],
)
async def test_the_second_request_of_a_connection_is_refused_as_the_first_would_be(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, parts: list[bytes], status: int
) -> None:
    if status == 408:
        monkeypatch.setattr(httpprotocol, "PATIENCE", 0.3)
    async with local(registry) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
        async with asyncio.timeout(LATER):
            for _ in range(2):
                writer.write(FIRST)
                assert (await reader.readuntil(ANSWERED)).startswith(b"HTTP/1.1 200")
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            told = json.loads(await reader.readexactly(length))
        writer.close()
        assert int(head.split()[1]) == status
        assert told["errors"][0]["extensions"]["code"] in ("BAD_REQUEST", "PAYLOAD_TOO_LARGE")


async def test_a_handshake_may_say_that_it_has_no_body(registry: Registry) -> None:
    async with local(registry) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
        writer.write(SHAKE + b"Sec-WebSocket-Protocol: graphql-transport-ws\r\nContent-Length: 0\r\n\r\n")
        async with asyncio.timeout(LATER):
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        writer.close()


@pytest.mark.parametrize(
    "body", [b"Content-Length: 2000\r\n\r\n%s", b"Transfer-Encoding: chunked\r\n\r\n7d0\r\n%s\r\n0\r\n\r\n"]
)
@pytest.mark.parametrize("cut", [1, 20, len(PLAIN) + 1])
async def test_what_comes_with_the_beginning_of_a_head_is_none_of_it(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, body: bytes, cut: int
) -> None:
    """A body, even a large one, and the first bytes of the next request may come in one piece."""
    monkeypatch.setattr(httpprotocol, "MOST_HEAD", 1000)
    content = b'{"query": "{ __typename }"}'.ljust(2000)
    head, rest = (POST + body % content).partition(b"\r\n\r\n")[::2]
    following = PLAIN.replace(b"/graphql", b"/graphql?query=%7B__typename%7D") + b"X: y\r\n\r\n"
    async with local(registry) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
        async with asyncio.timeout(LATER):
            # Whether the body's own head came before or with it.
            for parts in (
                (head + b"\r\n\r\n" + rest + following[:cut],),
                (head + b"\r\n\r\n", rest + following[:cut]),
            ):
                for part in parts:
                    writer.write(part)
                    await asyncio.sleep(0)
                assert (await reader.readuntil(ANSWERED)).startswith(b"HTTP/1.1 200")
                writer.write(following[cut:])
                assert (await reader.readuntil(ANSWERED)).startswith(b"HTTP/1.1 200")
            # A head that is too large is refused there, too.
            writer.write(POST + body % content + PLAIN + b"X: ")
            assert (await reader.readuntil(ANSWERED)).startswith(b"HTTP/1.1 200")
            writer.write(b"a" * 1100)
            assert (await reader.read()).startswith(b"HTTP/1.1 431")
        writer.close()


@pytest.mark.parametrize("origin", [b"https://app.example", b"https://evil.example"])
async def test_a_page_that_is_let_in_may_read_why_it_is_refused(registry: Registry, origin: bytes) -> None:
    line = b"Origin: %s\r\n" % origin
    async with local(registry, allowed_origins=("https://app.example",)) as server:
        for sent, status in (
            (LARGE.replace(b"\r\n", b"\r\n" + line, 1), 431),
            (POST + line + b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n", 400),
        ):
            head = (await told(server, sent)).partition(b"\r\n\r\n")[0].decode().lower()
            assert head.split()[1] == str(status)
            may = origin == b"https://app.example"
            assert (f"access-control-allow-origin: {origin.decode()}" in head) is may
            assert ("retry-after" in head) is may  # it may be read there
