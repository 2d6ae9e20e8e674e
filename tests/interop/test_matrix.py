"""Every client that frontends use does all that frontends do, at a live server.

The tests are a matrix: a function for each case, a parameter for each client.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from frontends import DAMAGED, PYPI, Broken, Errors, Frontend, Npm, Unreadable, npm
from nodekit import INTEROP
from serverkit import CALL_31, FLIP, PATIENCE, Caller, Server, caller, finish
from wire import Wire, wire

pytestmark = pytest.mark.anyio

WEBSOCKET, EVENTS, MULTIPART, NONE = "WebSocket", "stream of events", "multipart answer", "none"
CLIENTS = {
    "fetch": EVENTS,
    "graphql-ws": WEBSOCKET,
    "graphql-sse": EVENTS,
    "Apollo Client over graphql-ws": WEBSOCKET,
    "Apollo Client over graphql-sse": EVENTS,
    "Apollo Client over multipart": MULTIPART,
    "urql over graphql-ws": WEBSOCKET,
    "urql over graphql-sse": EVENTS,
    "urql over events": EVENTS,
    "gql over websockets": WEBSOCKET,
    "gql over aiohttp's WebSocket": WEBSOCKET,
    "gql over httpx": NONE,
    "gql over aiohttp": NONE,
    "gql over requests": NONE,
}
"""What their subscriptions come over."""

ALL = list(CLIENTS)
FOLLOWING = [name for name, over in CLIENTS.items() if over != NONE]
READ_NOTHING = ("fetch", "graphql-ws", "graphql-sse")
"""They send what they are given. The others read documents themselves first."""

GAMES = "query { games { id name input modes { id } } }"
PLAY = """mutation ($i: PlayMoveInput!) {
  playMove(input: $i) {
    __typename
    ... on MovePlayed { update { version events { __typename text } } }
    ... on Refusal { code message field legalMoves { input } }
  }
}"""
FOLLOW = """subscription ($t: ID!, $a: Int) {
  tableUpdates(tableId: $t, after: $a) { version events { __typename } table { status } }
}"""
NOWHERE = "tbl_" + "0" * 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, mongo_url: str) -> Iterator[Server]:
    arguments = ["--mongo-url", mongo_url]
    folder = tmp_path_factory.mktemp("matrix")
    with Server(folder, *arguments, FLIPTABLE_MONGO_DATABASE="matrix") as server:
        yield server
        assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="module")
async def of_npm() -> AsyncIterator[Npm]:
    async with npm() as one:
        yield one


class Following:
    """A subscription, and what has come of it."""

    def __init__(self, updates: AsyncIterator[dict[str, Any]]) -> None:
        self.seen: list[dict[str, Any]] = []
        self._came = asyncio.Condition()
        self._over = False
        self._task = asyncio.create_task(self._follow(updates))

    async def _follow(self, updates: AsyncIterator[dict[str, Any]]) -> None:
        try:
            async for data in updates:
                self.seen.append(data["tableUpdates"])
                async with self._came:
                    self._came.notify_all()
        finally:
            self._over = True
            async with self._came:
                self._came.notify_all()

    async def until(self, version: int) -> None:
        """Wait until an update has come."""
        async with asyncio.timeout(60), self._came:
            await self._came.wait_for(lambda: self._over or self.version >= version)
        assert self.version >= version, "it ended before"

    @property
    def version(self) -> int:
        """The last that has come."""
        return self.seen[-1]["version"] if self.seen else 0

    async def end(self) -> list[dict[str, Any]]:
        """Everything that came until it completed. Errors: Broken, Errors."""
        async with asyncio.timeout(60):
            await self._task
        return self.seen


class Seat:
    """Somebody with a client, on a line that can be cut, and the same person with a plain way to ask."""

    def __init__(self, player: Caller, client: Frontend, line: Wire) -> None:
        self.player, self.client, self.line = player, client, line

    def follow(self, table: str, after: int) -> Following:
        return Following(self.client.follow(FOLLOW, {"t": table, "a": after}))

    async def ask(self, query: str | None, **variables: Any) -> dict[str, Any]:
        return await self.client.ask(query, variables)


@pytest.fixture
def seat(server: Server, of_npm: Npm) -> Any:
    @asynccontextmanager
    async def made(name: str) -> AsyncIterator[Seat]:
        async with caller(server.url) as player, wire(server.port) as line:
            url = f"http://127.0.0.1:{line.port}/graphql"
            if name in PYPI:
                client = PYPI[name](url, player.headers)
            else:
                client = await of_npm.client(name, url, player.headers)
            try:
                yield Seat(player, client, line)
            finally:
                await client.close()

    return made


def whole(seen: list[dict[str, Any]], last: int) -> None:
    """Every version once and in order, up to the end of the table."""
    assert [one["version"] for one in seen] == list(range(1, last + 1))
    assert [one["table"]["status"] for one in seen] == ["PLAYING"] * (last - 1) + ["OVER"]


@pytest.mark.parametrize("name", ALL)
async def test_query(seat: Any, name: str) -> None:
    async with seat(name) as one:
        answer = await one.ask(GAMES)
        assert not answer.get("errors")
        expected = await one.player.data(GAMES)
        told = [{key: game[key] for key in ("id", "name", "input")} for game in answer["data"]["games"]]
        assert told == [{key: game[key] for key in ("id", "name", "input")} for game in expected["games"]]
        assert {"id": "call-it", "name": "Call It and Flip", "input": "callIt"} in told


@pytest.mark.parametrize("name", ALL)
async def test_move(seat: Any, name: str) -> None:
    async with seat(name) as one:
        table = (await one.player.open())["id"]
        answer = await one.ask(PLAY, i={"tableId": table, "move": CALL_31})
        assert not answer.get("errors")
        played = answer["data"]["playMove"]
        assert played["__typename"] == "MovePlayed"
        assert played["update"]["version"] == 2
        assert [event["__typename"] for event in played["update"]["events"]] == ["CallItCalled"]


@pytest.mark.parametrize("name", ALL)
async def test_refusal(seat: Any, name: str) -> None:
    """It is data: no client takes it for an error."""
    async with seat(name) as one:
        table = (await one.player.open())["id"]
        low = {"callIt": {"call": {"target": 29}}}
        answer = await one.ask(PLAY, i={"tableId": table, "move": low})
        assert not answer.get("errors")
        refused = answer["data"]["playMove"]
        assert refused["__typename"] == "Refusal"
        assert (refused["code"], refused["field"]) == ("INVALID_VALUE", "move.callIt.call.target")
        assert refused["message"] and refused["legalMoves"]


@pytest.mark.parametrize("name", ALL)
async def test_validation_error(seat: Any, name: str) -> None:
    async with seat(name) as one:
        answer = await one.ask("{ games { id nothing } }")
        assert not answer.get("data")
        (error,) = answer["errors"]
        assert "nothing" in error["message"] and error["locations"]
        assert error["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


@pytest.mark.parametrize("name", ALL)
async def test_syntax_error(seat: Any, name: str) -> None:
    """What is no document is told as such, by the client if it reads documents, or else by the server."""
    async with seat(name) as one:
        answer = await one.ask(DAMAGED)
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == "GRAPHQL_PARSE_FAILED" and error["locations"]
        if name in READ_NOTHING:
            (error,) = (await one.ask("{ games {"))["errors"]
            assert error["extensions"]["code"] == "GRAPHQL_PARSE_FAILED"
        else:
            with pytest.raises(Unreadable, match="Syntax Error"):
                await one.ask("{ games {")


@pytest.mark.parametrize("name", FOLLOWING)
async def test_subscription(seat: Any, name: str) -> None:
    """Every version comes once, and completion with the end of the table."""
    async with seat(name) as one:
        table = (await one.player.open())["id"]
        following = one.follow(table, 0)
        await following.until(1)
        last = (await finish(one.player, table))["table"]["version"]
        seen = await following.end()
        whole(seen, last)
        assert seen[1]["events"] == [{"__typename": "CallItCalled"}]


@pytest.mark.parametrize("name", FOLLOWING)
async def test_drop_and_resume(seat: Any, name: str) -> None:
    """A cut line is told as such, and no end of the table. With `after` nothing is missing afterwards."""
    async with seat(name) as one:
        table = (await one.player.open())["id"]
        dropped = one.follow(table, 0)
        await one.player.move(table, CALL_31)
        await dropped.until(2)
        await one.line.cut()
        with pytest.raises(Broken):
            await dropped.end()
        await one.player.move(table, FLIP)
        await one.line.mend()
        resumed = one.follow(table, dropped.version)
        await resumed.until(3)
        last = await flipped(one.player, table)
        whole(dropped.seen + await resumed.end(), last)


async def flipped(player: Caller, table: str) -> int:
    """Flip until the table is over; its last version."""
    found = await player.table(table)
    while found["status"] != "OVER":
        found = (await player.move(table, FLIP))["table"]
    version: int = found["version"]
    return version


@pytest.mark.parametrize("name", FOLLOWING)
async def test_one_of_two_subscriptions_fails(seat: Any, name: str) -> None:
    """On one socket, where the client has one, the other goes on as if nothing were."""
    async with seat(name) as one:
        table = (await one.player.open())["id"]
        following = one.follow(table, 0)
        await following.until(1)
        with pytest.raises(Errors) as failed:
            await one.follow(NOWHERE, 0).end()
        (error,) = failed.value.errors
        assert error["extensions"]["code"] == "NOT_FOUND"
        last = (await finish(one.player, table))["table"]["version"]
        whole(await following.end(), last)
        assert CLIENTS[name] != WEBSOCKET or one.line.connections == 1


async def resumed(client: Frontend, table: str, after: int) -> list[int]:
    """The versions until it is over."""
    while True:
        try:
            found = client.follow(FOLLOW, {"t": table, "a": after})
            return [data["tableUpdates"]["version"] async for data in found]
        except Broken:
            # Some find out only now that their socket was closed.
            continue


async def test_clients_go_on_after_a_restart(tmp_path: Path, mongo_url: str) -> None:
    """They are told of a server that stops, on whatever way, and go on when it is there again."""
    arguments = ["--mongo-url", mongo_url]
    server = Server(tmp_path, *arguments, FLIPTABLE_MONGO_DATABASE="restart")
    async with AsyncExitStack() as stack:
        stack.enter_context(server)
        of_npm = await stack.enter_async_context(npm())
        ann = await stack.enter_async_context(caller(server.url))
        table = (await ann.open())["id"]
        clients: dict[str, Frontend] = {}
        for name in FOLLOWING:
            if name in PYPI:
                clients[name] = PYPI[name](server.url, ann.headers)
            else:
                clients[name] = await of_npm.client(name, server.url, ann.headers)
            stack.push_async_callback(clients[name].close)
        followings = {
            name: Following(client.follow(FOLLOW, {"t": table, "a": 0})) for name, client in clients.items()
        }
        for following in followings.values():
            await following.until(1)
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.process.wait, PATIENCE)
        codes = {}
        for name, following in followings.items():
            with pytest.raises(Errors) as told:
                await following.end()
            codes[name] = [error["extensions"]["code"] for error in told.value.errors]
        assert codes == {name: ["INTERRUPTED"] for name in clients}
        assert "Traceback" not in server.log, server.log
        await asyncio.to_thread(server.start)
        last = (await finish(ann, table))["table"]["version"]
        async with asyncio.timeout(PATIENCE):
            again = await asyncio.gather(*(resumed(client, table, 1) for client in clients.values()))
        assert again == [list(range(2, last + 1))] * len(clients)


def test_the_documentation_names_every_client() -> None:
    page = (INTEROP.parents[1] / "docs" / "clients.md").read_text(encoding="utf-8")
    table = page.partition("| client | its subscriptions |\n| --- | --- |\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| {name} | {over} |" for name, over in CLIENTS.items()]
