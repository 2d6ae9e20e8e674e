"""The documents of records: their ids, and what a commit's records offer for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fliptable.records import DayRuns, RoundRecord, Spans, periods_at, place_of

Document = dict[str, Any]


def commit_id(table: str, version: int) -> Document:
    """The id of the marker of a commit that was applied."""
    return {"t": table, "v": version}


def best_id(board: str, period: str, player: str) -> str:
    """The id of a player's best. Periods and ids of players have no slash."""
    return f"{period}/{player}/{board}"


def scope_id(game: str, mode: str, scope: str) -> str:
    """The id of a tally, or of the days of a player."""
    return f"{game}/{mode}/{scope}"


def bests_of(records: Sequence[RoundRecord]) -> dict[str, Document]:
    """The best that the records offer for each player, board and period, by the id of its document."""
    offered: dict[str, Document] = {}
    for record in records:
        for score in record.scores:
            key = score.metric.key(score.value)
            place = place_of(key, record.at, score.player)
            for period in periods_at(record.at):
                board = record.board(score).key
                id = best_id(board, period, score.player)
                best = {
                    "_id": id,
                    "board": board,
                    "scope": record.scope,
                    "period": period,
                    "player": score.player,
                    "key": key,
                    "value": score.value,
                    "at": record.at,
                    "table": record.table,
                    "place": place,
                }
                if id not in offered or order_of(best) < order_of(offered[id]):
                    offered[id] = best
    return offered


def order_of(best: Document) -> tuple[str, str]:
    """By what one best of a player comes before another, in whatever order they arrive."""
    return best["place"], best["table"]


def day_runs(document: Document | None) -> DayRuns:
    """A player's days from their document; no days without one."""
    if document is None:
        return DayRuns()
    return DayRuns(_spans(document["played"]), _spans(document["won"]))


def spans_of(runs: DayRuns) -> Document:
    """The document of a player's days, without its id."""
    return {"played": [list(span) for span in runs.played], "won": [list(span) for span in runs.won]}


def _spans(stored: Sequence[Sequence[int]]) -> Spans:
    return tuple([(first, last) for first, last in stored])
