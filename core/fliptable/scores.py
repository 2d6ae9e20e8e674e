"""What a mode records of rounds: metrics, declared by the mode, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Better(Enum):
    """Which values of a metric are better."""

    HIGHER = "HIGHER"
    """The more, the better."""
    LOWER = "LOWER"
    """The fewer, the better."""


@dataclass(frozen=True, slots=True)
class Metric:
    """Something that rounds are compared by, for example the flips of a win."""

    name: str
    """What stored records call it: lower case and hyphens, never changed."""
    title: str
    """What people call it, for example "Fewest flips"."""
    unit: str
    """What it counts, in the plural, for example "flips"."""
    better: Better = Better.HIGHER
    """Which values are better."""

    def key(self, value: int) -> int:
        """A number that is smaller for a better value."""
        return value if self.better is Better.LOWER else -value
