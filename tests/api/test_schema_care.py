"""The schema tells of everything in it, and what it promises is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLSchema,
    build_schema,
    is_specified_directive,
    is_specified_scalar_type,
)

from fliptable import hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard
from fliptable_api.errors import ERRORS
from fliptable_api.mutations import mutation_type
from fliptable_api.pluginqueries import with_plugin_queries
from fliptable_api.queries import Query
from fliptable_api.schema import build_schema as schema_of
from fliptable_api.typegen import SchemaCollision
from fliptable_api.vocabulary import vocabulary_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_plugins(builtin_only=True)


def parts(schema: GraphQLSchema) -> Iterator[tuple[str, Any]]:
    """Everything in a schema that can be described, by its path."""
    for name, kind in schema.type_map.items():
        if name.startswith("__") or is_specified_scalar_type(kind):
            continue
        yield name, kind
        if isinstance(kind, GraphQLEnumType):
            yield from ((f"{name}.{value}", what) for value, what in kind.values.items())
        for field, what in getattr(kind, "fields", {}).items():
            yield f"{name}.{field}", what
            yield from ((f"{name}.{field}({arg})", one) for arg, one in getattr(what, "args", {}).items())


def test_every_type_field_argument_and_value_is_described(registry: Registry) -> None:
    schema = schema_of(registry).schema._schema
    told = [(path, what.description) for path, what in parts(schema)]
    assert len(told) > 1000
    assert [path for path, text in told if not text or not text.strip()] == []
    # What it says is a sentence, or a sign.
    assert [path for path, text in told if len(text) > 2 and text.strip()[-1] not in ".)?!"] == []


def test_every_deprecation_says_what_to_use_instead() -> None:
    schema = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    for path, what in parts(schema):
        reason = getattr(what, "deprecation_reason", None)
        assert reason is None or "use " in reason.lower(), path


def test_the_codes_of_errors_are_an_enum_of_the_schema() -> None:
    schema = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    kind = schema.type_map["ErrorCode"]
    assert isinstance(kind, GraphQLEnumType)
    assert {name: value.description for name, value in kind.values.items()} == dict(ERRORS)


def test_no_directive_is_needed_that_tools_do_not_know() -> None:
    schema = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    assert [one.name for one in schema.directives if not is_specified_directive(one)] == []


def test_no_plugin_can_have_a_type_that_is_called_as_one_of_the_schema_itself(registry: Registry) -> None:
    words, schema = vocabulary_of(registry), schema_of(registry).schema._schema
    # Their parts claim names too.
    mutation_type(words.maker, words)
    with_plugin_queries(Query, registry, words)
    for name, kind in schema.type_map.items():
        # Of output types, enums and unions it shows when the schema is made; of inputs it does not.
        if isinstance(kind, GraphQLInputObjectType):
            with pytest.raises(SchemaCollision, match=f"the GraphQL type {name} is wanted by "):
                words.maker.claim(name, object())


def test_two_types_of_one_name_are_told_with_both_that_want_it() -> None:
    @dataclass(frozen=True)
    class Move:
        """It is called LegalMove, as a type of the schema."""

        def text(self, names: Sequence[str]) -> str:
            return "A move."

    class Legal(OneCard):
        id, graphql, events = "legal", "Legal", (*OneCard.events, Move)

    registry = load_plugins(builtin_only=True)
    registry.register(SimpleNamespace(fliptable_games=hookimpl(lambda: [Legal()])), "legal")
    with pytest.raises(SchemaCollision, match=r"LegalMove is wanted by .*\.Move and the schema's own"):
        schema_of(registry)
