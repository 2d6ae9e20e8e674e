"""Media types, status codes and transports are those of GraphQL over HTTP."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from serverkit import CALL_31, FLIP, Server, caller

from fliptable_api.negotiation import JSON, RESPONSE, negotiate

pytestmark = pytest.mark.anyio

HEADERS: list[tuple[str | None, str | None, str, str]] = [
    # Accept, the whole answer's media type, how a query and how a subscription is answered
    (None, JSON, "http", "http"),
    ("", JSON, "http", "http"),
    ("*/*", JSON, "http", "http"),
    ("application/*", JSON, "http", "http"),
    ("application/json", JSON, "http", "http"),
    ("Application/JSON ; charset=utf-8", JSON, "http", "http"),
    (RESPONSE, RESPONSE, "http", "http"),
    (f"{RESPONSE}, {JSON};q=0.9", RESPONSE, "http", "http"),
    (f"{RESPONSE};q=0.5, {JSON};q=0.9", JSON, "http", "http"),
    (f"{JSON}, {RESPONSE}", JSON, "http", "http"),
    (f"{JSON};q=0, */*", RESPONSE, "http", "http"),
    ("text/plain", None, "http", "http"),
    ("text/event-stream", None, "sse", "sse"),
    ("text/event-stream;q=0", None, "http", "http"),
    # What graphql-sse, urql and Apollo send.
    ("text/event-stream, application/json", JSON, "sse", "sse"),
    (f"{RESPONSE}, {JSON}, text/event-stream, multipart/mixed", RESPONSE, "http", "sse"),
    ("text/event-stream, multipart/mixed", None, "sse", "sse"),
    (
        "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json",
        JSON,
        "http",
        "multipart-subscription",
    ),
    ("multipart/mixed;deferSpec=20220824,application/json", JSON, "http", "http"),
    # A stream that is wanted less than JSON is for subscriptions only.
    ("application/json, text/event-stream;q=0.1", JSON, "http", "sse"),
    ("text/event-stream;q=0.1, application/json", JSON, "http", "sse"),
    ("text/*", None, "http", "http"),
]


@pytest.mark.parametrize(("accept", "kind", "query", "subscription"), HEADERS)
def test_an_accept_header(accept: str | None, kind: str | None, query: str, subscription: str) -> None:
    accepted = negotiate(accept)
    assert accepted.json == kind
    assert (accepted.protocol(False), accepted.protocol(True)) == (query, subscription)


def test_a_browsers_address_bar_wants_a_page() -> None:
    assert negotiate("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8").page
    assert not negotiate("*/*").page
    assert not negotiate("application/json, text/html;q=0.5").page


async def ask(server: Server, query: str, accept: str, **more: Any) -> httpx.Response:
    async with httpx.AsyncClient(timeout=30) as http:
        return await http.post(server.url, json={"query": query, **more}, headers={"accept": accept})


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("{ games { id } }", 200),
        ("{ games {", 400),
        ("{ nothing }", 400),
        ("query ($i: ID!) { table(id: $i) { id } }", 400),
        ("{ tables(first: 0) { nodes { id } } }", 200),  # carried out, with data: null
    ],
)
async def test_the_status_says_whether_the_operation_was_begun(
    server: Server, query: str, status: int
) -> None:
    answer = await ask(server, query, RESPONSE)
    assert answer.status_code == status
    assert answer.headers["content-type"] == f"{RESPONSE}; charset=utf-8"
    assert ("data" in answer.json()) == (status == 200)
    plain = await ask(server, query, JSON)
    assert plain.status_code == 200
    assert plain.headers["content-type"] == f"{JSON}; charset=utf-8"
    assert plain.json() == answer.json()


async def test_an_answer_that_cannot_be_what_is_wanted_is_refused(server: Server) -> None:
    answer = await ask(server, "{ games { id } }", "image/png")
    assert answer.status_code == 406
    assert answer.json()["errors"][0]["extensions"]["code"] == "BAD_REQUEST"


async def test_a_get_need_not_be_sent_again(server: Server) -> None:
    async with httpx.AsyncClient(timeout=30) as http:
        first = await http.get(server.url, params={"query": "{ games { id } }"})
        assert first.headers["cache-control"] == "private, no-cache"
        assert "Authorization" in first.headers["vary"]
        again = await http.get(
            server.url,
            params={"query": "{ games { id } }"},
            headers={"if-none-match": first.headers["etag"]},
        )
        assert (again.status_code, again.content) == (304, b"")
        for known, status in (("*", 304), (f'"x", W/{first.headers["etag"]}', 304), ('"x"', 200)):
            answer = await http.get(
                server.url, params={"query": "{ games { id } }"}, headers={"if-none-match": known}
            )
            assert answer.status_code == status


FOLLOW = "subscription ($t: ID!) { tableUpdates(tableId: $t, after: 0) { version } }"


async def test_events_are_framed_with_line_feeds(server: Server) -> None:
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        await player.move(table, CALL_31)
        headers = {"accept": "text/event-stream"}
        async with player.http.stream(
            "POST", server.url, json={"query": FOLLOW, "variables": {"t": table}}, headers=headers
        ) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/event-stream"
            text = ""
            async for chunk in answer.aiter_text():
                text += chunk
                if text.count("\n\n") == 2:
                    break
    assert "\r" not in text
    events = [event.split("\n") for event in text.strip().split("\n\n")]
    assert [name for name, _ in events] == ["event: next"] * 2
    versions = [json.loads(data.removeprefix("data: ")) for _, data in events]
    assert [one["data"]["tableUpdates"]["version"] for one in versions] == [1, 2]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("subscription {", "GRAPHQL_PARSE_FAILED"),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ('subscription { tableUpdates(tableId: "tbl_00000000000000000000") { version } }', "NOT_FOUND"),
    ],
)
async def test_a_stream_that_fails_says_so_and_ends(server: Server, query: str, code: str) -> None:
    answer = await ask(server, query, "text/event-stream")
    assert answer.status_code == 200
    event, end = answer.text.strip("\n").split("\n\n")
    assert json.loads(event.split("data: ")[1])["errors"][0]["extensions"]["code"] == code
    assert end == "event: complete\ndata: "


async def test_queries_and_mutations_come_as_events_too(server: Server) -> None:
    answer = await ask(server, "{ __typename }", "text/event-stream")
    assert answer.text == 'event: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\ndata: \n\n'


async def test_a_get_of_a_mutation_is_no_stream_either(server: Server) -> None:
    async with httpx.AsyncClient(timeout=30) as http:
        query = 'mutation { signInAsGuest(input: {name: "x"}) { token } }'
        answer = await http.get(server.url, params={"query": query}, headers={"accept": "text/event-stream"})
    assert "BAD_REQUEST" in answer.text and "token" not in answer.text


async def test_a_subscription_in_parts_of_one_answer(server: Server) -> None:
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        answer = await player.move(table, CALL_31)
        while answer["table"]["status"] != "OVER":
            answer = await player.move(table, FLIP)
        last = answer["table"]["version"]
        accept = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"
        parts = await player.http.post(
            server.url, json={"query": FOLLOW, "variables": {"t": table}}, headers={"accept": accept}
        )
    # Parameters and nothing else: RFC 9110 has no comma there.
    assert parts.headers["content-type"] == "multipart/mixed;boundary=graphql;subscriptionSpec=1.0"
    # As RFC 2046 has it: a delimiter before each part, and the end behind the last; nothing around them.
    begin, *inner, end = ("\r\n" + parts.text).split("\r\n--graphql")
    assert (begin, end) == ("", "--\r\n")
    for part in inner:
        head, _, content = part.removeprefix("\r\n").partition("\r\n\r\n")
        assert "Content-Type: application/json" in head
        assert json.loads(content) == {} or list(json.loads(content)) == ["payload"]
    bodies = [json.loads(line) for line in parts.text.splitlines() if line.startswith("{")]
    versions = [one["payload"]["data"]["tableUpdates"]["version"] for one in bodies if one]
    assert versions == list(range(1, last + 1))


@pytest.mark.parametrize(
    "accept", ["multipart/mixed", "multipart/mixed;deferSpec=20220824", "text/*", "text/plain"]
)
async def test_what_cannot_be_sent_is_answered_with_all_that_can(server: Server, accept: str) -> None:
    """Parts of another protocol would not be understood, and a wildcard asks for no stream."""
    async with httpx.AsyncClient() as http:
        sent = {"query": "subscription { lobbyUpdates { tableId } }"}
        answer = await http.post(server.url, json=sent, headers={"accept": accept})
    assert answer.status_code == 406
    told = answer.json()["errors"][0]["message"]
    for kind in (JSON, RESPONSE, "text/event-stream", "multipart/mixed;subscriptionSpec=1.0"):
        assert kind in told
