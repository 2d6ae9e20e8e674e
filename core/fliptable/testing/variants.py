"""Options to try: the default ones, and those that differ from them in one switch, choice or number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from fliptable.limits import MAX_INT, Between, limits_of

_MOST = 12
"""So many options with a number at its limit are tried at the most."""
_ABOVE = 100
"""How far above the smallest the largest number is that is tried where there is no upper limit."""


def variants(kind: type) -> list[Any]:
    """The default options, and those that differ from them in one switch or choice.

    Errors: AssertionError where a field has no default.
    """
    try:
        default = kind()
    except TypeError as error:
        raise AssertionError(f"{kind.__name__} has fields without a default; pass options: {error}") from None
    found = [default]
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.default is MISSING and field.default_factory is MISSING:
            continue
        choices: Sequence[Any] = ()
        hint = hints[field.name]
        if hint is bool:
            choices = (True, False)
        elif isinstance(hint, type) and issubclass(hint, Enum):
            choices = tuple(hint)
        for choice in choices:
            if choice != getattr(default, field.name):
                try:
                    found.append(replace(default, **{field.name: choice}))
                except ValueError:
                    continue
    return found


def extremes(kind: type, limits: Mapping[str, Between] | None = None) -> list[Any]:
    """Options that differ from the default ones in one number, which is the smallest or largest there is.

    ``limits`` hold besides those that the options declare. Choices that may be left out are tried, too.
    There are no more than a dozen. Where options have no defaults there are none.
    """
    try:
        default, hints = kind(), get_type_hints(kind)
        declared = {**limits_of(kind), **(limits or {})}
    except (TypeError, ValueError, NameError):
        return []
    found: list[Any] = []
    for field in fields(kind):
        if not field.init:
            continue
        hint = hints[field.name]
        inner = [one for one in get_args(hint) if one is not NoneType]
        optional = isinstance(hint, UnionType) or get_origin(hint) is Union
        only = inner[0] if optional and len(inner) == 1 else hint
        values: list[Any] = []
        if only is int and field.name in declared:
            values = _ends(declared[field.name])
        elif optional and only is bool:
            values = [True, False]
        elif optional and isinstance(only, type) and issubclass(only, Enum):
            values = list(only)
        for value in values:
            if value != getattr(default, field.name) or type(value) is bool:
                try:
                    found.append(replace(default, **{field.name: value}))
                except ValueError:
                    continue
    return found[:_MOST]


def _ends(limits: Between) -> list[int]:
    high = limits.high if limits.high != MAX_INT else limits.low + _ABOVE
    return [limits.low, high]
