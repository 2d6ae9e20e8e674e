"""What is declared of the values that whoever opens a table, or moves, may give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

MAX_INT = 2**31 - 1
"""The largest integer that GraphQL's Int can carry."""


@dataclass(frozen=True, slots=True)
class Between:
    """An integer, of a list each: every value within limits.

    It is said of a field of a legal move, and in ``Annotated`` of an option, to which :func:`check_limits`
    and the API then hold what is given.
    """

    low: int
    """The smallest value."""
    high: int = MAX_INT
    """The largest value; without it there is no upper limit but that of GraphQL's Int."""

    def __str__(self) -> str:
        """As in a sentence, for example "from 4 to 8"."""
        return f"{self.low} or more" if self.high == MAX_INT else f"from {self.low} to {self.high}"

    def has(self, value: Any) -> bool:
        """Whether a value, or each of a list, is within; None is, where there may be none."""
        if isinstance(value, int):
            return self.low <= value <= self.high
        return value is None or all(self.has(one) for one in value)


@dataclass(frozen=True, slots=True)
class Needed:
    """Said in ``Annotated`` of an option that clients have to give.

    Its default is what it is in Python where nobody gave one, as when a game or mode is looked at.
    """


@cache
def needed_of(kind: type) -> frozenset[str]:
    """The names of the fields of a dataclass that are declared to be :class:`Needed`. Errors: NameError."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(
        name
        for name, hint in hints.items()
        if any(isinstance(extra, Needed) for extra in getattr(hint, "__metadata__", ()))
    )


@cache
def limits_of(kind: type) -> Mapping[str, Between]:
    """The limits that the fields of a dataclass declare, by name. Errors: NameError, TypeError."""
    hints = get_type_hints(kind, include_extras=True)
    return MappingProxyType(
        {
            field.name: extra
            for field in fields(kind)
            if get_origin(hints[field.name]) is Annotated
            for extra in get_args(hints[field.name])[1:]
            if isinstance(extra, Between)
        }
    )


def check_limits(values: Any) -> None:
    """Hold a dataclass's fields to the limits that they declare; the place for it is ``__post_init__``.

    Errors: ValueError("field: why").
    """
    kind: type = type(values)
    for name, limits in limits_of(kind).items():
        value = getattr(values, name)
        if not limits.has(value):
            raise ValueError(f"{name}: {value} is not possible, only {limits}")
