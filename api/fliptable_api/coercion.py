"""Values that do not fit the types of inputs: which errors to tell, where they are, and what would fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from graphql import (
    SKIP,
    ArgumentNode,
    GraphQLError,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLSchema,
    ValueNode,
    ValuesOfCorrectTypeRule,
    VariableDefinitionNode,
)
from graphql.pyutils import print_path_list
from graphql.utilities import validate_input_literal

from fliptable_api.places import WRONG

_UNKNOWN = re.compile(r"Expected value of type '(?P<kind>\w+)' not to include unknown field ")
_ONE_OF = re.compile(r"Within OneOf Input Object type '(?P<kind>\w+)', exactly one field ")


class PlacedValues(ValuesOfCorrectTypeRule):
    """graphql-core's rule for the values in a document, with errors that say where in which argument."""

    _holder = ""

    def enter_argument(self, node: ArgumentNode, *_: Any) -> None:
        """Keep whose value comes next."""
        self._holder = f"Argument '{node.name.value}' has invalid value"

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: Any) -> None:
        """Keep whose default comes next."""
        self._holder = f"Variable '${node.variable.name.value}' has invalid default value"

    def is_valid_value_node(self, node: ValueNode, input_type: GraphQLInputType | None) -> Any:
        """Check a whole value, and have nobody look into it again."""
        found: list[GraphQLError] = []

        def on_error(error: GraphQLError, path: list[str | int]) -> None:
            # A part that graphql-core has made anew stands nowhere in the document.
            nodes = error.nodes if error.locations else [node]
            found.append(GraphQLError(f"{self._holder}{print_path_list(path)}: {error.message}", nodes))

        if input_type is not None:
            validate_input_literal(node, input_type, on_error)
        for error in _worth_telling(found):
            self.report_error(error)
        return SKIP


def helpful(errors: Iterable[GraphQLError], schema: GraphQLSchema) -> list[GraphQLError]:
    """What is wrong with a document or its variables, once each; of a field, with those that there are."""
    return [_with_fields(error, schema) for error in _worth_telling(list(errors))]


def _with_fields(error: GraphQLError, schema: GraphQLSchema) -> GraphQLError:
    _, why = _split(error)
    about = _UNKNOWN.match(why) or _ONE_OF.match(why)
    kind = schema.type_map.get(about["kind"]) if about else None
    # What was found before is kept, and comes here again.
    if not isinstance(kind, GraphQLInputObjectType) or " The fields are " in error.message:
        return error
    message = f"{error.message} The fields are {', '.join(kind.fields)}."
    return GraphQLError(message, error.nodes, error.source, error.positions, error.path)


def _worth_telling(errors: list[GraphQLError]) -> list[GraphQLError]:
    """All but that there is not one field, where the field that is not known says so."""
    unknown = {where for where, why in map(_split, errors) if _UNKNOWN.match(why)}
    return [
        error
        for error, (where, why) in zip(errors, map(_split, errors), strict=True)
        if not where or where not in unknown or not _ONE_OF.match(why)
    ]


def _split(error: GraphQLError) -> tuple[str, str]:
    """Where something is wrong, and what; nothing and everything of another error."""
    found = WRONG.match(error.message)
    if found is None:
        return "", error.message
    return error.message[: found.start("why")], found["why"]
