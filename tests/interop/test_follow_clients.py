"""Published clients follow a whole game: `graphql-ws` of npm, `gql` of PyPI, and plain WebSockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from gql import Client, gql
from gql.transport.websockets import WebsocketsTransport
from nodekit import INTEROP, node, package
from serverkit import CALL_31, FLIP, FOLLOW, Caller, Server, caller, finish, socket

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`fliptable serve` as a newcomer runs it: with a mongod of its own, in a new folder."""
    folder = tmp_path_factory.mktemp("interop")
    with Server(folder, "--data", str(folder / "data")) as server:
        yield server


def whole(updates: list[dict[str, Any]], last: int, after: int = 0) -> None:
    """Every version once, in order, and each with the table as it left it."""
    assert [one["version"] for one in updates] == list(range(after + 1, last + 1))
    assert [one["table"]["version"] for one in updates] == list(range(after + 1, last + 1))
    assert updates[-1]["table"]["status"] == "OVER"
    assert all(one["table"]["status"] != "OVER" for one in updates[:-1])


async def over(player: Caller, table: str) -> int:
    """Play to the end with a breath between moves; the last version."""
    answer = await player.move(table, CALL_31)
    while answer["table"]["status"] != "OVER":
        await asyncio.sleep(0.01)
        answer = await player.move(table, FLIP)
    version: int = answer["table"]["version"]
    return version


async def graphql_ws(*arguments: str) -> asyncio.subprocess.Process:
    package("graphql-ws")
    return await asyncio.create_subprocess_exec(
        node(), "follow.mjs", *arguments, cwd=INTEROP, stdout=asyncio.subprocess.PIPE
    )


async def lines(process: asyncio.subprocess.Process) -> list[dict[str, Any]]:
    assert process.stdout is not None
    text = await process.stdout.read()
    assert await process.wait() == 0
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("late", [False, True], ids=["from the start", "after: 2, in the middle"])
async def test_graphql_ws_of_npm_sees_every_version_once_and_completion(server: Server, late: bool) -> None:
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        after = 0
        if late:
            await player.move(table, CALL_31)
            await player.move(table, FLIP)
            after = 2
        follower = await graphql_ws(server.socket_url, player.token or "", table, str(after))
        assert follower.stdout is not None
        assert json.loads(await follower.stdout.readline()) == {"connected": True}
        if late:
            answer = await player.move(table, FLIP)
            while answer["table"]["status"] != "OVER":
                answer = await player.move(table, FLIP)
            last = answer["table"]["version"]
        else:
            last = await over(player, table)
        *updates, end = await lines(follower)
        assert end == {"completed": True}
        whole(updates, last, after)
        assert any(event["__typename"] == "CallItFlipped" for one in updates for event in one["events"])


async def test_graphql_ws_of_npm_is_told_by_a_code_that_its_token_is_not_known(server: Server) -> None:
    follower = await graphql_ws(server.socket_url, "ft_nobody", "tbl_" + "0" * 20)
    (told,) = await lines(follower)
    assert told["failed"]["code"] == 4403 and told["failed"]["reason"].startswith("UNAUTHENTICATED: ")


async def test_graphql_ws_of_npm_gets_the_errors_of_an_operation(server: Server) -> None:
    async with caller(server.url) as player:
        follower = await graphql_ws(server.socket_url, player.token or "", "tbl_" + "0" * 20)
        *_, end = await lines(follower)
        # As an error of the operation: `complete` would say that the table is over.
        assert end["failed"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_gql_of_pypi_sees_every_version_once_and_completion(server: Server) -> None:
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        transport = WebsocketsTransport(
            url=server.socket_url,
            subprotocols=["graphql-transport-ws"],
            init_payload={"authorization": f"Bearer {player.token}"},
        )
        updates = []
        async with Client(transport=transport) as session:
            request = gql(FOLLOW)
            request.variable_values = {"i": table, "a": 0}
            playing = asyncio.create_task(over(player, table))
            updates = [one["tableUpdates"] async for one in session.subscribe(request)]
        whole(updates, await playing)


async def test_a_subscriber_without_after_begins_with_the_latest_update(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url) as watcher:
        table = (await player.open())["id"]
        await player.move(table, CALL_31)
        seen = []
        playing = None
        async for update in watcher.follow(table):
            seen.append(update)
            if playing is None:
                playing = asyncio.create_task(over_from_here(player, table))
        assert playing is not None
        whole(seen, await playing, after=1)


async def over_from_here(player: Caller, table: str) -> int:
    answer = await player.move(table, FLIP)
    while answer["table"]["status"] != "OVER":
        answer = await player.move(table, FLIP)
    version: int = answer["table"]["version"]
    return version


async def test_a_table_that_is_over_is_replayed_and_completes(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url) as watcher:
        table = (await player.open())["id"]
        last = (await finish(player, table))["table"]["version"]
        whole([update async for update in watcher.follow(table, 0)], last)
        assert [update["version"] async for update in watcher.follow(table, last)] == []
        assert [update["version"] async for update in watcher.follow(table)] == [last]
