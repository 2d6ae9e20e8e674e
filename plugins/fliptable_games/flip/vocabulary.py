"""The words of FLIP: its moves and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from fliptable import PlayingCard

ROW = "The row of the space, from 0 at the top."
COLUMN = "The column of the space, from 0 at the left."


class DrawReason(Enum):
    """Why a game has no winner (Y11, Y12)."""

    REPETITION = "REPETITION"
    """The same position occurred for the third time."""
    TURN_LIMIT = "TURN_LIMIT"
    """Too many turns went by without a card drawn."""
    ALL_IDLE = "ALL_IDLE"
    """Nobody placed, flipped or moved a card for a whole round of turns."""
    NOBODY_IN = "NOBODY_IN"
    """Nobody is in the game any more."""

    @property
    def sentence(self) -> str:
        """The reason for a log."""
        return _SENTENCES[self.value]


REASONS = {
    "LAST_IN": "The player alone is in the game: they win.",
    "OUT": "The player was out of the game when somebody won.",
    "GAVE_UP": "The player left the game for good.",
    DrawReason.REPETITION.value: "The same position occurred for the third time: a draw.",
    DrawReason.TURN_LIMIT.value: "Too many turns went by without a card drawn: a draw.",
    DrawReason.ALL_IDLE.value: "Nobody placed, flipped or moved a card for a whole round of turns: a draw.",
    DrawReason.NOBODY_IN.value: "Nobody is in the game any more: a draw.",
}
"""How a game ended for a player, and what that means."""

_SENTENCES = {
    "REPETITION": "The same position occurred for the third time: the game is a draw.",
    "TURN_LIMIT": "Too many turns went by without a card drawn: the game is a draw.",
    "ALL_IDLE": "Nobody placed, flipped or moved a card for a whole round of turns: the game is a draw.",
    "NOBODY_IN": "Nobody is in the game any more: it is a draw.",
}


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """Place the drawn card face-up on an open space: one without a face-up card (Y3)."""

    row: Annotated[int, ROW]
    column: Annotated[int, COLUMN]

    def label(self) -> str:
        """What a list of legal moves calls it."""
        return f"Place the drawn card at {_space(self.row, self.column)}"


@dataclass(frozen=True, slots=True)
class FlipPile:
    """Turn a pile upside-down; not one that was flipped in the turn before (Y5)."""

    row: Annotated[int, ROW]
    column: Annotated[int, COLUMN]

    def label(self) -> str:
        """What a list of legal moves calls it."""
        return f"Flip the pile at {_space(self.row, self.column)}"


@dataclass(frozen=True, slots=True)
class MoveCard:
    """Move your card on top of a pile to an adjacent space, taking an enemy's card there (Y6)."""

    row: Annotated[int, "The row of the card, from 0 at the top."]
    column: Annotated[int, "The column of the card, from 0 at the left."]
    to_row: Annotated[int, "The row of the space it goes to, from 0 at the top."]
    to_column: Annotated[int, "The column of the space it goes to, from 0 at the left."]

    def label(self) -> str:
        """What a list of legal moves calls it."""
        return f"Move from {_space(self.row, self.column)} to {_space(self.to_row, self.to_column)}"


@dataclass(frozen=True, slots=True)
class PassTurn:
    """Do nothing in the action phase (Y4)."""

    def label(self) -> str:
        """What a list of legal moves calls it."""
        return "Pass"


AnyMove = PlaceCard | FlipPile | MoveCard | PassTurn
"""Any move of the game."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A turn began."""

    seat: Annotated[int, "Whose turn it is."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is to play."


@dataclass(frozen=True, slots=True)
class Drew:
    """A player drew the top card of their deck; they alone see it until it is placed (Y3, Y13)."""

    seat: Annotated[int, "Who drew."]
    card: Annotated[PlayingCard, "The card."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} draws {self.card.text}."


@dataclass(frozen=True, slots=True)
class DrewUnseen:
    """Somebody drew a card; which one is hidden until they place it (Y13)."""

    seat: Annotated[int, "Who drew."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} draws a card."


@dataclass(frozen=True, slots=True)
class Placed:
    """The drawn card was placed face-up (Y3)."""

    seat: Annotated[int, "Who placed it."]
    card: Annotated[PlayingCard, "The card."]
    row: Annotated[int, ROW]
    column: Annotated[int, COLUMN]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} places {self.card.text} at {_space(self.row, self.column)}."


@dataclass(frozen=True, slots=True)
class PileFlipped:
    """A pile was turned upside-down (Y5). Which cards lie face-down now is not said (Y13)."""

    seat: Annotated[int, "Who flipped it."]
    row: Annotated[int, ROW]
    column: Annotated[int, COLUMN]
    face_down: Annotated[int, "How many cards of the pile lie face-down now."]
    face_up: Annotated[tuple[PlayingCard, ...], "The cards that lie face-up now, the top one last."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        flips = f"{names[self.seat]} flips the pile at {_space(self.row, self.column)}"
        if not self.face_up:
            return f"{flips}; no card of it is face-up now."
        return f"{flips}; {self.face_up[-1].text} is on top now."


@dataclass(frozen=True, slots=True)
class Moved:
    """A card moved to an adjacent space (Y6)."""

    seat: Annotated[int, "Whose card it is."]
    card: Annotated[PlayingCard, "The card."]
    row: Annotated[int, "The row it came from, from 0 at the top."]
    column: Annotated[int, "The column it came from, from 0 at the left."]
    to_row: Annotated[int, "The row it went to, from 0 at the top."]
    to_column: Annotated[int, "The column it went to, from 0 at the left."]
    taken: Annotated[PlayingCard | None, "The enemy's card that it covers now, if it took one."] = None

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        takes = f" and takes {self.taken.text}" if self.taken is not None else ""
        where = f"from {_space(self.row, self.column)} to {_space(self.to_row, self.to_column)}"
        return f"{names[self.seat]} moves {self.card.text} {where}{takes}."


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody did nothing in the action phase (Y4)."""

    seat: Annotated[int, "Who passed."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} passes."


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player has an empty deck and no card on top of a pile: they are out for now (Y10)."""

    seat: Annotated[int, "Who is out."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is out."


@dataclass(frozen=True, slots=True)
class CameBack:
    """A card of a player who was out lies on top of a pile face-up: they are in again (Y10)."""

    seat: Annotated[int, "Who is in again."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is in again."


@dataclass(frozen=True, slots=True)
class GaveUp:
    """A player left the game for good. Their cards stay on the field and count for nobody."""

    seat: Annotated[int, "Who gave up."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} gives up."


@dataclass(frozen=True, slots=True)
class Won:
    """One player alone is in: they win (Y11)."""

    seat: Annotated[int, "Who won."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is the last one in."


@dataclass(frozen=True, slots=True)
class Stalemate:
    """The game ended without a winner (Y12)."""

    reason: Annotated[DrawReason, "Why."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return self.reason.sentence


def _space(row: int, column: int) -> str:
    return f"row {row}, column {column}"
