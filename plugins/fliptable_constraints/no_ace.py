"""no-ace: no ace may be on the table (call-it M9)."""

from __future__ import annotations

from typing import Any

from fliptable import Constraint, hookimpl
from fliptable_constraints._hand import ACES, Excluding


class NoAce(Excluding):
    """No ace may be on the table."""

    id = "no-ace"
    name = "No ace"
    graphql = "NoAce"
    summary = "Win without an ace on the table."

    def barred(self, options: Any) -> frozenset[str]:
        return ACES

    def text(self, options: Any) -> str:
        return "without an ace"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """No ace."""
    return [NoAce()]
