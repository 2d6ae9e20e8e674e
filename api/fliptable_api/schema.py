"""The schema: the server's own types and those of every plugin that is loaded."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

import strawberry
from graphql import GraphQLEnumType, GraphQLError, GraphQLInputObjectType
from strawberry.exceptions.duplicated_type_name import DuplicatedTypeName
from strawberry.schema.config import StrawberryConfig

from fliptable.plugins import Registry
from fliptable_api.catalogue import CatalogueNodes
from fliptable_api.context import TypeNames
from fliptable_api.enumtext import member_texts
from fliptable_api.errors import ERRORS
from fliptable_api.guard import DocumentCache, guard
from fliptable_api.limits import Limits
from fliptable_api.moves import Moves
from fliptable_api.mutations import mutation_type
from fliptable_api.pluginqueries import with_plugin_queries
from fliptable_api.queries import Query
from fliptable_api.scalars import DATE_TIME_SCALAR, JSON, JSON_SCALAR
from fliptable_api.subscriptions import Subscription
from fliptable_api.typegen import SchemaCollision
from fliptable_api.values import UnknownName
from fliptable_api.vocabulary import vocabulary_of
from fliptable_api.wording import tell_choices

logger = logging.getLogger("fliptable.errors")


class Schema(strawberry.Schema):
    """A Strawberry schema that leaves logging to the error masking, which gives every entry an id."""

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        """Nothing: see :func:`fliptable_api.errors.shown`."""


def _error_codes() -> Any:
    """The enum of the codes that `extensions.code` can have, so that clients need not copy them."""
    values = {code: strawberry.enum_value(code, description=text) for code, text in ERRORS.items()}
    made: Any = Enum("ErrorCode", values, module=__name__)  # type: ignore[misc]
    return strawberry.enum(made, description="What `extensions.code` of an error can be.")


@dataclass(frozen=True, slots=True)
class Built:
    """A schema with what its resolvers need of the plugins."""

    schema: Schema
    names: TypeNames
    moves: Moves
    catalogue: CatalogueNodes
    documents: DocumentCache


def build_schema(registry: Registry, limits: Limits | None = None) -> Built:
    """The schema of what is loaded.

    Errors: SchemaCollision names both sides of a collision, or what has no GraphQL form.
    """
    try:
        return _built(registry, limits or Limits())
    except UnknownName as error:
        raise SchemaCollision(str(error)) from error


def _built(registry: Registry, limits: Limits) -> Built:
    words = vocabulary_of(registry)
    cache = DocumentCache(limits)
    try:
        schema = Schema(
            query=with_plugin_queries(Query, registry, words),
            mutation=mutation_type(words.maker, words),
            subscription=Subscription,
            types=[*words.types, _error_codes()],
            extensions=[guard(cache)],
            config=StrawberryConfig(scalar_map={JSON: JSON_SCALAR, datetime: DATE_TIME_SCALAR}),
        )
    except DuplicatedTypeName as error:
        name = str(error).split()[1]
        # What plugins bring is claimed, so this says who wants the name besides the schema.
        words.maker.claim(name, f"the schema's own {name}")
        raise
    # Strawberry checks @oneOf on its own and does not say where; graphql-core does.
    for kind in schema._schema.type_map.values():
        definition = kind.extensions.get("strawberry-definition")
        if isinstance(kind, GraphQLInputObjectType) and definition is not None and definition.is_one_of:
            kind.is_one_of = True
        if isinstance(kind, GraphQLEnumType) and definition is not None:
            texts = member_texts(definition.wrapped_cls)
            for name, value in kind.values.items():
                value.description = value.description or texts.get(name)
            tell_choices(kind)
    return Built(schema, words.names, words.moves, CatalogueNodes(registry), cache)
