"""What to select of a type that the client knows nothing of, and how to print what comes back.

Rounds and runs have a type for each game and mode. Introspection says what their fields are, so that
this client shows any of them without a line of code for a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from fliptable_api.client import Client

_WRAPS = 7
"""A list of lists of which nothing is null has its type inside five others."""
_TYPE = "kind name" + " ofType { kind name" * _WRAPS + " }" * _WRAPS
TYPES = f"""{{ __schema {{ types {{
  kind name fields {{ name args {{ name }} type {{ {_TYPE} }} }}
}} }} }}"""

_DEEPEST = 4
_KNOWN = frozenset(("number", "status", "toAct", "outcome", "overReason"))
"""Fields of every round and run; they are shown in other ways."""
_FEW = 4
"""So many plain objects go on one line, or below each other beside a board."""
_WIDTH = 100
"""Columns after which a line goes on below, further in."""
_SEAT = re.compile(r"\bseat (\d+)\b")


class Shapes:
    """The output types of a server's schema."""

    def __init__(self, types: Sequence[dict[str, Any]]) -> None:
        """``types`` as introspection gives them."""
        self._types = {one["name"]: one for one in types}

    @classmethod
    async def ask(cls, client: Client) -> Shapes:
        """Those of a server. Errors: ClientError."""
        return cls((await client.ask(TYPES))["__schema"]["types"])

    def field_type(self, type_name: str, field: str) -> str | None:
        """The named type of a type's field; None where there is no such field."""
        for one in (self._types.get(type_name) or {}).get("fields") or ():
            if one["name"] == field:
                return _named(one["type"])[1]
        return None

    def selection(self, type_name: str, left_out: frozenset[str] = _KNOWN, depth: int = _DEEPEST) -> str:
        """All fields of a type that need no arguments, and theirs; of a card only how it is written."""
        chosen = []
        for one in (self._types.get(type_name) or {}).get("fields") or ():
            if one["args"] or one["name"] in left_out:
                continue
            kind, named = _named(one["type"])
            if kind in ("SCALAR", "ENUM"):
                chosen.append(one["name"])
            elif named == "PlayingCard":
                chosen.append(f"{one['name']} {{ text }}")
            elif kind == "OBJECT" and depth > 1:
                inner = self.selection(named, frozenset(), depth - 1)
                if inner:
                    chosen.append(f"{one['name']} {{ {inner} }}")
        return " ".join(chosen)


def _named(type: Mapping[str, Any]) -> tuple[str, str]:
    """The kind and name of a type without its lists and non-nulls."""
    while type.get("ofType") is not None:
        type = type["ofType"]
    return type["kind"], type["name"]


def lines_of(value: Mapping[str, Any], names: Sequence[str], indent: str = "  ") -> list[str]:
    """An object of any shape, for a terminal: short fields on one line, nested ones below.

    A string called ``board`` is printed as a block, and stands for the long lists beside it. What is
    null, false or empty is left out. ``names`` are those at the seats; a board calls a seat "seat 0".
    """
    board = value.get("board")
    short, below = [], []
    for key, content in value.items():
        if key == "board" or is_nothing(content):
            continue
        if isinstance(content, list) and _objects(content) and not _inline(content):
            if isinstance(board, str) and len(content) > _FEW:
                continue
            below.append(f"{indent}{_words(key)}:")
            for one in filter(None, content):
                inner = lines_of(one, names, indent + "    ")
                below += [f"{indent}  - {inner[0].strip()}", *inner[1:]] if inner else []
        elif isinstance(content, dict) and not _inline([content]):
            below += [f"{indent}{_words(key)}:", *lines_of(content, names, indent + "  ")]
        else:
            short.append(_short(key, content, names))
    lines = broken(", ".join(short), indent)
    lines += below
    if isinstance(board, str):
        lines += [indent + _named_seats(row, names) for row in board.splitlines()]
    return lines


def broken(text: str, indent: str) -> list[str]:
    """A line that is too long as several."""
    return wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _named_seats(row: str, names: Sequence[str]) -> str:
    def name(found: re.Match[str]) -> str:
        return names[int(found[1])] if int(found[1]) < len(names) else found[0]

    return _SEAT.sub(name, row)


def _short(key: str, content: Any, names: Sequence[str]) -> str:
    """A field that fits on a line with others."""
    if key == "seat" and isinstance(content, int) and content < len(names):
        return names[content]
    if content is True:
        return _words(key)
    if isinstance(content, list):
        return f"{_words(key)} {' '.join(_text(one, names) for one in content)}"
    return f"{_words(key)} {_text(content, names)}"


def _objects(content: Sequence[Any]) -> bool:
    """Whether a list has objects in it, and nothing else but nulls."""
    return any(isinstance(one, dict) for one in content) and not any(isinstance(one, list) for one in content)


def _inline(content: Sequence[Any]) -> bool:
    """Whether a list of objects fits on a line: cards, numbers, or a few without anything nested."""
    content = [one for one in content if one is not None]
    if all(_is_card(one) or _is_number(one) or _is_fraction(one) for one in content):
        return True
    nested = any(isinstance(value, list | dict) for one in content for value in one.values())
    return len(content) <= _FEW and not nested and not any("seat" in one for one in content)


def _is_card(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"text"}


def _is_number(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"name", "value"}


def _is_fraction(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"numerator", "denominator", "value"}


def _text(value: Any, names: Sequence[str]) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return f"({' '.join(_text(one, names) for one in value)})"
    if _is_card(value):
        return str(value["text"])
    if _is_number(value):
        return f"{value['name']}={value['value']}"
    if _is_fraction(value):
        return f"{value['numerator']}/{value['denominator']} ({value['value']:.3g})"
    if isinstance(value, dict):
        return f"({', '.join(_short(key, one, names) for key, one in value.items() if not is_nothing(one))})"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def is_nothing(value: Any) -> bool:
    """Whether a value is not worth a word: null, false or an empty list."""
    return value is None or value is False or value == []


def _words(key: str) -> str:
    """``cardsLeft`` as ``cards left``."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in key)
