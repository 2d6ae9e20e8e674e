"""The members of enums, by the names and the values that a test may write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, get_args

_SHOWN = 15
"""So many choices are listed."""


def choices_in(hint: Any) -> Iterator[Enum]:
    """The members of the enums that a type has."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        yield from hint
    for part in get_args(hint):
        yield from choices_in(part)


def listed(choices: Sequence[Enum]) -> str:
    """What there is to choose from, each with its name and its value."""
    more = ", …" if len(choices) > _SHOWN else ""
    return ", ".join([f"{one.name} ({one.value!r})" for one in choices[:_SHOWN]]) + more


def value_of(text: str, hint: Any) -> Any:
    """What a word stands for where a type is that of choices: the value of a member, by its name too.

    Words for other types stay as they are. Errors: ValueError says which choices there are.
    """
    choices = list(choices_in(hint))
    if not choices or not _only_choices(hint):
        return text
    for one in choices:
        if str(one.value) == text:
            return one.value
    for one in choices:
        if one.name.casefold() == text.casefold():
            return one.value
    if type(None) in _parts(hint) and text.casefold() in ("null", "none"):
        return None
    raise ValueError(f"{text!r} is no choice; there are {listed(choices)}")


def _only_choices(hint: Any) -> bool:
    return all(
        part in (type(None), ...) or (isinstance(part, type) and issubclass(part, Enum))
        for part in _parts(hint)
    )


def _parts(hint: Any) -> list[Any]:
    inside = get_args(hint)
    return [one for part in inside for one in _parts(part)] if inside else [hint]


__all__ = ["choices_in", "listed", "value_of"]
