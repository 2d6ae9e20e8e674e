"""The clocks of seats, where turns have a time limit: since when each seat's time runs. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fliptable.events import Commit, TurnExpired
from fliptable.rules import Game, Private, Seat
from fliptable.table import Status, Table


def clocks_after(before: Table | None, after: Table, commit: Commit) -> tuple[datetime | None, ...]:
    """A seat's clock starts when it gets to act, and anew with what it does or with a new round.

    What a seat does is known by the game's events that name it. Where a game does nothing for a seat
    whose time is up, the clock stops until the seat does something.
    """
    current = after.playable
    if after.status is not Status.PLAYING or current is None:
        return ()
    game = after.game
    did = {event.seat for event in map(_plain, commit.events) if _names_a_seat(game, event)}
    expired = {event.seat for event in commit.events if type(event) is TurnExpired}
    known: dict[Seat, datetime | None] = {}
    # A pause stops all clocks; a start changes what the seats are.
    if before is not None and before.status is Status.PLAYING:
        earlier = before.playable
        if earlier is not None and earlier.number == current.number:
            known = {seat: before.clocks[seat] for seat in game.to_act(earlier.state)}
    clocks: list[datetime | None] = [None] * len(after.seats)
    for seat in game.to_act(current.state):
        if seat in did or seat not in known:
            clocks[seat] = commit.at
        elif seat not in expired:
            clocks[seat] = known[seat]
    return tuple(clocks)


def _plain(event: Any) -> Any:
    return event.event if type(event) is Private else event


def _names_a_seat(game: Game[Any, Any], event: Any) -> bool:
    """Whether a seat did something; coming and going, for example, is none of the game's events."""
    return type(event) in game.events and getattr(event, "seat", None) is not None
