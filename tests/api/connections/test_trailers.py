"""Fields behind a body in chunks are none of the head's (RFC 9110, 6.5.1)."""

from __future__ import annotations

import asyncio
import json

import pytest
from inprocess import Local, local
from serverkit import caller

from fliptable.plugins import Registry
from fliptable_api import httpprotocol

pytestmark = pytest.mark.anyio

HEAD = (
    b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Transfer-Encoding: chunked\r\n"
)
ASKED = b'{"query": "{ me { name } }"}'
CHUNKS = b"%x\r\n%s\r\n0\r\n" % (len(ASKED), ASKED)


async def answered(server: Local, sent: bytes) -> tuple[int, object]:
    """The status and the content of the answer to what is sent in one piece."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
    writer.write(sent)
    head, _, content = (await asyncio.wait_for(reader.read(), 30)).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(content)


async def test_a_token_in_a_trailer_signs_nobody_in(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        token = f"Authorization: {ann.headers['authorization']}\r\n".encode()
        nobody, ann_herself = {"data": {"me": None}}, {"data": {"me": {"name": "Ann"}}}
        assert await answered(server, HEAD + token + b"\r\n" + CHUNKS + b"\r\n") == (200, ann_herself)
        assert await answered(server, HEAD + b"\r\n" + CHUNKS + token + b"\r\n") == (200, nobody)


async def test_a_trailer_adds_nothing_to_how_the_answer_is_asked_for(registry: Registry) -> None:
    async with local(registry) as server:
        nothing = b"Accept: text/plain\r\nExpect: 100-continue\r\nContent-Encoding: x\r\n"
        found = await answered(server, HEAD + b"\r\n" + CHUNKS + nothing + b"\r\n")
        assert found == (200, {"data": {"me": None}})


async def test_trailers_without_end_are_refused(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpprotocol, "MOST_WASTE", 100_000)
    async with local(registry) as server:
        fields = b"".join(b"X-%d: y\r\n" % number for number in range(200_000))
        status, content = await answered(server, HEAD + b"\r\n" + CHUNKS + fields)
        assert status == 413 and "PAYLOAD_TOO_LARGE" in str(content)
