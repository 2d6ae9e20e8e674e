"""Presence: whether the players at tables are there, on this worker or another.

A player is there while a subscription of theirs to the table is live on any worker. When the last
one ends, a grace period begins; after it the table is told. Between workers, each keeps a list of
whom it serves in the store's roster; the list of one that died is taken over by another.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable

from fliptable.log import Unavailable
from fliptable.roster import Roster, Seated
from fliptable.table import Status, Table

logger = logging.getLogger("fliptable.presence")

BEAT = 1.5
"""Seconds between two signs of life of a worker."""
_AGAIN = 1.0
"""Seconds until another try when a table could not be told."""

Tell = Callable[[str, str, Callable[[], bool]], Awaitable[None]]
"""Tells a table about a player; the last argument says, when it is asked, whether they are there."""


def watched(table: Table) -> bool:
    """Whether it matters at a table who is there: others sit there too, and it is not over."""
    return len(table.seats) > 1 and table.status is not Status.OVER


class Presence:
    """Who is there, of those whose subscriptions this worker serves."""

    def __init__(self, worker: str, roster: Roster, tell: Tell, shared: bool) -> None:
        """``worker`` is a name that no other worker has; ``shared`` says whether there are others."""
        self._worker = worker
        self._roster = roster
        self._tell = tell
        self._shared = shared
        self._served: Counter[Seated] = Counter()
        self._graces: dict[Seated, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._beating: asyncio.Task[None] | None = None
        self._told: frozenset[Seated] = frozenset()
        self._changed = asyncio.Event()
        self._closed = False

    async def start(self, grace: Callable[[str], Awaitable[float]]) -> None:
        """Begin to beat, and take over what workers that are gone have left.

        ``grace`` answers the grace period of a table in seconds. A lone worker takes over every
        list at once: they are those of its own earlier lives.
        """
        self._grace = grace
        await self._take_over(None if self._shared else 0.0)
        self._beating = asyncio.create_task(self._beat())

    def enter(self, table: Table, player: str) -> None:
        """A subscription of a seated player to a watched table has begun."""
        one = (table.id, player)
        self._served[one] += 1
        self._changed.set()
        grace = self._graces.pop(one, None)
        if grace is not None:
            grace.cancel()
        seat = table.seat_of(player)
        if seat is not None and not table.seats[seat].connected:
            self._run(self._sync(one))

    def leave(self, table: Table, player: str) -> None:
        """A subscription that was entered has ended."""
        one = (table.id, player)
        self._served[one] -= 1
        if self._served[one] > 0:
            return
        del self._served[one]
        self._changed.set()
        self.expect(table, player)

    def expect(self, table: Table, player: str) -> None:
        """Give a player who is not there the table's grace period, unless it runs already."""
        one = (table.id, player)
        seated = watched(table) and table.seat_of(player) is not None
        if seated and one not in self._served and one not in self._graces:
            self._arm(one, table.opening.house.grace_seconds)

    def _arm(self, one: Seated, seconds: float) -> None:
        if not self._closed:
            loop = asyncio.get_running_loop()
            self._graces[one] = loop.call_later(max(seconds, 0.0), self._over, one)
            self._changed.set()

    def _over(self, one: Seated) -> None:
        del self._graces[one]
        self._changed.set()
        if one not in self._served:
            self._run(self._sync(one))

    async def _sync(self, one: Seated) -> None:
        """Tell the table whether the player is there, as it is when the table decides."""
        try:
            if self._shared and one not in self._served and await self._roster.elsewhere(self._worker, one):
                return
            await self._tell(*one, lambda: one in self._served)
        except Exception as error:
            logger.warning("table %s could not be told about player %s: %s", *one, error)
            if one not in self._graces:
                self._arm(one, _AGAIN)

    def _run(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _beat(self) -> None:
        """Keep the roster up to date. A lone worker writes only when something has changed."""
        while True:
            try:
                if not self._shared:
                    await self._changed.wait()
                self._changed.clear()
                # Those in their grace period are kept too: another worker has to go on with it.
                served = frozenset(self._served) | frozenset(self._graces)
                if self._shared or served != self._told:
                    await self._roster.beat(self._worker, served)
                    self._told = served
                if self._shared:
                    await self._take_over(None)
            except Unavailable as error:
                logger.warning("the roster of workers is behind: %s", error)
                self._changed.set()
            await asyncio.sleep(BEAT)

    async def _take_over(self, older: float | None) -> None:
        lost = await (
            self._roster.take_lost(self._worker)
            if older is None
            else self._roster.take_lost(self._worker, older)
        )
        for one in lost:
            for seated in one.seated:
                if seated not in self._served and seated not in self._graces:
                    self._run(self._inherit(seated, one.seconds))

    async def _inherit(self, one: Seated, gone_for: float) -> None:
        """Go on with the grace period of a player whom a worker that is gone was serving."""
        try:
            seconds = await self._grace(one[0])
        except Exception as error:
            logger.warning("table %s of a worker that is gone could not be read: %s", one[0], error)
            return
        if one not in self._served and one not in self._graces:
            self._arm(one, seconds - gone_for)

    async def close(self) -> None:
        """Stop watching; whoever was served here is left to other workers, or to the next start."""
        self._closed = True
        for grace in self._graces.values():
            grace.cancel()
        waiting = set(self._graces)
        self._graces.clear()
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=5)
        left = frozenset(self._served) | waiting
        try:
            if left:
                await self._roster.beat(self._worker, left)
            else:
                await self._roster.leave(self._worker)
        except Unavailable as error:
            logger.warning("the roster of workers could not be written: %s", error)
