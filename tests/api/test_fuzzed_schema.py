"""Schemathesis makes up documents from the schema: whatever it asks, the server never stumbles."""

from __future__ import annotations

import asyncio
import random
import re
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
from hypothesis import HealthCheck, Phase, given, seed, settings
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


@pytest.mark.parametrize("signed_in", [False, True], ids=["without a token", "with a token"])
@pytest.mark.parametrize("root", ROOTS)
def test_no_document_makes_the_server_stumble(
    fuzzed: Server, described: GraphQLSchema, token: str, ids: list[str], root: str, signed_in: bool
) -> None:
    schema = schemathesis.graphql.from_url(fuzzed.url)
    headers = {"authorization": f"Bearer {token}"} if signed_in else {}
    codes: Counter[str] = Counter()
    with httpx.Client(timeout=30) as client:
        for name in schema[root]:
            operation = schema[root][name]

            @seed(31)
            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy())
            def ask(case: Any) -> None:
                for document in (case.body, mended(described, case.body, ids)):
                    answer = client.post(fuzzed.url, json={"query": document}, headers=headers)
                    assert answer.status_code in (200, 400), (answer.status_code, answer.text, document)
                    for error in answer.json().get("errors", ()):
                        code = error["extensions"]["code"]
                        assert code not in ("INTERNAL", "UNAVAILABLE", "TABLE_UNREADABLE"), (error, document)
                        codes[code] += 1
                    codes["answered"] += "errors" not in answer.json()

            ask()
    assert not re.search(r"Traceback|error [0-9a-f]{16}", fuzzed.log), fuzzed.log
    assert codes["answered"] > 3, codes
    assert httpx.get(fuzzed.base + "/readyz").status_code == 200
