"""How a broken law is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ANSWERS = "answers"
"""The law that a plugin answers whatever it may be asked, and raises nothing."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that is broken, and how."""

    law: str
    complaint: str


class LawBroken(AssertionError):
    """Raised where a plugin breaks a law while it is asked something."""

    def __init__(self, law: str, complaint: str) -> None:
        """Which law, and what is wrong."""
        super().__init__(f"{law}: {complaint}")
        self.broken: Broken = Broken(law, complaint)


def report(plugin: str, broken: Broken, case: str, actions: Iterable[Any]) -> AssertionError:
    """The failure: plugin, law, and what was done until then."""
    lines = [f"  {number}. {action}" for number, action in enumerate(actions, start=1)]
    return AssertionError(
        f"plugin {plugin!r} breaks the law {broken.law!r}: {broken.complaint}\n"
        f"with {case}, after\n" + ("\n".join(lines) or "  the deal")
    )
