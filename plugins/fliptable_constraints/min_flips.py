"""min-flips: the round has to take at least so many flips (call-it M9)."""

from __future__ import annotations

from fliptable import Constraint, hookimpl
from fliptable_constraints._hand import FLIPS, Counting, FlipsOptions


class MinFlipsOptions(FlipsOptions):
    """How many flips the round has to take at least."""


class MinFlips(Counting):
    """The round has to take at least so many flips."""

    id = "min-flips"
    name = "At least so many flips"
    graphql = "MinFlips"
    summary = "Win in at least the given number of flips."
    Options = MinFlipsOptions
    phrase = "at least"

    def span(self, flips: int) -> tuple[int, int]:
        return flips, FLIPS[-1]


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """At least so many flips."""
    return [MinFlips()]
