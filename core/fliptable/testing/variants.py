"""Options to try: the default ones, and those that differ from them in one switch or choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields, replace
from enum import Enum
from typing import Any, get_type_hints


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
