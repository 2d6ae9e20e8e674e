"""What an object of a plugin keeps beside the state: nothing may change there, since it serves all tables."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

_ATOMS = (int, float, str, bytes, bool, type(None), complex, Enum)
_LEFT = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType, property, classmethod, staticmethod)
_CONTRACTS = frozenset(
    ("builtins", "abc", "typing", "fliptable.rules", "fliptable.modes", "fliptable.constraints")
)
_DEEP = 5
_MOST = 5_000
"""So deep, and so many values, are looked at; of what goes beyond, its size."""
_SAID = frozenset(("source",))
"""What is filled in when a plugin is loaded."""
_GONE = object()


class Spy:
    """A method that somebody listens to, which stands among an object's attributes for a while."""

    __slots__ = ("_method",)

    def __init__(self, method: Callable[..., Any]) -> None:
        """``method`` is called in its place."""
        self._method = method

    def __call__(self, *arguments: Any) -> Any:
        """What the method gives."""
        return self._method(*arguments)


class Memory:
    """What a part of a plugin keeps when nobody has asked it anything: its attributes and its classes'."""

    def __init__(self, part: Any) -> None:
        """``part`` is a game, mode or constraint."""
        self._part = weakref.ref(part) if _has_weakrefs(part) else lambda: part
        home = type(part).__module__.partition(".")[0]
        self._own = {name: _Kept(value, home) for name, value in _attributes(part).items()}
        self._kinds = [
            (kind, {name: _Kept(value, home) for name, value in _class_attributes(kind).items()})
            for kind in type(part).__mro__
            if kind.__module__ not in _CONTRACTS
        ]

    def changed(self, part: Any = None) -> str | None:
        """The first attribute that is not as it was, of the part or a copy of it; None where all are."""
        for whose, _, now, kept in self._places(part):
            for name, value in now.items():
                if name not in kept or not kept[name].is_as_it_was(value):
                    return f"{whose}.{name}"
            for name in kept:
                if name not in now:
                    return f"{whose}.{name}"
        return None

    def restore(self, part: Any = None) -> None:
        """Put back what has changed, as far as it can be."""
        for _, owner, now, kept in self._places(part):
            for name in [*now, *[name for name in kept if name not in now]]:
                with suppress(Exception):
                    if name not in kept:
                        delattr(owner, name)
                    elif not kept[name].is_as_it_was(now.get(name, _GONE)):
                        setattr(owner, name, kept[name].again())

    def _places(self, part: Any) -> Iterator[tuple[str, Any, Mapping[str, Any], Mapping[str, _Kept]]]:
        part = self._part() if part is None else part
        yield "self", part, _attributes(part), self._own
        for kind, kept in self._kinds:
            yield kind.__name__, kind, _class_attributes(kind), kept


class _Kept:
    """A value as it was."""

    __slots__ = ("_as_it_was", "_copy", "_home", "_plain", "_value")

    def __init__(self, value: Any, home: str) -> None:
        self._value = value
        self._home = home
        self._plain = _is_plain(value)
        if not self._plain:
            self._as_it_was = _frozen(value, home)
            try:
                self._copy = deepcopy(value)
            except Exception:
                self._copy = value

    def is_as_it_was(self, value: Any) -> bool:
        if self._plain:
            return value is self._value or (type(value) is type(self._value) and value == self._value)
        return value is self._value and bool(_frozen(value, self._home) == self._as_it_was)

    def again(self) -> Any:
        """The value, with what it had in it."""
        if not self._plain:
            fresh, value = deepcopy(self._copy), self._value
            if isinstance(value, list | deque):
                value.clear()
                value.extend(fresh)
            elif isinstance(value, dict | set):
                value.clear()
                value.update(fresh)
            elif isinstance(getattr(value, "__dict__", None), dict):
                value.__dict__.clear()
                value.__dict__.update(fresh.__dict__)
        return self._value


class _Same:
    """A value that is the same only where it is itself."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._value is other._value

    __hash__ = None  # type: ignore[assignment]


def _is_plain(value: Any) -> bool:
    """Whether nothing in a value can change."""
    if isinstance(value, (*_ATOMS, *_LEFT, range)):
        return True
    return isinstance(value, tuple | frozenset) and all(map(_is_plain, value))


def _frozen(value: Any, home: str) -> Any:
    """What is in a value, to compare by; in objects of other packages than ``home`` nobody looks."""
    left = [_MOST]

    def freeze(value: Any, deep: int, within: frozenset[int]) -> Any:
        left[0] -= 1
        if isinstance(value, _ATOMS):
            return type(value), value
        if isinstance(value, _LEFT) or id(value) in within:
            return _Same(value)
        many = isinstance(value, list | tuple | deque | dict | set | frozenset | bytearray)
        inside = getattr(value, "__dict__", None)
        if not many and not (isinstance(inside, dict) and _is_of(value, home)):
            return _Same(value)
        if deep == 0 or left[0] <= 0:
            return _Same(value), len(value) if many else len(inside or ())
        within = within | {id(value)}
        if isinstance(value, dict):
            parts: Any = [
                (freeze(key, deep - 1, within), freeze(one, deep - 1, within)) for key, one in value.items()
            ]
        elif isinstance(value, set | frozenset | bytearray):
            parts = type(value)(value)
        elif many:
            parts = [freeze(one, deep - 1, within) for one in value]
        else:
            remembered = _caches(type(value))
            parts = [
                (name, freeze(one, deep - 1, within))
                for name, one in (inside or {}).items()
                if name not in remembered
            ]
        return (type(value), parts) if many else (_Same(value), parts)

    return freeze(value, _DEEP, frozenset())


def _is_of(value: Any, home: str) -> bool:
    return str(type(value).__module__).partition(".")[0] == home


def _attributes(part: Any) -> dict[str, Any]:
    """What an object keeps, but for what was only worked out once, as by ``functools.cached_property``."""
    inside = getattr(part, "__dict__", None) or {}
    if not inside.keys() - _SAID:
        return {}
    remembered = _caches(type(part))
    return {
        name: value
        for name, value in inside.items()
        if name not in _SAID and name not in remembered and not isinstance(value, Spy)
    }


def _caches(kind: type) -> set[str]:
    """The names under which attributes that are worked out once are kept."""
    return {
        name
        for one in kind.__mro__
        for name, value in vars(one).items()
        if hasattr(type(value), "__set_name__") and hasattr(type(value), "__get__")
    }


def _class_attributes(kind: type) -> dict[str, Any]:
    return {
        name: value
        for name, value in vars(kind).items()
        if not isinstance(value, _LEFT) and not name.startswith(("__", "_abc_")) and name not in _SAID
    }


def _has_weakrefs(part: Any) -> bool:
    return hasattr(type(part), "__weakref__")


_MEMORIES: dict[int, tuple[Any, Memory]] = {}


def remember(part: Any) -> Memory:
    """What a part keeps from now on; a check begins with it."""
    memory = Memory(part)
    who: Any = part
    if _has_weakrefs(part):
        who = weakref.ref(part, partial(_forget, id(part)))
    _MEMORIES[id(part)] = (who, memory)
    return memory


def _forget(key: int, _: object) -> None:
    _MEMORIES.pop(key, None)


def memory_of(part: Any) -> Memory:
    """What a part kept when a check began, or keeps now where none has."""
    found = _MEMORIES.get(id(part))
    return remember(part) if found is None else found[1]


__all__ = ["Memory", "memory_of", "remember"]
