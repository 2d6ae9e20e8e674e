"""What the solo modes share: one seat, and rounds that can be won (call-it M1-M8)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from fliptable import Game, Mode, Outcome, Result, SeatOutcome

RunT = TypeVar("RunT")

FLIPS = "flips"
"""The measure of an outcome that says how many cards a round took."""


class Solo(Mode[RunT]):
    """One seat plays round after round of a game whose rounds can be won."""

    def supports(self, game: Game[Any, Any]) -> bool:
        return 1 in game.seats and Result.WON in game.results

    def seats(self, game: Game[Any, Any]) -> range:
        return range(1, 2)


def has_term(game: Game[Any, Any], name: str) -> bool:
    """Whether a mode can set that term for the rounds of a game."""
    return any(field.name == name for field in fields(game.Terms))


def own(outcome: Outcome) -> SeatOutcome:
    """How the round ended for the only seat."""
    return outcome.seats[0]


def won(outcome: Outcome) -> bool:
    """Whether the only seat won the round."""
    return own(outcome).result is Result.WON


def lost(outcome: Outcome) -> bool:
    """Whether the only seat lost the round: bust, or beaten."""
    return own(outcome).result in (Result.BUST, Result.LOST)


def flips_of(outcome: Outcome) -> int | None:
    """How many cards the round took, where the game says so."""
    return own(outcome).measures.get(FLIPS)
