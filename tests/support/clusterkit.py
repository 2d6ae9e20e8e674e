"""Clients of a cluster: they insist, follow, race and hear, whatever happens to its parts."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from nodekit import INTEROP, node, package
from serverkit import FLIP, JOIN, PLAY, Caller, Closed, Failed, Socket, eventually, socket
from websockets.exceptions import WebSocketException

from deploy.process import Process

GRACE = 1
CALL = {"callIt": {"call": {"target": 30}}}

LEAVE = "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }"
REMATCH = (
    "mutation ($i: ID!) { rematch(input: {tableId: $i}) { __typename "
    "... on RematchReady { table { id seats { name } } } ... on Refusal { code message } } }"
)
FIELDS = (
    "version status overReason toAct mySeat host { name } seats { name score connected } "
    "round { number } legalMoves { name }"
)
FOLLOW = (
    "subscription ($i: ID!, $a: Int) { tableUpdates(tableId: $i, after: $a) "
    "{ version events { __typename seat } table { " + FIELDS + " } } }"
)
LOBBY = "subscription { lobbyUpdates { tableId table { status seats { taken } } } }"
MINE = "subscription { myTables { id status seats { name } } }"


def http(worker: Process) -> str:
    return f"http://127.0.0.1:{worker.port}/graphql"


def ws(worker: Process) -> str:
    return http(worker).replace("http", "ws", 1)


@asynccontextmanager
async def people(*urls: str) -> AsyncIterator[list[Caller]]:
    """Players who have signed in, each asking at one address."""
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Caller(url)) for url in urls]
        for one, name in zip(
            found, ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gil", "Hal", "Ian"), strict=False
        ):
            await one.sign_in(name)
        yield found


async def insist(player: Caller, document: str, **variables: Any) -> dict[str, Any]:
    """Ask until there is an answer, as a client does; the first field of its data."""
    while True:
        try:
            payload = await player.ask(document, **variables)
        except (httpx.TransportError, json.JSONDecodeError):
            await asyncio.sleep(0.05)
            continue
        if not payload.get("errors"):
            found: dict[str, Any] = next(iter(payload["data"].values()))
            return found
        assert all(error["extensions"].get("retryable") for error in payload["errors"]), payload
        await asyncio.sleep(0.1)


async def followed(url: str, token: str | None, table: str, after: int = 0) -> AsyncIterator[dict[str, Any]]:
    """The updates of a table to its end, resumed whenever the connection breaks."""
    while True:
        try:
            async with socket(url, token) as one:
                async for payload in one.run(FOLLOW, i=table, a=after):
                    update = payload["data"]["tableUpdates"]
                    after = update["version"]
                    yield update
                return
        except Failed as error:
            assert error.code in ("INTERRUPTED", "UNAVAILABLE"), error
        except (Closed, OSError, WebSocketException):
            pass
        await asyncio.sleep(0.05)


@dataclass
class Racer:
    """A client that plays what it sees: it calls 30 and flips."""

    caller: Caller
    socket_url: str
    table: str
    pace: float = 0.0
    seen: list[dict[str, Any]] = field(default_factory=list)
    played: dict[int, str] = field(default_factory=dict)
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    over: bool = False

    async def race(self) -> None:
        acting = asyncio.create_task(self._act())
        async for update in followed(self.socket_url, self.caller.token, self.table):
            self.seen.append(update)
            self.fresh.set()
        self.over = True
        self.fresh.set()
        await acting

    async def _act(self) -> None:
        due = 0
        for number in itertools.count():
            while not self.over and not self._turn(due):
                self.fresh.clear()
                await self.fresh.wait()
            if self.over:
                return
            table = self.seen[-1]["table"]
            call = table["legalMoves"][0]["name"] == "call"
            if not call:
                await asyncio.sleep(self.pace)
            key = f"{table['mySeat']}-{number}"
            asked = {"tableId": self.table, "move": CALL if call else FLIP, "idempotencyKey": key}
            answer = await insist(self.caller, PLAY, i=asked)
            if answer["__typename"] == "MovePlayed":
                due = answer["update"]["version"]
                assert due not in self.played
                self.played[due] = key
            else:
                due = max(self.seen[-1]["version"], answer["at"]["version"])

    def _turn(self, due: int) -> bool:
        if not self.seen or self.seen[-1]["version"] < due:
            return False
        table = self.seen[-1]["table"]
        return table["mySeat"] in table["toAct"]

    async def until(self, version: int) -> None:
        await eventually(lambda: self.seen and self.seen[-1]["version"] >= version, f"version {version}", 90)


async def node_racer(url: str, token: str | None, table: str, *more: object) -> asyncio.subprocess.Process:
    package("graphql-ws")
    command = [node(), "racer.mjs", url, token or "", table, *map(str, more)]
    return await asyncio.create_subprocess_exec(*command, cwd=INTEROP, stdout=asyncio.subprocess.PIPE)


async def lines(process: asyncio.subprocess.Process) -> list[dict[str, Any]]:
    assert process.stdout is not None
    text = await process.stdout.read()
    assert await process.wait() == 0
    return [json.loads(line) for line in text.splitlines()]


async def race_table(host: Caller, others: list[Caller], seats: int, score: int = 3) -> str:
    house = {"graceSeconds": GRACE}
    opened = await host.open(mode={"race": {"winningScore": score}}, seats=seats, house=house)
    table: str = opened["id"]
    for one in others:
        joined = (await one.data(JOIN, i={"tableId": table}))["joinTable"]
        assert joined["__typename"] == "TableJoined", joined
    return table


class Heard:
    """What a subscription brings, taken in as it comes."""

    def __init__(self, one: Socket, document: str, name: str) -> None:
        self._queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        async def hear() -> None:
            async for payload in one.run(document):
                self._queue.put_nowait(payload["data"][name])

        self._task = asyncio.create_task(hear())

    async def next(self, wanted: Any) -> dict[str, Any]:
        """The next one that is wanted; those before it are passed over."""
        async with asyncio.timeout(30):
            while True:
                one = await self._queue.get()
                if wanted(one):
                    return one

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
