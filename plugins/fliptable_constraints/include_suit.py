"""include-suit: a card of a suit has to be on the table (call-it M9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fliptable import Constraint, Suit, hookimpl
from fliptable_constraints._hand import Including, a, of_suit


@dataclass(frozen=True, slots=True)
class IncludeSuitOptions:
    """Which suit has to be there."""

    suit: Annotated[Suit, "The suit of which a card has to be on the table."]


class IncludeSuit(Including):
    """A card of a suit has to be on the table."""

    id = "include-suit"
    name = "Include a suit"
    graphql = "IncludeSuit"
    summary = "Win with a card of the given suit on the table."
    Options = IncludeSuitOptions

    def wanted(self, options: Any) -> frozenset[str]:
        return of_suit(options.suit.value)

    def text(self, options: Any) -> str:
        return f"with {a(options.suit.name.lower().removesuffix('s'))}"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """Include a suit."""
    return [IncludeSuit()]
