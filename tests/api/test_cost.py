"""What operations cost: told before they are carried out, and limited."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from graphql import get_operation_ast, parse
from inprocess import local
from serverkit import Failed, socket

from fliptable.plugins import Registry
from fliptable_api.cost import ENTRIES, MUTATION, PAGE, cost_of
from fliptable_api.schema import build_schema

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def schema(registry: Registry) -> Any:
    return build_schema(registry).schema._schema


SIGN_IN = 'signInAsGuest(input: {name: "x"}) { token }'
TABLES = "{ nodes { seats { name } } }"
COSTS: list[tuple[str, dict[str, Any], int]] = [
    ("{ __typename }", {}, 0),
    ("{ me { id name } }", {}, 1),
    ("{ a: me { id } b: me { id } }", {}, 2),
    ("{ games { id modes { id } } }", {}, ENTRIES * (1 + ENTRIES)),
    ("{ tables(first: 7) { nodes { id } } }", {}, 1 + 7),
    ("{ tables(first: 7) { edges { cursor node { id } } pageInfo { endCursor } } }", {}, 1 + 7 * 2 + 1),
    (f"{{ tables(first: 7) {TABLES} }}", {}, 1 + 7 * (1 + ENTRIES)),
    ("{ tables { nodes { id } } }", {}, 1 + PAGE),
    # What reads the records of a challenge counts more, a number too.
    ('{ challenge(code: "x") { title counts { wins flips { flips } } bestFlips } }', {}, 1 + 10 + 4 + 10),
    ("{ myChallenges(first: 7) { nodes { bestFlips } } }", {}, 1 + 7 * (1 + 10)),
    ("query ($n: Int) { tables(first: $n) { nodes { id } } }", {"n": 50}, 1 + 50),
    ("query ($n: Int) { tables(first: $n) { nodes { id } } }", {}, 1 + PAGE),
    ("query ($n: Int = 3) { tables(first: $n) { nodes { id } } }", {}, 1 + 3),
    ('{ nodes(ids: ["a", "b", "a"]) { id } }', {}, 3),
    ("{ nodes(ids: []) { id } }", {}, 1),
    (
        "query ($i: [ID!]!) { nodes(ids: $i) { ... on Table { seats { name } } } }",
        {"i": ["a"] * 100},
        100 * 5,
    ),
    ("query ($i: [ID!]!) { nodes(ids: $i) { id } }", {"i": "a"}, 1),
    ('query ($i: [ID!]! = ["a", "b"]) { nodes(ids: $i) { id } }', {}, 2),
    (f"query ($n: Int = {'9' * 5000}) {{ tables(first: $n) {{ nodes {{ id }} }} }}", {}, 1 + 100),
    (
        "query ($n: Int, $m: Int) { tables(first: $n) { nodes { updates(first: $m) { nodes { at } } } } }",
        {"n": 10, "m": 30},
        1 + 10 * (1 + 25 + 30),
    ),
    # A page of more is refused, so that it counts no more than the largest.
    ("{ tables(first: 2147483647) { nodes { id } } }", {}, 1 + 100),
    ("query ($n: Int) { tables(first: $n) { nodes { id } } }", {"n": 10**9}, 1 + 100),
    ("query ($n: Int) { tables(first: $n) { nodes { id } } }", {"n": -5}, 1 + 1),
    (f"mutation {{ {SIGN_IN} }}", {}, MUTATION),
    (f"mutation {{ a: {SIGN_IN} b: {SIGN_IN} }}", {}, 2 * MUTATION),
    # A fragment counts wherever it is spread.
    ("{ tables(first: 5) { ...F } } fragment F on TableConnection { nodes { id } }", {}, 1 + 5),
    ("{ a: me { ...F } b: me { ...F } } fragment F on Player { id }", {}, 2),
    ("{ node(id: 1) { ... on Table { seats { name } } } }", {}, 1 + ENTRIES),
]


@pytest.mark.parametrize(("text", "variables", "cost"), COSTS)
def test_the_cost_of_an_operation(schema: Any, text: str, variables: dict[str, Any], cost: int) -> None:
    document = parse(text)
    operation = get_operation_ast(document)
    assert operation is not None
    assert cost_of(document, schema, operation).of(variables) == cost


def test_a_bomb_of_fragments_is_counted_fast_and_high(schema: Any) -> None:
    levels = 200
    text = "{ tables { nodes { ...F0 } } }" + "".join(
        f" fragment F{n} on Table {{ seats {{ player {{ id }} }} a: host {{ id }} ...F{n + 1} ...F{n + 1} }}"
        for n in range(levels)
    )
    document = parse(text + f" fragment F{levels} on Table {{ id }}")
    operation = get_operation_ast(document)
    assert operation is not None
    assert cost_of(document, schema, operation).of({}) > 10**9


BIG = "query ($n: Int) { tables(first: $n) { nodes { updates(first: 100) { nodes { at table { id } } } } } }"


async def test_what_costs_too_much_is_not_carried_out_on_any_transport() -> None:
    async with local(max_cost=2000) as server, httpx.AsyncClient() as http:

        async def ask(n: int, accept: str = "application/json", **more: Any) -> httpx.Response:
            asked = {"query": BIG, "variables": {"n": n}, **more}
            return await http.post(server.url, json=asked, headers={"accept": accept})

        assert (await ask(8)).json()["data"] == {"tables": {"nodes": []}}
        (error,) = (await ask(10)).json()["errors"]
        cost = 1 + 10 * (1 + 25 + 100 * 2)
        assert error["extensions"] == {
            "code": "DOCUMENT_TOO_LARGE",
            "of": "cost",
            "cost": cost,
            "count": cost,
            "limit": 2000,
        }
        assert "DOCUMENT_TOO_LARGE" in (await ask(10, "text/event-stream")).text
        async with socket(server.socket_url) as one:
            with pytest.raises(Failed) as failed:
                async for _ in one.run(BIG, n=10):
                    pass
            assert failed.value.code == "DOCUMENT_TOO_LARGE"


async def test_the_cost_is_shown_to_who_asks() -> None:
    text = "{ tables(first: 9) { nodes { id } } }"
    shown = {"cost": {"requested": 10, "limit": 60_000}}
    async with local() as server, httpx.AsyncClient() as http:
        assert "extensions" not in (await http.post(server.url, json={"query": text})).json()
        asked = {"query": text, "extensions": {"cost": True}}
        assert (await http.post(server.url, json=asked)).json()["extensions"] == shown
        by_header = await http.post(server.url, json={"query": text}, headers={"GraphQL-Cost": "report"})
        assert by_header.json()["extensions"] == shown
        async with socket(server.socket_url) as one:
            await one.send({"id": "1", "type": "subscribe", "payload": asked})
            assert (await one.receive())["payload"]["extensions"] == shown
