"""Records: a pure projection of the log. What a commit adds to boards, counts and runs of days.

A board compares players by one metric of a mode at a game; a mode may have several boards of a kind,
one for each scope (a date, a challenge). Every board is kept for all time, for each ISO week and for
each UTC date, by the time of the commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import Enum

from fliptable.events import Commit, RoundBegan, RoundOver
from fliptable.rules import Result, Seat
from fliptable.scores import Metric
from fliptable.table import Table

ALL_TIME = "all"
"""The period that has no end."""


class Period(Enum):
    """The span of time that a board is for."""

    ALL_TIME = "ALL_TIME"
    """Since the server keeps records."""
    THIS_WEEK = "THIS_WEEK"
    """Since Monday, in UTC."""
    TODAY = "TODAY"
    """Since midnight, in UTC."""


def period_key(period: Period, now: datetime) -> str:
    """The name of a span of time: all, the ISO week ("2026-W48") or the UTC date ("2026-11-29")."""
    if period is Period.ALL_TIME:
        return ALL_TIME
    today = now.astimezone(UTC).date()
    if period is Period.TODAY:
        return today.isoformat()
    year, week, _ = today.isocalendar()
    return f"{year}-W{week:02d}"


def periods_at(at: datetime) -> list[str]:
    """The names of all spans of time that a moment belongs to."""
    return [period_key(period, at) for period in Period]


@dataclass(frozen=True, slots=True)
class Board:
    """A list of players by their best value: of a metric, in a mode, at a game, within a scope."""

    game: str
    mode: str
    metric: str
    scope: str = ""

    @property
    def key(self) -> str:
        """The board as one string; the scope comes last, so that it may have any characters."""
        return "/".join((self.game, self.mode, self.metric, self.scope))


def board_of(key: str) -> Board:
    """The board of a key."""
    return Board(*key.split("/", 3))


@dataclass(frozen=True, slots=True)
class Score:
    """A value that a player reached."""

    metric: Metric
    player: str
    value: int


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """What the rounds that began or ended in one commit add to the records, once."""

    table: str
    version: int
    at: datetime
    game: str
    mode: str
    scope: str = ""
    day: str | None = None
    """The UTC date that the rounds belong to, where runs of days are kept."""
    began: tuple[str, ...] = ()
    """The players for whom a round began."""
    ended: tuple[str, ...] = ()
    """The players whose round ended."""
    won: tuple[str, ...] = ()
    """The players who won a round."""
    scores: tuple[Score, ...] = ()

    def board(self, score: Score) -> Board:
        """The board that a score counts for."""
        return Board(self.game, self.mode, score.metric.name, self.scope)


def records_of(before: Table | None, commit: Commit, after: Table) -> RoundRecord | None:
    """What a commit adds to the records; None when nothing.

    ``before`` and ``after`` are the table without the commit (None: there was none) and with it.
    Local seats have no player whose records could be kept.
    """
    mode = after.mode
    if not mode.metrics:
        return None
    began: list[str] = []
    ended: list[str] = []
    won: list[str] = []
    scores: list[Score] = []
    players = [_player(before, after, seat) for seat in range(len(after.seats))]
    metrics = {metric.name: metric for metric in mode.metrics}
    for event in commit.events:
        if type(event) is RoundBegan:
            began += [player for player in players if player is not None]
        elif type(event) is RoundOver:
            for seat, (player, outcome) in enumerate(zip(players, event.outcome.seats, strict=True)):
                if player is None:
                    continue
                ended.append(player)
                if outcome.result is Result.WON:
                    won.append(player)
                values = mode.scores(after.run, seat, outcome)
                scores += [Score(metrics[name], player, value) for name, value in values.items()]
    if not (began or ended):
        return None
    return RoundRecord(
        table=commit.table,
        version=commit.version,
        at=commit.at,
        game=after.game.id,
        mode=mode.id,
        scope=mode.scope(after.run),
        day=mode.day(after.run),
        began=tuple(began),
        ended=tuple(ended),
        won=tuple(won),
        scores=tuple(scores),
    )


def _player(before: Table | None, after: Table, seat: Seat) -> str | None:
    """Who played at a seat: also somebody who leaves with the commit; None at a local seat."""
    place = after.seats[seat]
    # Held seats are those of the table after: at its start it loses free ones, and the others move up.
    if place.held or before is None:
        return place.player
    return before.seats[seat].player


def counted(before: Table | None, commit: Commit, after: Table) -> Commit:
    """The commit, with a mark if it adds to the records."""
    return commit if records_of(before, commit, after) is None else replace(commit, counts=True)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands on a board with their best value. Players who are equal share a rank."""

    player: str
    value: int
    at: datetime
    table: str
    rank: int
    place: str
    """The place in the order of the board, to go on from."""


def place_of(key: int, at: datetime, player: str) -> str:
    """A string by which the players of a board are in order: the better value, then the earlier."""
    milliseconds = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    return f"{key + 2**31:010d}.{milliseconds:015d}.{player}"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rounds were begun, how many of them are over, and how many of those were won."""

    attempts: int = 0
    """How many rounds were begun."""
    finished: int = 0
    """How many of them are over."""
    wins: int = 0
    """How many of those were won."""

    def having(self, record: RoundRecord) -> Tally:
        """With what a commit adds."""
        return Tally(
            self.attempts + len(record.began),
            self.finished + len(record.ended),
            self.wins + len(record.won),
        )


Spans = tuple[tuple[int, int], ...]
"""Days as spans of ordinals, first and last day, in order; between two spans there is a gap."""


def with_day(spans: Spans, day: int) -> Spans:
    """The days of the spans and one more."""
    first = last = day
    rest = []
    for span in spans:
        if span[0] - 1 <= day <= span[1] + 1:
            first, last = min(first, span[0]), max(last, span[1])
        else:
            rest.append(span)
    return tuple(sorted([*rest, (first, last)]))


@dataclass(frozen=True, slots=True)
class DayRuns:
    """The days on which a player played, and won, what there is one of for each day (call-it M3)."""

    played: Spans = ()
    won: Spans = ()

    def having(self, day: str, played: bool, won: bool) -> DayRuns:
        """With what happened on a UTC date."""
        ordinal = date.fromisoformat(day).toordinal()
        return DayRuns(
            with_day(self.played, ordinal) if played else self.played,
            with_day(self.won, ordinal) if won else self.won,
        )


def run_of_days(spans: Spans, today: date) -> int:
    """How many days in a row there are up to today, or up to yesterday while today is not played."""
    ordinal = today.toordinal()
    return next((min(last, ordinal) - first + 1 for first, last in spans if first <= ordinal <= last + 1), 0)


def longest_run(spans: Spans) -> int:
    """The most days in a row."""
    return max([last - first + 1 for first, last in spans], default=0)


def ranked(counts: Sequence[tuple[int, int]], key: int) -> int:
    """The rank of a key, given how many players have each key: one more than those who are better."""
    return 1 + sum(players for other, players in counts if other < key)
