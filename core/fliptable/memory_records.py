"""Records in memory; see :mod:`fliptable.memory`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from fliptable.records import (
    Board,
    DayRuns,
    RoundRecord,
    Score,
    Standing,
    Tally,
    board_of,
    periods_at,
    place_of,
    ranked,
)
from fliptable.recordstore import PAGE


@dataclass(slots=True)
class _Best:
    """A player's best value on a board."""

    key: int
    place: str
    standing: Standing


@dataclass(slots=True)
class _Board:
    """The players of a board in one period: their places in order, and how many have each key."""

    bests: dict[str, _Best] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    players: dict[str, str] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)

    def offer(self, score: Score, record: RoundRecord) -> None:
        """Take a value if it is the player's best, or as good and earlier."""
        key = score.metric.key(score.value)
        place = place_of(key, record.at, score.player)
        known = self.bests.get(score.player)
        if known is not None:
            if (known.place, known.standing.table) <= (place, record.table):
                return
            del self.places[bisect_left(self.places, known.place)]
            del self.players[known.place]
            self.counts[known.key] -= 1
        standing = Standing(score.player, score.value, record.at, record.table, 0, place)
        self.bests[score.player] = _Best(key, place, standing)
        insort(self.places, place)
        self.players[place] = score.player
        self.counts[key] += 1

    def standing(self, player: str) -> Standing:
        """A player's standing with its rank."""
        best = self.bests[player]
        one = best.standing
        rank = ranked(list(self.counts.items()), best.key)
        return Standing(one.player, one.value, one.at, one.table, rank, one.place)

    def page(self, start: int, end: int) -> list[Standing]:
        """The standings from one place to another."""
        return [self.standing(self.players[place]) for place in self.places[max(start, 0) : end]]


class MemoryRecords:
    """A :class:`fliptable.recordstore.RecordStore` that forgets everything when it ends."""

    def __init__(self) -> None:
        """Without any record."""
        self._applied: set[tuple[str, int]] = set()
        self._boards: dict[tuple[str, str], _Board] = {}
        self._tallies: dict[tuple[str, str, str], Tally] = {}
        self._days: dict[tuple[str, str, str], DayRuns] = {}
        self._mark = ""

    async def apply(self, records: Sequence[RoundRecord]) -> None:
        """See :class:`fliptable.recordstore.RecordStore`."""
        for record in records:
            if (record.table, record.version) in self._applied:
                continue
            self._applied.add((record.table, record.version))
            for score in record.scores:
                for period in periods_at(record.at):
                    self._boards.setdefault((record.board(score).key, period), _Board()).offer(score, record)
            counted = (record.game, record.mode, record.scope)
            self._tallies[counted] = self._tallies.get(counted, Tally()).having(record)
            if record.day is not None:
                for player in {*record.began, *record.won}:
                    whose = (record.game, record.mode, player)
                    runs = self._days.get(whose, DayRuns())
                    self._days[whose] = runs.having(record.day, player in record.began, player in record.won)

    async def applied(self, commits: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return self._applied.intersection(commits)

    def _board(self, board: Board, period: str) -> _Board:
        return self._boards.get((board.key, period), _Board())

    async def standing(self, board: Board, period: str, player: str) -> Standing | None:
        """See :class:`fliptable.recordstore.RecordStore`."""
        kept = self._board(board, period)
        return kept.standing(player) if player in kept.bests else None

    async def top(
        self,
        board: Board,
        period: str,
        limit: int = PAGE,
        after: str | None = None,
        before: str | None = None,
        backward: bool = False,
    ) -> list[Standing]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        kept = self._board(board, period)
        start = 0 if after is None else bisect_right(kept.places, after)
        end = len(kept.places) if before is None else bisect_left(kept.places, before)
        if backward:
            start = max(start, end - limit)
        return kept.page(start, max(start, min(end, start + limit)))

    async def around(self, board: Board, period: str, player: str, limit: int = PAGE) -> list[Standing]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        kept = self._board(board, period)
        if player not in kept.bests:
            return []
        mine = bisect_left(kept.places, kept.bests[player].place)
        start = max(min(mine - (limit - 1) // 2, len(kept.places) - limit), 0)
        return kept.page(start, start + limit)

    async def spread(self, board: Board, period: str) -> dict[int, int]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        kept = self._board(board, period)
        values = {best.key: best.standing.value for best in kept.bests.values()}
        return {value: kept.counts[key] for key, value in sorted(values.items())}

    async def of_player(self, player: str, period: str) -> list[tuple[Board, Standing]]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return [
            (board_of(key), kept.standing(player))
            for (key, of), kept in sorted(self._boards.items())
            if of == period and player in kept.bests and not board_of(key).scope
        ]

    async def tally(self, game: str, mode: str, scope: str = "") -> Tally:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return self._tallies.get((game, mode, scope), Tally())

    async def days(self, game: str, mode: str, player: str) -> DayRuns:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return self._days.get((game, mode, player), DayRuns())

    async def mark(self) -> str:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return self._mark

    async def move_mark(self, place: str) -> None:
        """See :class:`fliptable.recordstore.RecordStore`."""
        self._mark = max(self._mark, place)
