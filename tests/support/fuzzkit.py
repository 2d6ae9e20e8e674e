"""Documents that Schemathesis makes up, and its verdict on the answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any
from unittest import SkipTest

import httpx
from graphql import (
    GraphQLInputObjectType,
    GraphQLSchema,
    ListValueNode,
    ObjectValueNode,
    StringValueNode,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    get_named_type,
    parse,
    print_ast,
    validate,
    visit,
)
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.graphql.checks import GraphQLClientError, GraphQLServerError

CHECKS = {
    "not_a_server_error",
    "response_schema_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
}
"""Those of Schemathesis that say anything of GraphQL: all others let it pass, being for OpenAPI."""

CLIENTS_FAULT = {"FORBIDDEN", "INVALID_ARGUMENT", "INVALID_CURSOR", "UNAUTHENTICATED"}
"""Errors of single fields that a document can bring upon itself."""

LOOSE = {
    # Documents of Schemathesis are deeper and wider than a client's; limits have tests of their own.
    "FLIPTABLE_MAX_DEPTH": "100",
    "FLIPTABLE_MAX_FIELDS": "100000",
    "FLIPTABLE_MAX_ALIASES": "100000",
    "FLIPTABLE_MAX_TOKENS": "100000",
}


def drawn(strategy: SearchStrategy[Any], seed: int, examples: int) -> list[Any]:
    """A few examples, the same for the same seed."""
    found: list[Any] = []

    @seeded(seed)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def one(example: Any) -> None:
        found.append(example)

    one()
    return found


def cases(operation: Any, seed: int, examples: int, mode: GenerationMode) -> list[Case]:
    """A few cases for an operation. There is none with something wrong if nothing can be."""
    try:
        return drawn(operation.as_strategy(generation_mode=mode), seed, examples)
    except SkipTest:
        assert mode is GenerationMode.NEGATIVE
        return []


def complaints(case: Case, answer: httpx.Response, schema: GraphQLSchema) -> list[Failure]:
    """What the checks of Schemathesis, all of them, have against an answer, except what is right so."""
    try:
        case.validate_response(answer)
    except FailureGroup as group:
        return [one for one in group.exceptions if not _right(one, str(case.body), schema)]
    return []


def _right(failure: Any, document: str, schema: GraphQLSchema) -> bool:
    if isinstance(failure, GraphQLServerError):
        # They take every error with a path for the server's.
        return _codes(failure) <= CLIENTS_FAULT
    if isinstance(failure, GraphQLClientError):
        # Limits and tokens are not in the schema.
        codes = _codes(failure)
        return codes <= {"DOCUMENT_TOO_LARGE", "UNAUTHENTICATED"} or (
            codes == {"GRAPHQL_VALIDATION_FAILED"} and _made_wrong(document, schema)
        )
    return False


def _codes(failure: Any) -> set[str]:
    return {error["extensions"]["code"] for error in failure.errors}


def _made_wrong(document: str, schema: GraphQLSchema) -> bool:
    """Whether a document is wrong by what its maker does not know.

    That an input with @oneOf has one field, and that fields of one name and of different types collide
    also where they are selected in different members of a union.
    """
    found = [error.message for error in validate(schema, parse(document))]
    return bool(found) and all("OneOf Input Object" in one or "conflict because" in one for one in found)


class Mend(Visitor):
    """Makes a document mean more: one field of each @oneOf input, and names of things that are there."""

    def __init__(self, types: TypeInfo, there: Mapping[str, list[str]], rng: random.Random) -> None:
        super().__init__()
        self._types, self._there, self._rng = types, there, rng

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
        there = self._there.get(node.name.value)
        if there is None or self._rng.random() < 0.1:
            return None
        value: Any = StringValueNode(value=self._rng.choice(there))
        if isinstance(node.value, ListValueNode):
            value = ListValueNode(values=(value,))
        return type(node)(name=node.name, value=value)


def mended(schema: GraphQLSchema, document: str, there: Mapping[str, list[str]]) -> str:
    """The document with values in it that mean something; ``there`` has those for arguments and fields."""
    types = TypeInfo(schema)
    visitor = TypeInfoVisitor(types, Mend(types, there, random.Random(document)))
    return print_ast(visit(parse(document), visitor))


def variants(schema: GraphQLSchema, case: Case, there: Mapping[str, list[str]]) -> Iterator[Case]:
    """A case as it is, and as it means more."""
    yield case
    yield case.operation.Case(body=mended(schema, str(case.body), there))


def made_up(rng: random.Random) -> str:
    """Something where a token should be: of the right form, or of any."""
    if rng.random() < 0.5:
        return f"Bearer ft_{rng.getrandbits(256):064x}"
    letters = "".join(chr(rng.choice((rng.randrange(33, 127), 32))) for _ in range(rng.randrange(60)))
    return (rng.choice(("", "Bearer ", "Bearer ft_", "Basic ", "bearer  ")) + letters).strip()
