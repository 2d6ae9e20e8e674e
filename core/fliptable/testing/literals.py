"""Values written down as Python, with the imports that they need."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from inspect import Parameter, signature
from math import isfinite
from typing import Any

from fliptable.plugins import load_plugins
from fliptable.queries import PluginQuery

_PUBLIC = ("fliptable", "fliptable.testing")
"""Where a class is imported from when it is there under its name."""
_ANY = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def source_of(value: Any) -> str:
    """A value as Python that makes it, given that its classes are imported."""
    return Literals(whole=True).write(value)


def shown(value: Any) -> str:
    """A value in the words of its plugin, with nothing that has its default: ``Keep(bonus=3)``."""
    return Literals(spoken=True).write(value)


class Literals:
    """Writes values, and remembers what has to be imported for them."""

    def __init__(self, whole: bool = False, spoken: bool = False) -> None:
        """With ``whole``, fields are written that have their default value too; what is ``spoken`` is read
        by people alone.
        """
        self._whole = whole
        self._spoken = spoken
        self._homes: dict[str, str] = {}
        self.elsewhere: set[str] = set()
        """Names of classes that cannot be imported, since they are in a test or inside a function."""
        self.made_in: dict[str, str] = {}
        """The function that makes such a class, where one does."""
        self.taken: dict[str, str] = {}
        """What classes take of whose objects it is not known with what they were made."""

    def write(self, value: Any) -> str:
        """A value as Python that makes it."""
        if isinstance(value, type):
            return self.name(value)
        if isinstance(value, Enum):
            return f"{self.name(type(value))}.{value.name}"
        if is_dataclass(value) and not isinstance(value, type):
            given = [
                f"{one.name}={self.write(getattr(value, one.name))}"
                for one in fields(value)
                if one.init and (self._whole or not _is_default(one, getattr(value, one.name)))
            ]
            return f"{self.name(type(value))}({', '.join(given)})"
        if isinstance(value, datetime):
            return f"{self.name(datetime)}.fromisoformat({self.write(value.isoformat())})"
        if isinstance(value, timedelta):
            return f"{self.name(timedelta)}(seconds={value.total_seconds()!r})"
        if isinstance(value, Mapping):
            pairs = [f"{self.write(key)}: {self.write(part)}" for key, part in value.items()]
            return "{" + ", ".join(pairs) + "}"
        if isinstance(value, frozenset | set):
            inside = ", ".join(self.write(one) for one in sorted(value, key=repr))
            return f"{type(value).__name__}([{inside}])"
        if isinstance(value, tuple):
            inside = ", ".join(map(self.write, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if isinstance(value, list):
            return f"[{', '.join(map(self.write, value))}]"
        if isinstance(value, float) and not isfinite(value) and not self._spoken:
            return f'float("{value}")'
        text = repr(value)
        plain = isinstance(value, str) and not self._whole and not set(text[1:-1]) & set("\"'\\")
        return f'"{text[1:-1]}"' if plain else text

    def part(self, part: Any, kind: str) -> str:
        """A game, mode or constraint as Python that makes it, or finds it among the installed ones."""
        if isinstance(part, PluginQuery):
            return self._query(part)
        if is_dataclass(part) and not isinstance(part, type):
            return self.write(part)
        takes = [one for one in signature(type(part)).parameters.values() if one.kind not in _ANY]
        if not takes:
            return f"{self.name(type(part))}()"
        given = made_with(part, takes)
        if given is not None:
            return f"{self.name(type(part))}({', '.join(f'{key}={self.write(given[key])}' for key in given)})"
        installed = getattr(load_plugins(strict=False), f"{kind}s").get(part.id)
        if type(installed) is type(part):
            self._homes["load_plugins"] = "fliptable.plugins"
            return f'load_plugins(strict=False).{kind}("{part.id}")'
        name = self.name(type(part))
        self.taken[name] = ", ".join([one.name for one in takes])
        return f"{name}(...)"

    def _query(self, query: PluginQuery) -> str:
        if load_plugins(strict=False).queries.get(query.name) == query:
            self._homes["load_plugins"] = "fliptable.plugins"
            return f'load_plugins(strict=False).queries["{query.name}"]'
        self.elsewhere.add("QUERY")
        return "QUERY"

    def name(self, kind: type) -> str:
        """What a class is called, once it is imported."""
        if kind.__module__ == "builtins":
            return kind.__name__
        made_in, _, name = kind.__qualname__.rpartition(".<locals>.")
        top = name.partition(".")[0]
        home = _home(kind, top)
        if not home:
            self.elsewhere.add(top)
            if made_in:
                self.made_in[top] = made_in.replace(".<locals>", "")
            return name
        if self._homes.setdefault(top, home) == home:
            return name
        # Two modules have a class of this name.
        self._homes[home] = ""
        return f"{home}.{name}"

    def function(self, name: str, home: str = "") -> str:
        """One of the kit's functions or types, or of those of another module, once it is imported."""
        self._homes[name] = home or "fliptable.testing"
        return name

    @property
    def imports(self) -> list[str]:
        """The lines that import everything that was written."""
        named: dict[str, list[str]] = {}
        for name, home in self._homes.items():
            named.setdefault(home, []).append(name)
        whole = [f"import {name}" for name in sorted(named.pop("", []))]
        return whole + [
            f"from {home} import {', '.join(_in_order(names))}" for home, names in sorted(named.items())
        ]


def made_with(part: Any, takes: Sequence[Parameter]) -> dict[str, Any] | None:
    """The arguments that an object was made with, but for defaults; None where they cannot be told.

    They can where it keeps them under the names of the parameters, and another one made with them keeps the
    same.
    """
    kept = _kept(part)
    given: dict[str, Any] = {}
    for one in takes:
        name = next((name for name in (one.name, f"_{one.name}") if name in kept), None)
        if name is not None and not _same(kept[name], one.default):
            given[one.name] = kept[name]
    try:
        if not _same(_kept(type(part)(**given)), kept):
            return None
        for value in given.values():
            ast.parse(Literals().write(value))
    except Exception:
        return None
    return given


def _kept(part: Any) -> dict[str, Any]:
    """What an object keeps; who brings it is said when it is loaded."""
    return {name: value for name, value in getattr(part, "__dict__", {}).items() if name != "source"}


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and type(one) is type(other)


@cache
def _home(kind: type, top: str) -> str:
    """The module that a class is imported from; none where it is not there under its name."""
    there = getattr(sys.modules.get(kind.__module__), top, None)
    if there is None or ("<locals>" in kind.__qualname__ and kind.__name__ == top and there is not kind):
        return ""
    last = kind.__module__.rpartition(".")[2]
    if last in ("__main__", "conftest") or last.startswith("test_"):
        return ""
    for module in _PUBLIC:
        if getattr(__import__(module, fromlist=["*"]), top, None) is kind:
            return module
    return kind.__module__


def _in_order(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: (not name[:1].isupper(), name))


def _is_default(field: Any, value: Any) -> bool:
    if field.default is not MISSING:
        return bool(field.default == value)
    return field.default_factory is not MISSING and bool(field.default_factory() == value)
