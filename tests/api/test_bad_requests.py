"""HTTP requests that are wrong in every way: each gets a coded answer, and nothing happens."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from serverkit import CALL_31, CREATE, FLIP, JOIN, PLAY, READ, SIGN_IN, START, UPDATE, Caller, Server, caller

pytestmark = pytest.mark.anyio

INSIDE = re.compile(
    r"Traceback|site-packages|\.py\b|object at 0x|fliptable_api|strawberry|pymongo|orjson|NoneType|KeyError"
)
"""What tells of the server's inside."""


EVERYTHING = (
    "query ($a: ID!, $b: ID!, $c: ID!) { a: table(id: $a) { ...X } b: table(id: $b) { ...X } "
    "c: table(id: $c) { ...X } tables(filter: {mine: true}) { nodes { id version } } } "
    "fragment X on Table { updates { nodes { ...U } } }" + UPDATE
)


@dataclass
class Scene:
    """A table in the middle of play, its player, and somebody else with a table of their own."""

    player: Caller
    other: Caller
    table: str
    others: str
    fresh: str
    before: Any = None

    async def state(self) -> Any:
        """Everything there is to see, and whether the server is well."""
        base = self.player._url().removesuffix("/graphql")
        health = [(await self.player.http.get(base + path)).status_code for path in ("/healthz", "/readyz")]
        tables = {"a": self.table, "b": self.others, "c": self.fresh}
        return [health, *[await one.data(EVERYTHING, **tables) for one in (self.player, self.other)]]


@pytest.fixture(scope="module")
async def scene(server: Server) -> AsyncIterator[Scene]:
    async with caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        mine, theirs, fresh = [(await one.open())["id"] for one in (ann, bob, ann)]
        await ann.move(mine, CALL_31)
        scene = Scene(ann, bob, mine, theirs, fresh)
        scene.before = await scene.state()
        yield scene


@pytest.fixture
async def unharmed(scene: Scene) -> AsyncIterator[Scene]:
    """The scene; afterwards nothing at its tables has changed."""
    yield scene
    assert await scene.state() == scene.before


def told(answer: httpx.Response, *codes: str) -> dict[str, Any]:
    """The first error of an answer, which has one of the codes and tells nothing of the inside."""
    assert answer.headers["content-type"].startswith("application/json"), answer.text
    errors = answer.json()["errors"]
    assert errors
    for error in errors:
        assert error["extensions"]["code"] in codes, error
        assert error["message"] and not INSIDE.search(json.dumps(error)), error
        assert len(error["message"]) < 600, error
    found: dict[str, Any] = errors[0]
    return found


JSON = {"content-type": "application/json"}

BODIES: dict[str, tuple[bytes, dict[str, str], str]] = {
    "an empty body": (b"", JSON, "JSON"),
    "broken JSON": (b'{"query": "{ me { id }', JSON, "JSON"),
    "no JSON at all": (b"hello", JSON, "JSON"),
    "not UTF-8": (b'{"query": "\xff\xfe"}', JSON, "JSON"),
    "a NUL byte": (b'{"query": "{ me { id } }"}\x00', JSON, "JSON"),
    "a lone surrogate": (b'{"query": "{ me { id } } #\\ud800"}', JSON, "JSON"),
    "UTF-16": ('{"query": "{ me { id } }"}'.encode("utf-16"), JSON, "JSON"),
    "JSON nested 100,000 deep": (b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", JSON, "JSON"),
    "a number too many": (b'{"query": "{ me { id } }", "variables": 1e999}', JSON, ""),
    "NaN": (b'{"query": "{ me { id } }", "variables": NaN}', JSON, "JSON"),
    "null": (b"null", JSON, "object"),
    "a string": (b'"{ me { id } }"', JSON, "object"),
    "a number": (b"42", JSON, "object"),
    "an empty list": (b"[]", JSON, "atch"),
    "a batch": (b'[{"query": "{ me { id } }"}, {"query": "{ me { id } }"}]', JSON, "atch"),
    "no query": (b"{}", JSON, "query"),
    "a null query": (b'{"query": null}', JSON, "query"),
    "an empty query": (b'{"query": ""}', JSON, "query"),
    "a query that is a number": (b'{"query": 5}', JSON, "query"),
    "a query that is an object": (b'{"query": {"a": 1}}', JSON, "query"),
    "variables that are a list": (b'{"query": "{ me { id } }", "variables": [1]}', JSON, "variables"),
    "variables that are a string": (b'{"query": "{ me { id } }", "variables": "{}"}', JSON, "variables"),
    "an operation name that is a number": (
        b'{"query": "{ me { id } }", "operationName": 7}',
        JSON,
        "operationName",
    ),
    "extensions that are a list": (b'{"query": "{ me { id } }", "extensions": []}', JSON, "extensions"),
    "an operation that is not there": (
        b'{"query": "query A { me { id } }", "operationName": "B"}',
        JSON,
        "peration",
    ),
    "no operation": (b'{"query": "fragment F on Player { id }"}', JSON, "peration"),
    "a form": (
        b"query=%7Bme%7Bid%7D%7D",
        {"content-type": "application/x-www-form-urlencoded"},
        "content type",
    ),
    "plain text": (b'{"query": "{ me { id } }"}', {"content-type": "text/plain"}, "content type"),
    "no content type": (b'{"query": "{ me { id } }"}', {}, "content type"),
    "a content type of nonsense": (
        b'{"query": "{ me { id } }"}',
        {"content-type": ";;/,"},
        "content type",
    ),
    "a multipart upload": (
        b"--x\r\n\r\n--x--",
        {"content-type": "multipart/form-data; boundary=x"},
        "content type",
    ),
}


@pytest.mark.parametrize("body", BODIES)
async def test_a_body_that_is_no_request(unharmed: Scene, body: str) -> None:
    content, headers, word = BODIES[body]
    async with unharmed.player.http.stream(
        "POST",
        unharmed.player._url(),
        content=content,
        headers={**headers, **unharmed.player.headers},
    ) as answer:
        await answer.aread()
    assert answer.status_code == (415 if word == "content type" else 400)
    assert word in told(answer, "BAD_REQUEST")["message"]


def chunks(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield b" " * 65_536


async def test_a_body_of_ten_megabytes_with_its_length(unharmed: Scene) -> None:
    answer = await unharmed.player.http.post(unharmed.player._url(), content=b" " * 10_000_000, headers=JSON)
    assert answer.status_code == 413
    told(answer, "PAYLOAD_TOO_LARGE")


async def test_a_body_of_ten_megabytes_in_chunks(unharmed: Scene) -> None:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks(160):
            yield chunk

    try:
        answer = await unharmed.player.http.post(unharmed.player._url(), content=body(), headers=JSON)
    except httpx.WriteError:
        return  # hung up on before all of it was sent
    assert answer.status_code == 413
    told(answer, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"])
async def test_a_method_that_is_none_of_graphql(unharmed: Scene, method: str) -> None:
    answer = await unharmed.player.http.request(method, unharmed.player._url())
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?query=",
        "?quer=%7Bme%7Bid%7D%7D",
        "?query=%7Bme%7Bid%7D%7D&variables=%7B",
        "?query=%7Bme%7Bid%7D%7D&variables=5",
        "?query=%7Bme%7Bid%7D%7D&extensions=%5B%5D",
        "?query=%7Bme%7Bid%7D%7D&documentId=",
    ],
)
async def test_a_get_that_is_no_query(unharmed: Scene, query: str) -> None:
    for accept in ("*/*", "application/json"):
        answer = await unharmed.player.http.get(unharmed.player._url() + query, headers={"accept": accept})
        assert answer.status_code == 400
        told(answer, "BAD_REQUEST")


async def test_a_get_of_a_mutation_has_to_be_a_post(unharmed: Scene) -> None:
    query = 'mutation { signInAsGuest(input: {name: "x"}) { token } }'
    answer = await unharmed.player.http.get(unharmed.player._url(), params={"query": query})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    told(answer, "BAD_REQUEST")


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_subscription_by_a_plain_request_is_told_what_it_takes(unharmed: Scene, method: str) -> None:
    asked = {"query": 'subscription { tableUpdates(tableId: "x") { version } }'}
    sent: dict[str, Any] = {"params": asked} if method == "GET" else {"json": asked}
    answer = await unharmed.player.http.request(method, unharmed.player._url(), **sent)
    assert answer.status_code == 400
    transports = told(answer, "SUBSCRIPTION_TRANSPORT")["extensions"]["transports"]
    assert [one["transport"] for one in transports] == ["websocket", "sse", "multipart"]


async def test_a_get_with_a_query_is_answered(unharmed: Scene) -> None:
    answer = await unharmed.player.http.get(unharmed.player._url(), params={"query": "{ games { id } }"})
    assert answer.status_code == 200 and answer.json()["data"]["games"]


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer",
        "Bearer ft_unknown",
        "Basic QW5uOnNlY3JldA==",
        "ft_unknown",
        "Bearer " + "x" * 5000,
        "Bearer \x01\x02",
        b"Bearer \xc3\xa4\xff",
        "",
    ],
)
async def test_a_token_that_is_none(unharmed: Scene, authorization: str | bytes) -> None:
    headers = {"authorization": authorization} if isinstance(authorization, str) else None
    raw = None if headers else [(b"authorization", authorization)]
    answer = await unharmed.player.http.post(
        unharmed.player._url(),
        json={"query": READ, "variables": {"i": unharmed.table}},
        headers=headers or raw,  # type: ignore[arg-type]
    )
    if answer.status_code == 400:
        told(answer, "BAD_REQUEST")  # the HTTP parser itself refused the header
        return
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    told(answer, "UNAUTHENTICATED")


@pytest.mark.parametrize("path", ["/", "/graphql/", "/graphql/x", "/GRAPHQL", "/metrics/", "/../etc/passwd"])
async def test_a_path_that_is_none(unharmed: Scene, path: str) -> None:
    base = unharmed.player._url().removesuffix("/graphql")
    answer = await unharmed.player.http.post(base + path, json={"query": "{ me { id } }"})
    assert answer.status_code == 404
    told(answer, "NOT_FOUND")


def nested(depth: int) -> str:
    return '{ table(id: "x") { updates { nodes { table ' * depth + "{ id }" + " } } } }" * depth


def bomb(levels: int) -> str:
    """Fragments that spread the next one twice: 2 ** levels fields."""
    spread = "".join(
        f"fragment F{level} on Game {{ ...F{level + 1} a{level}: name ...F{level + 1} }} "
        for level in range(levels)
    )
    return f"{{ games {{ ...F0 }} }} {spread} fragment F{levels} on Game {{ id }}"


DOCUMENTS: dict[str, tuple[str, str]] = {
    "two operations and no name": (
        "query A { me { id } } query B { me { id } }",
        "BAD_REQUEST",
    ),
    "no GraphQL": ("hello world", "GRAPHQL_PARSE_FAILED"),
    "an unclosed brace": ("{ me { id }", "GRAPHQL_PARSE_FAILED"),
    "an unclosed string": ('{ table(id: "x) { id } }', "GRAPHQL_PARSE_FAILED"),
    "a control character": ("{ me { \x07 id } }", "GRAPHQL_PARSE_FAILED"),
    "an escape that is none": ('{ table(id: "\\x") { id } }', "GRAPHQL_PARSE_FAILED"),
    "a lone surrogate in a string": ('{ table(id: "\\uD800") { id } }', "GRAPHQL_PARSE_FAILED"),
    "a type definition": ("type A { b: Int }", "BAD_REQUEST"),
    "a field that is not there": ("{ me { password } }", "GRAPHQL_VALIDATION_FAILED"),
    "a field of the inside": ("{ me { __class__ } }", "GRAPHQL_VALIDATION_FAILED"),
    "no selection": ("{ me }", "GRAPHQL_VALIDATION_FAILED"),
    "a selection of a scalar": ("{ me { id { x } } }", "GRAPHQL_VALIDATION_FAILED"),
    "an argument that is not there": ("{ me(x: 1) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "an argument left out": ("{ table { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "an argument of another type": ("{ table(id: {a: 1}) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "an Int that is a string": ('{ tables(first: "10") { nodes { id } } }', "GRAPHQL_VALIDATION_FAILED"),
    "an Int of 40 digits": (
        f"{{ tables(first: {'9' * 40}) {{ nodes {{ id }} }} }}",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "an Int of 3,000 digits": (
        f"{{ tables(first: {'9' * 3000}) {{ nodes {{ id }} }} }}",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "an enum that is none": (
        "{ tables(filter: {status: LOST}) { nodes { id } } }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "a variable that is not declared": ("{ table(id: $x) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a variable that is not given": ("query ($x: ID!) { table(id: $x) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a variable of another type": ("query ($x: Int!) { table(id: $x) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a directive that is none": ("{ me @explode { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a flood of directives": ("{ me " + "@skip(if: false) " * 1000 + "{ id } }", "DOCUMENT_TOO_LARGE"),
    "a hundred directives": ("{ me " + "@skip(if: false) " * 100 + "{ id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a flood of directives that are none": ("{ me " + "@a " * 1500 + "{ id } }", "GRAPHQL_VALIDATION_FAILED"),
    "1,000 aliases": (
        "{ " + " ".join(f"a{n}: __typename" for n in range(1000)) + " }",
        "DOCUMENT_TOO_LARGE",
    ),
    "40 mutations": (
        "mutation { "
        + " ".join(f'a{n}: signInAsGuest(input: {{name: "x"}}) {{ token }}' for n in range(40))
        + " }",
        "DOCUMENT_TOO_LARGE",
    ),
    "40 mutations in a fragment": (
        "mutation { ...F } fragment F on Mutation { "
        + " ".join(f'a{n}: signInAsGuest(input: {{name: "x"}}) {{ token }}' for n in range(40))
        + " }",
        "DOCUMENT_TOO_LARGE",
    ),
    "5,000 fields": ("{ " + "__typename " * 5000 + "}", "DOCUMENT_TOO_LARGE"),
    "2,500 fields": ("{ " + "__typename " * 2500 + "}", "DOCUMENT_TOO_LARGE"),
    "100 levels": (nested(25), "DOCUMENT_TOO_LARGE"),
    "1,000 braces": ("{ a " * 1000 + "}" * 1000, "DOCUMENT_TOO_LARGE"),
    "1,900 brackets": ("{ me(a: " + "[" * 1900 + "]" * 1900 + ") { id } }", "DOCUMENT_TOO_LARGE"),
    "1,900 objects": ("{ me(a: " + "{a: " * 900 + "1" + "}" * 900 + ") { id } }", "DOCUMENT_TOO_LARGE"),
    "a type of 1,900 brackets": (
        "query ($a: " + "[" * 1900 + "Int" + "]" * 1900 + ") { me { id } }",
        "DOCUMENT_TOO_LARGE",
    ),
    "an exponential fragment": (bomb(30), "DOCUMENT_TOO_LARGE"),
    "a fragment that is not there": ("{ me { ...F } }", "GRAPHQL_VALIDATION_FAILED"),
    "a fragment that spreads itself": (
        "{ me { ...F } } fragment F on Player { id ...F }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "fragments that spread one another": (
        "{ me { ...F } } fragment F on Player { id ...G } fragment G on Player { name ...F }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "a fragment twice": (
        "{ me { ...F } } fragment F on Player { id } fragment F on Player { name }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "fields in conflict": ("{ me { a: id a: name } }", "GRAPHQL_VALIDATION_FAILED"),
    "a subscription by POST": (
        'subscription { tableUpdates(tableId: "x") { version } }',
        "SUBSCRIPTION_TRANSPORT",
    ),
    "introspection in a circle": (
        "{ __schema { types { fields { type { fields { type { fields { type { fields { type "
        "{ fields { type { name } } } } } } } } } } } } }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "no games of that cursor": ('{ tables(after: "???") { nodes { id } } }', "INVALID_CURSOR"),
    "a cursor of another list": (
        '{ tables(after: "dXBkYXRlfDE") { nodes { id } } }',
        "INVALID_CURSOR",
    ),
    "a cursor of nonsense": ('{ tables(after: "dGFibGV8YXxi") { nodes { id } } }', "INVALID_CURSOR"),
    "a cursor of 5,000 letters": (
        f'{{ tables(after: "{"x" * 5000}") {{ nodes {{ id }} }} }}',
        "INVALID_CURSOR",
    ),
    "a cursor beyond ASCII": ('{ tables(after: "ünï") { nodes { id } } }', "INVALID_CURSOR"),
    "first: 0": ("{ tables(first: 0) { nodes { id } } }", "INVALID_ARGUMENT"),
    "first: -1": ("{ tables(first: -1) { nodes { id } } }", "INVALID_ARGUMENT"),
    "first: 2147483647": ("{ tables(first: 2147483647) { nodes { id } } }", "INVALID_ARGUMENT"),
    "first: 101": ("{ tables(first: 101) { nodes { id } } }", "INVALID_ARGUMENT"),
    "my tables of nobody": ("{ tables(filter: {mine: true}) { nodes { id } } }", "UNAUTHENTICATED"),
}


@pytest.mark.parametrize("document", DOCUMENTS)
async def test_a_document_that_cannot_be_carried_out(unharmed: Scene, document: str) -> None:
    text, code = DOCUMENTS[document]
    answer = await unharmed.player.http.post(unharmed.player._url(), json={"query": text})
    assert answer.status_code in (200, 400)
    told(answer, code)


VARIABLES: dict[str, tuple[str, Callable[[Scene], Any], str, str]] = {
    "no input": (PLAY, lambda s: None, "GRAPHQL_VALIDATION_FAILED", "PlayMoveInput!"),
    "a list for an input": (PLAY, lambda s: [1], "GRAPHQL_VALIDATION_FAILED", "PlayMoveInput"),
    "no move": (PLAY, lambda s: {"tableId": s.table}, "GRAPHQL_VALIDATION_FAILED", "move"),
    "an empty move": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {}},
        "GRAPHQL_VALIDATION_FAILED",
        "MoveInput",
    ),
    "two moves at once": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"flip": True, "call": {"target": 31}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "move.callIt",
    ),
    "a null move": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": None}},
        "GRAPHQL_VALIDATION_FAILED",
        "move",
    ),
    "a move of no game": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"poker": {"fold": True}}},
        "GRAPHQL_VALIDATION_FAILED",
        "poker",
    ),
    "a field too many": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "cheat": True},
        "GRAPHQL_VALIDATION_FAILED",
        "cheat",
    ),
    "a target of 30.5": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": 30.5}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "'$i' has invalid value at .move.callIt.call.target: Int",
    ),
    "a target of 2^40": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": 2**40}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "target",
    ),
    "a target that is a string": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": "31"}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "Int",
    ),
    "a target of 100 kilobytes": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": "9" * 100_000}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "target",
    ),
    "a target that is true": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": True}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "target",
    ),
    "a version that is a string": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": "2"},
        "GRAPHQL_VALIDATION_FAILED",
        "expectedVersion",
    ),
    "an id that is an object": (
        PLAY,
        lambda s: {"tableId": {"$gt": ""}, "move": FLIP},
        "GRAPHQL_VALIDATION_FAILED",
        "ID",
    ),
    "seats that are a list": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": [1]},
        "GRAPHQL_VALIDATION_FAILED",
        "seats",
    ),
    "two games": (
        CREATE,
        lambda s: {"game": {"callIt": {}, "flip": {}}},
        "GRAPHQL_VALIDATION_FAILED",
        "GameInput",
    ),
    "no game": (CREATE, lambda s: {"game": {}}, "GRAPHQL_VALIDATION_FAILED", "GameInput"),
    "a visibility that is none": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "visibility": "SECRET"},
        "GRAPHQL_VALIDATION_FAILED",
        "SECRET",
    ),
}


@pytest.mark.parametrize("case", VARIABLES)
async def test_variables_that_do_not_fit_name_the_place_and_what_is_expected(
    unharmed: Scene, case: str
) -> None:
    document, variables, code, word = VARIABLES[case]
    answer = await unharmed.player.http.post(
        unharmed.player._url(),
        json={"query": document, "variables": {"i": variables(unharmed)}},
        headers=unharmed.player.headers,
    )
    assert word in told(answer, code)["message"]


REFUSED: dict[str, tuple[str, Callable[[Scene], Any], str, str | None]] = {
    "an unknown table": (
        PLAY,
        lambda s: {"tableId": "tbl_" + "0" * 20, "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an id of a player": (
        PLAY,
        lambda s: {"tableId": s.player.player, "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an empty id": (PLAY, lambda s: {"tableId": "", "move": FLIP}, "TABLE_NOT_FOUND", "tableId"),
    "an id with a NUL": (
        PLAY,
        lambda s: {"tableId": s.table + "\0", "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an id of 100 kilobytes": (
        PLAY,
        lambda s: {"tableId": "t" * 100_000, "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an id that is a number": (PLAY, lambda s: {"tableId": 5, "move": FLIP}, "TABLE_NOT_FOUND", "tableId"),
    "somebody else's table": (PLAY, lambda s: {"tableId": s.others, "move": CALL_31}, "NOT_SEATED", None),
    "somebody else's seat": (
        PLAY,
        lambda s: {"tableId": s.others, "move": CALL_31, "seat": 0},
        "NOT_YOUR_SEAT",
        "seat",
    ),
    "seat -1": (PLAY, lambda s: {"tableId": s.table, "move": FLIP, "seat": -1}, "INVALID_VALUE", "seat"),
    "seat 2147483647": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "seat": 2**31 - 1},
        "INVALID_VALUE",
        "seat",
    ),
    "an old version": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": 1},
        "STALE_VERSION",
        "expectedVersion",
    ),
    "version -5": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": -5},
        "STALE_VERSION",
        "expectedVersion",
    ),
    "a version to come": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": 3},
        "STALE_VERSION",
        "expectedVersion",
    ),
    "an empty key": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "idempotencyKey": ""},
        "INVALID_VALUE",
        "idempotencyKey",
    ),
    "a key of 129 letters": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "idempotencyKey": "k" * 129},
        "INVALID_VALUE",
        "idempotencyKey",
    ),
    "flip: false": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"flip": False}}},
        "INVALID_VALUE",
        "move.callIt.flip",
    ),
    "a target below 30": (
        PLAY,
        lambda s: {"tableId": s.fresh, "move": {"callIt": {"call": {"target": 29}}}},
        "INVALID_VALUE",
        "move.callIt.call.target",
    ),
    "a target of -2147483648": (
        PLAY,
        lambda s: {"tableId": s.fresh, "move": {"callIt": {"call": {"target": -(2**31)}}}},
        "INVALID_VALUE",
        "move.callIt.call.target",
    ),
    "the next round now": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"nextRound": True}},
        "ROUND_RUNNING",
        None,
    ),
    "0 seats": (CREATE, lambda s: {"game": {"callIt": {}}, "seats": 0}, "INVALID_VALUE", "seats"),
    "-1 seats": (CREATE, lambda s: {"game": {"callIt": {}}, "seats": -1}, "INVALID_VALUE", "seats"),
    "2147483647 seats": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2**31 - 1},
        "INVALID_VALUE",
        "seats",
    ),
    "a local seat without a name": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2, "localSeats": [" "]},
        "INVALID_VALUE",
        "localSeats.0",
    ),
    "a local seat of 41 letters": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2, "localSeats": ["x" * 41]},
        "INVALID_VALUE",
        "localSeats.0",
    ),
    "a local seat with a control character": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2, "localSeats": ["a\u202eb"]},
        "INVALID_VALUE",
        "localSeats.0",
    ),
    "more local seats than seats": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 1, "localSeats": ["a", "b"]},
        "INVALID_VALUE",
        "localSeats",
    ),
    "10,000 local seats": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "localSeats": ["a"] * 10_000},
        "INVALID_VALUE",
        "localSeats",
    ),
    "joining nothing": (JOIN, lambda s: {}, "INVALID_VALUE", "tableId"),
    "joining by id and code": (
        JOIN,
        lambda s: {"tableId": s.table, "code": "ABCDEF"},
        "INVALID_VALUE",
        "tableId",
    ),
    "joining a code that is not there": (JOIN, lambda s: {"code": "------"}, "TABLE_NOT_FOUND", "code"),
    "joining an empty code": (JOIN, lambda s: {"code": ""}, "TABLE_NOT_FOUND", "code"),
    "joining a code with a NUL": (JOIN, lambda s: {"code": "AB\0CDE"}, "TABLE_NOT_FOUND", "code"),
    "joining a code from the right": (JOIN, lambda s: {"code": "\u202eABCDEF"}, "TABLE_NOT_FOUND", "code"),
    "joining a code of 100 kilobytes": (JOIN, lambda s: {"code": "A" * 100_000}, "TABLE_NOT_FOUND", "code"),
    "joining a table that plays": (JOIN, lambda s: {"tableId": s.others}, "TABLE_STARTED", None),
    "starting somebody else's table": (START, lambda s: {"tableId": s.others}, "NOT_HOST", None),
    "starting a table twice": (START, lambda s: {"tableId": s.table}, "TABLE_STARTED", None),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_request_that_is_refused_says_why_and_where(unharmed: Scene, case: str) -> None:
    document, variables, code, field = REFUSED[case]
    answer = next(iter((await unharmed.player.data(document, i=variables(unharmed))).values()))
    assert (answer["__typename"], answer["code"]) == ("Refusal", code)
    assert answer["field"] == field
    assert answer["message"] and not INSIDE.search(answer["message"]) and len(answer["message"]) < 400


@pytest.mark.parametrize("document", [PLAY, CREATE, JOIN, START])
async def test_nobody_can_do_nothing(unharmed: Scene, document: str) -> None:
    inputs: dict[str, Any] = {PLAY: {"move": FLIP}, CREATE: {"game": {"callIt": {}}}}
    wanted = {**inputs.get(document, {}), **({} if document == CREATE else {"tableId": unharmed.table})}
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": document, "variables": {"i": wanted}}
    )
    told(answer, "UNAUTHENTICATED")


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 41, "a\0b", "a\u202eb", "\u200b", "a\x1bb", "\ufeff", "a\ue000b", "\u2028"],
    ids=ascii,
)
async def test_nobody_is_called_that(unharmed: Scene, name: str) -> None:
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": SIGN_IN, "variables": {"n": name}}
    )
    assert "name" in told(answer, "INVALID_ARGUMENT")["message"]


async def test_a_name_may_be_of_any_script(unharmed: Scene) -> None:
    for name in ("Зоя", "愛子", "أمل", "Zoë 🂡", "נועה"):
        made = await unharmed.player.data(SIGN_IN, n=f"  {name} ")
        assert made["signInAsGuest"]["player"]["name"] == name


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ('after: "x"', "INVALID_CURSOR"),
        ('after: ""', "INVALID_CURSOR"),
        ('after: "dXBkYXRlfHh5eg"', "INVALID_CURSOR"),
        ('after: "dXBkYXRlfC01"', "INVALID_CURSOR"),
        ('after: "dXBkYXRlfDk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5"', "INVALID_CURSOR"),
        ("first: -3", "INVALID_ARGUMENT"),
        ("first: 0", "INVALID_ARGUMENT"),
        ("first: 1000000", "INVALID_ARGUMENT"),
    ],
)
async def test_a_replay_from_nowhere(unharmed: Scene, arguments: str, code: str) -> None:
    text = f"query ($i: ID!) {{ table(id: $i) {{ updates({arguments}) {{ nodes {{ version }} }} }} }}"
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": text, "variables": {"i": unharmed.table}}
    )
    told(answer, code)


@pytest.mark.parametrize("id", ["", "x", "tbl_", "tbl_" + "0" * 20, "ply_" + "0" * 20, "a\0b", "é" * 5000])
async def test_what_is_not_there_is_null(unharmed: Scene, id: str) -> None:
    text = (
        "query ($i: ID!, $s: String!) { node(id: $i) { id } table(id: $i) { id } "
        "tableByCode(code: $s) { id } }"
    )
    assert set((await unharmed.player.data(text, i=id, s=id)).values()) == {None}


async def test_a_document_of_many_clients_costs_no_memory_for_ever(unharmed: Scene) -> None:
    """Documents that are kept for the next time are bounded in number and size; wrong ones too."""
    for number in range(700):
        answer = await unharmed.player.http.post(
            unharmed.player._url(), json={"query": f"query Q{number} {{ nothing }}"}
        )
        assert answer.json()["errors"]
