"""The records as scripted tables make them: who is best, how often it was won, on which days."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar

from fliptable.memory_records import MemoryRecords
from fliptable.records import ALL_TIME, Board, Spans, Standing, Tally, longest_run, run_of_days
from fliptable.testing.reading import TableReading

T = TypeVar("T")


class RecordBook:
    """What some tables of one game and mode have entered in the records."""

    def __init__(self, *tables: TableReading) -> None:
        """Reads the logs of the tables, one after the other."""
        first = tables[0].table
        self._game, self._mode = first.game.id, first.mode.id
        self._metrics = [metric.name for metric in first.mode.metrics]
        self._records = MemoryRecords()
        for number, script in enumerate(tables):
            _now(self._records.apply([replace(one, table=f"tbl_{number}") for one in script.records]))

    def best(self, metric: str, player: str = "ann", scope: str = "") -> int | None:
        """A player's best value; None where they have none.

        Errors: ValueError says which metrics there are.
        """
        standing = _now(self._records.standing(self._board(metric, scope), ALL_TIME, player))
        return None if standing is None else standing.value

    def ranking(self, metric: str, scope: str = "") -> list[Standing]:
        """The players by their best values, the best one first.

        Errors: ValueError says which metrics there are.
        """
        return _now(self._records.top(self._board(metric, scope), ALL_TIME))

    def spread(self, metric: str, scope: str = "") -> dict[int, int]:
        """How many players have each best value. Errors: ValueError says which metrics there are."""
        return _now(self._records.spread(self._board(metric, scope), ALL_TIME))

    def tally(self, scope: str = "") -> Tally:
        """How many rounds were begun, finished and won."""
        return _now(self._records.tally(self._game, self._mode, scope))

    def days_in_a_row(self, today: date, player: str = "ann", *, won: bool = False) -> int:
        """How many days in a row a player has played, or won, as of a date."""
        return run_of_days(self._days(player, won), today)

    def most_days_in_a_row(self, player: str = "ann", *, won: bool = False) -> int:
        """The most days in a row on which a player has played, or won."""
        return longest_run(self._days(player, won))

    def _days(self, player: str, won: bool) -> Spans:
        runs = _now(self._records.days(self._game, self._mode, player))
        return runs.won if won else runs.played

    def _board(self, metric: str, scope: str) -> Board:
        if metric not in self._metrics:
            there = f"there are {', '.join(self._metrics)}" if self._metrics else "there are none"
            raise ValueError(f"{self._mode} has no metric {metric!r}; {there}")
        return Board(self._game, self._mode, metric, scope)


def _now(answer: Coroutine[Any, Any, T]) -> T:
    """What records in memory answer: they never wait for anything."""
    try:
        answer.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("records in memory have to answer at once")
