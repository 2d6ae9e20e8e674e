"""The schema tells of everything in it, and what it promises is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLSchema,
    build_schema,
    is_specified_directive,
    is_specified_scalar_type,
)

from fliptable.plugins import Registry, load_plugins
from fliptable_api.errors import ERRORS
from fliptable_api.schema import build_schema as schema_of

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
