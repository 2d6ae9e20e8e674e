"""Places in what somebody sent, and sentences, as messages show them: not too much of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fliptable.quoting import quoted

LONGEST_PLACE = 200
"""The most characters of a place."""
LONGEST_MESSAGE = 1000
"""The most characters of a sentence that a plugin, or a part of the engine, has made of it."""
_LONGEST_NAME = 50
"""The most characters of a name in a place, where it is none of the schema's."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def shortened(message: str, most: int) -> str:
    """A message; what is long is left out before the end, where it says what would fit."""
    if len(message) <= most:
        return message
    end = most * 2 // 5
    return f"{message[: most - end - 1]}…{message[-end:]}"


def dotted(path: Iterable[str | int]) -> str:
    """A place in a value, with dots; a name that GraphQL has no such of is quoted."""
    whole = ".".join(_step(step) for step in path)
    return whole if len(whole) <= LONGEST_PLACE else f"{whole[: LONGEST_PLACE - 1]}…"


def is_name(text: str) -> bool:
    """Whether something can be a name in GraphQL, and is no longer than names are."""
    return len(text) <= _LONGEST_NAME and _NAME.fullmatch(text) is not None


def _step(step: str | int) -> str:
    return str(step) if isinstance(step, int) or is_name(step) else quoted(step, _LONGEST_NAME)
