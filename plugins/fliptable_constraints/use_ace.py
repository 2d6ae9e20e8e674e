"""use-ace: an ace has to be on the table, high or low (call-it M9)."""

from __future__ import annotations

from typing import Any

from fliptable import Constraint, hookimpl
from fliptable_constraints._hand import ACES, Including


class UseAce(Including):
    """An ace has to be on the table."""

    id = "use-ace"
    name = "Use an ace"
    graphql = "UseAce"
    summary = "Win with an ace on the table, high or low."

    def wanted(self, options: Any) -> frozenset[str]:
        return ACES

    def text(self, options: Any) -> str:
        return "with an ace"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """Use an ace."""
    return [UseAce()]
