"""The contract of a query: a question about the rules that needs no table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fliptable.rules import Refusal


@dataclass(frozen=True, slots=True)
class PluginQuery:
    """A question that a plugin answers from its arguments alone; it becomes a field of Query."""

    name: str
    """In snake_case, as it is called in Python; GraphQL has it in camelCase."""
    description: str
    """What it answers: its description in the schema."""
    graphql: str
    """The prefix of its GraphQL types, in PascalCase: the one of the game that it is about."""
    Arguments: type
    """A dataclass whose fields become the arguments."""
    Result: type
    """A dataclass that becomes the type of the answer."""
    answer: Callable[[Any], Any | Refusal]
    """A pure function from Arguments to a Result or a Refusal; a ValueError("argument: why") becomes a
    refusal too."""
