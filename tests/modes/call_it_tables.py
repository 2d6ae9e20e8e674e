"""Decks that settle a round of Call It at once, and rounds and cards on such decks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fliptable.testing import TableScript
from fliptable_games.call_it.vocabulary import Call, Flip

OpenTable = Callable[..., TableScript]

WIN = "10C JC QC"
"""30 is hit with the third card."""
BUST = "9C 10D JD KC"
"""29, then over 30 with the fourth card."""


def flip(table: TableScript, times: int = 1, seat: int = 0) -> None:
    """Turn so many cards up."""
    table.play(seat, *[Flip()] * times)


def play_round(table: TableScript, target: int = 30) -> None:
    """Call, as whoever is to call, and flip until the round is over; the first who is to act always flips."""
    table.play(table.to_act[0], Call(target))
    number = len(table.outcomes)
    while len(table.outcomes) == number:
        flip(table, seat=table.to_act[0])


def hand(table: TableScript, *viewer: int, seat: int = 0) -> Any:
    """The hand of a seat as a viewer sees it."""
    return table.view(*viewer).hands[seat]


# Races

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")


def caller(table: TableScript) -> int:
    """Who alone is to act: the caller of a race, before the call."""
    (seat,) = table.to_act
    return seat


def win(table: TableScript, seat: int, target: int = 30) -> None:
    """Whoever is to call calls; the seat wins the round on a deck of tens."""
    table.play(caller(table), Call(target))
    flip(table, 3, seat)
