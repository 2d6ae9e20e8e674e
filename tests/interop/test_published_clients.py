"""The clients that frontends use, at their current versions, do all that frontends do."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from gql import Client, gql
from gql.transport.exceptions import TransportConnectionFailed, TransportQueryError
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport
from graphql import GraphQLSyntaxError
from inprocess import local
from serverkit import CALL_31, FLIP, Server, caller, finish

from fliptable_api.cli.local import memory_server

HERE = Path(__file__).parent

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with memory_server() as address:
        yield f"{address}/graphql"


async def node(*arguments: str, folder: Path = HERE) -> str:
    """What a program writes. It has to succeed."""
    program = shutil.which("node")
    if program is None or not (HERE / "node_modules").exists():
        pytest.fail("Node.js with `npm ci` in tests/interop is needed; `make test` sees to both")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(program, *arguments, cwd=folder, stdout=pipe, stderr=pipe)
    output, errors = await process.communicate()
    assert process.returncode == 0, (output + errors).decode()
    return output.decode()


async def test_the_audits_of_graphql_http_find_nothing(url: str) -> None:
    audited = json.loads(await node("audit.mjs", url))
    assert audited["count"] >= 61
    assert audited["wrong"] == []


CLIENTS = [
    "graphql-ws",
    "graphql-sse",
    "apollo over graphql-ws",
    "apollo over multipart",
    "urql over graphql-ws",
    "urql over events",
]


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_client_of_npm(url: str, client: str) -> None:
    """A query, a refusal, mistakes, a subscription, a line that is cut, and one that fails beside another."""
    seen = json.loads((await node("scenario.mjs", client, url)).splitlines()[-1])
    raw = client in ("graphql-ws", "graphql-sse")
    assert seen == {
        "query": True,
        "refusal": ["Refusal", True],
        "validation": ["GRAPHQL_VALIDATION_FAILED"],
        # Apollo and urql read documents themselves, so that one which is none gets no further.
        "syntax": ["GRAPHQL_PARSE_FAILED" if raw else "by the client"],
        "subscription": True,
        "resumed": True,
        "failing": ["NOT_FOUND"],
        "beside": True,
    }


async def test_typed_clients_take_the_schema_and_their_operations_compile() -> None:
    """@graphql-codegen's client preset, gql.tada and the Relay compiler, then tsc in strict mode."""
    told = await node("generate.mjs", folder=HERE / "typed")
    assert "Compilation completed" in told


PLAY = """mutation ($i: PlayMoveInput!) { playMove(input: $i) {
  __typename ... on MovePlayed { table { status } } ... on Refusal { code } } }"""
FOLLOW = "subscription ($t: ID!, $a: Int) { tableUpdates(tableId: $t, after: $a) { version } }"


def code_of(error: TransportQueryError) -> str:
    assert error.errors
    code: str = error.errors[0]["extensions"]["code"]
    return code


async def test_gql_of_pypi_over_http(url: str) -> None:
    async with caller(url) as player:
        table = (await player.open())["id"]
        transport = HTTPXAsyncTransport(url=url, headers=player.headers)
        async with Client(transport=transport, fetch_schema_from_transport=True) as session:
            assert (await session.execute(gql("{ games { id } }")))["games"]
            request = gql(PLAY)
            request.variable_values = {"i": {"tableId": table, "move": FLIP}}
            answer = (await session.execute(request))["playMove"]
            assert answer["__typename"] == "Refusal"
        async with Client(transport=HTTPXAsyncTransport(url=url)) as session:
            with pytest.raises(TransportQueryError) as invalid:
                await session.execute(gql("{ nothing }"))
            assert code_of(invalid.value) == "GRAPHQL_VALIDATION_FAILED"
        with pytest.raises(GraphQLSyntaxError):
            gql("{ games {")


def over_socket(url: str, player: Any) -> Client:
    return Client(
        transport=WebsocketsTransport(
            url=url.replace("http", "ws", 1),
            subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL],
            init_payload=player.headers,
            close_timeout=1,
        )
    )


def following(table: str, after: int = 0) -> Any:
    request = gql(FOLLOW)
    request.variable_values = {"t": table, "a": after}
    return request


async def test_gql_of_pypi_follows_while_a_subscription_beside_it_fails(url: str) -> None:
    async with caller(url) as player, over_socket(url, player) as session:
        table = (await player.open())["id"]

        async def follow() -> list[int]:
            return [one["tableUpdates"]["version"] async for one in session.subscribe(following(table))]

        good = asyncio.create_task(follow())
        with pytest.raises(TransportQueryError) as failed:
            async for _ in session.subscribe(following("tbl_" + "0" * 20)):
                raise AssertionError("there is no such table")
        assert code_of(failed.value) == "NOT_FOUND"
        last = (await finish(player, table))["table"]["version"]
        assert await good == list(range(1, last + 1))


async def test_gql_of_pypi_goes_on_after_a_line_that_was_cut(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    seen: list[int] = []
    with Server(tmp_path, "--data", data) as server:
        async with caller(server.url) as player:
            table = (await player.open())["id"]
            await player.move(table, CALL_31)
            with pytest.raises((TransportConnectionFailed, TransportQueryError)):
                async with over_socket(server.url, player) as session:
                    async for one in session.subscribe(following(table)):
                        seen.append(one["tableUpdates"]["version"])
                        if len(seen) == 2:
                            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            playing = asyncio.create_task(rest(player, table))
            async with over_socket(server.url, player) as session:
                request = following(table, after=seen[-1])
                seen += [one["tableUpdates"]["version"] async for one in session.subscribe(request)]
            assert seen == list(range(1, await playing + 1))


async def rest(player: Any, table: str) -> int:
    answer = await player.move(table, FLIP)
    while answer["table"]["status"] != "OVER":
        answer = await player.move(table, FLIP)
    version: int = answer["table"]["version"]
    return version


async def test_a_document_by_its_hash_from_apollos_and_urqls_way_of_asking() -> None:
    """What @apollo/client and @urql/exchange-persisted send: the hash, and after a miss the document too."""
    async with local() as server, caller(server.url) as player:
        text = "query Games { games { id } }"
        extensions = {"persistedQuery": {"version": 1, "sha256Hash": sha256(text.encode()).hexdigest()}}
        missed = await player.http.post(server.url, json={"operationName": "Games", "extensions": extensions})
        assert missed.json()["errors"][0]["message"] == "PersistedQueryNotFound"
        asked = {"operationName": "Games", "query": text, "extensions": extensions}
        assert (await player.http.post(server.url, json=asked)).json()["data"]["games"]
