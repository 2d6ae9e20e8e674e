"""What can happen in a round or at a table, as values: a playout is a sequence of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fliptable.rules import Seat
from fliptable.testing.literals import shown


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a move."""

    seat: Seat
    """The seat that plays."""
    move: Any
    """The move, an instance of one of the game's."""

    def __str__(self) -> str:
        """The action on one line."""
        return f"seat {self.seat}: {shown(self.move)}"


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat leaves for good."""

    seat: Seat
    """The seat that leaves."""

    def __str__(self) -> str:
        """The action on one line."""
        return f"seat {self.seat} leaves"


@dataclass(frozen=True, slots=True)
class Drop:
    """A seat's player is not there any more."""

    seat: Seat
    """The seat whose player is away."""

    def __str__(self) -> str:
        """The action on one line."""
        return f"seat {self.seat} is away"


@dataclass(frozen=True, slots=True)
class Return:
    """A seat's player is there again."""

    seat: Seat
    """The seat whose player is back."""

    def __str__(self) -> str:
        """The action on one line."""
        return f"seat {self.seat} is back"


@dataclass(frozen=True, slots=True)
class Expire:
    """The time of a seat that is to act is up."""

    seat: Seat
    """The seat whose time is up."""

    def __str__(self) -> str:
        """The action on one line."""
        return f"the time of seat {self.seat} is up"


@dataclass(frozen=True, slots=True)
class NextRound:
    """The next round is dealt, with what the last one left over."""

    def __str__(self) -> str:
        """The action on one line."""
        return "the next round is dealt"


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes at a table, and what is due happens."""

    seconds: float
    """How many seconds pass."""

    def __str__(self) -> str:
        """The action on one line."""
        return "1 second passes" if self.seconds == 1 else f"{self.seconds:g} seconds pass"


Action = Play | Leave | Drop | Return | Expire | NextRound
"""What can be done in a round of a game without a table."""

TableAction = Play | Leave | Drop | Return | NextRound | Wait
"""What can be done at a table."""
