"""Making a sequence of actions that breaks a law shorter, and writing it down as Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

ATTEMPTS = 400
"""How many shorter sequences are tried for a law that is broken."""

T = TypeVar("T")


def shortest(actions: Sequence[T], fails: Callable[[Sequence[T]], bool], attempts: int = ATTEMPTS) -> list[T]:
    """The actions without those that are not needed to fail, as far as a few tries show."""
    best = list(actions)
    tries = 0
    size = max(1, len(best) // 2)
    while size and tries < attempts:
        start = 0
        while start < len(best) and tries < attempts:
            tries += 1
            shorter = best[:start] + best[start + size :]
            if fails(shorter):
                best = shorter
            else:
                start += size
        size //= 2
    return best


def source_of(value: Any) -> str:
    """A value as Python that makes it, given that its classes are imported."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        given = [(one.name, getattr(value, one.name)) for one in fields(value) if one.init]
        return f"{type(value).__name__}({', '.join(f'{name}={source_of(part)}' for name, part in given)})"
    if isinstance(value, datetime):
        return f"datetime.fromisoformat({value.isoformat()!r})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{source_of(key)}: {source_of(part)}" for key, part in value.items()) + "}"
    if isinstance(value, frozenset):
        return f"frozenset({[*map(_Source, sorted(value, key=repr))]!r})"
    if isinstance(value, tuple):
        inside = ", ".join(map(source_of, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, list):
        return f"[{', '.join(map(source_of, value))}]"
    return repr(value)


class _Source:
    """Something whose repr is the Python that makes it."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return source_of(self._value)
