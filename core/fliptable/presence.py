"""Presence: whether the players at tables are there, on this worker or another.

A player is there while a subscription of theirs to the table is live on any worker. When the last
one ends, a grace period begins; after it the table is told. Between workers, each keeps a list of
whom it serves in the store's roster; the list of one that died is taken over by another.

Lists are a moment behind. So a table may be told of somebody whom another worker serves already;
that worker hears of it with the commit and puts it right (:meth:`Presence.told`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from fliptable.errands import Errands
from fliptable.house import HouseRules
from fliptable.log import Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.roster import STALE, Roster, Seated
from fliptable.rules import Seat
from fliptable.setbacks import Setbacks, fault_of
from fliptable.table import Status, Table

logger: logging.Logger = logging.getLogger("fliptable.presence")

ARRIVAL: float = HouseRules().grace_seconds
"""Seconds that who has opened a table has to follow it, also where nobody may be gone for so long."""
BEAT = 1.0
"""Seconds between two signs of life of a worker."""
_PAUSE = 0.1
"""Seconds between two writes of a list that changes, so that a busy moment becomes one."""
_AGAIN = 1.0
"""Seconds until another try when a table could not be told."""
_LATER = 60.0
"""The same for a table that cannot be read here: as long as this worker lives, others have to tell it."""

Tell = Callable[[str, str, Callable[[], bool]], Awaitable[None]]
"""Tells a table about a player; the last argument says, when it is asked, whether they are there."""


@dataclass(slots=True)
class _Grace:
    """A grace period: since when the player is gone (seconds since 1970), and what ends it."""

    since: float
    timer: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        """Do not end it."""
        if self.timer is not None:
            self.timer.cancel()


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
        self._graces: dict[Seated, _Grace] = {}
        self._errands = Errands()
        self._setbacks: Setbacks[Seated] = Setbacks()
        self._beating: asyncio.Task[None] | None = None
        self._listed: tuple[frozenset[Seated], dict[Seated, float]] = (frozenset(), {})
        self._changed = asyncio.Event()
        self._closed = False

    async def start(self, grace: Callable[[str], Awaitable[float]]) -> None:
        """Begin to beat, and take over what workers that are gone have left.

        ``grace`` answers the grace period of a table in seconds. A lone worker takes over every
        list at once: they are those of its own earlier lives.
        """
        self._grace = grace
        if not self._shared:
            await self._take_over(0.0)
        self._beating = asyncio.create_task(self._beat())

    def enter(self, table: Table, player: str) -> None:
        """A subscription of a seated player to a watched table has begun."""
        one = (table.id, player)
        self._served[one] += 1
        self._setbacks.forget(one)
        self._changed.set()
        grace = self._graces.pop(one, None)
        if grace is not None:
            grace.cancel()
        seat = table.seat_of(player)
        if seat is not None:
            self.told(table, seat)

    def told(self, table: Table, seat: Seat) -> None:
        """See that a table does not take a player who is served here for gone."""
        place = table.seats[seat]
        if place.player is not None and not place.connected and (table.id, place.player) in self._served:
            self._errands.run(self._say_back((table.id, place.player)))

    def leave(self, table: Table, player: str) -> None:
        """A subscription that was entered has ended."""
        one = (table.id, player)
        self._served[one] -= 1
        if self._served[one] > 0:
            return
        del self._served[one]
        self._changed.set()
        self._miss(table, player, table.opening.house.grace_seconds)

    def expect(self, table: Table, player: str) -> None:
        """Give a player who is not there the table's grace period, unless it runs already.

        Whoever has just opened the table has the usual one to follow it for the first time, however
        short that of the table is.
        """
        seconds: float = table.opening.house.grace_seconds
        if table.status is Status.OPEN and player == table.host:
            age = time.time() - table.created_at.timestamp()
            seconds = max(seconds, ARRIVAL - max(age, 0.0))
        self._miss(table, player, seconds)

    def _miss(self, table: Table, player: str, seconds: float) -> None:
        one = (table.id, player)
        seated = watched(table) and table.seat_of(player) is not None
        if seated and one not in self._served and one not in self._graces:
            self._arm(one, time.time(), seconds)

    def seen(self, table: Table, player: str) -> None:
        """A player without a subscription here has asked for something: their grace period begins anew."""
        one = (table.id, player)
        if watched(table) and one not in self._served and table.seat_of(player) is not None:
            grace = self._graces.pop(one, None)
            if grace is not None:
                grace.cancel()
            self.expect(table, player)

    def _arm(self, one: Seated, since: float, seconds: float) -> None:
        """Let a grace period end in so many seconds."""
        if not self._closed:
            timer = asyncio.get_running_loop().call_later(max(seconds, 0.0), self._over, one)
            self._graces[one] = _Grace(since, timer)
            if one not in self._listed[1]:
                self._changed.set()  # That a period begins anew can wait for the next beat.

    def _over(self, one: Seated) -> None:
        self._errands.run(self._say_gone(one, self._graces[one]))

    async def _say_gone(self, one: Seated, grace: _Grace) -> None:
        """Tell the table that a player's grace period is over, unless they came back in the meantime.

        Until then the list has it, so that it is told even if this worker dies.
        """

        def there() -> bool:
            return self._graces.get(one) is not grace

        try:
            if not (self._shared and await self._roster.elsewhere(self._worker, one, grace.since)):
                await self._tell(*one, there)
        except Exception as error:
            pause = self._failed(one, error)
            if not there():
                self._arm(one, grace.since, pause)
            return
        self._setbacks.forget(one)
        if not there():
            del self._graces[one]
            self._changed.set()

    async def _say_back(self, one: Seated) -> None:
        """Tell the table that a player is there."""
        try:
            await self._tell(*one, lambda: one in self._served)
        except Exception as error:
            pause = self._failed(one, error)
            if one in self._served and not self._closed:
                asyncio.get_running_loop().call_later(pause, self._again, one)
        else:
            self._setbacks.forget(one)

    def _failed(self, one: Seated, error: Exception) -> float:
        """Log why a table could not be told of a player; the seconds until another try.

        A plugin's fault is told once, and tried again ever more rarely.
        """
        if isinstance(error, Unavailable | UnreadableLog):
            logger.warning("table %s could not be told about player %s: %s", *one, error)
            return _LATER if isinstance(error, UnreadableLog) else _AGAIN
        if self._setbacks.first(one):
            sentence = "table %s cannot be told about player %s, and is tried again ever more rarely: %s"
            logger.error(sentence, *one, fault_of(error), exc_info=error)
        return self._setbacks.pause(one, _AGAIN)

    def _again(self, one: Seated) -> None:
        if one in self._served and not self._closed:
            self._errands.run(self._say_back(one))

    async def _beat(self) -> None:
        """Keep the roster up to date, and look after those of workers that are gone.

        A lone worker writes only when something has changed. Who could not write for a while does not
        know whether others could, so it gives them time before it takes them for gone.
        """
        loop = asyncio.get_running_loop()
        steady = loop.time()
        while True:
            self._changed.clear()
            began = loop.time()
            try:
                await self._write()
                if self._shared and loop.time() - steady > STALE:
                    await self._take_over(STALE)
            except Unavailable as error:
                logger.warning("the roster of workers is behind: %s", error)
                steady = loop.time()
                await asyncio.sleep(BEAT)
                continue
            if loop.time() - began > STALE - BEAT:
                steady = loop.time()
            await asyncio.sleep(_PAUSE)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT - _PAUSE if self._shared else None):
                    await self._changed.wait()

    async def _write(self) -> None:
        # Those in their grace period are kept too: another worker has to go on with it.
        current = frozenset(self._served), {one: grace.since for one, grace in self._graces.items()}
        if current == self._listed and (not self._shared or await self._roster.touch(self._worker)):
            return
        await self._roster.beat(self._worker, *current)
        self._listed = current

    async def _take_over(self, older: float) -> None:
        now = time.time()
        for lost in await self._roster.take_lost(self._worker, older):
            gone = {**lost.waits, **dict.fromkeys(lost.serves, now - lost.seconds)}
            for one, since in gone.items():
                if one not in self._served and one not in self._graces:
                    self._graces[one] = grace = _Grace(since)
                    self._changed.set()
                    self._errands.run(self._inherit(one, grace))

    async def _inherit(self, one: Seated, grace: _Grace) -> None:
        """Go on with the grace period of a player whom a worker that is gone was serving."""
        try:
            seconds = await self._grace(one[0])
        except (Unavailable, UnreadableLog) as error:
            logger.warning("table %s of a worker that is gone has to wait: %s", one[0], error)
            if self._graces.get(one) is grace and not self._closed:
                again = partial(self._inherit_again, one, grace)
                seconds = _LATER if isinstance(error, UnreadableLog) else _AGAIN
                grace.timer = asyncio.get_running_loop().call_later(seconds, again)
        except Exception as error:
            sentence = "table %s of a worker that is gone could not be read: %s"
            logger.error(sentence, one[0], fault_of(error), exc_info=error)
            self._graces.pop(one, None)
        else:
            if self._graces.get(one) is grace:
                self._arm(one, grace.since, grace.since + seconds - time.time())

    def _inherit_again(self, one: Seated, grace: _Grace) -> None:
        if self._graces.get(one) is grace and not self._closed:
            self._errands.run(self._inherit(one, grace))

    async def close(self) -> None:
        """Stop watching; whoever was served here is left to other workers, or to the next start."""
        self._closed = True
        now = time.time()
        waits = {one: grace.since for one, grace in self._graces.items()}
        waits.update(dict.fromkeys(self._served, now))
        for grace in self._graces.values():
            grace.cancel()
        self._graces.clear()
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        await self._errands.done(timeout=5)
        try:
            if waits:
                await self._roster.beat(self._worker, (), waits)
            else:
                await self._roster.leave(self._worker)
        except Unavailable as error:
            logger.warning("the roster of workers could not be written: %s", error)
