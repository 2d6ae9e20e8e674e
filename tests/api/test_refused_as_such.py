"""Requests that are refused as such: how large, from where, to where; no cache keeps the answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import raw_socket
from websockets.exceptions import InvalidStatus

from fliptable_api.httpprotocol import MOST_HEAD

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[Local]:
    async with local(max_mutations=3, max_aliases=3, max_tokens=500) as one:
        yield one


async def raw(server: Local, sent: bytes) -> bytes:
    """What is answered to bytes, the connection ended by either side."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
    writer.write(sent)
    answer = await reader.read()
    writer.close()
    return answer


def request(size: int, kind: str) -> bytes:
    """A whole request whose line and headers have that many bytes."""
    line, rest = b"GET /healthz HTTP/1.1\r\n", b"Host: x\r\nConnection: close\r\n"
    if kind == "many headers":
        while len(line) + len(rest) + 100 < size - 100:
            rest += b"X: ".ljust(98, b"a") + b"\r\n"
    fill = size - len(line) - len(rest) - 2
    if kind == "a long line":
        return b"GET /healthz?" + b"a" * (fill - 1) + b" HTTP/1.1\r\n" + rest + b"\r\n"
    return line + rest + b"X: ".ljust(fill - 2, b"a") + b"\r\n\r\n"


@pytest.mark.parametrize("kind", ["a header", "many headers", "a long line"])
@pytest.mark.parametrize("size", [MOST_HEAD + 1, 70_000, 80_000, 120_000])
async def test_a_head_that_is_too_large_is_refused_however_it_comes(
    server: Local, kind: str, size: int
) -> None:
    sent = request(size, kind)
    assert len(sent) == size
    answer = await raw(server, sent)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ") and b"no-store" in head
    (error,) = json.loads(body)["errors"]
    assert error["extensions"]["code"] == "PAYLOAD_TOO_LARGE" and str(MOST_HEAD) in error["message"]
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("kind", ["a header", "many headers", "a long line"])
async def test_a_head_of_the_size_that_is_allowed_is_read(server: Local, kind: str) -> None:
    sent = request(MOST_HEAD, kind)
    assert len(sent) == MOST_HEAD
    assert (await raw(server, sent)).startswith(b"HTTP/1.1 200 ")


async def test_a_large_body_is_no_head(server: Local) -> None:
    asked = {"query": "{ __typename }", "variables": {"x": "a" * 100_000}}
    async with httpx.AsyncClient() as http:
        assert (await http.post(server.url, json=asked)).json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize("path", ["/", "/graph", "/graphql/", "/healthz/x"])
async def test_a_path_that_is_not_there(server: Local, path: str) -> None:
    """NOT_FOUND is for tables and the like."""
    async with httpx.AsyncClient() as http:
        answer = await http.get(server.base + path)
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]["code"]) == (404, "BAD_REQUEST")
    assert "/graphql" in error["message"] and answer.headers["cache-control"] == "no-store"
    with pytest.raises(InvalidStatus) as refused:
        async with raw_socket(server.base.replace("http", "ws", 1) + path):
            pass
    assert refused.value.response.status_code == 404
    assert b"BAD_REQUEST" in (refused.value.response.body or b"")


async def test_a_websocket_of_a_refused_origin_is_told_which(
    server: Local, caplog: pytest.LogCaptureFixture
) -> None:
    origin = "https://evil.example"
    with pytest.raises(InvalidStatus) as refused:
        async with raw_socket(server.socket_url, origin=origin):
            pass
    response = refused.value.response
    assert response.status_code == 403 and response.headers["cache-control"] == "no-store"
    (error,) = json.loads(response.body or b"")["errors"]
    assert error["extensions"] == {"code": "FORBIDDEN", "origin": origin} and origin in error["message"]
    # The connection's task ends before the server does.
    async with httpx.AsyncClient() as http:
        await http.get(server.base + "/healthz")
    # Its access log is no failure, and is there or not as the log of an earlier server was set.
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


REFUSED: dict[str, dict[str, Any]] = {
    "a hash that is not known": {
        "params": {"extensions": json.dumps({"persistedQuery": {"version": 1, "sha256Hash": "0" * 64}})}
    },
    "a token that is not known": {
        "params": {"query": "{ me { id } }"},
        "headers": {"authorization": "Bearer x"},
    },
    "variables that are no JSON": {"params": {"query": "{ me { id } }", "variables": "{"}},
    "a mutation": {"params": {"query": "mutation { signOut { __typename } }"}},
    "a subscription": {"params": {"query": "subscription { lobbyUpdates { __typename } }"}},
    "nothing that could be answered": {"params": {"query": "{ x }"}, "headers": {"accept": "image/png"}},
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("accept", ["application/json", "application/graphql-response+json"])
async def test_no_cache_keeps_a_refusal(server: Local, kind: str, accept: str) -> None:
    asked = REFUSED[kind]
    async with httpx.AsyncClient(headers={"accept": accept}) as http:
        answer = await http.get(server.url, **asked)
    assert answer.json()["errors"] and answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers


@pytest.mark.parametrize(
    ("document", "told", "message"),
    [
        (
            "{ a " * 23 + "}" * 23,
            {"of": "depth", "count": 23, "limit": 20},
            "The document is 23 levels deep; 20 are allowed.",
        ),
        (
            "{ " + " ".join(f"a{n}: __typename" for n in range(4)) + " }",
            {"of": "aliases", "count": 4, "limit": 3},
            "The operation has 4 aliases; 3 are allowed.",
        ),
        (
            "mutation { " + "signOut { __typename } " * 4 + "}",
            {"of": "mutations", "count": 4, "limit": 3},
            "The operation has 4 mutations; 3 are allowed.",
        ),
        (
            "{ " + "a " * 600 + "}",
            {"of": "tokens", "limit": 500},
            "The document has more tokens than are allowed: 500.",
        ),
    ],
    ids=["depth", "aliases", "mutations", "tokens"],
)
async def test_what_a_document_has_too_much_of_is_told(
    server: Local, document: str, told: dict[str, Any], message: str
) -> None:
    async with httpx.AsyncClient() as http:
        (error,) = (await http.post(server.url, json={"query": document})).json()["errors"]
    assert error["message"] == message
    assert error["extensions"] == {"code": "DOCUMENT_TOO_LARGE", **told}
