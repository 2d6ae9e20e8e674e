"""JSON as clients send it."""

from __future__ import annotations

import json
from typing import Any

import orjson

_MOST_DIGITS = 18
"""So many digits are an integer for sure that is passed on as it is."""


def read(text: bytes | str) -> Any:
    """What a JSON text says; a number beyond all floats is infinite. Errors: orjson.JSONDecodeError."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if "infinity" not in error.msg:
            raise
        try:
            found = json.loads(_text(text), parse_int=_number, parse_constant=_constant)
            # What is beyond the rest of JSON, as half a surrogate is, orjson neither reads nor writes.
            orjson.dumps(found)
        except (ValueError, TypeError, RecursionError):
            raise error from None
        return found


def _text(text: bytes | str) -> str:
    return text if isinstance(text, str) else text.decode()


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _constant(name: str) -> Any:
    raise ValueError(name)
