"""The words of Call It and Flip: its options, moves, events and what is shown of a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar

from fliptable import MAX_INT, PlayingCard

LEAST_TARGET = 30
"""The smallest target that may be called (C2)."""


class HandStatus(Enum):
    """Where a seat stands in the round."""

    IN = "IN"
    """The seat may still flip."""
    WON = "WON"
    """A sum of its cards is the target."""
    BUST = "BUST"
    """The seat can no longer reach the target."""
    LOCKED = "LOCKED"
    """The round ended while the seat could still flip."""


class UniverseStatus(Enum):
    """Where one reading of the cards stands against the target (C4)."""

    HIT = "HIT"
    """The sum is the target."""
    LIVE = "LIVE"
    """The sum is below the target."""
    DEAD = "DEAD"
    """The sum is above the target."""


class Phase(Enum):
    """What the round waits for: the call, flips, or nothing more."""

    CALL = "CALL"
    """The target has to be called."""
    FLIP = "FLIP"
    """Cards are flipped."""
    OVER = "OVER"
    """The round is over."""


class BustReason(Enum):
    """Why a seat is bust: above the target (C5), no cards left (C6), or gone (C3).

    With several seats also: away when everybody who was there was bust (R6), out of time, or in a
    round that nobody called in time.
    """

    OVER = "OVER"
    """Every sum of the cards is above the target (C5)."""
    DECK_EMPTY = "DECK_EMPTY"
    """No card is left to turn up (C6)."""
    ABANDONED = "ABANDONED"
    """The player left the table (C3)."""
    AWAY = "AWAY"
    """The player was away when everybody who was there was bust (R6)."""
    TIME_UP = "TIME_UP"
    """The time to move was up."""
    NOT_CALLED = "NOT_CALLED"
    """Nobody called the round in time."""


REASONS = {
    BustReason.OVER.value: "Every sum of the seat's cards is above the target.",
    BustReason.DECK_EMPTY.value: "No card was left to turn up.",
    BustReason.ABANDONED.value: "The player left the table.",
    BustReason.AWAY.value: "The player was away when everybody who was there was bust.",
    BustReason.TIME_UP.value: "The time to move was up.",
    BustReason.NOT_CALLED.value: "Nobody called the round in time.",
    "BEATEN": "Somebody else reached the target first.",
}
"""Why a round is lost, and what that means."""


@dataclass(frozen=True, slots=True)
class CallItOptions:
    """How a table plays Call It and Flip."""

    shared_deck: Annotated[
        bool, "With several seats: one common pile, all cards public, instead of identical copies (R2)."
    ] = False


@dataclass(frozen=True, slots=True)
class CallItTerms:
    """What a mode may set for a round."""

    min_target: int = LEAST_TARGET
    target: int | None = None
    peek: int = 0
    caller: int = 0

    def __post_init__(self) -> None:
        """Keep the lowest target (C2) and the Int range."""
        if not LEAST_TARGET <= self.min_target <= MAX_INT:
            raise ValueError(f"min_target: {self.min_target} is not from {LEAST_TARGET} to {MAX_INT}")
        if self.target is not None and not self.min_target <= self.target <= MAX_INT:
            raise ValueError(f"target: {self.target} is not from {self.min_target} to {MAX_INT}")


@dataclass(frozen=True, slots=True)
class Call:
    """Call the target of the round."""

    prelude: ClassVar[bool] = True

    target: Annotated[int, "The sum to land on exactly."]


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn the top card up."""


@dataclass(frozen=True, slots=True)
class Called:
    """The target of the round was called, or was fixed from its beginning."""

    seat: Annotated[int, "Who called; where the target was fixed, whose call the round would have been."]
    target: Annotated[int, "The sum to land on exactly."]
    fixed: Annotated[bool, "Whether the target was fixed from the beginning, so that nobody called."] = False

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        if self.fixed:
            return f"The target is {self.target}."
        return f"{names[self.seat]} calls {self.target}."


@dataclass(frozen=True, slots=True)
class Flipped:
    """A card was turned up."""

    seat: Annotated[int, "Who flipped."]
    card: Annotated[PlayingCard, "The card."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} flips {self.card.text}."


@dataclass(frozen=True, slots=True)
class FlippedUnseen:
    """Somebody turned up a card of their own copy of the deck; which one is hidden (R3)."""

    seat: Annotated[int, "Who flipped."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} flips a card."


@dataclass(frozen=True, slots=True)
class Won:
    """A reading of a seat's cards is exactly the target (C5)."""

    seat: Annotated[int, "Who won."]
    flips: Annotated[int, "How many cards it took."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} hits the target with {self.flips} cards."


@dataclass(frozen=True, slots=True)
class Busted:
    """A seat can no longer reach the target (C5, C6), or is out of the round (C3, R6)."""

    seat: Annotated[int, "Who is bust."]
    reason: Annotated[BustReason, "Why."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        if self.reason is BustReason.ABANDONED:
            return f"{names[self.seat]} is out."
        return f"{names[self.seat]} is bust ({self.reason.value.lower().replace('_', ' ')})."


@dataclass(frozen=True, slots=True)
class CallPassed:
    """Somebody else calls instead of the caller, who is not there or took too long (R1)."""

    seat: Annotated[int, "Who was to call."]
    to: Annotated[int, "Who calls instead."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.to]} calls instead of {names[self.seat]}."


@dataclass(frozen=True, slots=True)
class WentAway:
    """The round goes on without a seat whose player is not there (R6)."""

    seat: Annotated[int, "Whose player is not there."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The round does not wait for {names[self.seat]}."


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player is back in the round, with the same hand (R6)."""

    seat: Annotated[int, "Who is back."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is back in the round."


@dataclass(frozen=True, slots=True)
class Universe:
    """One sum that the cards can be read as (C4)."""

    sum: Annotated[int, "The sum of the cards with some aces at 11."]
    readings: Annotated[int, "In how many ways the aces give this sum."]
    status: Annotated[UniverseStatus, "Where the sum stands against the target."]


@dataclass(frozen=True, slots=True)
class HandView:
    """What one seat has turned up. What the viewer may not see is null."""

    seat: Annotated[int, "Whose hand it is."]
    status: Annotated[HandStatus, "Where the seat stands."]
    flips: Annotated[int, "How many cards were turned up."]
    cards: Annotated[tuple[PlayingCard, ...] | None, "The cards, in order."]
    universes: Annotated[tuple[Universe, ...] | None, "Every sum that the cards can be read as."]
    cards_left: Annotated[int, "How many cards are left to turn up."]
    peek: Annotated[tuple[PlayingCard, ...] | None, "The next cards, for their owner, in practice."]
    away: Annotated[bool, "Whether the round does not wait for the seat, since nobody is there."] = False


@dataclass(frozen=True, slots=True)
class CallItView:
    """A round of Call It and Flip as somebody sees it."""

    phase: Annotated[Phase, "What the round waits for."]
    target: Annotated[int | None, "The sum to land on; null before the call."]
    min_target: Annotated[int, "The smallest target that may be called."]
    caller: Annotated[int, "The seat that calls."]
    shared_deck: Annotated[bool, "Whether all seats flip from one common pile."]
    hands: Annotated[tuple[HandView, ...], "One hand a seat, in seat order."]
