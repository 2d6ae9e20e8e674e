"""The words of graphql-core's errors, as those who write JSON and GraphQL have them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import orjson
from graphql import GraphQLEnumType, GraphQLError

_FOUND = re.compile(r", found: (?P<value>.*?)\.(?P<more>( Did you mean .*\?)?)$", re.S)


def worded(message: str) -> str:
    """A message with null for None, and values as JSON."""
    message = message.replace("' not to be None.", "' not to be null.")
    found = _FOUND.search(message)
    if found is None:
        return message
    value = _as_json(found["value"])
    told = "" if value is None else f", found: {value}"
    return f"{message[: found.start()]}{told}.{found['more']}"


def _as_json(text: str) -> str | None:
    try:
        return orjson.dumps(ast.literal_eval(text)).decode()
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        # It was shortened, or is GraphQL already; the place is told beside it.
        return None


def tell_choices(kind: GraphQLEnumType) -> None:
    """Let an enum say what it can be, when it is given something else."""
    choices = ", ".join(kind.values)

    def telling(known: Callable[..., Any]) -> Callable[..., Any]:
        def told(*given: Any, **named: Any) -> Any:
            try:
                return known(*given, **named)
            except GraphQLError as error:
                message = f"{error.message} It can be {choices}."
                raise GraphQLError(message, nodes=error.nodes) from None

        return told

    for way in ("coerce_input_value", "coerce_input_literal"):
        setattr(kind, way, telling(getattr(kind, way)))
