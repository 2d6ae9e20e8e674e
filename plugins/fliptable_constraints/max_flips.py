"""max-flips: the round may take at most so many flips (call-it M9)."""

from __future__ import annotations

from fliptable import Constraint, hookimpl
from fliptable_constraints._hand import Counting, FlipsOptions


class MaxFlipsOptions(FlipsOptions):
    """How many flips the round may take."""


class MaxFlips(Counting):
    """The round may take at most so many flips."""

    id = "max-flips"
    name = "At most so many flips"
    graphql = "MaxFlips"
    summary = "Win in at most the given number of flips."
    Options = MaxFlipsOptions
    phrase = "at most"

    def span(self, flips: int) -> tuple[int, int]:
        return 0, flips


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """At most so many flips."""
    return [MaxFlips()]
