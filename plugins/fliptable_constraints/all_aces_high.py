"""all-aces-high: the hit needs every ace at 11; it holds without aces (call-it M9)."""

from __future__ import annotations

from typing import Any

from fliptable import Constraint, Demand, hookimpl
from fliptable_constraints._hand import ACES, Hand, HandConstraint


class AllAcesHigh(HandConstraint):
    """The reading that hits has to count every ace as 11."""

    id = "all-aces-high"
    name = "All aces high"
    graphql = "AllAcesHigh"
    summary = "Hit the target with every ace at 11. Without aces it holds."

    def holds(self, options: Any, hand: Hand) -> bool:
        return hand.cards.isdisjoint(ACES) or hand.sums[-1] == hand.target

    def lasts(self, options: Any, hand: Hand) -> bool:
        return hand.cards.isdisjoint(ACES) and hand.rest.isdisjoint(ACES)

    def can_hold(self, options: Any, hand: Hand) -> bool:
        # The highest sum only grows: once it is above the target, a hit has to read some ace low.
        return hand.target is None or hand.sums[-1] < hand.target

    def demand(self, options: Any) -> Demand:
        return Demand(highest=True)

    def text(self, options: Any) -> str:
        return "with every ace at 11"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """All aces high."""
    return [AllAcesHigh()]
