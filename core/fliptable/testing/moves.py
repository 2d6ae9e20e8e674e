"""Moves to try: those of a range, those beside it, and whatever else the class of a move can hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fliptable.limits import MAX_INT, Between
from fliptable.rules import Choices, MoveRange, Several
from fliptable.testing.clock import START

_INTS = (0, 1, 2, 3, 5, 13, -1, MAX_INT)
_ODD = 3
"""How many moves of each class are made up."""


def as_fields(move: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, as they are."""
    return {name: getattr(move, name) for name in _names(move.__class__)}


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple([field.name for field in fields(kind)])


def random_move(move: Any, random: Random) -> Any:
    """The move, or one of those in a range of moves: often a small one, sometimes an extreme one."""
    if not isinstance(move, MoveRange):
        return move
    values = {name: random_value(allowed, random) for name, allowed in move.fields.items()}
    return type(move.example)(**{**as_fields(move.example), **values})


def random_value(allowed: Between | Choices | Several, random: Random) -> Any:
    """A value of a field of a range of moves."""
    if isinstance(allowed, Several):
        return _random_list(allowed, random)
    if isinstance(allowed, Choices):
        return random.choice(allowed.values)
    near = min(allowed.high, allowed.low + 60)
    return random.choice([random.randint(allowed.low, near)] * 6 + [allowed.low, min(allowed.high, MAX_INT)])


def _random_list(allowed: Several, random: Random) -> tuple[Any, ...]:
    wanted = random.randint(allowed.least, allowed.most)
    if isinstance(allowed.of, Choices):
        return tuple(random.sample(allowed.of.values, wanted))
    found: list[int] = []
    while len(found) < wanted:
        value = random_value(allowed.of, random)
        if value not in found:
            found.append(value)
    return tuple(found)


def samples(move: Any, random: Random) -> Iterator[Any]:
    """Some of the moves of a range: its example, the ends of each field, and a few by lot."""
    if not isinstance(move, MoveRange):
        yield move
        return
    yield move.example
    for name, allowed in move.fields.items():
        for value in _ends(allowed):
            yield _with(move.example, name, value)
    for _ in range(3):
        yield random_move(move, random)


def _ends(allowed: Between | Choices | Several) -> Iterable[Any]:
    """The values to try: the extremes, or all that are listed; of lists the shortest and longest."""
    if isinstance(allowed, Between):
        return (allowed.low, allowed.high)
    if isinstance(allowed, Choices):
        return allowed.values
    of = allowed.of
    values = range(of.low, of.low + allowed.most) if isinstance(of, Between) else of.values
    first, last = tuple(values)[: allowed.most], tuple(values)[::-1][: allowed.most]
    return (first[: allowed.least], first, last, *[(value,) for value in first if allowed.least < 2])


def _with(move: Any, name: str, value: Any) -> Any:
    return type(move)(**{**as_fields(move), name: value})


def covers(legal: Any, move: Any) -> bool:
    """Whether a move is a legal one, or one of a range of legal ones."""
    ranged = isinstance(legal, MoveRange)
    example = legal.example if ranged else legal
    if type(example) is not type(move):
        return False
    for name in _names(move.__class__):
        value, given = getattr(move, name), getattr(example, name)
        allowed = legal.fields.get(name) if ranged else None
        if isinstance(given, tuple) and allowed is None:
            continue  # Lists are too many to list: the one in the example stands for all.
        if allowed is None:
            fits = value == given
        elif isinstance(allowed, Several):
            fits = isinstance(value, tuple)  # Others than those within the limits may be accepted too.
        elif isinstance(allowed, Between):
            fits = allowed.low <= value <= allowed.high
        else:
            fits = value in allowed.values
        if not fits:
            return False
    return True


def strangers(
    kinds: Sequence[type],
    legal: Sequence[Any],
    played: Sequence[Any],
    codes: Collection[str],
    random: Random,
) -> list[Any]:
    """Moves of these classes that are not legal.

    They are those just outside of ranges, what was played at other times or is legal for others
    (``played``), and moves with any values that their class can hold, ``codes`` of cards among them.
    """
    tried: list[Any] = []
    for move in legal:
        if isinstance(move, MoveRange):
            for name, allowed in move.fields.items():
                if isinstance(allowed, Between):
                    beside = (allowed.low - 1, allowed.high + 1)
                    tried.extend(_with(move.example, name, one) for one in beside if abs(one) <= MAX_INT)
    tried += [*played[:3], *random.sample(played, min(8, len(played)))]
    for kind in kinds:
        if all(field.default is not MISSING for field in fields(kind)):
            tried.append(kind())
        for _ in range(_ODD if fields(kind) else 0):
            try:
                tried.append(_any_of(kind, codes, random))
            except (TypeError, ValueError):
                continue  # The class itself does not take such values.
    found: list[Any] = []
    for one in tried:
        if one not in found and not any(covers(move, one) for move in legal):
            found.append(one)
    return found


_hints = cache(get_type_hints)


def _any_of(hint: Any, codes: Collection[str], random: Random) -> Any:
    """Any value of a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _any_of(random.choice(inner), codes, random)
    if origin is Literal:
        return random.choice(inner)
    if origin is tuple and (len(inner) != 2 or inner[1] is not ...):
        return tuple([_any_of(one, codes, random) for one in inner])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {}
    if isinstance(origin, type) and issubclass(origin, Sequence | AbstractSet):
        many = [_any_of(inner[0], codes, random) for _ in range(random.randint(0, 3))]
        return (
            frozenset(many)
            if issubclass(origin, AbstractSet)
            else origin(many)
            if origin is list
            else tuple(many)
        )
    if hint is NoneType:
        return None
    if hint is bool:
        return random.random() < 0.5
    if hint is int:
        return random.choice([*_INTS, random.randint(0, 60)])
    if hint is str:
        return random.choice([*sorted(codes), "", "X"])
    if hint is datetime:
        return START
    if isinstance(hint, type) and issubclass(hint, Enum):
        return random.choice(list(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        hints = _hints(hint)
        return hint(**{field.name: _any_of(hints[field.name], codes, random) for field in fields(hint)})
    raise TypeError(f"nothing is known of {hint}")
