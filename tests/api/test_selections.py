"""One document can select of every type that an interface has: what they share is of one type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLInterfaceType,
    GraphQLSchema,
    build_schema,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from inprocess import local
from serverkit import CALL_31, FLIP, caller

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))


def shape(kind: Any) -> str:
    """What two fields of one name have to have in common (SameResponseShape of the specification)."""
    if is_non_null_type(kind):
        return f"{shape(kind.of_type)}!"
    if is_list_type(kind):
        return f"[{shape(kind.of_type)}]"
    return kind.name if is_leaf_type(kind) else "{}"


def shapes(schema: GraphQLSchema, interface: GraphQLInterfaceType) -> dict[str, set[str]]:
    """The shapes of each name in a selection of an interface."""
    told: dict[str, set[str]] = {}
    for kind in (interface, *schema.get_possible_types(interface)):
        for name, field in kind.fields.items():
            told.setdefault(name, set()).add(shape(field.type))
    return told


def interfaces(schema: GraphQLSchema) -> Iterator[GraphQLInterfaceType]:
    for name in ("Round", "Run", "TableEvent"):
        kind = schema.type_map[name]
        assert isinstance(kind, GraphQLInterfaceType)
        yield kind


def test_what_an_interface_has_is_of_one_type_everywhere(schema: GraphQLSchema) -> None:
    for interface in interfaces(schema):
        told = shapes(schema, interface)
        assert [name for name in interface.fields if len(told[name]) > 1] == [], interface.name


async def test_seats_are_selected_of_all_events_at_once(schema: GraphQLSchema) -> None:
    """Both of the interface and of its types, as fragments of several components do."""
    kinds = schema.get_possible_types(schema.type_map["TableEvent"])  # type: ignore[arg-type]
    events = " ".join(f"... on {kind.name} {{ seat }}" for kind in kinds if "seat" in kind.fields)
    assert len(kinds) > 70
    query = f"""query ($t: ID!) {{
      table(id: $t) {{ updates(first: 10) {{ nodes {{ events {{ __typename seat {events} }} }} }} }}
    }}"""
    async with local(max_cost=10**7, max_tokens=10**4) as server, caller(server.url) as ann:
        table = (await ann.open())["id"]
        await ann.move(table, CALL_31)
        await ann.move(table, FLIP)
        nodes = (await ann.data(query, t=table))["table"]["updates"]["nodes"]
    told = {event["__typename"]: event["seat"] for node in nodes for event in node["events"]}
    assert told["CallItFlipped"] == told["CallItCalled"] == 0
    assert told["DeckShuffled"] is None


def test_names_that_conflict_are_told(schema: GraphQLSchema) -> None:
    """docs/frontend.md has those that need an alias."""
    page = (ROOT / "docs" / "frontend.md").read_text(encoding="utf-8")
    section = page.partition("### One name in several types\n")[2].partition("\n### ")[0]
    told = {
        name: re.findall(r"`(\w+)`", names)
        for name, names in re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.M)
    }
    assert told == {
        interface.name: sorted(name for name, kinds in shapes(schema, interface).items() if len(kinds) > 1)
        for interface in interfaces(schema)
    }
