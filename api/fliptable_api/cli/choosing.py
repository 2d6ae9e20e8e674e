"""Choosing among legal moves: by a person who types, or by lot."""

from __future__ import annotations

import copy
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from fliptable_api.cli.shapes import is_nothing

MANY = 2**31 - 1
"""The largest Int; a field whose maximum this is has none to speak of."""
_NEAR = 20
"""How far above its minimum a drawn number may be."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be sent: a seat and a `move`, or the wish to start the table."""

    seat: int | None = None
    input: dict[str, Any] | None = None


class Chooser(Protocol):
    """Whoever says which move is played."""

    async def choose(
        self, moves: Sequence[dict[str, Any]], names: Sequence[str], question: str = ""
    ) -> Choice | None:
        """One of the legal moves; None to stop playing. ``question`` is what the server would ask."""
        ...


def filled(move: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """A legal move's input with some of its fields set, by their paths."""
    input: dict[str, Any] = copy.deepcopy(move["input"])
    for path, value in values.items():
        *outer, last = path.split(".")
        place = input
        for step in outer:
            place = place[step]
        place[last] = value
    return input


class ByLot:
    """Chooses at random; the same seed makes the same choices."""

    def __init__(self, seed: int | None = None, most: int | None = None) -> None:
        """``most`` is how many moves are played before it stops."""
        self._random = Random(seed)
        self._left = most

    async def choose(
        self, moves: Sequence[dict[str, Any]], names: Sequence[str], question: str = ""
    ) -> Choice | None:
        """Any of the moves, with any of the values; of a number's, one not far from the smallest."""
        if self._left is not None:
            if self._left == 0:
                return None
            self._left -= 1
        move = self._random.choice(moves)
        values = {field["path"]: self._value(field) for field in move["fields"]}
        return Choice(move["seat"], filled(move, values))

    def _value(self, field: dict[str, Any]) -> Any:
        if field["choices"]:
            return self._random.choice(field["choices"])
        return self._random.randint(field["min"], min(field["max"], field["min"] + _NEAR))


class ByHand:
    """Asks a person."""

    def __init__(self, read: Callable[[], Awaitable[str | None]], write: Callable[[str], None]) -> None:
        """``read`` gives the next line, or None at the end of the input."""
        self._read = read
        self._write = write

    async def choose(
        self, moves: Sequence[dict[str, Any]], names: Sequence[str], question: str = ""
    ) -> Choice | None:
        """The move that somebody chooses by its number, with its values."""
        if question:
            self._write(question)
        try:
            move, words = await self._pick(moves, names)
            if words and words[0].startswith("{"):
                return Choice(move["seat"], merged(move, json.loads(" ".join(words))))
            values = {field["path"]: await self._value(move, field, words) for field in move["fields"]}
        except _StoppedError:
            return None
        return Choice(move["seat"], filled(move, values))

    async def _pick(
        self, moves: Sequence[dict[str, Any]], names: Sequence[str]
    ) -> tuple[dict[str, Any], list[str]]:
        """A move, and the words of the line that are left for its fields."""
        seats = {move["seat"] for move in moves}
        for number, move in enumerate(moves, start=1):
            whose = f"{names[move['seat']]}: " if len(seats) > 1 and move["seat"] is not None else ""
            self._write(f"  {number:>{len(str(len(moves)))}}  {whose}{label(move, moves)}")
        if len(moves) == 1 and moves[0]["fields"]:
            return moves[0], []
        while True:
            words = await self._ask("Enter plays it, q stops" if len(moves) == 1 else "Which move? (q stops)")
            if len(moves) == 1 and words in ([], ["1"]):
                return moves[0], []
            if words and words[0].isdecimal() and 1 <= int(words[0]) <= len(moves):
                move = moves[int(words[0]) - 1]
                if len(words) == 1 or not words[1].startswith("{") or _is_object(" ".join(words[1:])):
                    return move, words[1:]
                self._write("What comes after the number is not JSON.")
                continue
            self._write("Only Enter or q will do." if len(moves) == 1 else f"It has to be 1 to {len(moves)}.")

    async def _value(self, move: dict[str, Any], field: dict[str, Any], words: list[str]) -> Any:
        """What somebody gives a field; by default what the legal move has there."""
        default = _at(move["input"], field["path"])
        while True:
            if not words:
                words += await self._ask(f"{field['name']}? {allowed(field)}; Enter for {default}")
            if not words:
                return default
            word = words.pop(0)
            value = parsed(field, word)
            if value is not None:
                return value
            words.clear()
            self._write(f"{field['name']} cannot be {word}: it is {allowed(field)}.")

    async def _ask(self, question: str) -> list[str]:
        self._write(question)
        line = await self._read()
        if line is None or line.strip().lower() in ("q", "quit"):
            raise _StoppedError
        return line.split()


class _StoppedError(Exception):
    """Somebody has had enough."""


def label(move: dict[str, Any], moves: Sequence[dict[str, Any]]) -> str:
    """What a list calls a move: its label, its fields, and what tells it from others of that label."""
    words = str(move["label"])
    if move["fields"]:
        asked = [f"{field['name']}: {allowed(field)}" for field in move["fields"]]
        return f"{words} ({', '.join(asked)})"
    if sum(move["label"] == other["label"] and move["seat"] == other["seat"] for other in moves) > 1:
        content = _content(move["input"])
        told = [f"{name} {value}" for name, value in content.items() if not is_nothing(value)]
        words += f" ({', '.join(told)})" if told else ""
    return words


def merged(move: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """A legal move's input with other values in any of its fields."""
    input: dict[str, Any] = copy.deepcopy(move["input"])
    _content(input).update(values)
    return input


def _content(input: dict[str, Any]) -> dict[str, Any]:
    """The fields of a move inside its input; a move without any has none."""
    of_game = next(iter(input.values()))
    content = next(iter(of_game.values())) if isinstance(of_game, dict) else None
    return content if isinstance(content, dict) else {}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def allowed(field: dict[str, Any]) -> str:
    """The values that a field takes, in words."""
    if field["choices"]:
        return " or ".join(map(str, field["choices"]))
    if field["type"] == "Int":
        return f"{field['min']} or more" if field["max"] >= MANY else f"{field['min']} to {field['max']}"
    return str(field["description"])


def parsed(field: dict[str, Any], word: str) -> Any:
    """The value that a word means; None where the field does not take it."""
    if field["choices"]:
        return next((one for one in field["choices"] if str(one).lower() == word.lower()), None)
    if field["type"] != "Int":
        return word
    try:
        number = int(word)
    except ValueError:
        return None
    return number if field["min"] <= number <= field["max"] else None


def _at(input: Any, path: str) -> Any:
    for step in path.split("."):
        input = input[step]
    return input
