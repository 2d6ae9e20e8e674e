"""A table: one session with its seats, its rounds and its version, as a value."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Any
from weakref import ReferenceType

from fliptable.events import TableCreated
from fliptable.house import Visibility
from fliptable.modes import Mode
from fliptable.rules import Game, Outcome, Seat, Viewer

SHARED = "shared:"
"""How the label of a shuffle begins whose deck is shared between tables."""


class Status(Enum):
    """Where a table is in its life."""

    OPEN = "OPEN"
    """It waits for players and its start."""
    PLAYING = "PLAYING"
    """Rounds are played."""
    PAUSED = "PAUSED"
    """It waits for a player who is away."""
    OVER = "OVER"
    """The session has ended; all that may still come is a rematch."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat at a table. ``held`` is false while nobody sits there."""

    name: str = ""
    player: str | None = None
    local: bool = False
    connected: bool = True
    """False once the player has been gone for longer than the grace period."""
    ready: bool = False

    @property
    def held(self) -> bool:
        """Whether somebody sits here, or the host acts for it."""
        return self.player is not None or self.local


@dataclass(frozen=True, slots=True)
class Round:
    """One deal, from its shuffle to its outcome."""

    number: int
    state: Any
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What is public of a shuffle, and what becomes so."""

    number: int
    name: str
    commitment: str
    cards: tuple[str, ...]
    label: str
    round: int
    seed: str | None = None
    until: datetime | None = None
    """When the seed becomes known although no event reveals it, where the deck is shared."""

    @property
    def shared(self) -> bool:
        """Whether other tables play from the same order."""
        return self.label.startswith(SHARED)


class Answers(dict[Hashable, Any]):
    """What plugins have answered of a table as it stands, by what they were asked.

    Answers are pure, so whoever asks the same gets the same. They are kept by the update that made the
    table and gone with it, while the table itself may be in memory for long.
    """


@dataclass(frozen=True)
class Table:
    """One session: a game under a mode, with seats and a version. A value; see :func:`evolve`."""

    id: str
    opening: TableCreated
    game: Game[Any, Any]
    mode: Mode[Any]
    game_options: Any
    mode_options: Any
    host: str
    seats: tuple[Place, ...]
    created_at: datetime
    updated_at: datetime
    played_with: tuple[str, str]
    """The versions of the game and the mode that the last commit was made with."""
    version: int = 0
    status: Status = Status.OPEN
    run: Any = None
    round: Round | None = None
    staged: Round | None = None
    carry: Any = None
    scores: tuple[int, ...] = ()
    shuffles: tuple[Shuffle, ...] = ()
    over_reason: str | None = None
    paused_until: datetime | None = None
    clocks: tuple[datetime | None, ...] = ()
    """Since when the time of each seat runs, where turns have a limit; none while the table waits."""
    rematch: str | None = None
    barred: frozenset[str] = frozenset()
    """The players whom the host sent away; they cannot sit down again."""
    local_names: tuple[str, ...] = ()
    """The names of the local seats; also when their host has left, and nobody is the host after them."""
    host_plays: bool = False
    """Whether the host has a seat; also when they have left it, and nobody is the host after them."""
    answers: ReferenceType[Answers] | None = field(default=None, compare=False, repr=False)
    """What plugins have answered of this very table, as long as anybody keeps that."""

    def having(self, **changes: Any) -> Table:
        """A copy with some fields changed, of which nothing is answered yet.

        It is quicker than ``dataclasses.replace``.
        """
        copy = object.__new__(Table)
        copy.__dict__.update(self.__dict__)
        copy.__dict__["answers"] = None
        copy.__dict__.update(changes)
        return copy

    @property
    def loaded(self) -> tuple[str, str]:
        """The versions of the game and the mode that are here."""
        return self.game.version, self.mode.version

    @property
    def code(self) -> str:
        """The short code of the table, to be read out."""
        return self.opening.code

    @property
    def visibility(self) -> Visibility:
        """Who finds the table."""
        return self.opening.visibility

    @property
    def secret(self) -> bytes:
        """What the seeds of the table's own shuffles are derived from. It never leaves the server."""
        return self.opening.secret

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the seats, for sentences."""
        return tuple([place.name or f"Seat {index + 1}" for index, place in enumerate(self.seats)])

    @property
    def playable(self) -> Round | None:
        """The round that a move would go to: the running one, else one that was dealt ahead."""
        if self.round is not None and self.round.outcome is None:
            return self.round
        return self.staged

    def viewer(self, player: str | None) -> Viewer:
        """The seats whose eyes a player has: their own, and the local ones if they are the host."""
        if player is None:
            return frozenset()
        return frozenset(
            [
                index
                for index, place in enumerate(self.seats)
                if place.player == player or (place.local and player == self.host)
            ]
        )

    def seat_of(self, player: str | None) -> Seat | None:
        """The seat that the player holds themself."""
        if player is not None:
            for index, place in enumerate(self.seats):
                if place.player == player:
                    return index
        return None

    def deadline(self) -> datetime | None:
        """When something happens here by itself."""
        if self.status is Status.PAUSED:
            return self.paused_until
        if self.status is not Status.PLAYING:
            return None
        due = self.mode.deadline(self.run)
        for _, ends in self.turn_ends():
            due = ends if due is None else min(due, ends)
        return due

    def turn_ends(self) -> list[tuple[Seat, datetime]]:
        """When the time of each seat that is to act is up, where turns have a time limit."""
        seconds = self.opening.house.turn_seconds
        if seconds is None or self.status is not Status.PLAYING:
            return []
        limit = timedelta(seconds=seconds)
        return [(seat, since + limit) for seat, since in enumerate(self.clocks) if since is not None]

    def present(self) -> frozenset[Seat]:
        """The seats that somebody is there for: a connected player, or at local seats the host."""
        host = self.seat_of(self.host)
        # A host without a seat of their own has only local ones; nobody watches whether they are there.
        host_there = host is None or self.seats[host].connected
        return frozenset(
            [
                index
                for index, place in enumerate(self.seats)
                if (place.local and host_there) or (place.player is not None and place.connected)
            ]
        )

    def absent(self) -> frozenset[Seat]:
        """The seats that are held, while nobody is there for them."""
        held = frozenset([index for index, place in enumerate(self.seats) if place.held])
        return held - self.present()

    def open_rounds(self) -> frozenset[int]:
        """The rounds of which all shuffles are revealed, so that nothing in them is private."""
        closed = {one.round for one in self.shuffles if one.seed is None}
        return frozenset(one.round for one in self.shuffles) - closed
