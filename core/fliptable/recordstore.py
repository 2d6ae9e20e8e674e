"""Where records are kept: the protocol that the memory and the MongoDB records both implement."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from fliptable.records import Board, DayRuns, RoundRecord, Standing, Tally

PAGE = 20
"""How many players of a board are shown at once, unless somebody asks for another number."""


class RecordStore(Protocol):
    """Boards, counts and runs of days. All of it can be made again from the log.

    A period is what :func:`fliptable.records.period_key` names. Errors of all: Unavailable.
    """

    async def apply(self, records: Sequence[RoundRecord]) -> None:
        """Add what commits brought, each commit once, however often it is applied and in any order."""
        ...

    async def applied(self, commits: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
        """Which of the commits (table and version) were applied."""
        ...

    async def standing(self, board: Board, period: str, player: str) -> Standing | None:
        """Where a player stands; None when they are not on the board."""
        ...

    async def top(
        self,
        board: Board,
        period: str,
        limit: int = PAGE,
        after: str | None = None,
        before: str | None = None,
        backward: bool = False,
    ) -> list[Standing]:
        """The best of a board, in order, from the top or after the place of a standing.

        They end before the place ``before``. ``backward`` asks for the last of those instead of the
        first, in the same order.
        """
        ...

    async def around(self, board: Board, period: str, player: str, limit: int = PAGE) -> list[Standing]:
        """The players next to a player, with them in the middle where there are enough on both sides.

        Empty when the player is not on the board.
        """
        ...

    async def spread(self, board: Board, period: str) -> dict[int, int]:
        """How many players have each value as their best, the better values first."""
        ...

    async def of_player(self, player: str, period: str) -> list[tuple[Board, Standing]]:
        """The boards without a scope that a player is on, by their keys."""
        ...

    async def tally(self, game: str, mode: str, scope: str = "") -> Tally:
        """How many rounds were begun, finished and won."""
        ...

    async def days(self, game: str, mode: str, player: str) -> DayRuns:
        """The days on which a player played and won."""
        ...

    async def mark(self) -> str:
        """Up to which place of ``Log.counting_commits`` everything was applied; "" at first."""
        ...

    async def move_mark(self, place: str) -> None:
        """Move the mark forward; it never goes back."""
        ...
