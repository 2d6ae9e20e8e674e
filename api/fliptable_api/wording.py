"""The words of graphql-core's errors, as those who write JSON and GraphQL have them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from graphql import GraphQLEnumType, GraphQLError, Node
from graphql.pyutils import inspect

from fliptable.quoting import as_json, quoted
from fliptable_api.places import UNKNOWN_OR_MISSING, WRONG
from fliptable_api.quoting import is_name

_FOUND = re.compile(
    r"(?P<what>.*?)(?P<mark>[,;] found| Found): (?P<value>.*?)\."
    r"(?P<more>(?: (?:It can be|The fields are) [\w, ]+\.)?)",
    re.S,
)
_REPRESENTED = re.compile(
    r"(?P<what>(?:Int|Float|String|Boolean|ID) cannot represent [\w -]*value)(?P<mark>): "
    r"(?P<value>.*)(?P<more>)",
    re.S,
)

_TOO_MANY_DIGITS = re.compile(
    r"Expected value of type 'Int', but encountered error 'Exceeds the limit [^']*'; found: "
)


def worded(message: str) -> str:
    """A message with null for None, and values of variables as JSON."""
    message = _TOO_MANY_DIGITS.sub("Int cannot represent non 32-bit signed integer value: ", message)
    message = message.replace("' not to be None.", "' not to be null.")
    wrong = WRONG.match(message)
    if wrong is None or wrong["variable"] is None or wrong["default"]:
        return message  # Values in a document are GraphQL already.
    head, why = message[: wrong.start("why")], _named(wrong["why"])
    found = _REPRESENTED.fullmatch(why) or _FOUND.fullmatch(why)
    if found is None:
        return message
    what, value, end = found["what"], _as_json(found["value"]), "." if found["mark"] else ""
    if value is None:
        return f"{head}{what}{'' if what.endswith('?') else '.'}{found['more']}"
    return f"{head}{what}{found['mark']}: {value}{end}{found['more']}"


def _named(why: str) -> str:
    """What is wrong, with a field that is not known as JSON where GraphQL has no such names."""
    found = UNKNOWN_OR_MISSING.match(why)
    if found is None or is_name(found["name"]):
        return why
    return f"{why[: found.start('name') - 1]}{quoted(found['name'])}{why[found.end('name') + 1 :]}"


def _as_json(text: str) -> str | None:
    """A value that graphql-core has shown; None where it has left something out of it."""
    try:
        return as_json(ast.literal_eval(text))
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def _shown(message: str, value: Any) -> str:
    """An enum's message with a value of a variable as JSON, or without it if it is too long."""
    shown = inspect(value)
    told = _as_json(shown)
    return message.replace(f" value: {shown}.", " value." if told is None else f" value: {told}.")


def tell_choices(kind: GraphQLEnumType) -> None:
    """Let an enum say what it can be, when it is given something else."""
    choices = ", ".join(kind.values)

    def telling(known: Callable[..., Any]) -> Callable[..., Any]:
        def told(given: Any, *more: Any, **named: Any) -> Any:
            try:
                return known(given, *more, **named)
            except GraphQLError as error:
                said = error.message if isinstance(given, Node) else _shown(error.message, given)
                raise GraphQLError(f"{said} It can be {choices}.", nodes=error.nodes) from None

        return told

    for way in ("coerce_input_value", "coerce_input_literal"):
        setattr(kind, way, telling(getattr(kind, way)))
