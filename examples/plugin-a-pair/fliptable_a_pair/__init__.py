"""A Pair: win with a pair of cards of the same rank on the table."""

from __future__ import annotations

from typing import Any

from fliptable import Constraint, ConstraintStatus, hookimpl


class APairConstraint(Constraint):
    """Two cards of the same rank have to be on the table."""

    # This asks for a pair, as an example: the summary, `status` and `text` are what to change into yours.

    id = "a-pair"
    name = "A Pair"
    graphql = "APair"
    summary = "Win with a pair on the table."
    games = ("call-it",)

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        """Once there is a pair it stays; without one, there may still come one until the round is over."""
        cards = view.hands[0].cards
        if cards is None:
            return ConstraintStatus.OPEN
        ranks = [card.rank for card in cards]
        if len(set(ranks)) < len(ranks):
            return ConstraintStatus.MET
        return ConstraintStatus.FAILED if over else ConstraintStatus.OPEN

    def text(self, options: Any) -> str:
        """What it asks, for a list."""
        return "with a pair"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """What the plugin brings."""
    return [APairConstraint()]
