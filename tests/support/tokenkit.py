"""Tokens of a server in the test's process: a clock for them, and what is open in their name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import FOLLOW, Caller, Closed, Socket

from fliptable.accounts import Accounts
from fliptable.testing import FakeClock

DAYS = 30
LIFETIME = timedelta(days=DAYS)
RENEW = "mutation { renewToken { token expiresAt player { id name } } }"
SIGN_OUT = "mutation { signOut { player { id } } }"
MULTIPART = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"
STREAMS = pytest.mark.parametrize("accept", ["text/event-stream", MULTIPART], ids=["sse", "multipart"])


def accounts_of(server: Local) -> Accounts:
    assert server.parts.view is not None
    return server.parts.view.shared.accounts


def holding(server: Local) -> int:
    """How many connections are open in the name of a token."""
    return sum(len(found) for found in accounts_of(server)._holds._open.values())


@asynccontextmanager
async def timed(**settings: Any) -> AsyncIterator[tuple[Local, FakeClock]]:
    """A server whose tokens are good for thirty days, by a clock that a test sets."""
    async with local(token_days=DAYS, **settings) as server:
        accounts_of(server).clock = clock = FakeClock()
        yield server, clock


def payloads(text: str) -> list[dict[str, Any]]:
    """What a stream of events or parts has brought."""
    lines = [line.removeprefix("data: ") for line in text.splitlines()]
    found = [json.loads(line) for line in lines if line.startswith("{") and line != "{}"]
    return [one.get("payload", one) for one in found]


class Stream:
    """A subscription over plain HTTP."""

    def __init__(self, answer: httpx.Response) -> None:
        self._answer = answer
        self._pieces = answer.aiter_text()
        self.text = ""

    async def until(self, check: Callable[[list[dict[str, Any]]], bool]) -> None:
        async with asyncio.timeout(30):
            while not check(payloads(self.text)):
                self.text += await anext(self._pieces)

    async def end(self) -> list[dict[str, Any]]:
        """Everything, once the server has ended it."""
        async with asyncio.timeout(30):
            async for piece in self._pieces:
                self.text += piece
        return payloads(self.text)


@asynccontextmanager
async def stream(player: Caller, table: str, accept: str) -> AsyncIterator[Stream]:
    asked = {"query": FOLLOW, "variables": {"i": table, "a": 0}}
    headers = {**player.headers, "accept": accept}
    async with player.http.stream("POST", player._url(), json=asked, headers=headers) as answer:
        assert answer.status_code == 200
        yield Stream(answer)


async def closing(one: Socket) -> Closed:
    """How the server closes a WebSocket, whatever it sends before."""
    with pytest.raises(Closed) as closed:
        async with asyncio.timeout(30):
            while True:
                await one.receive()
    return closed.value
