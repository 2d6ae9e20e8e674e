"""Forty attacks, each answered with its documented code, and what it costs the server.

pytest tests/api/test_attacks.py -s        prints the table
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import CALL_31, PLAY, Caller, Closed, Failed, caller, raw_socket, socket

from fliptable_api.httpprotocol import MOST_HEAD

pytestmark = pytest.mark.anyio

LIMITS = {"rate_per_address": 60, "connections_per_address": 120, "connections_per_player": 60}
"""Lower than a server's own, so that a flood is one soon."""

ELSEWHERE = "203.0.113."
"""Where floods come from, as a proxy of this machine tells it: the others are not in their way."""

MOST_SECONDS = 2.0
"""What an attack may cost: far more than any does, far less than what would hurt."""


@dataclass
class Scene:
    server: Local
    ann: Caller
    bob: Caller
    table: str
    costs: list[tuple[str, str, float]] = field(default_factory=list)

    async def post(self, query: str, **more: Any) -> str:
        headers = {**self.ann.headers, **more.pop("headers", {})}
        return code_of(
            await self.ann.http.post(self.server.url, json={"query": query, **more}, headers=headers)
        )

    async def send(self, content: bytes, kind: str = "application/json", **headers: str) -> str:
        given = {"content-type": kind, **headers} if kind else headers
        return code_of(await self.ann.http.post(self.server.url, content=content, headers=given))

    async def move(self, **wanted: Any) -> str:
        answer = await self.bob.data(PLAY, i={"tableId": self.table, "move": CALL_31, **wanted})
        code: str = answer["playMove"]["code"]
        return code


def code_of(answer: httpx.Response) -> str:
    payload = answer.json()
    if "errors" not in payload:
        return "answered"
    code: str = payload["errors"][0]["extensions"]["code"]
    return code


@pytest.fixture(scope="module")
async def scene() -> AsyncIterator[Scene]:
    async with local(**LIMITS) as server, caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        scene = Scene(server, ann, bob, (await ann.open())["id"])
        yield scene
        print(f"\n{'attack':48} {'answer':28} CPU ms")
        for name, code, seconds in scene.costs:
            print(f"{name:48} {code:28} {seconds * 1000:6.1f}")


def deep(levels: int) -> str:
    parts = [
        f"fragment F{n} on Table {{ updates {{ nodes {{ table {{ ...F{n + 1} }} }} }} }}"
        for n in range(levels)
    ]
    return "{ table(id: 1) { ...F0 } }" + "".join(parts) + f"fragment F{levels} on Table {{ id }}"


def bomb(levels: int) -> str:
    spread = "".join(
        f"fragment F{n} on Game {{ ...F{n + 1} a{n}: name ...F{n + 1} }} " for n in range(levels)
    )
    return f"{{ games {{ ...F0 }} }} {spread} fragment F{levels} on Game {{ id }}"


def aliased(count: int, text: str, kind: str = "") -> str:
    return kind + " { " + " ".join(f"a{n}: {text}" for n in range(count)) + " }"


async def slow_body(scene: Scene) -> str:
    """Half a request, and then nothing: others are served meanwhile."""
    host, port = scene.server.base.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
    writer.write(b"Content-Length: 1000\r\n\r\n{")
    await writer.drain()
    answer = await scene.post("{ __typename }")
    writer.close()
    await writer.wait_closed()
    return answer


async def many_subscriptions(scene: Scene) -> str:
    async with socket(scene.server.socket_url) as one:
        payload = {"query": f'subscription {{ tableUpdates(tableId: "{scene.table}") {{ version }} }}'}
        for number in range(101):
            await one.send({"id": str(number), "type": "subscribe", "payload": payload})
        while True:
            answer = await one.receive()
            if answer["type"] == "error":
                code: str = answer["payload"][0]["extensions"]["code"]
                return code


async def closed_by(scene: Scene, *messages: str) -> str:
    async with raw_socket(scene.server.socket_url) as one:
        try:
            for message in messages:
                await one.connection.send(message)
            while True:
                await one.receive()
        except Closed as closed:
            return str(closed.code)


async def foreign_update(scene: Scene) -> str:
    async with socket(scene.server.socket_url, scene.bob.token) as one:
        try:
            query = "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }"
            async for _ in one.run(query, t=scene.ann.player):
                pass
        except Failed as failed:
            return str(failed.code)
    return "answered"


async def token_in_url(scene: Scene) -> str:
    url = f"{scene.server.url}?token={scene.ann.token}&authorization=Bearer%20{scene.ann.token}"
    async with httpx.AsyncClient() as http:
        answer = await http.post(url, json={"query": "{ me { id } }"})
    return "nobody" if answer.json() == {"data": {"me": None}} else "signed in"


async def simple_request(scene: Scene) -> str:
    """What a page of another origin can send without a preflight."""
    content = json.dumps({"query": 'mutation { signInAsGuest(input: {name: "x"}) { token } }'}).encode()
    return await scene.send(content, "text/plain", origin="https://evil.example")


async def get_mutation(scene: Scene) -> str:
    params = {"query": 'mutation { signInAsGuest(input: {name: "x"}) { token } }'}
    return code_of(await scene.ann.http.get(scene.server.url, params=params))


def handshake(number: int) -> bytes:
    return (
        f"GET /graphql HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {ELSEWHERE}{number}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
    ).encode()


def following(scene: Scene, number: int, accept: str) -> bytes:
    query = f'subscription {{ tableUpdates(tableId: "{scene.table}") {{ version }} }}'
    content = json.dumps({"query": query})
    return (
        f"POST /graphql HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {ELSEWHERE}{number}\r\nAccept: {accept}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n{content}"
    ).encode()


async def flood(scene: Scene, sent: bytes, stay: bool) -> str:
    """The same over and over, each time over a connection of its own, until it is refused."""
    host, port = scene.server.base.removeprefix("http://").split(":")
    kept: list[asyncio.StreamWriter] = []
    try:
        while True:
            reader, writer = await asyncio.open_connection(host, int(port))
            kept.append(writer)
            writer.write(sent)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            if " 429 " in head:
                assert "application/json" in head
                code: str = json.loads(await reader.read(10_000))["errors"][0]["extensions"]["code"]
                assert ("retry-after" in head.lower()) == (code == "RATE_LIMITED")
                return code
            assert " 101 " in head or " 200 " in head
            if not stay:
                kept.pop().transport.abort()
    finally:
        for writer in kept:
            writer.transport.abort()


async def sockets_of_one_player(scene: Scene) -> str:
    async with AsyncExitStack() as stack:
        try:
            for number in range(1000):
                where = {"x-forwarded-for": f"{ELSEWHERE}{100 + number % 100}"}
                opened = socket(scene.server.socket_url, scene.ann.token, additional_headers=where)
                await stack.enter_async_context(opened)
        except Closed as closed:
            assert closed.reason.startswith("CONNECTION_LIMIT")
            return str(closed.code)
    return "answered"


async def endless_head(scene: Scene) -> str:
    host, port = scene.server.base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /graphql HTTP/1.1\r\nX: ".ljust(MOST_HEAD + 1, b"a"))
    answer = await reader.read()
    writer.close()
    code: str = json.loads(answer.partition(b"\r\n\r\n")[2])["errors"][0]["extensions"]["code"]
    return code


def persisted(text: str, other: str) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": sha256(other.encode()).hexdigest()}}


SUBSCRIBE = json.dumps({"id": "1", "type": "subscribe", "payload": {"query": "{ me { id } }"}})
SIGN_IN = 'signInAsGuest(input: {name: "x"}) { token }'
READ = "query ($i: ID!) { table(id: $i) { id } }"
NAME = "mutation ($n: String!) { signInAsGuest(input: {name: $n}) { token } }"
PAGES = (
    "{ tables(first: 100) { nodes { updates(first: 100) { nodes { table { seats { player { id } } } } } } } }"
)
INIT = '{"type": "connection_init"}'

Attack = Callable[[Scene], Awaitable[str]]

ATTACKS: dict[str, tuple[Attack, str]] = {
    "fragments 50 deep": (lambda s: s.post(deep(50)), "DOCUMENT_TOO_LARGE"),
    "fragments in a circle": (
        lambda s: s.post("{ me { ...A } } fragment A on Player { ...B } fragment B on Player { ...A }"),
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "fragments that double 30 times": (lambda s: s.post(bomb(30)), "DOCUMENT_TOO_LARGE"),
    "1,000 aliases": (lambda s: s.post(aliased(1000, "__typename")), "DOCUMENT_TOO_LARGE"),
    "a page of pages": (lambda s: s.post(PAGES), "DOCUMENT_TOO_LARGE"),
    "40 mutations": (lambda s: s.post(aliased(40, SIGN_IN, "mutation")), "DOCUMENT_TOO_LARGE"),
    "a flood of directives": (
        lambda s: s.post("{ me " + "@skip(if: false) " * 1000 + "{ id } }"),
        "DOCUMENT_TOO_LARGE",
    ),
    "a flood of unknown directives": (
        lambda s: s.post("{ me " + "@a " * 1500 + "{ id } }"),
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "1,900 brackets": (
        lambda s: s.post("{ me(a: " + "[" * 1900 + "]" * 1900 + ") { id } }"),
        "DOCUMENT_TOO_LARGE",
    ),
    "100,000 tokens": (lambda s: s.post("{ " + "a " * 100_000 + "}"), "DOCUMENT_TOO_LARGE"),
    "introspection in a circle": (
        lambda s: s.post("{ __schema { types " + "{ fields { type " * 8 + "{ name }" + " } }" * 8 + " } }"),
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "variables of 250 kilobytes": (lambda s: s.post(READ, variables={"i": "x" * 250_000}), "answered"),
    "variables of ten megabytes": (
        lambda s: s.post(READ, variables={"i": "x" * 10_000_000}),
        "PAYLOAD_TOO_LARGE",
    ),
    "JSON 100,000 deep": (
        lambda s: s.send(b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        "BAD_REQUEST",
    ),
    "an integer of 3,000 digits": (
        lambda s: s.post("{ tables(first: " + "9" * 3000 + ") { nodes { id } } }"),
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "an integer of 64 bits": (
        lambda s: s.post("query ($n: Int) { tables(first: $n) { nodes { id } } }", variables={"n": 2**63}),
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "a name from right to left": (lambda s: s.post(NAME, variables={"n": "a\u202eb"}), "INVALID_ARGUMENT"),
    "a name of nothing to see": (lambda s: s.post(NAME, variables={"n": "\u200b"}), "INVALID_ARGUMENT"),
    "a batch of requests": (lambda s: s.send(b'[{"query": "{ me { id } }"}]'), "BAD_REQUEST"),
    "a body that never ends": (slow_body, "answered"),
    "101 subscriptions on one socket": (many_subscriptions, "SUBSCRIPTION_LIMIT"),
    "a flood of handshakes": (lambda s: flood(s, handshake(1), stay=False), "RATE_LIMITED"),
    "sockets without end": (lambda s: flood(s, handshake(2), stay=True), "CONNECTION_LIMIT"),
    "streams of events without end": (
        lambda s: flood(s, following(s, 3, "text/event-stream"), stay=True),
        "CONNECTION_LIMIT",
    ),
    "streams of parts without end": (
        lambda s: flood(s, following(s, 4, "multipart/mixed;subscriptionSpec=1.0"), stay=True),
        "CONNECTION_LIMIT",
    ),
    "sockets of one player without end": (sockets_of_one_player, "1013"),
    "headers without end": (endless_head, "PAYLOAD_TOO_LARGE"),
    "a form": (
        lambda s: s.send(b"query=%7Bme%7Bid%7D%7D", "application/x-www-form-urlencoded"),
        "BAD_REQUEST",
    ),
    "no content type": (lambda s: s.send(b'{"query": "{ me { id } }"}', ""), "BAD_REQUEST"),
    "a simple request of another origin": (simple_request, "BAD_REQUEST"),
    "a mutation by GET": (get_mutation, "BAD_REQUEST"),
    "the id of a player for a table": (foreign_update, "NOT_FOUND"),
    "somebody else's seat": (lambda s: s.move(seat=0), "NOT_YOUR_SEAT"),
    "a token in the URL": (token_in_url, "nobody"),
    "a stale token": (
        lambda s: s.post("{ me { id } }", headers={"authorization": "Bearer ft_" + "0" * 40}),
        "UNAUTHENTICATED",
    ),
    "a stale token over a WebSocket": (
        lambda s: closed_by(s, '{"type": "connection_init", "payload": {"authorization": "Bearer ft_0"}}'),
        "4403",
    ),
    "an operation before the token": (lambda s: closed_by(s, SUBSCRIBE), "4401"),
    "two first messages": (lambda s: closed_by(s, INIT, INIT), "4429"),
    "a cursor of another list": (
        lambda s: s.post('{ tables(after: "dXBkYXRlfDE") { nodes { id } } }'),
        "INVALID_CURSOR",
    ),
    "a hash of another document": (
        lambda s: s.post("{ me { id } }", extensions=persisted("{ me { id } }", "{ games { id } }")),
        "BAD_REQUEST",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_attack_is_answered_with_its_code(scene: Scene, attack: str) -> None:
    carry_out, code = ATTACKS[attack]
    before = time.process_time()
    found = await carry_out(scene)
    seconds = time.process_time() - before
    scene.costs.append((attack, found, seconds))
    assert found == code
    # Server and client together, in this process.
    assert seconds < MOST_SECONDS
    assert await scene.post("{ __typename }") == "answered"


def test_there_are_forty() -> None:
    assert len(ATTACKS) >= 40
