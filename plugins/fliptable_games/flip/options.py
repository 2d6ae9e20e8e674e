"""What a table of FLIP may be played with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from fliptable import Between, check_limits

LEAST_CARDS, MOST_CARDS = 4, 8
"""How few and how many cards of each deck may go into the field (Y2)."""

LEAST_SIDE = 2
"""The shortest side of a field (Y2)."""

MOST_SIDE = 4 * MOST_CARDS // LEAST_SIDE
"""The longest side that any field can have."""


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
        Between(LEAST_CARDS, MOST_CARDS),
        "How many cards of each deck go into the field (Y2); 8 for two players with COLORS, else 4.",
    ] = None
    rows: Annotated[
        int | None, Between(LEAST_SIDE, MOST_SIDE), "Rows of the field; the squarest field is the default."
    ] = None
    columns: Annotated[
        int | None,
        Between(LEAST_SIDE, MOST_SIDE),
        "Columns of the field; rows times columns is field cards times players.",
    ] = None
    diagonals: Annotated[bool, "Whether spaces that share a corner are adjacent too."] = False
    turn_limit: Annotated[
        int,
        Between(20, 1000),
        "After how many turns in a row without a card drawn the game is a draw (Y12).",
    ] = 100
    first: Annotated[int | None, Between(0, 3), "The seat that begins; by lot when left out."] = None

    def __post_init__(self) -> None:
        """Keep the limits that hold for any number of players (Y2, Y12)."""
        check_limits(self)
