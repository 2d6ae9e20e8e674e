"""The other workers on the same store: keeping up with what they write, and with what they left undone."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from fliptable.cache import Live, TableCache
from fliptable.lobbyfeed import LobbyFeed
from fliptable.log import Store, Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.timers import Timers

logger: logging.Logger = logging.getLogger("fliptable.service")

_MOST_TIMERS = 1_000_000
_LOOK_AFTER = 2.0
"""Seconds between two looks at the deadlines of others' tables."""
_FAR = datetime.max.replace(tzinfo=UTC)


class Neighbours:
    """Follows the commits and heads that others store, and takes over their tables' deadlines."""

    def __init__(
        self,
        store: Store,
        cache: TableCache,
        lobby: LobbyFeed,
        timers: Timers,
        clock: Callable[[], datetime],
        catch_up: Callable[[Live], Awaitable[None]],
    ) -> None:
        """``catch_up`` applies to a table in memory what others stored; its lock is held meanwhile."""
        self._store = store
        self._cache = cache
        self._lobby = lobby
        self._timers = timers
        self._clock = clock
        self._catch_up = catch_up
        self._tasks: list[asyncio.Task[None]] = []
        self._heard = asyncio.Event()

    async def start(self, others: bool) -> None:
        """Set the timers of all stored tables; with ``others``, follow what those write."""
        await self._find_deadlines(_FAR)
        if others:
            work = (self._follow(), self._look_after(), self._follow_heads())
            self._tasks = [asyncio.create_task(one) for one in work]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_AFTER):
                    await self._heard.wait()

    async def stop(self) -> None:
        """Follow nobody any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _find_deadlines(self, until: datetime) -> None:
        for head in await self._store.due_heads(until, _MOST_TIMERS):
            self._timers.note(head.table, head.deadline)

    async def _look_after(self) -> None:
        """Take over, now and then, the deadlines of workers that are gone."""
        while True:
            await asyncio.sleep(_LOOK_AFTER)
            try:
                await self._find_deadlines(self._clock())
            except Unavailable as error:
                logger.warning("deadlines could not be looked up: %s", error)

    async def _follow_heads(self) -> None:
        """With several workers, what is listed is heard of from the store, whoever wrote it."""
        async for head in self._store.watch_heads():
            if head is not None:
                self._lobby.publish([head])
            elif self._heard.is_set():
                # Something may have been missed, and only a new look at the lists can tell.
                self._lobby.close()
            self._heard.set()

    async def _follow(self) -> None:
        """Bring tables that are in memory up to date when another worker wrote to them."""
        async for change in self._store.watch():
            if change is None:
                # Anything may have been missed by those who follow a table here.
                for live in self._cache:
                    if live.feeds:
                        await self._follow_up(live, live.table.version + 1)
                continue
            table_id, version = change
            found = self._cache.peek(table_id)
            if found is not None:
                await self._follow_up(found, version)

    async def _follow_up(self, live: Live, version: int) -> None:
        """Catch up with what others stored, unless the table is at that version already."""
        if live.table.version >= version:
            return
        async with live.lock:
            if live.table.version < version:
                try:
                    await self._catch_up(live)
                except UnreadableLog as error:
                    logger.warning("a table is left to other workers: %s", error)
                    self._cache.drop(live)
                except Exception:
                    logger.exception("could not follow table %s", live.table.id)
                    self._cache.drop(live)
