"""How values of plugins are written in JSON, said once more: what the law holds the API against."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from fliptable import MAX_INT, PlayingCard
from fliptable_api.naming import camel


class Unwritable(ValueError):
    """A value is none of its type, or none that JSON has."""

    def __init__(self, path: str, why: str) -> None:
        """``path`` is the field at fault, with dots."""
        super().__init__(why)
        self.path = path
        self.why = why


def bare(hint: Any) -> Any:
    """A type without what is annotated to it."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def maybe(hint: Any) -> Any | None:
    """What a type is that may be None too; None where it may not."""
    if get_origin(hint) in (Union, UnionType):
        rest = [one for one in get_args(hint) if one is not NoneType]
        if len(rest) == 1 and len(rest) < len(get_args(hint)):
            return bare(rest[0])
    return None


def each(hint: Any) -> Any | None:
    """What the entries are of a type of lists; None where it is none."""
    if get_origin(hint) in (tuple, list, Sequence, frozenset, set):
        return bare(get_args(hint)[0])
    return None


def is_numbers(hint: Any) -> bool:
    """Whether a type is one of dicts to numbers."""
    return get_origin(hint) in (dict, Mapping)


def is_record(hint: Any) -> bool:
    """Whether a type is a dataclass."""
    return isinstance(hint, type) and is_dataclass(hint)


@cache
def annotated(kind: Any) -> dict[str, Any]:
    """The fields of a dataclass with all that is said of them."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def typed(kind: Any) -> Sequence[tuple[Field[Any], Any]]:
    """The fields of a dataclass with their types."""
    return _typed(kind)


@cache
def _typed(kind: Any) -> list[tuple[Field[Any], Any]]:
    hints = annotated(kind)
    return [(field, bare(hints[field.name])) for field in fields(kind)]


def selection(hint: Any) -> str:
    """What is asked of a field of that type: all that it has; nothing of what is no object."""
    inner = maybe(hint) or each(hint)
    if inner is not None:
        return selection(inner)
    if hint is PlayingCard:
        return " { rank suit text }"
    if is_numbers(hint):
        return " { name value }"
    return f" {{ {all_of(hint)} }}" if is_record(hint) else ""


def all_of(kind: type, only: Iterable[str] | None = None) -> str:
    """The fields of a dataclass, or ``only`` some, with all that they have."""
    chosen = [(field, hint) for field, hint in typed(kind) if only is None or field.name in only]
    return " ".join([camel(field.name) + selection(hint) for field, hint in chosen])


def shown(value: Any, hint: Any, path: str = "") -> Any:
    """A value as the API answers it. Errors: Unwritable."""
    return _written(value, hint, path, _object, _card)


def given(value: Any, hint: Any, path: str = "") -> Any:
    """A value as the API takes it. Errors: Unwritable."""
    return _written(value, hint, path, _input, lambda card: card.value)


def _written(
    value: Any,
    hint: Any,
    path: str,
    record: Callable[[Any, str], Any],
    card: Callable[[PlayingCard], Any],
) -> Any:
    inner = maybe(hint)
    if inner is not None:
        return None if value is None else _written(value, inner, path, record, card)
    inner = each(hint)
    if inner is not None:
        _is(value, get_origin(hint), path)
        entries = sorted(value, key=rank) if isinstance(value, frozenset | set) else value
        return [_written(one, inner, f"{path}[{index}]", record, card) for index, one in enumerate(entries)]
    if is_numbers(hint):
        _is(value, Mapping, path)
        key, number = map(bare, get_args(hint))
        return [
            {
                "name": str(_written(name, key, f"{path}[{name}]", record, lambda card: card.value)),
                "value": _written(one, number, f"{path}[{name}]", record, card),
            }
            for name, one in value.items()
        ]
    _is(value, hint, path)
    if hint is PlayingCard:
        return card(value)
    if isinstance(value, Enum):
        return value.name
    return record(value, path) if is_record(hint) else _plain(value, path)


def _is(value: Any, kind: Any, path: str) -> None:
    fits = type(value) in (int, float) if kind is float else isinstance(value, kind)
    if not fits or (kind is int and isinstance(value, bool)):
        raise Unwritable(path, f"is {value!r}, which is no {getattr(kind, '__name__', kind)}")


def _plain(value: Any, path: str) -> Any:
    if isinstance(value, int) and not -MAX_INT - 1 <= value <= MAX_INT:
        raise Unwritable(path, f"is {value}, which is no 32-bit integer")
    if isinstance(value, float) and not math.isfinite(value):
        raise Unwritable(path, f"is {value}, which JSON does not have")
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise Unwritable(path, f"is {value}, a time without a zone")
        return value.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
    return value


def _card(card: PlayingCard) -> dict[str, str]:
    return {"rank": card.rank.name, "suit": card.suit.name, "text": card.text}


def _object(value: Any, path: str) -> dict[str, Any]:
    return {
        camel(field.name): shown(getattr(value, field.name), hint, below(path, field.name))
        for field, hint in typed(type(value))
    }


def _input(value: Any, path: str) -> dict[str, Any]:
    return {
        camel(field.name): given(getattr(value, field.name), hint, below(path, field.name))
        for field, hint in typed(type(value))
        if field.init
    }


def below(path: str, name: str) -> str:
    """The path of a field in what is at a path."""
    return f"{path}.{name}" if path else name


def rank(value: Any) -> Any:
    """What the entries of a set are put in order by: members of enums as they are declared."""
    if isinstance(value, Enum):
        return list(type(value)).index(value)
    return tuple(map(rank, value)) if isinstance(value, tuple) else value


def difference(expected: Any, answered: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Where two JSON values differ first, and what they have there."""
    if isinstance(expected, dict) and isinstance(answered, dict):
        for key in [*expected, *[key for key in answered if key not in expected]]:
            found = difference(expected.get(key, "nothing"), answered.get(key, "nothing"), below(path, key))
            if found is not None:
                return found
        return None
    if isinstance(expected, list) and isinstance(answered, list) and len(expected) == len(answered):
        for index, (one, other) in enumerate(zip(expected, answered, strict=True)):
            found = difference(one, other, f"{path}[{index}]")
            if found is not None:
                return found
        return None
    same = expected == answered and isinstance(expected, bool) == isinstance(answered, bool)
    return None if same else (path, expected, answered)
