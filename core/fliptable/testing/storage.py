"""Whether values survive storage as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from fliptable.codec import pack, unpack
from fliptable.rules import MAX_INT

_MOST = 2**63 - 1


def storable(value: Any) -> Any:
    """A value as a document in which sets have an order, to compare by."""
    kinds: set[Any] = {type(part) for part in (value if isinstance(value, tuple | list) else (value,))}
    return _ordered(value) if any(map(_has_sets, kinds)) else pack(value)


def storage_trouble(value: Any, kind: Any) -> str | None:
    """Why a value does not survive storage; None when it does."""
    try:
        document = pack(value)
        for path, part in _parts(document, ""):
            if isinstance(part, int) and not isinstance(part, bool) and abs(part) > _MOST:
                return f"{path or 'it'} is {part}, which has more than 64 bits"
            if isinstance(part, datetime) and (part.tzinfo is None or part.microsecond % 1000):
                return f"{path or 'it'} is {part}: times need a zone and have milliseconds at most"
        again = unpack(document, kind)
    except (TypeError, ValueError) as error:
        return f"it cannot be stored and read: {error}"
    if pack(again) != document and _ordered(again) != _ordered(value):
        return f"it is {document} and after storage {pack(again)}"
    if again != value:
        return f"it is {value} and after storage {again}"
    return None


def int_trouble(value: Any) -> str | None:
    """Which integer in a value does not fit GraphQL's Int; None when all do."""
    for path, part in _parts(pack(value), ""):
        if isinstance(part, int) and not isinstance(part, bool) and not -MAX_INT - 1 <= part <= MAX_INT:
            return f"{path or 'it'} is {part}, which is no 32-bit integer"
    return None


def _parts(document: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _parts(value, f"{path}.{key}" if path else str(key))
    elif isinstance(document, list | tuple):
        for index, value in enumerate(document):
            yield from _parts(value, f"{path}[{index}]")
    else:
        yield path, document


@cache
def _has_sets(kind: Any, inside: frozenset[Any] = frozenset()) -> bool:
    """Whether there may be sets in what a type says; their order is not always the same."""
    if kind in (set, frozenset) or get_origin(kind) in (set, frozenset):
        return True
    if isinstance(kind, type) and is_dataclass(kind):
        if kind in inside:
            return False
        try:
            hints = get_type_hints(kind)
        except NameError:  # Its types are names that only its own function knows.
            return True
        return any(_has_sets(hints[field.name], inside | {kind}) for field in fields(kind))
    return any(_has_sets(part, inside) for part in get_args(kind))


def _ordered(value: Any) -> Any:
    """As :func:`pack`, with all sets in order."""
    if isinstance(value, set | frozenset):
        return sorted(map(_ordered, value), key=repr)
    if isinstance(value, tuple | list):
        return type(value)([_ordered(part) for part in value])
    if isinstance(value, Mapping):
        return {pack(key): _ordered(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _ordered(getattr(value, field.name)) for field in fields(value)}
    return pack(value)
