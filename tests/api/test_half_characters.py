"""Half a surrogate pair is JSON (RFC 8259, 8.2), but no Unicode text: what has it is refused, and alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from serverkit import Closed, Socket, raw_socket

pytestmark = pytest.mark.anyio

HALF = "\ud83d"
"""The first half of an emoji; JSON's writer makes ``\\ud83d`` of it."""
NAME = "query ($i: String!) { __typename @include(if: true) }"
HASH = {"persistedQuery": {"version": 1, "sha256Hash": f"ab{HALF}"}}

SPOILT: dict[str, tuple[dict[str, Any], str, str]] = {
    "a query": ({"query": f"{{ me {{ id }} }} # {HALF}"}, "query", "character 17 of `query`"),
    "the name of an operation": ({"operationName": HALF}, "operationName", "character 1 of `operationName`"),
    "a variable": ({"variables": {"i": f"a{HALF}b"}}, "variables.i", "character 2 of `variables.i`"),
    "the second half": ({"variables": {"i": "\udc00"}}, "variables.i", "half a character, \\udc00,"),
    "two halves in the wrong order": ({"variables": {"i": "\udc00\ud83d"}}, "variables.i", "\\udc00"),
    "deep in a variable": (
        {"variables": {"i": {"a": [1, {"b c": [HALF]}]}}},
        'variables.i.a.1."b c".0',
        '`variables.i.a.1."b c".0`',
    ),
    "the name of a variable": (
        {"variables": {f"i{HALF}": 1}},
        "variables",
        "character 2 of a name in `variables`",
    ),
    "a hash": ({"query": None, "extensions": HASH}, "extensions.persistedQuery.sha256Hash", "character 3"),
    "an id of a document": ({"query": None, "documentId": HALF}, "documentId", "character 1 of `documentId`"),
    "what nobody looks at": ({"more": HALF}, "more", "character 1 of `more`"),
    "beside a large number": ({"variables": {"n": float(10**300) * 10, "i": HALF}}, "variables.i", "`"),
}


def request(changes: dict[str, Any]) -> str:
    return json.dumps({"query": NAME, **changes}).replace("1e+301", "1e999")


def check(error: Any, field: str, words: str) -> None:
    assert error["extensions"] == {"code": "BAD_REQUEST", "field": field}
    assert words in error["message"]
    assert "Unicode" in error["message"]


@pytest.fixture
async def http(address: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    "accept", ["application/json", "text/event-stream", "multipart/mixed;subscriptionSpec=1.0"]
)
@pytest.mark.parametrize("case", SPOILT)
async def test_a_post_is_told_where_it_is_no_text(http: httpx.AsyncClient, case: str, accept: str) -> None:
    changes, field, words = SPOILT[case]
    headers = {"content-type": "application/json", "accept": accept}
    answer = await http.post("/graphql", content=request(changes), headers=headers)
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    check(error, field, words)


@pytest.mark.parametrize("case", ["a variable", "the name of a variable", "a hash"])
async def test_a_get_is_told_where_it_is_no_text(http: httpx.AsyncClient, case: str) -> None:
    changes, field, words = SPOILT[case]
    asked = {"query": NAME, **changes}
    parameters = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in asked.items()
        if value is not None
    }
    answer = await http.get("/graphql", params=parameters)
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    check(error, field, words)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("?query=%7B__typename%7D%23%FF", "query"),
        ("?query=%7B__typename%7D&operationName=%ED%A0%BD", "operationName"),
        ("?query=%7B__typename%7D&variables=%7B%22a%22:%22%C3%22%7D", "variables"),
        ("?documentId=%E2%82", "documentId"),
        ("?query=%7B__typename%7D&%FF=1", "a parameter"),
    ],
)
async def test_a_parameter_that_is_no_utf8_is_not_read_as_something_else(
    http: httpx.AsyncClient, query: str, name: str
) -> None:
    answer = await http.get("/graphql" + query)
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error["extensions"]["code"] == "BAD_REQUEST"
    assert name in error["message"] and "UTF-8" in error["message"]


async def test_the_character_for_what_cannot_be_read_is_one_itself(http: httpx.AsyncClient) -> None:
    answer = await http.get("/graphql", params={"query": "{ __typename } # \ufffd"})
    assert answer.json() == {"data": {"__typename": "Query"}}


async def test_a_body_that_is_a_string_is_no_request_whatever_is_in_it(http: httpx.AsyncClient) -> None:
    for content, word in (('"\\ud800"', "object"), ('["\\ud800"]', "batch")):
        headers = {"content-type": "application/json"}
        answer = await http.post("/graphql", content=content, headers=headers)
        assert answer.status_code == 400
        assert word in answer.json()["errors"][0]["message"]


@pytest.mark.parametrize(
    "text", ['"\\ud8"', '{"a": "\\ud800", }', '["\\ud800", NaN]', '"\\ud800' + "\x01" + '"']
)
async def test_what_is_no_json_is_none_beside_half_a_character_either(
    http: httpx.AsyncClient, text: str
) -> None:
    body = f'{{"query": "{{ __typename }}", "variables": {{"i": {text}}}}}'
    answer = await http.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["message"] == "The body has to be JSON."
    nested = "[" * 5000 + '"\\ud800"' + "]" * 5000
    answer = await http.post(
        "/graphql", content=f'{{"query": {nested}}}', headers={"content-type": "application/json"}
    )
    assert answer.json()["errors"][0]["message"] == "The body has to be JSON."


async def test_a_pair_of_halves_is_a_character(http: httpx.AsyncClient) -> None:
    query = "query ($i: ID!) { table(id: $i) { id } }"
    content = json.dumps({"query": query, "variables": {"i": "\U0001f0a1"}})
    assert "\\ud83c\\udca1" in content
    answer = await http.post("/graphql", content=content, headers={"content-type": "application/json"})
    assert answer.json() == {"data": {"table": None}}


@pytest.fixture
async def one(address: str) -> AsyncIterator[Socket]:
    async with raw_socket(address.replace("http", "ws", 1) + "/graphql") as connection:
        yield connection


@pytest.mark.parametrize("case", SPOILT)
async def test_an_operation_that_is_no_text_fails_alone(one: Socket, case: str) -> None:
    changes, field, words = SPOILT[case]
    await one.send({"type": "connection_init"})
    assert (await one.receive())["type"] == "connection_ack"
    await one.send({"id": "lobby", "type": "subscribe", "payload": {"query": LOBBY}})
    await one.connection.send(f'{{"id": "1", "type": "subscribe", "payload": {request(changes)}}}')
    answer = await one.receive()
    assert (answer["id"], answer["type"]) == ("1", "error")
    (error,) = answer["payload"]
    check(error, field, words)
    # The id is free again, and what was under way goes on.
    await one.send({"id": "1", "type": "subscribe", "payload": {"query": "{ __typename }"}})
    assert [(await one.receive())["type"] for _ in range(2)] == ["next", "complete"]
    with pytest.raises(Closed) as closed:
        await one.send({"id": "lobby", "type": "subscribe", "payload": {"query": LOBBY}})
        await one.receive()
    assert closed.value.code == 4409


LOBBY = "subscription { lobbyUpdates { tableId } }"
INIT = {"type": "connection_init"}


@pytest.mark.parametrize(
    ("messages", "code", "word"),
    [
        ([{"id": "1", "type": "subscribe", "payload": {"query": HALF}}], 4401, ""),
        ([INIT, {"id": f"1{HALF}", "type": "subscribe", "payload": {"query": LOBBY}}], 4400, "id"),
        ([INIT, {"id": "1", "type": HALF}], 4400, "type"),
        ([INIT, {"id": "1", "type": "subscribe", "payload": HALF}], 4400, "payload"),
        ([HALF], 4400, "object"),
        ([{**INIT, "payload": {"authorization": f"Bearer {HALF}"}}], 4400, "`payload.authorization`"),
        ([{**INIT, "payload": {f"token{HALF}": "ft_x"}}], 4400, "a name in `payload`"),
    ],
    ids=["too early", "an id", "a type", "a payload", "no object", "a token", "a name beside it"],
)
async def test_a_message_that_has_no_operation_to_fail_closes_the_connection(
    one: Socket, messages: list[Any], code: int, word: str
) -> None:
    with pytest.raises(Closed) as closed:
        for message in messages:
            await one.send(message)
        while True:
            await one.receive()
    assert closed.value.code == code
    assert word in closed.value.reason


async def test_what_nobody_looks_at_in_other_messages_closes_nothing(one: Socket) -> None:
    await one.send(INIT)
    assert (await one.receive())["type"] == "connection_ack"
    await one.send({"type": "ping", "payload": {"a": HALF}})
    assert (await one.receive())["type"] == "pong"
    await one.send({"type": "pong", "payload": {HALF: 1}})
    await one.send({"id": HALF, "type": "complete"})
    await one.send({"id": "1", "type": "subscribe", "payload": {"query": "{ __typename }"}})
    assert [(await one.receive())["type"] for _ in range(2)] == ["next", "complete"]
