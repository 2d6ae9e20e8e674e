"""What somebody sent, as messages show it: as JSON and GraphQL write it, and not too much of it."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 80
"""The most characters of a text that is told back."""

_BEYOND_ASCII = re.compile(r"[^ -~]")


def as_json(value: Any) -> str:
    """A value as JSON, on one line; what cannot be seen, and half a character, is escaped."""
    return _BEYOND_ASCII.sub(_seen, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def quoted(text: str, most: int = LONGEST) -> str:
    """A text as a string of JSON, for messages; of a longer one than ``most`` characters its beginning."""
    return as_json(text if len(text) <= most else f"{text[: most - 1]}…")


def _seen(found: re.Match[str]) -> str:
    sign = found[0]
    return sign if sign.isprintable() else json.dumps(sign)[1:-1]
