"""Making what breaks a law smaller: fewer actions, simpler values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

ATTEMPTS = 400
"""How many smaller cases are tried for a law that is broken."""

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


def simpler(value: Any) -> Iterator[Any]:
    """Values of the same class that are simpler; none of them leads back to the value."""
    if isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int | float):
        yield from [one for one in (0, 1, value // 2, value - value // 4, value - 1) if abs(one) < abs(value)]
    elif isinstance(value, Enum):
        first = next(iter(type(value)))
        if value is not first:
            yield first
    elif isinstance(value, tuple):
        if value:
            yield value[:0]
            yield value[: len(value) // 2]
            yield value[1:]
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if not field.init:
                continue
            part = getattr(value, field.name)
            candidates = list(simpler(part))
            if field.default is None and part is not None:
                candidates.insert(0, None)
            for one in candidates:
                try:
                    yield replace(value, **{field.name: one})
                except (TypeError, ValueError):
                    continue


def is_default(value: Any, kind: type) -> bool:
    """Whether options are the default ones of their class, if it has any."""
    try:
        return bool(value == kind())
    except TypeError:
        return False


def more_default(value: Any) -> Iterator[Any]:
    """Options with all fields at their defaults, or one more of them."""
    for names in ([one.name for one in fields(value)], *[[one.name] for one in fields(value)]):
        defaults: dict[str, Any] = {}
        for field in fields(value):
            if field.name in names and field.init:
                if field.default is not MISSING:
                    defaults[field.name] = field.default
                elif field.default_factory is not MISSING:
                    defaults[field.name] = field.default_factory()
        if any(getattr(value, name) != default for name, default in defaults.items()):
            try:
                yield replace(value, **defaults)
            except (TypeError, ValueError):
                continue
