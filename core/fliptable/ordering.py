"""Sets in an order, so that equal values are equal documents, to the byte and in every process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

_CONTAINERS = frozenset((tuple, list, dict))


def in_order(value: Any, document: Any) -> Any:
    """The document of a value, with the lists that stand for sets sorted."""
    kind = type(value)
    if is_dataclass(kind):
        for name in _places(kind):
            document[name] = in_order(getattr(value, name), document[name])
        return document
    if isinstance(value, tuple | list):
        inside = [in_order(part, packed) for part, packed in zip(value, document, strict=True)]
        return type(document)(inside)
    if isinstance(value, Mapping):
        pairs = zip(value.values(), document.items(), strict=True)
        return {key: in_order(part, packed) for part, (key, packed) in pairs}
    if isinstance(value, set | frozenset):
        found = [in_order(part, packed) for part, packed in zip(value, document, strict=True)]
        try:
            return sorted(found)
        except TypeError:
            return sorted(found, key=repr)
    return document


@cache
def _places(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass in which there may be a set somewhere."""
    try:
        hints = get_type_hints(kind)
    except NameError:  # Its types are names that only its own function knows.
        return tuple([field.name for field in fields(kind)])
    return tuple(
        [field.name for field in fields(kind) if _may_have_sets(hints[field.name], frozenset({kind}))]
    )


def _may_have_sets(hint: Any, inside: frozenset[Any]) -> bool:
    origin = get_origin(hint) or hint
    if origin is Any or origin in (set, frozenset) or origin in inside:
        return True
    if is_dataclass(origin):
        try:
            hints = get_type_hints(origin)
        except NameError:
            return True
        return any(_may_have_sets(hints[field.name], inside | {origin}) for field in fields(origin))
    parts = get_args(hint)
    return any(_may_have_sets(part, inside) for part in parts) if parts else origin in _CONTAINERS
