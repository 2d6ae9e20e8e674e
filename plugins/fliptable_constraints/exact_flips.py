"""exact-flips: the round has to take exactly so many flips (call-it M9)."""

from __future__ import annotations

from fliptable import Constraint, hookimpl
from fliptable_constraints._hand import Counting, FlipsOptions


class ExactFlipsOptions(FlipsOptions):
    """How many flips the round has to take."""


class ExactFlips(Counting):
    """The round has to take exactly so many flips."""

    id = "exact-flips"
    name = "Exactly so many flips"
    graphql = "ExactFlips"
    summary = "Win in exactly the given number of flips."
    Options = ExactFlipsOptions
    phrase = "exactly"

    def span(self, flips: int) -> tuple[int, int]:
        return flips, flips


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """Exactly so many flips."""
    return [ExactFlips()]
