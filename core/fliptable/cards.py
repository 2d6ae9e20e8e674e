"""Standard playing cards.

A card is an enum member, so it is interned, hashable, cheap to compare and stored as its code
(``"10H"``, ``"AS"``). Decks are sequences of codes; games of other cards use codes of their own.
"""

from __future__ import annotations

from enum import Enum


class Suit(Enum):
    """The suit of a standard playing card, in the order clubs, diamonds, hearts, spades."""

    CLUBS = "C"
    """♣"""
    DIAMONDS = "D"
    """♦"""
    HEARTS = "H"
    """♥"""
    SPADES = "S"
    """♠"""

    @property
    def symbol(self) -> str:
        """The suit as one character, for example ``♥``."""
        return _SYMBOLS[self.value]


_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Rank(Enum):
    """The rank of a standard playing card, ace first. What it is worth is up to each game."""

    ACE = "A"
    """A"""
    TWO = "2"
    """2"""
    THREE = "3"
    """3"""
    FOUR = "4"
    """4"""
    FIVE = "5"
    """5"""
    SIX = "6"
    """6"""
    SEVEN = "7"
    """7"""
    EIGHT = "8"
    """8"""
    NINE = "9"
    """9"""
    TEN = "10"
    """10"""
    JACK = "J"
    """J"""
    QUEEN = "Q"
    """Q"""
    KING = "K"
    """K"""


class PlayingCard(Enum):
    """One of the 52 standard cards. The value is its code: rank then suit letter, ``"10H"``."""

    rank: Rank
    suit: Suit
    text: str

    def __new__(cls, code: str) -> PlayingCard:
        """Make the member and give it its rank, suit and text once."""
        card = object.__new__(cls)
        card._value_ = code
        card.rank = Rank(code[:-1])
        card.suit = Suit(code[-1])
        card.text = code[:-1] + card.suit.symbol
        return card

    # Members are written out by a loop because there are 52 of them.
    _ignore_ = "_suit _rank"
    for _suit in Suit:
        for _rank in Rank:
            vars()[f"{_rank.name}_OF_{_suit.name}"] = _rank.value + _suit.value

    def __str__(self) -> str:
        """The card as people write it, for example ``10♥``."""
        return self.text


CARD: dict[str, PlayingCard] = {card.value: card for card in PlayingCard}
"""Every standard card by its code; quicker than ``PlayingCard(code)``."""

STANDARD_DECK: tuple[str, ...] = tuple(CARD)
"""The codes of the 52 cards in the order in which every fresh deck lies before its shuffle:
clubs, diamonds, hearts, spades, each from the ace to the king."""
