"""The cards of a round as single letters, so that a run of cards is a string.

A run can then be turned over, compared, counted and stored at next to no cost. The letters A-Z and
a-z stand for the 52 cards in the order of the standard deck.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

from fliptable import CARD, STANDARD_DECK, PlayingCard

LETTERS: str = ascii_uppercase + ascii_lowercase

LETTER_OF: dict[str, str] = dict(zip(STANDARD_DECK, LETTERS, strict=True))
"""The letter of each card code."""

CARD_OF: dict[str, PlayingCard] = {LETTER_OF[code]: card for code, card in CARD.items()}
"""The card of each letter."""


def run_of(codes: tuple[str, ...]) -> str:
    """A run from card codes, in the same order."""
    return "".join([LETTER_OF[code] for code in codes])


def cards_of(run: str) -> tuple[PlayingCard, ...]:
    """The cards of a run, in the same order."""
    return tuple([CARD_OF[letter] for letter in run])


def attack(letter: str) -> int:
    """What the card is worth when it attacks: an ace is highest (Y7)."""
    return _defence(letter) if _defence(letter) > 1 else 14


def _defence(letter: str) -> int:
    return LETTERS.index(letter) % 13 + 1


def beats(attacker: str, defender: str) -> bool:
    """Whether one card takes the other by value: an attacked ace is lowest, equal takes equal (Y7)."""
    return attack(attacker) >= _defence(defender)
