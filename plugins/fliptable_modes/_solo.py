"""What the solo modes share: one seat, and rounds that can be won (call-it M1-M8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from fliptable import Better, Game, Metric, Mode, Outcome, Result, SeatOutcome

RunT = TypeVar("RunT")

FLIPS = "flips"
"""The measure of an outcome that says how many cards a round took."""


FEWEST_FLIPS = Metric(FLIPS, "Fewest flips", FLIPS, Better.LOWER)
"""Wins are compared by the cards that they took."""


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


def flips_scored(outcome: SeatOutcome) -> Mapping[str, int]:
    """The flips of a win, as a score by ``FEWEST_FLIPS``; a round that was not won scores nothing."""
    flips = outcome.measures.get(FLIPS)
    return {FLIPS: flips} if outcome.result is Result.WON and flips is not None else {}


def flips_of(outcome: Outcome) -> int | None:
    """How many cards the round took, where the game says so."""
    return own(outcome).measures.get(FLIPS)
