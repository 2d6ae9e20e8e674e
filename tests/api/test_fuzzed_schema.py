"""Schemathesis makes up documents from the schema: whatever it asks, the server never stumbles.

`make soak-fuzz` does it for FLIPTABLE_FUZZ_SECONDS, with another seed (FLIPTABLE_FUZZ_SEED) each time.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from graphql import (
    GraphQLInputObjectType,
    GraphQLSchema,
    ObjectValueNode,
    StringValueNode,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    get_named_type,
    parse,
    print_ast,
    visit,
)
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from serverkit import SIGN_IN, Caller, Server

from fliptable.plugins import Registry
from fliptable_api.schema import build_schema

EXAMPLES = 6
ROOTS = ("Query", "Mutation")
LOOSE = {
    # Documents of Schemathesis are deeper and wider than a client's; limits have tests of their own.
    "FLIPTABLE_MAX_DEPTH": "100",
    "FLIPTABLE_MAX_FIELDS": "100000",
    "FLIPTABLE_MAX_ALIASES": "100000",
    "FLIPTABLE_MAX_TOKENS": "100000",
}


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory, mongo_url: str) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fuzzed")
    arguments = ["--mongo-url", mongo_url]
    with Server(folder, *arguments, FLIPTABLE_MONGO_DATABASE="fuzzed", **LOOSE) as server:
        yield server


@pytest.fixture(scope="module")
def token(fuzzed: Server) -> str:
    answer = httpx.post(fuzzed.url, json={"query": SIGN_IN, "variables": {"n": "Ann"}}).json()
    found: str = answer["data"]["signInAsGuest"]["token"]
    return found


class Mend(Visitor):
    """Makes a document mean more: one field of each @oneOf input, and ids of things that are there."""

    def __init__(self, types: TypeInfo, ids: list[str], rng: random.Random) -> None:
        super().__init__()
        self._types, self._ids, self._rng = types, ids, rng

    def enter_object_value(self, node: ObjectValueNode, *_: Any) -> Any:
        kind = get_named_type(self._types.get_input_type())
        given = [one for one in node.fields if one.value.kind != "null_value"]
        if not isinstance(kind, GraphQLInputObjectType) or not kind.is_one_of or not given:
            return None
        return ObjectValueNode(fields=(self._rng.choice(given),))

    def enter_argument(self, node: Any, *_: Any) -> Any:
        return self._named(node)

    def enter_object_field(self, node: Any, *_: Any) -> Any:
        return self._named(node)

    def _named(self, node: Any) -> Any:
        if node.name.value not in ("id", "tableId") or self._rng.random() < 0.1:
            return None
        value = StringValueNode(value=self._rng.choice(self._ids))
        return type(node)(name=node.name, value=value)


def mended(schema: GraphQLSchema, document: str, ids: list[str]) -> str:
    types = TypeInfo(schema)
    visitor = TypeInfoVisitor(types, Mend(types, ids, random.Random(document)))
    return print_ast(visit(parse(document), visitor))


@pytest.fixture(scope="module")
def ids(fuzzed: Server, token: str) -> list[str]:
    """A table that waits, some that play, and a player."""
    return asyncio.run(opened(fuzzed, token))


async def opened(fuzzed: Server, token: str) -> list[str]:
    async with Caller(fuzzed.url, token) as ann:
        me = (await ann.data("{ me { id } }"))["me"]["id"]
        seats: list[dict[str, Any]] = [
            {"game": {"callIt": {}}},
            {"game": {"callIt": {}}, "mode": {"practice": {}}},
            {"game": {"flip7": {}}, "seats": 2, "localSeats": ["Lou"]},
            {"game": {"flip": {}}, "seats": 2, "localSeats": ["Lou"]},
            {"game": {"scoreboard": {}}, "seats": 2, "localSeats": ["Lou", "Max"]},
            {"game": {"callIt": {}}, "seats": 3, "visibility": "PUBLIC"},
        ]
        return [me, *[(await ann.open(**one))["id"] for one in seats]]


@pytest.fixture(scope="module")
def described(registry: Registry) -> GraphQLSchema:
    return build_schema(registry).schema._schema


class Asker:
    """Asks what Schemathesis makes up, sometimes with a token of its own making, and counts the answers."""

    def __init__(self, server: Server, described: GraphQLSchema, ids: list[str], token: str | None) -> None:
        self._server, self._described, self._ids, self._token = server, described, ids, token
        self._documents = schemathesis.graphql.from_url(server.url)
        self.codes: Counter[str] = Counter()

    def operations(self, root: str) -> list[str]:
        return list(self._documents[root])

    def ask(self, client: httpx.Client, root: str, name: str, seed: int) -> None:
        """A few documents for one field of a root type."""
        operation = self._documents[root][name]

        @seeded(seed)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def one(case: Any) -> None:
            for document in (case.body, mended(self._described, case.body, self._ids)):
                self._hold(client, document, seed)

        one()

    def _hold(self, client: httpx.Client, document: str, seed: int) -> None:
        token = self._token
        if token == RANDOM:
            token = made_up(random.Random(f"{seed} {document}"))
        elif token is not None and "signOut" in document:
            # Of its own, so that the others keep theirs.
            token = another(client, self._server, token)
        headers = {} if token is None else {"authorization": token}
        answer = client.post(self._server.url, json={"query": document}, headers=headers)
        about = (answer.status_code, answer.text, token, document, f"seed {seed}")
        assert answer.status_code in ((200, 400, 401) if self._token == RANDOM else (200, 400)), about
        for error in answer.json().get("errors", ()):
            code = error["extensions"]["code"]
            assert code not in ("INTERNAL", "UNAVAILABLE", "TABLE_UNREADABLE"), about
            self.codes[code] += 1
        self.codes["answered"] += "errors" not in answer.json()

    def hold_the_server(self) -> None:
        """The server has not stumbled, and still answers."""
        assert not re.search(r"Traceback|error [0-9a-f]{16}", self._server.log), self._server.log[-5000:]
        assert httpx.get(self._server.base + "/readyz").status_code == 200


def another(client: httpx.Client, server: Server, token: str) -> str:
    """Another token of the same player."""
    renewal = {"query": "mutation { renewToken { token } }"}
    answer = client.post(server.url, json=renewal, headers={"authorization": token}).json()
    return f"Bearer {answer['data']['renewToken']['token']}"


RANDOM = "made up"


def made_up(rng: random.Random) -> str:
    """Something where a token should be: of the right form, or of any."""
    if rng.random() < 0.5:
        return f"Bearer ft_{rng.getrandbits(256):064x}"
    letters = "".join(chr(rng.choice((rng.randrange(33, 127), 32))) for _ in range(rng.randrange(60)))
    return (rng.choice(("", "Bearer ", "Bearer ft_", "Basic ", "bearer  ")) + letters).strip()


@pytest.mark.parametrize("signed_in", [False, True], ids=["without a token", "with a token"])
@pytest.mark.parametrize("root", ROOTS)
def test_no_document_makes_the_server_stumble(
    fuzzed: Server, described: GraphQLSchema, token: str, ids: list[str], root: str, signed_in: bool
) -> None:
    asker = Asker(fuzzed, described, ids, f"Bearer {token}" if signed_in else None)
    with httpx.Client(timeout=30) as client:
        for name in asker.operations(root):
            asker.ask(client, root, name, seed=31)
    assert asker.codes["answered"] > 3, asker.codes
    asker.hold_the_server()


def test_no_document_makes_the_server_stumble_whoever_asks(
    fuzzed: Server, described: GraphQLSchema, token: str, ids: list[str]
) -> None:
    """With a token, without one, and with what is none, for a moment or as long as it is told to."""
    told = "FLIPTABLE_FUZZ_SECONDS" in os.environ
    end = time.monotonic() + float(os.environ.get("FLIPTABLE_FUZZ_SECONDS", "2"))
    first = seed = int(os.environ.get("FLIPTABLE_FUZZ_SEED", random.randrange(2**32) if told else 32))
    askers = [Asker(fuzzed, described, ids, one) for one in (f"Bearer {token}", None, RANDOM)]
    wanted = [(root, name) for root in ROOTS for name in askers[0].operations(root)]
    random.Random(first).shuffle(wanted)
    with httpx.Client(timeout=30) as client:
        while seed == first or time.monotonic() < end:
            root, name = wanted[(seed - first) % len(wanted)]
            # Mostly with the token: without it, most get no further than the door.
            askers[random.Random(seed).choice((0, 0, 0, 1, 2))].ask(client, root, name, seed)
            seed += 1
    askers[0].hold_the_server()
    codes = sum((asker.codes for asker in askers), Counter[str]())
    print(f"seeds {first} to {seed - 1}: {dict(codes.most_common())}")
    assert codes.total() > 0
