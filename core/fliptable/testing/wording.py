"""Moves and whatever else happens in a round, in words: ``0: call 30``, ``1 leaves``, ``next round``."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import Any, get_origin, get_type_hints

import msgspec

from fliptable.limits import Between
from fliptable.rules import Choices, Game, MoveRange, Seat, Several
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play, Return
from fliptable.testing.members import value_of
from fliptable.testing.moves import as_fields

_HAPPENS: Mapping[str, type[Leave | Drop | Return | Expire]] = {
    "leaves": Leave,
    "is away": Drop,
    "is back": Return,
    "is out of time": Expire,
}
_WORDS = {kind: words for words, kind in _HAPPENS.items()}
_NEXT_ROUND = "next round"
_FEW = 200
"""A range of so many moves at the most is written out."""


def each_move(legal: Iterable[Any]) -> Iterator[Any]:
    """Legal moves one by one: every move of a range of a few, and a wider range as it is."""
    for move in legal:
        if isinstance(move, MoveRange):
            yield from _within(move)
        else:
            yield move


def _within(wide: MoveRange) -> Iterator[Any]:
    values = [_values(allowed) for allowed in wide.fields.values()]
    count = 1
    for some in values:
        count *= len(some)
    if not 0 < count <= _FEW:
        yield wide
        return
    for chosen in product(*values):
        named = dict(zip(wide.fields, chosen, strict=True))
        yield type(wide.example)(**{**as_fields(wide.example), **named})


def _values(allowed: Between | Choices | Several) -> Sequence[Any]:
    if isinstance(allowed, Choices):
        return allowed.values
    return range(allowed.low, allowed.high + 1) if isinstance(allowed, Between) else ()


def move_names(game: Game[Any, Any]) -> dict[str, type]:
    """What the moves of a game are called in words: the class in lower case, ``place-card``, or its first
    word where no other move begins with it, ``place``. The name that is written comes first.
    """
    return _named(game.moves)


@lru_cache(maxsize=64)
def _named(moves: tuple[type, ...]) -> dict[str, type]:
    whole = {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", kind.__name__).lower(): kind for kind in moves}
    first = Counter(name.partition("-")[0] for name in whole)
    short = {name.partition("-")[0]: kind for name, kind in whole.items()}
    return {name: kind for name, kind in short.items() if first[name] == 1} | whole


def write_move(game: Game[Any, Any], move: Any) -> str:
    """A move in words, as :func:`read_move` takes it; of a range its example, with "…" behind it."""
    if isinstance(move, MoveRange):
        return f"{write_move(game, move.example)} …"
    try:
        return _written(game.moves, move)
    except TypeError:  # It has a field that cannot be hashed, so that it cannot be looked up.
        return _written.__wrapped__(game.moves, move)


@lru_cache(maxsize=4096)
def _written(moves: tuple[type, ...], move: Any) -> str:
    name = next(name for name, kind in _named(moves).items() if kind is type(move))
    given = [(field, getattr(move, field.name)) for field in fields(move)]
    while given and given[-1][0].default is not MISSING and given[-1][1] == given[-1][0].default:
        given.pop()
    return " ".join([name, *[shlex.quote(_write(value)) for _, value in given]])


def _write(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ",".join(map(_write, value))
    if isinstance(value, Enum):
        return str(value.value)
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_move(game: Game[Any, Any], words: str) -> Any:
    """A move from words: what it is called, then the values of its fields in order, or ``name=value``.

    Lists are written with commas, ``enter-line 3,11 +10,x2 bust=true``, members of enums by their value or
    their name, ``claim K`` or ``claim KING``. Errors: ValueError says what does not fit.
    """
    name, *given = shlex.split(words)
    kinds = move_names(game)
    if name not in kinds:
        raise ValueError(f"{words!r}: {game.name} has no move {name!r}; there are {', '.join(kinds)}")
    kind = kinds[name]
    names = [field.name for field in fields(kind)]
    hints = get_type_hints(kind)
    document: dict[str, Any] = {}
    for place, text in enumerate(given):
        field, named, value = text.partition("=")
        if not (named and field in names):
            if place >= len(names):
                raise ValueError(f"{words!r}: {name} has {len(names)} fields: {', '.join(names)}")
            field, value = names[place], text
        hint = hints[field]
        try:
            if get_origin(hint) in (tuple, list, frozenset):
                document[field] = [value_of(one, hint) for one in value.split(",") if one]
            else:
                document[field] = value_of(value, hint)
        except ValueError as error:
            raise ValueError(f"{words!r}: {field}: {error}") from None
    try:
        return msgspec.convert(document, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(f"{words!r}: {error}") from None


def write_action(game: Game[Any, Any], action: Action) -> str:
    """An action in words, as :func:`read_action` takes it."""
    if isinstance(action, Play):
        return f"{action.seat}: {write_move(game, action.move)}"
    if isinstance(action, NextRound):
        return _NEXT_ROUND
    return f"{action.seat} {_WORDS[type(action)]}"


def read_action(game: Game[Any, Any], words: str, to_act: Collection[Seat] = ()) -> Action:
    """An action from words: ``0: call 30`` or, where one seat alone is to act, ``call 30``; ``0 leaves``,
    ``0 is away``, ``0 is back``, ``0 is out of time``; ``next round``.

    Errors: ValueError says what does not fit.
    """
    if words == _NEXT_ROUND:
        return NextRound()
    seat, colon, move = words.partition(":")
    if colon and seat.isdecimal():
        return Play(int(seat), read_move(game, move.strip()))
    who, _, happens = words.partition(" ")
    if who.isdecimal():
        if happens not in _HAPPENS:
            raise ValueError(f"{words!r}: after a seat comes a colon and a move, or {', '.join(_HAPPENS)}")
        return _HAPPENS[happens](int(who))
    if len(to_act) != 1:
        raise ValueError(f"{words!r}: {sorted(to_act)} are to act, so say whose move it is: '0: {words}'")
    return Play(next(iter(to_act)), read_move(game, words))


def split_line(line: str) -> tuple[str, str | None]:
    """The action of a line, and the code that it is refused with: ``0: call 29 -> INVALID_VALUE``."""
    words, arrow, code = line.partition("->")
    return words.strip(), code.strip() if arrow else None
