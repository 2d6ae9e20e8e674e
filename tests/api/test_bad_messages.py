"""WebSocket messages that are wrong: each gets the protocol's answer, and nothing else is hurt."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from serverkit import CALL_31, FLIP, PLAY, Caller, Closed, Failed, Server, caller, metric, raw_socket, socket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake

pytestmark = pytest.mark.anyio

INSIDE = re.compile(r"Traceback|\.py\b|fliptable_api|strawberry|KeyError|NoneType|object at 0x")


@pytest.fixture
async def unharmed(server: Server) -> AsyncIterator[tuple[Caller, str]]:
    """A player at a table; afterwards it is as it was, and nobody follows anything any more."""
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        await player.move(table, CALL_31)
        before = await player.replay(table)
        yield player, table
        assert await player.replay(table) == before
        for path in ("/healthz", "/readyz"):
            assert (await player.http.get(server.base + path)).status_code == 200
        assert metric(server.base, "fliptable_subscriptions") == 0


INIT = '{"type": "connection_init"}'


def subscribe(**changes: Any) -> str:
    payload: dict[str, Any] = {"query": "{ me { id } }"}
    return json.dumps({"id": "1", "type": "subscribe", "payload": payload, **changes})


CLOSING: dict[str, tuple[list[str | bytes], int]] = {
    "a binary frame": ([b"\x00\x01"], 4400),
    "a binary frame of JSON": ([INIT.encode()], 4400),
    "no JSON": (["hello"], 4400),
    "broken JSON": (['{"type": "connection_init"'], 4400),
    "an empty message": ([""], 4400),
    "a list": (["[]"], 4400),
    "a number": (["5"], 4400),
    "null": (["null"], 4400),
    "an object of nothing": (["{}"], 4400),
    "a type that is a number": (['{"type": 5}'], 4400),
    "a type that is a list": (['{"type": ["connection_init"]}'], 4400),
    "a type that is none": (['{"type": "explode"}'], 4400),
    "a type of 10,000 letters": (['{"type": "' + "ä" * 10_000 + '"}'], 4400),
    "a type of the old protocol": (['{"type": "start", "id": "1"}'], 4400),
    "a type that only servers send": (['{"type": "next", "id": "1", "payload": {}}'], 4400),
    "an init whose payload is a list": (['{"type": "connection_init", "payload": []}'], 4400),
    "an init whose payload is a string": (['{"type": "connection_init", "payload": "x"}'], 4400),
    "a token that is not known": (
        ['{"type": "connection_init", "payload": {"authorization": "Bearer ft_x"}}'],
        4403,
    ),
    "a token that is a number": (['{"type": "connection_init", "payload": {"authorization": 5}}'], 4403),
    "a token that is an object": (['{"type": "connection_init", "payload": {"Authorization": {}}}'], 4403),
    "a token without a scheme": (['{"type": "connection_init", "payload": {"authorization": "ft_x"}}'], 4403),
    "a subscribe before the init": ([subscribe()], 4401),
    "a second init": ([INIT, INIT], 4429),
    "a subscribe without an id": ([INIT, '{"type": "subscribe", "payload": {"query": "{me{id}}"}}'], 4400),
    "an id that is a number": ([INIT, subscribe(id=1)], 4400),
    "an id that is a list": ([INIT, subscribe(id=["1"])], 4400),
    "an empty id": ([INIT, subscribe(id="")], 4400),
    "no payload": ([INIT, '{"type": "subscribe", "id": "1"}'], 4400),
    "a payload that is a list": ([INIT, subscribe(payload=[])], 4400),
    "no query": ([INIT, subscribe(payload={})], 4400),
    "a query that is a number": ([INIT, subscribe(payload={"query": 5})], 4400),
    "variables that are a list": ([INIT, subscribe(payload={"query": "{me{id}}", "variables": []})], 4400),
    "an operation name that is a list": (
        [INIT, subscribe(payload={"query": "{me{id}}", "operationName": []})],
        4400,
    ),
    "a complete without an id": ([INIT, '{"type": "complete"}'], 4400),
    "a message of a megabyte": ([INIT, subscribe(payload={"query": "#" * 1_000_000})], 1009),
}


@pytest.mark.parametrize("case", CLOSING)
async def test_a_message_that_is_none_closes_the_connection_with_a_reason(
    unharmed: tuple[Caller, str], server: Server, case: str
) -> None:
    messages, code = CLOSING[case]
    async with raw_socket(server.socket_url) as one:
        with pytest.raises(Closed) as closed:
            for message in messages:
                await one.connection.send(message)
            while True:
                await one.receive()
    assert closed.value.code == code
    assert closed.value.reason or code == 1009
    assert not INSIDE.search(closed.value.reason)


async def test_a_duplicate_id_closes_the_connection(unharmed: tuple[Caller, str], server: Server) -> None:
    _, table = unharmed
    payload = {
        "query": "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }",
        "variables": {"t": table},
    }
    async with socket(server.socket_url) as one:
        for _ in range(2):
            await one.send({"id": "x" * 200, "type": "subscribe", "payload": payload})
        with pytest.raises(Closed) as closed:
            while True:
                await one.receive()
    assert closed.value.code == 4409


async def test_an_id_can_be_used_again_once_its_operation_is_over(
    unharmed: tuple[Caller, str], server: Server
) -> None:
    _, table = unharmed
    follow = {
        "query": "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }",
        "variables": {"t": table},
    }
    async with socket(server.socket_url) as one:
        for _ in range(20):
            await one.send({"id": "1", "type": "subscribe", "payload": follow})
            assert (await one.receive())["type"] == "next"
            await one.send({"id": "1", "type": "complete"})
            await one.send({"id": "1", "type": "complete"})
        await one.send({"id": "1", "type": "subscribe", "payload": {"query": "{ __typename }"}})
        assert [(await one.receive())["type"] for _ in range(2)] == ["next", "complete"]


FAILING: dict[str, tuple[str, dict[str, Any], str]] = {
    "a syntax error": ("subscription {", {}, "GRAPHQL_PARSE_FAILED"),
    "a syntax error in a query": ("{ me { id }", {}, "GRAPHQL_PARSE_FAILED"),
    "an empty query": ("", {}, "BAD_REQUEST"),
    "no operation": ("fragment F on Player { id }", {}, "BAD_REQUEST"),
    "two operations": ("query A { me { id } } query B { me { id } }", {}, "BAD_REQUEST"),
    "a field that is not there": ("subscription { nothing }", {}, "GRAPHQL_VALIDATION_FAILED"),
    "two subscriptions in one": (
        'subscription { a: tableUpdates(tableId: "x") { at } b: tableUpdates(tableId: "y") { at } }',
        {},
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "a document that is too deep": (
        '{ table(id: "x") { ' + "updates { nodes { table { " * 10 + "id" + " } } }" * 10 + " } }",
        {},
        "DOCUMENT_TOO_LARGE",
    ),
    "a table that is not there": (
        'subscription { tableUpdates(tableId: "tbl_00000000000000000000") { version } }',
        {},
        "NOT_FOUND",
    ),
    "an id of a kilobyte": (
        "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }",
        {"t": "t\0" * 500},
        "NOT_FOUND",
    ),
    "an id left out": (
        "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }",
        {},
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "after: -1": (
        "subscription ($t: ID!) { tableUpdates(tableId: $t, after: -1) { version } }",
        {"t": "TABLE"},
        "UNKNOWN_VERSION",
    ),
    "after a version to come": (
        "subscription ($t: ID!) { tableUpdates(tableId: $t, after: 3) { version } }",
        {"t": "TABLE"},
        "UNKNOWN_VERSION",
    ),
    "after: 2147483647": (
        "subscription ($t: ID!) { tableUpdates(tableId: $t, after: 2147483647) { version } }",
        {"t": "TABLE"},
        "UNKNOWN_VERSION",
    ),
    "after: 2147483648": (
        "subscription ($t: ID!) { tableUpdates(tableId: $t, after: 2147483648) { version } }",
        {"t": "TABLE"},
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "after a string": (
        "subscription ($t: ID!, $a: Int) { tableUpdates(tableId: $t, after: $a) { version } }",
        {"t": "TABLE", "a": "1"},
        "GRAPHQL_VALIDATION_FAILED",
    ),
}


@pytest.mark.parametrize("case", FAILING)
async def test_an_operation_that_cannot_be_carried_out_fails_alone(
    unharmed: tuple[Caller, str], server: Server, case: str
) -> None:
    """The errors of one operation come as its `error`; the connection and what runs on it go on."""
    _, table = unharmed
    document, variables, code = FAILING[case]
    variables = {name: table if value == "TABLE" else value for name, value in variables.items()}
    async with socket(server.socket_url) as one:
        other = one.follow(table)
        assert (await anext(other))["version"] == 2
        with pytest.raises(Failed) as failed:
            async for _ in one.run(document, **variables):
                raise AssertionError("it was answered")
        for error in failed.value.errors:
            assert error["extensions"]["code"] == code, error
            assert error["message"] and not INSIDE.search(json.dumps(error))
        assert [payload async for payload in one.run("{ __typename }")] == [{"data": {"__typename": "Query"}}]


async def test_more_operations_than_allowed_are_refused_one_by_one(
    unharmed: tuple[Caller, str], server: Server
) -> None:
    _, table = unharmed
    payload = {
        "query": "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }",
        "variables": {"t": table},
    }
    async with socket(server.socket_url) as one:
        for number in range(103):
            await one.send({"id": str(number), "type": "subscribe", "payload": payload})
        answers = [await one.receive() for _ in range(103)]
        refused = [answer for answer in answers if answer["type"] == "error"]
        assert len(refused) == 3
        for answer in refused:
            assert answer["payload"][0]["extensions"] == {"code": "SUBSCRIPTION_LIMIT", "limit": 100}


async def test_a_version_to_come_is_told_with_the_one_that_there_is(
    unharmed: tuple[Caller, str], server: Server
) -> None:
    player, table = unharmed
    document = "subscription ($t: ID!) { tableUpdates(tableId: $t, after: 99) { version } }"
    version = (await player.table(table))["version"]
    async with socket(server.socket_url) as one:
        with pytest.raises(Failed) as failed:
            await anext(one.run(document, t=table))
        (error,) = failed.value.errors
        assert error["extensions"] == {"code": "UNKNOWN_VERSION", "field": "after", "version": version}


@pytest.mark.parametrize("protocols", [None, ["graphql-ws"], ["soap"], ["graphql-ws", "soap"]])
async def test_a_subprotocol_that_is_none_of_ours(
    unharmed: tuple[Caller, str], server: Server, protocols: list[str] | None
) -> None:
    """Also the old protocol of subscriptions-transport-ws, which calls itself graphql-ws."""
    async with raw_socket(server.socket_url, subprotocols=protocols) as one:
        with pytest.raises(Closed) as closed:
            await one.receive()
    assert closed.value.code == 4406


async def test_a_page_of_another_origin_is_not_let_in(unharmed: tuple[Caller, str], server: Server) -> None:
    with pytest.raises(InvalidHandshake, match="403"):
        async with connect(
            server.socket_url, subprotocols=["graphql-transport-ws"], origin="https://evil.example"
        ):
            pass


async def test_another_path_is_no_websocket(unharmed: tuple[Caller, str], server: Server) -> None:
    with pytest.raises(InvalidHandshake, match=r"40[34]"):
        async with connect(server.socket_url + "x", subprotocols=["graphql-transport-ws"]):
            pass


async def test_pings_are_answered_and_pongs_taken_before_and_after_the_init(
    unharmed: tuple[Caller, str], server: Server
) -> None:
    async with raw_socket(server.socket_url) as one:
        await one.send({"type": "pong"})
        await one.send({"type": "ping", "payload": {"a": 1}})
        assert (await one.receive())["type"] == "pong"
        await one.send({"type": "connection_init", "payload": None})
        assert (await one.receive())["type"] == "connection_ack"
        await one.send({"type": "ping"})
        assert (await one.receive())["type"] == "pong"


async def test_the_token_may_come_with_the_handshake(unharmed: tuple[Caller, str], server: Server) -> None:
    player, _ = unharmed
    async with socket(server.socket_url, additional_headers=player.headers) as one:
        answers = [payload async for payload in one.run("{ me { id } }")]
        assert answers == [{"data": {"me": {"id": player.player}}}]


async def test_queries_and_mutations_work_over_the_websocket_too(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url, player.token) as one:
        table = (await player.open())["id"]
        versions = []
        for move in (CALL_31, FLIP):
            (answer,) = [payload async for payload in one.run(PLAY, i={"tableId": table, "move": move})]
            versions.append(answer["data"]["playMove"]["update"]["version"])
        assert versions == [2, 3]


async def test_a_batch_of_moves_over_one_websocket_is_played_one_after_the_other(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url, player.token) as one:
        table = (await player.open())["id"]
        await player.move(table, {"callIt": {"call": {"target": 60}}})
        asked = {"query": PLAY, "variables": {"i": {"tableId": table, "move": FLIP}}}
        for number in range(5):
            await one.send({"id": str(number), "type": "subscribe", "payload": asked})
        async with asyncio.timeout(30):
            answers = [await one.receive() for _ in range(10)]
        played = [one["payload"]["data"]["playMove"]["update"] for one in answers if one["type"] == "next"]
        assert sorted(one["version"] for one in played) == [3, 4, 5, 6, 7]
