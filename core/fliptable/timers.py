"""Timers: what is due at a table happens by itself, at its time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from fliptable.errands import Errands
from fliptable.log import Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.setbacks import Setbacks, fault_of

logger: logging.Logger = logging.getLogger("fliptable.timers")

_LONGEST = 86_400.0
"""Seconds after which a timer looks at the clock again."""
_AGAIN = 1.0
"""Seconds until another try when a table could not be touched: always while the database is away, and at
first when it is by the fault of a plugin."""


class Timers:
    """One timer for each table that has a deadline. Nothing is polled."""

    def __init__(self, clock: Callable[[], datetime], touch: Callable[[str], Awaitable[object]]) -> None:
        """``touch`` lets happen what is due at a table; it may be called more often than needed."""
        self._clock = clock
        self._touch = touch
        self._armed: dict[str, tuple[datetime, asyncio.TimerHandle]] = {}
        self._errands = Errands()
        self._unreadable: set[str] = set()
        self._setbacks: Setbacks[str] = Setbacks()
        self._closed = False

    def __len__(self) -> int:
        """How many tables have a timer."""
        return len(self._armed)

    def note(self, table: str, deadline: datetime | None) -> None:
        """Set, move or take away the timer of a table.

        One that could not be read here is left to other workers: it will not be readable before the
        next start, with other plugins.
        """
        if table in self._unreadable:
            return
        armed = self._armed.get(table)
        if armed is not None:
            if armed[0] == deadline:
                return
            armed[1].cancel()
            del self._armed[table]
        if deadline is None:
            self._setbacks.forget(table)
        if deadline is not None and not self._closed:
            self._arm(table, deadline, (deadline - self._clock()).total_seconds())

    def _arm(self, table: str, deadline: datetime, seconds: float) -> None:
        delay = min(max(seconds, 0.0), _LONGEST)
        handle = asyncio.get_running_loop().call_later(delay, self._fire, table, deadline)
        self._armed[table] = (deadline, handle)

    def _fire(self, table: str, deadline: datetime) -> None:
        left = (deadline - self._clock()).total_seconds()
        if left > 0:
            self._arm(table, deadline, left)
            return
        del self._armed[table]
        self._errands.run(self._due(table, deadline))

    async def _due(self, table: str, deadline: datetime) -> None:
        try:
            await self._touch(table)
        except UnreadableLog as error:
            logger.warning("what is due at a table is left to other workers: %s", error)
            self._unreadable.add(table)
        except Unavailable as error:
            logger.warning("table %s could not be touched at its deadline: %s", table, error)
            self._again(table, deadline, _AGAIN)
        except Exception as error:
            if self._setbacks.first(table):
                sentence = "what is due at table %s cannot happen, and is tried again ever more rarely: %s"
                logger.error(sentence, table, fault_of(error), exc_info=error)
            self._again(table, deadline, self._setbacks.pause(table, _AGAIN))
        else:
            self._setbacks.forget(table)

    def _again(self, table: str, deadline: datetime, seconds: float) -> None:
        if table not in self._armed and not self._closed:
            self._arm(table, deadline, seconds)

    async def close(self) -> None:
        """Take all timers away and wait for what they started."""
        self._closed = True
        for _, handle in self._armed.values():
            handle.cancel()
        self._armed.clear()
        await self._errands.done()
