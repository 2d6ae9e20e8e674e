"""JSON as clients send it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from fliptable_api.quoting import dotted

_MOST_DIGITS = 18
"""So many digits are an integer for sure that is passed on as it is."""
_DEEPEST = 1024
"""How deep orjson goes into lists and objects."""

_HALF = re.compile("[\ud800-\udfff]")


class NotText(ValueError):
    """JSON has a string with half a character in it, half a surrogate pair, and that is no Unicode text."""

    def __init__(self, found: Any, path: Sequence[str | int], text: str, is_name: bool) -> None:
        """``found`` is what the JSON says, with a ``text`` or, where ``path`` leads, a name that is none."""
        super().__init__(path)
        self.found = found
        self.path = path
        half = _HALF.search(text)
        assert half is not None
        self._half, self._at, self._is_name = ord(half[0]), half.start() + 1, is_name

    def told(self, path: Sequence[str | int]) -> str:
        """The sentence for whoever sent it, who knows the place by that path."""
        place = f"`{dotted(path)}`" if path else "the whole"
        where = f"a name in {place}" if self._is_name else place
        return (
            f"At character {self._at} of {where} stands half a character, \\u{self._half:x}, without its "
            "other half; what is sent has to be Unicode text."
        )


def is_text(text: str) -> bool:
    """Whether a string is Unicode text, without half a character in it."""
    return _HALF.search(text) is None


def read(text: bytes | str) -> Any:
    """What a JSON text says; a number beyond all floats is infinite.

    Errors: orjson.JSONDecodeError, and NotText for what is JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if "infinity" not in error.msg and "surrogate" not in error.msg:
            raise
        try:
            found = json.loads(_text(text), parse_int=_number, parse_constant=_constant)
        except (ValueError, RecursionError):
            raise error from None
        wrong = _look_through(found, error)
        if wrong is not None:
            raise wrong from None
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value is; a path of its own for each would be large where JSON is deep."""

    above: _Place | None = None
    name: str | int = ""
    depth: int = 0

    def path(self) -> list[str | int]:
        place, steps = self, []
        while place.above is not None:
            steps.append(place.name)
            place = place.above
        return steps[::-1]


def _look_through(found: Any, error: orjson.JSONDecodeError) -> NotText | None:
    """The first string that is no text. Errors: ``error`` for what is deeper than all other JSON may be."""
    waiting: list[tuple[Any, _Place]] = [(found, _Place())]
    while waiting:
        value, place = waiting.pop()
        if isinstance(value, str):
            if not is_text(value):
                return NotText(found, place.path(), value, False)
            continue
        if not isinstance(value, dict | list):
            continue
        if place.depth >= _DEEPEST:
            raise error
        inside: list[tuple[Any, Any]] = list(value.items() if isinstance(value, dict) else enumerate(value))
        for name, _ in inside:
            if isinstance(name, str) and not is_text(name):
                return NotText(found, place.path(), name, True)
        waiting += [(one, _Place(place, name, place.depth + 1)) for name, one in reversed(inside)]
    return None


def _text(text: bytes | str) -> str:
    return text if isinstance(text, str) else text.decode()


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _constant(name: str) -> Any:
    raise ValueError(name)
