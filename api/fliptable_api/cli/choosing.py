"""Choosing among legal moves: by a person who types, or by lot."""

from __future__ import annotations

import copy
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from fliptable_api.cli.fields import NotAllowed, allowed, parsed, shown
from fliptable_api.cli.shapes import broken, is_nothing

_LONGEST = 60
"""So many characters of what a move's fields take are told in a list of moves."""
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
        if field["list"]:
            return self._list(field)
        if field["choices"]:
            return self._random.choice(field["choices"])
        return self._random.randint(field["min"], min(field["max"], field["min"] + _NEAR))

    def _list(self, field: dict[str, Any]) -> list[Any]:
        least, most = field["minItems"], field["maxItems"]
        values = field["choices"] or range(field["min"], min(field["max"], field["min"] + _NEAR + most) + 1)
        return self._random.sample(values, self._random.randint(least, most))


class ByHand:
    """Asks a person. What they type is used as it is, or they are told why not: none of it is passed over."""

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
        seats = {move["seat"] for move in moves}
        for number, move in enumerate(moves, start=1):
            whose = f"{names[move['seat']]}: " if len(seats) > 1 and move["seat"] is not None else ""
            listed = f"{number:>{len(str(len(moves)))}}  {whose}{label(move, moves)}"
            for line in broken(listed, "  "):
                self._write(line)
        try:
            while True:
                move, words = await self._pick(moves)
                try:
                    return Choice(move["seat"], await self._input(move, words, alone=len(moves) == 1))
                except NotAllowed as error:
                    self._write(str(error))
        except _StoppedError:
            return None

    async def _pick(self, moves: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
        """A move, and the words of the line that are left for its fields."""
        if len(moves) == 1 and moves[0]["fields"]:
            # The number of the only move goes without saying; asking for its first field comes to the same.
            return moves[0], []
        while True:
            words = await self._ask("Enter plays it, q stops" if len(moves) == 1 else "Which move? (q stops)")
            if len(moves) == 1 and not words:
                return moves[0], []
            if words and words[0].isdecimal() and 1 <= int(words[0]) <= len(moves):
                return moves[int(words[0]) - 1], words[1:]
            self._write("Only Enter or q will do." if len(moves) == 1 else f"It has to be 1 to {len(moves)}.")

    async def _input(self, move: dict[str, Any], words: list[str], alone: bool) -> dict[str, Any]:
        """The move's input with the values that were typed, or are asked for. Errors: NotAllowed."""
        fields = list(move["fields"])
        values = {}
        asked = bool(fields) and not words
        while asked and not words:
            words = await self._ask_for(move, fields[0])
            if not words:
                values[fields[0]["path"]] = _at(move["input"], fields[0]["path"])
                del fields[0]
                break
            if alone and words[0] == "1":
                words = _without_number(words, fields)
        if words and words[0].startswith("{"):
            return merged(move, _object(" ".join(words)))
        while fields:
            field = fields.pop(0)
            whole = asked or not fields
            values[field["path"]] = await self._value(move, field, words, whole)
            asked = False
        if words:
            raise NotAllowed(f"{' '.join(words)!r} is more than this move takes, so nothing was played.")
        return filled(move, values)

    async def _value(self, move: dict[str, Any], field: dict[str, Any], words: list[str], whole: bool) -> Any:
        """What somebody gives a field; by default what the legal move has there.

        A list is one word with commas, or all of the line where it is ``whole`` or was asked for.
        """
        while True:
            if not words:
                words += await self._ask_for(move, field)
                whole = True
            if not words:
                return _at(move["input"], field["path"])
            count = len(words) if whole and field["list"] else 1
            word = " ".join(words[:count])
            del words[:count]
            try:
                return parsed(field, word)
            except NotAllowed as error:
                words.clear()
                self._write(str(error))

    async def _ask_for(self, move: dict[str, Any], field: dict[str, Any]) -> list[str]:
        default = shown(_at(move["input"], field["path"]))
        return await self._ask(f"{field['name']}? {allowed(field)}; Enter for {default}")

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
        asked = ", ".join(f"{field['name']}: {allowed(field)}" for field in move["fields"])
        # What is too long for a list is told when it is asked for.
        names = ", ".join(field["name"] for field in move["fields"])
        return f"{words} ({asked if len(asked) <= _LONGEST else names})"
    if sum(move["label"] == other["label"] and move["seat"] == other["seat"] for other in moves) > 1:
        content = _content(move["input"])
        told = [f"{name} {value}" for name, value in content.items() if not is_nothing(value)]
        words += f" ({', '.join(told)})" if told else ""
    return words


def merged(move: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """A legal move's input with other values in any of its fields. Errors: NotAllowed names a stranger."""
    input: dict[str, Any] = copy.deepcopy(move["input"])
    content = _content(input)
    strange = [name for name in values if name not in content]
    if strange:
        known = f"it has {', '.join(content)}" if content else "it has none"
        raise NotAllowed(f"The move {move['label']!r} has no field {strange[0]!r}; {known}.")
    content.update(values)
    return input


def _without_number(words: list[str], fields: Sequence[dict[str, Any]]) -> list[str]:
    """The words of a line without the 1 at its beginning, where that is the only move's number.

    It is a value where the first field can have it, unless there is a word more than fields or JSON follows.
    """
    try:
        parsed(fields[0], words[0])
    except NotAllowed:
        return words[1:]
    several = any(field["list"] for field in fields)
    more = len(words) > len(fields) and not several
    return words[1:] if more or (words[1:2] and words[1].startswith("{")) else words


def _content(input: dict[str, Any]) -> dict[str, Any]:
    """The fields of a move inside its input; a move without any has none."""
    of_game = next(iter(input.values()))
    content = next(iter(of_game.values())) if isinstance(of_game, dict) else None
    return content if isinstance(content, dict) else {}


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise NotAllowed(f"What comes after the number is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise NotAllowed("What comes after the number is not a JSON object.")
    return found


def _at(input: Any, path: str) -> Any:
    for step in path.split("."):
        input = input[step]
    return input
