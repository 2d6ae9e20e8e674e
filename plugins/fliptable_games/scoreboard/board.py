"""The state of a scoreboard and what can be read off it: totals, leaders, winners."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from fliptable import Seat
from fliptable_games.scoreboard.vocabulary import (
    EnteredLine,
    EntryDeleted,
    Finished,
    LineEntered,
    PointsEntered,
    Rules,
    SeatGone,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a seat has for a round: points and, where it was entered, the line."""

    points: int
    line: EnteredLine | None = None
    changes: int = 0


BoardRound = tuple[Entry | None, ...]
"""The entries of a round, in seat order."""


@dataclass(frozen=True, slots=True)
class Board:
    """A session of rounds that are played elsewhere. It is a value; see :func:`evolve`."""

    threshold: int
    rules: Rules
    seats: int
    rounds: tuple[BoardRound, ...] = ()
    gone: tuple[Seat, ...] = ()
    """Who stopped playing, in seat order."""
    closed: tuple[Seat, ...] | None = None
    """The winners, once the scoreboard is closed."""

    def entry(self, number: int, seat: Seat) -> Entry | None:
        """The seat's entry of a round, from 1, if it has one."""
        return self.rounds[number - 1][seat] if 1 <= number <= len(self.rounds) else None

    def missing(self, number: int) -> tuple[Seat, ...]:
        """The seats whose entry of a round, from 1, is awaited."""
        entries: BoardRound = self.rounds[number - 1] if number <= len(self.rounds) else (None,) * self.seats
        return tuple([seat for seat, one in enumerate(entries) if one is None and seat not in self.gone])

    @property
    def current(self) -> int:
        """The round that is being entered: the first that lacks an entry."""
        for number in range(1, len(self.rounds) + 1):
            if self.missing(number):
                return number
        return len(self.rounds) + 1

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of all entries, in seat order."""
        return self.totals_after(len(self.rounds))

    def totals_after(self, number: int) -> tuple[int, ...]:
        """The sums of the entries up to a round."""
        return tuple([sum(_points(one[seat]) for one in self.rounds[:number]) for seat in range(self.seats)])

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with the highest total; none before the first entry."""
        if not any(entry for one in self.rounds for entry in one):
            return ()
        totals = self.totals
        most = max(totals)
        return tuple([seat for seat, total in enumerate(totals) if total == most])

    @property
    def passed(self) -> tuple[Seat, ...]:
        """The seats whose total is past the threshold (flip7 F29)."""
        least = self.threshold + (self.rules is Rules.HOSTED)
        return tuple([seat for seat, total in enumerate(self.totals) if total >= least])

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won as the entries stand: looked at when every round is complete (flip7 F29, F30)."""
        if self.closed is not None:
            return self.closed
        if self.current <= len(self.rounds) or not self.passed:
            return ()
        ahead = self.leaders
        return ahead if len(ahead) == 1 or self.rules is Rules.HOSTED else ()


def _points(entry: Entry | None) -> int:
    return entry.points if entry is not None else 0


def evolve(board: Board, event: Any) -> Board:
    """The scoreboard after an event."""
    match event:
        case LineEntered():
            return _enter(board, event.seat, event.round, Entry(event.points, event.line))
        case PointsEntered():
            return _enter(board, event.seat, event.round, Entry(event.points))
        case EntryDeleted():
            return _without(board, event.seat, event.round)
        case SeatGone():
            return replace(board, gone=tuple(sorted((*board.gone, event.seat))))
        case Finished():
            return replace(board, closed=event.winners)
    raise TypeError(f"{event!r} is no event of the scoreboard")


def _enter(board: Board, seat: Seat, number: int, entry: Entry) -> Board:
    earlier = board.entry(number, seat)
    if earlier is not None:
        entry = replace(entry, changes=earlier.changes + 1)
    rounds = board.rounds
    if number > len(rounds):
        rounds = (*rounds, (None,) * board.seats)
    return replace(board, rounds=_put(rounds, number - 1, _put(rounds[number - 1], seat, entry)))


def _without(board: Board, seat: Seat, number: int) -> Board:
    rounds = _put(board.rounds, number - 1, _put(board.rounds[number - 1], seat, None))
    while rounds and not any(rounds[-1]):
        rounds = rounds[:-1]
    return replace(board, rounds=rounds)


def _put(row: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*row[:index], value, *row[index + 1 :])


def lines_of(entries: Iterable[Entry | None]) -> list[EnteredLine]:
    """The lines among the entries of a round."""
    return [entry.line for entry in entries if entry is not None and entry.line is not None]
