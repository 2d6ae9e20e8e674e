"""The default of an argument says what is meant when it is left out, and null means the same."""

from __future__ import annotations

from typing import Any

import pytest
from graphql import GraphQLEnumType, get_named_type
from inprocess import local
from serverkit import Caller, caller

from fliptable.plugins import Registry
from fliptable_api.schema import build_schema

pytestmark = pytest.mark.anyio

OPEN = """mutation ($i: CreateTableInput!) {
  createTable(input: $i) { ... on TableOpened { table { visibility } } } }"""
RECORDS = "query ($s: String) { records(mode: %s, metric: %s, scope: $s) { nodes { value } } }"
STRICT = RECORDS.replace("String)", "String!)")


async def test_a_table_is_unlisted_unless_it_is_to_be_public(registry: Registry) -> None:
    schema: Any = build_schema(registry).schema._schema
    field = schema.type_map["CreateTableInput"].fields["visibility"]
    kind = get_named_type(field.type)
    assert isinstance(kind, GraphQLEnumType)
    assert kind.serialize(field.default_value) == "UNLISTED"
    async with local(registry) as server, caller(server.url) as ann:
        for given in ({}, {"visibility": None}, {"visibility": "UNLISTED"}):
            answer = await ann.data(OPEN, i={"game": {"callIt": {}}, **given})
            assert answer["createTable"]["table"]["visibility"] == "UNLISTED"


async def test_records_have_no_scope_unless_one_is_named(registry: Registry) -> None:
    schema: Any = build_schema(registry).schema._schema
    scope = schema.query_type.fields["records"].args["scope"]
    assert (str(scope.type), scope.default_value) == ("String", None)
    async with local(registry) as server, Caller(server.url) as nobody:
        usual = RECORDS % ('"survival"', '"wins"')
        for given in ({}, {"s": None}, {"s": ""}, {"s": "3-lives"}):
            assert (await nobody.data(usual, **given))["records"]["nodes"] == []
        assert (await nobody.data(STRICT % ('"survival"', '"wins"'), s=""))["records"]["nodes"] == []
        for given in ({}, {"s": None}, {"s": ""}):
            (error,) = (await nobody.ask(RECORDS % ('"custom"', '"flips"'), **given))["errors"]
            assert error["extensions"] == {"code": "INVALID_ARGUMENT", "field": "scope"}
