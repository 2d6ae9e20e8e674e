"""How a broken law of the API is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class ApiBroken(AssertionError):
    """What is broken, and what it was seen with: a value that was shown or sent, or what was played."""

    def __init__(self, told: str, example: Any = None, **played: Any) -> None:
        """``played`` are the arguments of the check that lead to the same play."""
        super().__init__(told)
        self.example = example
        self.played = played


@dataclass(frozen=True, slots=True)
class What:
    """What is looked at: of which plugin, what kind of thing, and its type."""

    plugin: str
    kind: str
    type: str

    def broken(self, why: str, field: str = "", example: Any = None) -> ApiBroken:
        """The failure: plugin, law, type, field, and the smallest example."""
        where = f"{self.kind} {self.type}" + (f", field {field}" if field else "")
        with_ = "" if example is None else f"\nwith {example!r}"
        return ApiBroken(f"plugin {self.plugin!r} breaks the law 'api': {where}: {why}{with_}", example)


def field_of(path: Sequence[Any]) -> str:
    """The path of an answer as that of a field: names with dots, places in lists in brackets."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
