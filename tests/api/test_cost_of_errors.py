"""Asking for the cost hides no error, whatever the error, the transport and the way of asking."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import socket

from fliptable_api.cost import ENTRIES, PAGE

pytestmark = pytest.mark.anyio

LIMIT = 300
NEEDS = "query ($n: Int!) { tables(first: $n) { nodes { id } } }"
BIG = "{ tables(first: 100) { nodes { seats { name } } } }"
SILENT = 'subscription { tableUpdates(tableId: "tbl_00000000000000000000") { version } }'

ERRORS: dict[str, tuple[dict[str, Any], str, int | None]] = {
    # what is asked, the code, and the cost where it can be known
    "a document that cannot be parsed": ({"query": "{ me {"}, "GRAPHQL_PARSE_FAILED", None),
    "a field that is not there": ({"query": "{ me { idd } }"}, "GRAPHQL_VALIDATION_FAILED", None),
    "an argument of another type": ({"query": "{ tables(first: true) { nodes { id } } }"}, "", None),
    "two operations and no name": ({"query": "query A { me { id } } query B { me { id } }"}, "", None),
    "a name of no operation": ({"query": "query A { me { id } }", "operationName": "B"}, "BAD_REQUEST", None),
    "too deep": ({"query": "{ me { id " * 30 + "}" * 60}, "DOCUMENT_TOO_LARGE", None),
    # Without the variable the page has its usual size, with one that is no number it counts as one.
    "a variable that is missing": ({"query": NEEDS}, "GRAPHQL_VALIDATION_FAILED", 1 + PAGE),
    "a variable of another type": (
        {"query": NEEDS, "variables": {"n": "x"}},
        "GRAPHQL_VALIDATION_FAILED",
        1 + 1,
    ),
    "what costs too much": ({"query": BIG}, "DOCUMENT_TOO_LARGE", 1 + 100 * (1 + ENTRIES)),
    "what fails in a resolver": (
        {"query": '{ tables(after: "x") { nodes { id } } }'},
        "INVALID_CURSOR",
        1 + PAGE,
    ),
}


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[Local]:
    async with local(max_cost=LIMIT) as one:
        yield one


def whole(answer: httpx.Response) -> dict[str, Any]:
    """The one payload of an answer, whatever it came as."""
    text = answer.text
    if answer.headers["content-type"].startswith("text/event-stream"):
        (text,) = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
    elif answer.headers["content-type"].startswith("multipart/mixed"):
        text = next(line for line in text.splitlines() if line.startswith("{") and line != "{}")
    found: dict[str, Any] = json.loads(text)
    return found.get("payload") or found


async def over_http(server: Local, way: str, asked: dict[str, Any], transport: str) -> dict[str, Any]:
    headers = {"accept": transport if "/" in transport else "application/json"}
    if way == "header":
        headers["graphql-cost"] = "report"
    elif way == "extension":
        asked = {**asked, "extensions": {"cost": True}}
    async with httpx.AsyncClient(headers=headers) as http:
        if transport != "GET":
            return whole(await http.post(server.url, json=asked))
        sent = {name: value if isinstance(value, str) else json.dumps(value) for name, value in asked.items()}
        return whole(await http.get(server.url, params=sent))


HTTP = [
    *("POST", "GET", "application/graphql-response+json", "text/event-stream"),
    "multipart/mixed;subscriptionSpec=1.0",
]


@pytest.mark.parametrize("transport", HTTP)
@pytest.mark.parametrize("way", ["header", "extension"])
@pytest.mark.parametrize("kind", ERRORS)
async def test_over_http_the_error_is_the_one_without(
    server: Local, kind: str, way: str, transport: str
) -> None:
    asked, code, cost = ERRORS[kind]
    without = await over_http(server, "not at all", asked, transport)
    found = await over_http(server, way, asked, transport)
    assert found["errors"] == without["errors"]
    assert found["errors"][0]["extensions"]["code"] != "INTERNAL"
    assert not code or found["errors"][0]["extensions"]["code"] == code
    assert "extensions" not in without
    told = None if cost is None else {"cost": {"requested": cost, "limit": LIMIT}}
    assert found.get("extensions") == told


@pytest.mark.parametrize("kind", ERRORS)
async def test_over_a_websocket_the_error_is_the_one_without(server: Local, kind: str) -> None:
    asked, code, cost = ERRORS[kind]
    ends = []
    async with socket(server.socket_url) as one:
        for id, more in (("without", {}), ("with", {"extensions": {"cost": True}})):
            await one.send({"id": id, "type": "subscribe", "payload": {**asked, **more}})
            message = await one.receive()
            assert message.pop("id") == id
            if message["type"] == "next":
                assert (await one.receive())["type"] == "complete"
                told = message["payload"].pop("extensions", None)
                assert told == ({"cost": {"requested": cost, "limit": LIMIT}} if more else None)
                (error, *_) = message["payload"]["errors"]
            else:
                (error, *_) = message["payload"]
            assert error["extensions"]["code"] != "INTERNAL"
            assert not code or error["extensions"]["code"] == code
            ends.append(message)
    assert ends[0] == ends[1]


@pytest.mark.parametrize("way", ["header", "extension"])
async def test_a_subscription_that_cannot_begin(server: Local, way: str) -> None:
    found = await over_http(server, way, {"query": SILENT}, "text/event-stream")
    assert found["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    plain = await over_http(server, way, {"query": SILENT}, "POST")
    assert plain["errors"][0]["extensions"]["code"] == "SUBSCRIPTION_TRANSPORT"


@pytest.mark.parametrize("way", ["header", "extension"])
async def test_a_mutation_by_get_and_a_request_without_a_document(server: Local, way: str) -> None:
    mutation = {"query": 'mutation { signInAsGuest(input: {name: "x"}) { token } }'}
    for asked, transport in ((mutation, "GET"), ({"variables": {}}, "POST"), ({"query": ""}, "POST")):
        found = await over_http(server, way, asked, transport)
        assert found["errors"][0]["extensions"]["code"] == "BAD_REQUEST"
