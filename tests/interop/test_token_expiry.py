"""A token that ends under a published client: `graphql-ws` of npm sees 4403, and does what it is told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from inprocess import Local, local
from nodekit import INTEROP, node, package
from serverkit import Caller, caller

from fliptable import holds
from fliptable.testing import FakeClock

DAYS = 30
RENEW = "mutation { renewToken { token } }"
SIGN_OUT = "mutation { signOut { player { id } } }"
LEAVE = "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }"

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def timed(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Local, FakeClock]]:
    """A server whose tokens are good for thirty days, by a clock that a test sets."""
    monkeypatch.setattr(holds, "_LONGEST", 0.01)
    async with local(token_days=DAYS) as server:
        assert server.parts.view is not None
        server.parts.view.shared.accounts.clock = clock = FakeClock()
        yield server, clock


class Follower:
    """The Node client; ``async with`` it."""

    def __init__(self, server: Local, table: str, mode: str, *tokens: str | None) -> None:
        self._arguments = (server.socket_url, table, mode, *map(str, tokens))

    async def __aenter__(self) -> Follower:
        package("graphql-ws")
        command = (node(), "expiry.mjs", *self._arguments)
        self._process = await asyncio.create_subprocess_exec(
            *command, cwd=INTEROP, stdout=asyncio.subprocess.PIPE
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def read(self) -> dict[str, Any] | None:
        """The next line; None at the end."""
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            line = await self._process.stdout.readline()
        return json.loads(line) if line else None

    async def rest(self) -> list[dict[str, Any]]:
        told = []
        while (line := await self.read()) is not None:
            told.append(line)
        assert await self._process.wait() == 0
        return told


@pytest.mark.parametrize("why", ["it expires", "its player signs out"])
async def test_a_client_that_is_told_so_does_not_come_again_with_the_same_token(
    monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    async with timed(monkeypatch) as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        async with Follower(server, table, "stop", ann.token) as follower:
            assert await follower.read() == {"connected": True}
            assert (await follower.read() or {})["version"] == 1
            if why == "it expires":
                clock.advance(DAYS * 86_400)
            else:
                await ann.data(SIGN_OUT)
            closed, failed = await follower.rest()
            code = "TOKEN_EXPIRED: " if why == "it expires" else "UNAUTHENTICATED: "
            assert closed["closed"] == 4403 and closed["reason"].startswith(code)
            assert failed == {"failed": 4403}


async def test_a_client_that_has_another_token_goes_on_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Left alone, graphql-ws takes 4403 for something that may pass, and asks for its parameters anew."""
    async with timed(monkeypatch) as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        clock.advance(20 * 86_400)
        newer = (await ann.data(RENEW))["renewToken"]["token"]
        async with (
            Follower(server, table, "again", ann.token, newer) as follower,
            Caller(server.url, newer) as same,
        ):
            assert await follower.read() == {"connected": True}
            assert (await follower.read() or {})["version"] == 1
            clock.advance(10 * 86_400)
            assert (await follower.read() or {})["closed"] == 4403
            assert await follower.read() == {"connected": True}
            update = await follower.read() or {}
            # The same player, who sits where they sat.
            assert update["table"]["mySeat"] == 0
            await same.data(LEAVE, t=table)
            told = await follower.rest()
            assert any(one.get("table", {}).get("status") == "OVER" for one in told), told


async def test_a_client_that_only_has_the_old_token_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async with timed(monkeypatch) as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        clock.advance(DAYS * 86_400)
        async with Follower(server, table, "again", ann.token) as follower:
            *closed, failed = await follower.rest()
        assert [one["closed"] for one in closed] == [4403] * 3 and failed == {"failed": 4403}
