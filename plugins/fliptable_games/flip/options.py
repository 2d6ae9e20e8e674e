"""What a table of FLIP may be played with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

LEAST_CARDS, MOST_CARDS = 4, 8
"""How few and how many cards of each deck may go into the field (Y2)."""

LEAST_SIDE = 2
"""The shortest side of a field (Y2)."""

MOST_SIDE = 4 * MOST_CARDS // LEAST_SIDE
"""The longest side that any field can have."""

LEAST_LIMIT, MOST_LIMIT = 20, 1000
"""The bounds of the turns without a draw after which the game is drawn (Y12)."""


class DeckSplit(Enum):
    """How the 52 cards are split into decks: two of one colour each, or four of one suit each (Y1)."""

    COLORS = "COLORS"
    """Two decks of 26 cards, one black and one red."""
    SUITS = "SUITS"
    """Decks of 13 cards, each of one suit."""


@dataclass(frozen=True, slots=True)
class FlipOptions:
    """How a table plays FLIP. What is left out follows from the number of seats."""

    decks: Annotated[
        DeckSplit | None,
        "Two decks of 26 (COLORS, the default of two players, for two only) or decks of 13 (SUITS).",
    ] = None
    field_cards: Annotated[
        int | None,
        "How many cards of each deck go into the field, 4 to 8; 8 for two players with COLORS, else 4.",
    ] = None
    rows: Annotated[int | None, "Rows of the field, 2 or more; the squarest field is the default."] = None
    columns: Annotated[
        int | None, "Columns of the field, 2 or more; rows times columns is field cards times players."
    ] = None
    diagonals: Annotated[bool, "Whether spaces that share a corner are adjacent too."] = False
    turn_limit: Annotated[
        int, "After how many turns in a row without a card drawn the game is a draw, 20 to 1000."
    ] = 100
    first: Annotated[int | None, "The seat that begins, from 0; by lot when left out."] = None

    def __post_init__(self) -> None:
        """Keep the bounds that hold for any number of players (Y2, Y12)."""
        _within("field_cards", self.field_cards, LEAST_CARDS, MOST_CARDS)
        _within("rows", self.rows, LEAST_SIDE, MOST_SIDE)
        _within("columns", self.columns, LEAST_SIDE, MOST_SIDE)
        _within("turn_limit", self.turn_limit, LEAST_LIMIT, MOST_LIMIT)
        _within("first", self.first, 0, 3)


def _within(field: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise ValueError(f"{field}: {value} is not from {low} to {high}")
