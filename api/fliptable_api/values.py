"""Values of plugins on their way in and out: what an input is made into, and what the API shows."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import strawberry

from fliptable import CARD, Between, PlayingCard, check_limits
from fliptable.quoting import quoted
from fliptable_api.naming import camel, field_of, uncited
from fliptable_api.scalars import write_time

LISTS = (tuple, list, Sequence, frozenset, set)
"""What is a list in GraphQL."""

INPUT_SCALARS: Mapping[Any, str] = {
    int: "Int",
    str: "String",
    bool: "Boolean",
    float: "Float",
    datetime: "DateTime",
    PlayingCard: "String",
}
"""What is a scalar in an input, and which one."""

_SETS = (frozenset, set)


@strawberry.type(description="A number with a name.")
class NamedNumber:
    """A name and a number, for what is a dict in a plugin."""

    name: str = strawberry.field(description="What the number is of.")
    value: int = strawberry.field(description="The number.")


def documented(hint: Any) -> tuple[Any, str]:
    """A field's type without ``Annotated``, and the description that was in it, with its limits."""
    if get_origin(hint) is Annotated:
        kind, *extras = get_args(hint)
        said = uncited(next((extra for extra in extras if isinstance(extra, str)), ""))
        limits = [f"{str(extra).capitalize()}." for extra in extras if isinstance(extra, Between)]
        return kind, " ".join(filter(None, [said, *limits]))
    return hint, ""


class UnknownName(NameError):
    """The type of a field is written as a name that its module does not have."""


@cache
def hints_of(kind: type) -> dict[str, tuple[Any, str]]:
    """The types and descriptions of a dataclass's fields, by name. Errors: UnknownName."""
    try:
        hints = get_type_hints(kind, include_extras=True)
    except NameError as error:
        where = f"{kind.__module__}.{kind.__qualname__}"
        raise UnknownName(f"{where}: {error}; the types of fields have to be names of their module") from None
    return {field.name: documented(hints[field.name]) for field in fields(kind)}


@cache
def given_hints(kind: type) -> dict[str, tuple[Any, str]]:
    """The same of the fields that are given when one is made."""
    hints = hints_of(kind)
    return {field.name: hints[field.name] for field in fields(kind) if field.init}


def optional(hint: Any) -> Any | None:
    """What a type is that may be None too; None for any other type, and for a choice of several."""
    if get_origin(hint) in (Union, types.UnionType):
        rest = [one for one in get_args(hint) if one is not type(None)]
        if len(rest) == 1:
            return documented(rest[0])[0]
    return None


def each(hint: Any) -> Any | None:
    """What the entries are of a type that is a list in GraphQL; None where there is no one such type."""
    if get_origin(hint) not in LISTS:
        return None
    entries = [documented(one)[0] for one in get_args(hint) if one is not ...]
    return entries[0] if entries and all(one == entries[0] for one in entries) else None


def items_of(hint: Any) -> int | None:
    """How many entries a list has to have by its type; None where that is open."""
    if get_origin(hint) is not tuple or get_args(hint)[-1] is ...:
        return None
    return len(get_args(hint))


def value_of(given: Any, kind: Any) -> Any:
    """The plugin's own value for an input. Errors: ValueError("path: why"), the path with dots."""
    return _value(given, kind, "")


def _value(given: Any, kind: Any, path: str) -> Any:
    kind, _ = documented(kind)
    inner = optional(kind)
    if inner is not None:
        return None if given is None else _value(given, inner, path)
    inner = each(kind)
    if inner is not None:
        return _entries(
            [_value(one, inner, f"{path}.{index}") for index, one in enumerate(given)], kind, path
        )
    if kind is PlayingCard:
        if given not in CARD:
            raise ValueError(f"{path}: {quoted(given)} is no card; a card is written like 10H or AS")
        return CARD[given]
    if isinstance(kind, type) and is_dataclass(kind):
        values = {
            name: _value(getattr(given, name), hint, f"{path}.{name}" if path else name)
            for name, (hint, _) in given_hints(kind).items()
        }
        try:
            made = kind(**values)
            check_limits(made)
            return made
        except ValueError as error:
            name, _, why = str(error).partition(": ")
            raise (
                ValueError(f"{path}.{name}: {why}" if why else f"{path}: {name}") if path else error
            ) from None
    return given


def _entries(entries: list[Any], kind: Any, path: str) -> Any:
    """The entries of a list as the type has them. Errors: ValueError where it says how many there are."""
    origin, wanted = get_origin(kind), items_of(kind)
    if wanted is not None and len(entries) != wanted:
        raise ValueError(f"{path}: it has {len(entries)} values and has to have {wanted}")
    # A sequence comes back from storage as a list.
    return entries if origin in (list, Sequence) else origin(entries)


def only(given: Any) -> tuple[str, Any]:
    """The one field of a @oneOf input that was given, with its value."""
    return next(
        (field_of(field.name), value)
        for field in fields(given)
        if (value := getattr(given, field.name)) is not strawberry.UNSET
    )


def plain(value: Any) -> Any:
    """A plugin's own value as it stands in an input: cards by code, enums by name, times as text."""
    return _plain(value, lambda member: member.name, write_time)


def default_input(value: Any) -> Any:
    """The same as the default of an input, where enums and times are what Strawberry has for them."""
    return _plain(value, lambda member: member, lambda time: time)


def _plain(value: Any, enum: Callable[[Enum], Any], time: Callable[[datetime], Any]) -> Any:
    if isinstance(value, PlayingCard):
        return value.value
    if isinstance(value, Enum):
        return enum(value)
    if isinstance(value, datetime):
        return time(value)
    if isinstance(value, _SETS):
        value = in_order(value)
    if isinstance(value, tuple | list):
        return [_plain(one, enum, time) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {camel(name): _plain(getattr(value, name), enum, time) for name in given_hints(type(value))}
    return value


def default_of(field: Field[Any], otherwise: Any) -> Any:
    """The default of a dataclass's field."""
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else otherwise


def in_order(values: Any) -> list[Any]:
    """A set as a list, always in the same order: members of an enum as they are declared."""
    return sorted(values, key=_place)


def _place(value: Any) -> Any:
    if isinstance(value, Enum):
        return list(type(value)).index(value)
    if isinstance(value, tuple | list):
        return [_place(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return [_place(getattr(value, field.name)) for field in fields(value)]
    # None comes before whatever else there may be in its place.
    return (value is not None, value)


def form(hint: Any) -> Callable[[Any], Any] | None:
    """What makes a stored value of a type into what GraphQL shows; None where they are the same."""
    hint, _ = documented(hint)
    if get_origin(hint) in (dict, Mapping):
        return _numbers
    inner = optional(hint)
    if inner is not None:
        of_value = form(inner)
        return None if of_value is None else lambda value: None if value is None else of_value(value)
    inner = each(hint)
    if inner is None:
        return None
    of_each = form(inner)
    if get_origin(hint) in _SETS:
        return lambda values: [one if of_each is None else of_each(one) for one in in_order(values)]
    return None if of_each is None else lambda values: [of_each(one) for one in values]


def _numbers(numbers: Mapping[Any, int]) -> list[NamedNumber]:
    return [NamedNumber(name=str(plain(key)), value=value) for key, value in numbers.items()]
