"""An argument that cannot be right is told by its name, its value and what would be right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from graphql import GraphQLInputObjectType, GraphQLNamedType, get_named_type
from inprocess import local
from serverkit import Caller, caller

from fliptable.plugins import Registry
from fliptable_api.schema import build_schema

pytestmark = pytest.mark.anyio

TABLES = "query ($f: TableFilter) { tables(filter: $f) { nodes { id } } }"
LOBBY = "subscription ($f: TableFilter) { lobbyUpdates(filter: $f) { tableId } }"
RECORDS = """query ($game: ID = "call-it", $mode: ID = "streak", $metric: ID = "wins-in-a-row") {
  records(game: $game, mode: $mode, metric: $metric) { nodes { rank } } }"""
DAILY = 'query ($game: ID = "call-it", $mode: ID = "daily") { daily(game: $game, mode: $mode) { date } }'

NAMED = {
    ("Query.tables", "filter.game"): (TABLES, lambda id: {"f": {"game": id}}),
    ("Query.tables", "filter.mode"): (TABLES, lambda id: {"f": {"mode": id}}),
    ("Subscription.lobbyUpdates", "filter.game"): (LOBBY, lambda id: {"f": {"game": id}}),
    ("Subscription.lobbyUpdates", "filter.mode"): (LOBBY, lambda id: {"f": {"mode": id}}),
    ("Query.records", "game"): (RECORDS, lambda id: {"game": id}),
    ("Query.records", "mode"): (RECORDS, lambda id: {"mode": id}),
    ("Query.records", "metric"): (RECORDS, lambda id: {"metric": id}),
    ("Query.daily", "game"): (DAILY, lambda id: {"game": id}),
    ("Query.daily", "mode"): (DAILY, lambda id: {"mode": id}),
}
"""Every argument that names something of the catalogue by its id, where it is, and how it is given."""


def paths(name: str, kind: GraphQLNamedType) -> list[str]:
    if isinstance(kind, GraphQLInputObjectType) and not kind.is_one_of:
        return [
            f"{name}.{path}"
            for field, of in kind.fields.items()
            for path in paths(field, get_named_type(of.type))
        ]
    return [name]


def test_no_such_argument_is_missing_below(registry: Registry) -> None:
    schema = build_schema(registry).schema._schema
    found = set()
    for root in (schema.query_type, schema.mutation_type, schema.subscription_type):
        assert root is not None
        for name, field in root.fields.items():
            for argument, of in field.args.items():
                for path in paths(argument, get_named_type(of.type)):
                    of_what = path.rpartition(".")[2]
                    if (
                        of_what in ("game", "mode", "constraint", "metric")
                        and path.partition(".")[0] != "input"
                    ):
                        found.add((f"{root.name}.{name}", path))
    # Of mutations the inputs name them, by field: the schema itself knows them.
    assert found == set(NAMED)


@pytest.mark.parametrize(("where", "path"), NAMED, ids=str)
async def test_what_is_named_has_to_be_there(registry: Registry, where: str, path: str) -> None:
    document, given = NAMED[where, path]
    async with local(registry) as server, caller(server.url) as one:
        # The name of its input is not its id.
        for wrong in ("callIt", "nope", "", "x" * 500):
            errors = await asked(one, document, given(wrong))
            assert errors[0]["extensions"]["code"] == "INVALID_ARGUMENT"
            assert errors[0]["extensions"]["field"] == path
            assert len(errors[0]["message"]) < 500
            assert repr(wrong[:40]).strip("'") in errors[0]["message"]


async def asked(one: Caller, document: str, variables: dict[str, Any]) -> list[dict[str, Any]]:
    headers = {**one.headers, "accept": "application/json"}
    if document.startswith("subscription"):
        headers["accept"] = "text/event-stream"
    answer = await one.http.post(
        one._url(), json={"query": document, "variables": variables}, headers=headers
    )
    if document.startswith("subscription"):
        (line,) = [line for line in answer.text.splitlines() if line.startswith("data: {")]
        errors: list[dict[str, Any]] = json.loads(line[6:])["errors"]
        return errors
    return list(answer.json()["errors"])


async def test_it_is_said_what_there_is(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as one:
        (error,) = await asked(one, TABLES, {"f": {"game": "callIt"}})
    assert error["message"] == 'There is no game "callIt"; there is call-it, flip, flip7 and scoreboard.'


SIGN_IN = "mutation ($name: String!) { signInAsGuest(input: {name: $name}) { player { name } } }"


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\nb\0"])
async def test_a_name_that_cannot_be_is_named_as_what_is_wrong(registry: Registry, name: str) -> None:
    async with local(registry) as server, Caller(server.url) as one:
        (error,) = await asked(one, SIGN_IN, {"name": name})
    assert error["extensions"] == {"code": "INVALID_ARGUMENT", "field": "name"}
    assert error["path"] == ["signInAsGuest"]


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ("{ tables(first: 0) { nodes { id } } }", "first"),
        ("{ tables(last: 101) { nodes { id } } }", "last"),
        ("{ tables(first: 1, last: 1) { nodes { id } } }", "last"),
        ('{ tables(after: "x") { nodes { id } } }', "after"),
        ('{ tables(before: "x") { nodes { id } } }', "before"),
        ('{ daily(date: "2030-02-31") { date } }', "date"),
        ('{ daily(date: "tomorrow") { date } }', "date"),
        ('{ daily(date: "9999-01-01") { date } }', "date"),
        ('{ daily(mode: "classic") { date } }', "mode"),
        ('{ records(mode: "match", metric: "score", game: "flip7") { nodes { rank } } }', "metric"),
        ('{ records(mode: "custom", metric: "flips") { nodes { rank } } }', "scope"),
        ('{ records(mode: "streak", metric: "x", game: "flip") { nodes { rank } } }', "mode"),
        (f"{{ nodes(ids: {['x'] * 101}) {{ id }} }}".replace("'", '"'), "ids"),
    ],
)
async def test_every_argument_at_fault_is_named(registry: Registry, document: str, field: str) -> None:
    async with local(registry) as server, caller(server.url) as one:
        (error,) = await asked(one, document, {})
    assert error["extensions"]["field"] == field, error
