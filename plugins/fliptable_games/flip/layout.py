"""How a round is laid out: who plays which deck, and the spaces of the field (Y1, Y2, Y8)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from math import isqrt

from fliptable import STANDARD_DECK, Seat, Suit
from fliptable_games.flip.letters import LETTER_OF, beats
from fliptable_games.flip.options import (
    LEAST_CARDS,
    LEAST_SIDE,
    MOST_CARDS,
    DeckSplit,
    FlipOptions,
)
from fliptable_games.flip.vocabulary import FlipPile, MoveCard, PlaceCard


class DeckKind(Enum):
    """The deck that a seat plays: one colour, or one suit (Y1)."""

    BLACK = "BLACK"
    """The 26 cards of clubs and spades."""
    RED = "RED"
    """The 26 cards of diamonds and hearts."""
    CLUBS = "CLUBS"
    """The 13 clubs."""
    DIAMONDS = "DIAMONDS"
    """The 13 diamonds."""
    HEARTS = "HEARTS"
    """The 13 hearts."""
    SPADES = "SPADES"
    """The 13 spades."""

    @property
    def suits(self) -> tuple[Suit, ...]:
        """The suits of the deck's cards."""
        return tuple([Suit(letter) for letter in _SUITS.get(self.value, self.value[0])])

    @property
    def codes(self) -> tuple[str, ...]:
        """The deck before its shuffle, in the order of the standard deck."""
        letters = [suit.value for suit in self.suits]
        return tuple([code for code in STANDARD_DECK if code[-1] in letters])


_SUITS = {"BLACK": "CS", "RED": "DH"}

_DECKS = {
    DeckSplit.COLORS: (DeckKind.BLACK, DeckKind.RED),
    DeckSplit.SUITS: (DeckKind.CLUBS, DeckKind.DIAMONDS, DeckKind.HEARTS, DeckKind.SPADES),
}


@dataclass(frozen=True)
class Layout:
    """What stays the same for a whole round. A space is a number, counted row by row.

    The tables below are worked out once from the fields, for speed.
    """

    seats: int
    split: DeckSplit
    field_cards: int
    rows: int
    columns: int
    diagonals: bool = False
    turn_limit: int = 100
    first: int | None = None

    @cached_property
    def decks(self) -> tuple[DeckKind, ...]:
        """The deck of each seat (Y1)."""
        return _DECKS[self.split][: self.seats]

    @cached_property
    def deck_names(self) -> tuple[str, ...]:
        """What the shuffle of each seat's deck is called."""
        return tuple([f"{deck.value.lower()} deck" for deck in self.decks])

    @cached_property
    def unused(self) -> tuple[Suit, ...]:
        """The suits that are left out (Y1)."""
        used = {suit for deck in self.decks for suit in deck.suits}
        return tuple([suit for suit in Suit if suit not in used])

    @cached_property
    def spaces(self) -> range:
        """All spaces."""
        return range(self.rows * self.columns)

    @cached_property
    def own(self) -> tuple[frozenset[str], ...]:
        """The letters of each seat's cards (Y9)."""
        return tuple([frozenset([LETTER_OF[code] for code in deck.codes]) for deck in self.decks])

    @cached_property
    def owner(self) -> dict[str, Seat]:
        """Whose card each letter is (Y9)."""
        return {letter: seat for seat, letters in enumerate(self.own) for letter in letters}

    @cached_property
    def bit(self) -> dict[str, int]:
        """The owner of each letter as a bit: 1 for seat 0, 2 for seat 1 …"""
        return {letter: 1 << seat for letter, seat in self.owner.items()}

    @cached_property
    def takes(self) -> dict[str, frozenset[str]]:
        """What may be on top of the face-up run that each letter moves onto: "" is an open space (Y6)."""
        return _takes(self.own)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The spaces adjacent to each: by an edge, by a corner too with diagonals, no wrap (Y8)."""
        return tuple([tuple([b for b in self.spaces if self._adjacent(a, b)]) for a in self.spaces])

    def _adjacent(self, a: int, b: int) -> bool:
        down = abs(a // self.columns - b // self.columns)
        across = abs(a % self.columns - b % self.columns)
        return down + across == 1 or (self.diagonals and down == across == 1)

    @cached_property
    def places(self) -> tuple[PlaceCard, ...]:
        """The move that places a card on each space."""
        return tuple([PlaceCard(*divmod(space, self.columns)) for space in self.spaces])

    @cached_property
    def flips(self) -> tuple[FlipPile, ...]:
        """The move that flips the pile of each space."""
        return tuple([FlipPile(*divmod(space, self.columns)) for space in self.spaces])

    @cached_property
    def steps(self) -> tuple[tuple[tuple[int, MoveCard], ...], ...]:
        """For each space, the spaces that a card can go to, each with its move."""
        sides = self.columns
        return tuple(
            [
                tuple([(b, MoveCard(*divmod(a, sides), *divmod(b, sides))) for b in self.neighbours[a]])
                for a in self.spaces
            ]
        )


@lru_cache
def _takes(own: tuple[frozenset[str], ...]) -> dict[str, frozenset[str]]:
    everybody = frozenset[str]().union(*own)
    return {
        card: frozenset(["", *[other for other in everybody - cards if beats(card, other)]])
        for cards in own
        for card in cards
    }


@lru_cache
def layout_of(options: FlipOptions, seats: int) -> Layout:
    """The layout for so many seats (Y1, Y2). Errors: ValueError("field: why") when there is none."""
    split = options.decks or (DeckSplit.COLORS if seats == 2 else DeckSplit.SUITS)
    if split is DeckSplit.COLORS and seats != 2:
        raise ValueError(f"decks: COLORS makes two decks; {seats} players need SUITS")
    if options.first is not None and options.first >= seats:
        raise ValueError(f"first: there is no seat {options.first} at a table of {seats}, counted from 0")
    cards, rows, columns = _field(options, split, seats)
    return Layout(seats, split, cards, rows, columns, options.diagonals, options.turn_limit, options.first)


def _field(options: FlipOptions, split: DeckSplit, seats: int) -> tuple[int, int, int]:
    """Cards of each deck, rows and columns; what is open follows from the rest, else from Y2."""
    cards, rows, columns = options.field_cards, options.rows, options.columns
    if cards is None and rows is not None and columns is not None:
        cards, odd = divmod(rows * columns, seats)
        if odd or not LEAST_CARDS <= cards <= MOST_CARDS:
            raise ValueError(
                f"rows: {rows} rows of {columns} spaces do not take 4 to 8 cards from each of {seats} decks"
            )
        return cards, rows, columns
    if cards is None:
        cards = 8 if split is DeckSplit.COLORS else 4
    spaces = cards * seats
    if rows is None and columns is None:
        # The squarest field: the longest shorter side that divides the cards.
        rows = next(side for side in range(isqrt(spaces), 0, -1) if spaces % side == 0)
    field = "rows" if rows is not None else "columns"
    side = rows if rows is not None else columns
    assert side is not None
    other, odd = divmod(spaces, side)
    if odd or other < LEAST_SIDE:
        raise ValueError(f"{field}: {spaces} cards do not fill a field of {side} {field}")
    if rows is None:
        rows = other
    if columns is None:
        columns = other
    if rows * columns != spaces:
        raise ValueError(f"columns: {rows} rows of {columns} spaces are not the {spaces} cards of the field")
    return cards, rows, columns
