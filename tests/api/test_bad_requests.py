"""HTTP requests that are wrong in every way: each gets a coded answer, and nothing happens."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from scenekit import Scene, told
from serverkit import READ

pytestmark = pytest.mark.anyio


JSON = {"content-type": "application/json"}

BODIES: dict[str, tuple[bytes, dict[str, str], str]] = {
    "an empty body": (b"", JSON, "JSON"),
    "broken JSON": (b'{"query": "{ me { id }', JSON, "JSON"),
    "no JSON at all": (b"hello", JSON, "JSON"),
    "not UTF-8": (b'{"query": "\xff\xfe"}', JSON, "JSON"),
    "a NUL byte": (b'{"query": "{ me { id } }"}\x00', JSON, "JSON"),
    "a lone surrogate": (b'{"query": "{ me { id } } #\\ud800"}', JSON, "Unicode"),
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
    "gzip": (gzip.compress(b'{"query": "{ me { id } }"}'), {**JSON, "content-encoding": "gzip"}, "encoding"),
    "a coding that nobody knows": (b"{}", {**JSON, "content-encoding": "x"}, "encoding"),
    "a header that asks for no cost": (
        b'{"query": "{ me { id } }"}',
        {**JSON, "graphql-cost": "please"},
        "report",
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
    assert answer.status_code == (415 if word in ("content type", "encoding") else 400)
    assert word in told(answer, "BAD_REQUEST")["message"]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"query": "query A { me { id } } query B { me { id } }"}, "2 operations"),
        ({"query": "query A { me { id } }", "operationName": "B"}, '"B"'),
        ({"query": "{ me { id } }", "operationName": "B"}, '"B"'),
        ({"query": "fragment F on Player { id }"}, "no operation"),
        ({"query": "type T { a: Int }"}, "no operation"),
        ({"query": "fragment F on Player { id }", "operationName": "F"}, "no operation"),
    ],
    ids=["two without a name", "another name", "no name", "a fragment", "a type", "the name of a fragment"],
)
async def test_a_document_whose_operation_cannot_be_determined(
    unharmed: Scene, request_: dict[str, str], words: str
) -> None:
    """It is an error of the document, as in GraphQL over HTTP ("Operation cannot be determined")."""
    for accept, status in (("application/json", 200), ("application/graphql-response+json", 400)):
        headers = {"accept": accept}
        answer = await unharmed.player.http.post(unharmed.player._url(), json=request_, headers=headers)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith(accept)
        assert "data" not in answer.json()
        (error,) = answer.json()["errors"]
        assert error["extensions"] == {"code": "BAD_REQUEST"}
        assert words in error["message"]


async def test_a_parameter_that_is_there_twice(unharmed: Scene) -> None:
    for name in ("query", "documentId", "operationName", "variables", "extensions"):
        params = [("query", "{ me { id } }"), (name, "{}"), (name, "{}")]
        answer = await unharmed.player.http.get(unharmed.player._url(), params=params)
        assert answer.status_code == 400
        assert f"`{name}`" in told(answer, "BAD_REQUEST")["message"]


async def test_a_method_that_there_is_none_for_is_told_those_there_are(unharmed: Scene) -> None:
    for method in ("HEAD", "PUT", "DELETE"):
        answer = await unharmed.player.http.request(method, unharmed.player._url())
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


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
    told(answer, "BAD_REQUEST")
