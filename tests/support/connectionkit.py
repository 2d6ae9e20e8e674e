"""WebSockets and streams to a server in the test's process, how many are open there, and refusals."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from inprocess import Local
from serverkit import raw_socket
from websockets.exceptions import InvalidStatus

FOLLOW = "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }"
EVENTS = "text/event-stream"
PARTS = 'multipart/mixed;subscriptionSpec="1.0"'


def open_at(server: Local) -> int:
    return len(server.parts._public.connections)


def refused(answer: Any) -> tuple[str, Any]:
    """The code and the limit that an answer of the status 429 tells."""
    assert answer.status_code == 429
    assert answer.headers["content-type"].startswith("application/json")
    body = answer.body if hasattr(answer, "body") else answer.content
    (error,) = json.loads(body)["errors"]
    assert error["message"]
    return error["extensions"]["code"], error["extensions"].get("limit")


async def turned_away(url: str, **options: Any) -> Any:
    """The answer to a handshake that is refused."""
    with pytest.raises(InvalidStatus) as told:
        async with raw_socket(url, **options):
            pass
    return told.value.response


@asynccontextmanager
async def stream(
    server: Local,
    table: str,
    accept: str = EVENTS,
    headers: dict[str, str] | None = None,
    query: str = FOLLOW,
) -> AsyncIterator[httpx.Response]:
    """An answer in parts, at its beginning."""
    sent = {"query": query, "variables": {"t": table}}
    async with (
        httpx.AsyncClient(timeout=60) as http,
        http.stream("POST", server.url, json=sent, headers={**(headers or {}), "accept": accept}) as answer,
    ):
        yield answer


async def of_stream(server: Local, table: str, headers: dict[str, str] | None = None) -> httpx.Response:
    async with stream(server, table, headers=headers) as answer:
        await answer.aread()
        return answer
