"""Small values of whatever type a plugin declares, the limits of each type among them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from itertools import cycle, islice, product
from typing import Any, get_args, get_origin

from fliptable import CARD, MAX_INT, PlayingCard, check_limits
from fliptable_api.naming import uncited
from fliptable_api.testing.coding import annotated, bare, each, is_numbers, is_record, maybe, typed

_NOON = datetime(2030, 1, 31, 12, tzinfo=UTC)
_TIMES = (
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(2030, 1, 31, 23, 59, 59, 999_000, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC),
)
_CARDS = (CARD["10H"], CARD["KS"])
_TEXTS = ("", "♠ ü \"quoted\" 'once' {\\}", "two\nlines")
_FLOATS = (-0.5, 0.1, sys.float_info.min, sys.float_info.max)
_MORE = (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Integers to try where the smallest ones are refused."""
_TRIES = 3000
"""So many combinations are tried to find a first value that a class takes."""


class NoInstance(Exception):
    """No value could be made; the message says what was said of the last one that was tried."""


class Instances:
    """Makes values of types. Strings are those that were seen in the same fields before."""

    def __init__(self, examples: Iterable[Any] = ()) -> None:
        """``examples`` are values of dataclasses to begin with, as somebody gave them."""
        self._examples: dict[type, list[Any]] = {}
        self._words: dict[Any, list[str]] = {}
        for one in examples:
            self.learn(one)

    def learn(self, value: Any) -> None:
        """Take a value, and the strings in it, as ones that there can be."""
        if not is_dataclass(value) or isinstance(value, type):
            return
        kind = type(value)
        known = self._examples.setdefault(kind, [])
        if len(known) < 20 and value not in known:
            known.append(value)
        hints = annotated(kind)
        for field in fields(kind):
            for part in _parts(getattr(value, field.name)):
                if isinstance(part, str):
                    words = self._words.setdefault(_about(field.name, hints[field.name]), [])
                    if part not in words and len(words) < 5:
                        words.append(part)
                else:
                    self.learn(part)

    def known(self, kind: type) -> list[Any]:
        """The values of a class that were given or seen."""
        return list(self._examples.get(kind, ()))

    def first(self, kind: type) -> Any:
        """A small value of a class. Errors: NoInstance, and what the class raises but ValueErrors."""
        known = self._examples.get(kind)
        if known:
            return known[0]
        return next(self.mild(kind))

    def mild(self, kind: type) -> Iterator[Any]:
        """Values that mean something, such as seats that there are, in combinations.

        Errors: NoInstance when the class takes none of them.
        """
        choices = self._choices(kind)
        said = "it takes none of what was tried"
        found = False
        for more in (False, True):
            columns = [[*one, *(_MORE if more and hint is int else ())] for _, hint, one in choices]
            for values in islice(product(*columns), _TRIES):
                try:
                    made = kind(**{name: one for (name, *_), one in zip(choices, values, strict=True)})
                    check_limits(made)
                except ValueError as error:
                    said = str(error)
                    continue
                found = True
                yield made
            if found:
                return
        raise NoInstance(said)

    def all_of(self, kind: type) -> list[Any]:
        """A small value of a class, and those that differ from it in one field; the smallest first."""
        base = self.first(kind)
        found = [base, *self.known(kind)[1:]]
        for name, hint, mild in self._choices(kind):
            for value in [*mild, *self.limits(hint)]:
                made = with_field(base, name, value)
                if made is not None and not any(_same(made, one) for one in found):
                    found.append(made)
        return found

    def _choices(self, kind: type) -> list[tuple[str, Any, list[Any]]]:
        """The fields that can be given, their types and the values to begin with."""
        hints = annotated(kind)
        found = []
        for field, hint in typed(kind):
            if not field.init:
                continue
            values = self._mild(hint, self._words.get(_about(field.name, hints[field.name]), ()))
            if field.default is not MISSING:
                values.insert(0, field.default)
            elif field.default_factory is not MISSING:
                values.insert(0, field.default_factory())
            found.append((field.name, hint, values))
        return found

    def _mild(self, hint: Any, words: Iterable[str] = ()) -> list[Any]:
        if hint is int:
            return [0, 1]
        if hint is str:
            return list(words) or ["A"]
        if hint is bool:
            return [False, True]
        if hint is float:
            return [0.0, 0.5]
        if hint is datetime:
            return [_NOON]
        if isinstance(hint, type) and issubclass(hint, Enum):
            return list(hint)[:1] if hint is PlayingCard else list(hint)
        inner = maybe(hint)
        if inner is not None:
            return [None, *self._mild(inner, words)]
        if is_numbers(hint):
            key, number = map(bare, get_args(hint))
            return [{}, dict(zip(self._mild(key, words), self._mild(number), strict=False))]
        inner = each(hint)
        if inner is not None:
            return _lists(hint, self._mild(inner, words)[:2])
        return [self.first(hint)] if is_record(hint) else []

    def limits(self, hint: Any) -> list[Any]:
        """Values at the limits of a type, and whatever else may be told apart."""
        if hint is int:
            return [-1, MAX_INT, -MAX_INT - 1]
        if hint is str:
            return list(_TEXTS)
        if hint is float:
            return list(_FLOATS)
        if hint is datetime:
            return list(_TIMES)
        if hint is PlayingCard:
            return list(_CARDS)
        inner = maybe(hint)
        if inner is not None:
            return self.limits(inner)
        if is_numbers(hint):
            key, number = map(bare, get_args(hint))
            keys = [*self._mild(key), *self.limits(key)]
            values = [*self._mild(number), *self.limits(number)]
            return [dict(zip(keys, cycle(values), strict=False))] if values else []
        inner = each(hint)
        if inner is not None:
            entries = [*self._mild(inner), *self.limits(inner)]
            return _lists(hint, entries)[-1:]
        return self.all_of(hint)[1:] if is_record(hint) else []


def with_field(value: Any, name: str, part: Any) -> Any | None:
    """A dataclass with another value in one field; None where it takes none such."""
    given = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    try:
        made = type(value)(**{**given, name: part})
        check_limits(made)
    except ValueError:
        return None
    return made


def closed(kind: type) -> Iterator[tuple[str, Any]]:
    """The fields that have few values, and each of them: switches, choices, and None or not."""
    for field, hint in typed(kind):
        inner = maybe(hint)
        kept = hint if inner is None else inner
        if kept is bool or (isinstance(kept, type) and issubclass(kept, Enum) and kept is not PlayingCard):
            yield from ((field.name, one) for one in ((False, True) if kept is bool else kept))
        if inner is not None:
            yield field.name, None


def _lists(hint: Any, entries: list[Any]) -> list[Any]:
    """Lists of a type: an empty one, one of the first entry, one of all of them."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple and arguments[-1] is not ...:
        size = len(arguments)
        wholes = [tuple(entries[index : index + size]) for index in range(len(entries) - size + 1)]
        return wholes or [tuple(entries[:1] * size)]
    # A sequence comes back from storage as a list.
    make = list if origin is Sequence else origin
    return [make(), make(entries[:1]), make(entries)] if entries else [make()]


def _same(one: Any, other: Any) -> bool:
    # True and 1 are equal, and not the same.
    return bool(one == other) and repr(one) == repr(other)


def _about(name: str, hint: Any) -> Any:
    """What fields have in common that hold the same sort of strings."""
    extras = getattr(hint, "__metadata__", ())
    return (name, *[uncited(one) for one in extras if isinstance(one, str)])


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _parts(one)
    elif isinstance(value, Mapping):
        yield from value
    else:
        yield value
