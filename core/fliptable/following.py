"""Following tables live: what is stored first, then what comes, without a gap or a repeat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing

from fliptable.cache import Live, TableCache
from fliptable.feed import Feed, Update
from fliptable.log import Unavailable
from fliptable.presence import Presence, watched
from fliptable.requests import Interrupted, UnknownVersion
from fliptable.table import Status, Table
from fliptable.tablekeeper import TableKeeper
from fliptable.tablelog import TableLog

logger: logging.Logger = logging.getLogger("fliptable.service")

_AGAIN = 0.5
"""Seconds until another try for subscribers when the database was away."""


class Following:
    """The subscriptions to tables on one worker."""

    def __init__(
        self,
        cache: TableCache,
        keeper: TableKeeper,
        log: TableLog,
        presence: Presence,
        get: Callable[[str], Awaitable[Table]],
        queue: int,
    ) -> None:
        """``get`` answers a table as it stands.

        A subscriber may be ``queue`` updates behind before it is cut off.
        """
        self._cache = cache
        self._keeper = keeper
        self._log = log
        self._presence = presence
        self._get = get
        self._queue = queue
        self._reading: dict[tuple[Live, int], asyncio.Task[Sequence[Update]]] = {}
        self.stopping: bool = False

    def follows(self, table_id: str, player: str) -> bool:
        """Whether a player has a subscription to the table."""
        live = self._cache.peek(table_id)
        return live is not None and any(feed.player == player for feed in live.feeds)

    def stop(self) -> None:
        """Interrupt every subscription."""
        self.stopping = True
        for live in self._cache:
            for feed in live.feeds:
                feed.close()

    async def subscribe(
        self, table_id: str, after: int | None = None, player: str | None = None
    ) -> AsyncGenerator[Update, None]:
        """What happens at a table after a version: what is stored, then what comes, until it is over.

        Without ``after`` it begins with the latest update. Errors: those of :meth:`get`,
        UnknownVersion, TooSlow, and Interrupted when the server stops.
        """
        table = await self._get(table_id)
        if after is not None and not 0 <= after <= table.version:
            raise UnknownVersion(table.version)
        done = table.version - 1 if after is None else after
        entered = player if watched(table) else None
        if entered is not None:
            self._presence.enter(table, entered)
        try:
            while not (table.status is Status.OVER and done >= table.version):
                try:
                    async with aclosing(self._follow_from(table_id, done, player)) as updates:
                        async for update in updates:
                            done, table = update.commit.version, update.table
                            yield update
                except Unavailable as error:
                    logger.warning("the subscribers of table %s have to wait: %s", table_id, error)
                    await asyncio.sleep(_AGAIN)
        finally:
            if entered is not None:
                last = self._cache.peek(table_id)
                self._presence.leave(table if last is None else last.table, entered)

    async def _follow_from(
        self, table_id: str, done: int, player: str | None
    ) -> AsyncGenerator[Update, None]:
        """What happens at a table after a version, until it is over or its state comes into doubt.

        Errors: as of :meth:`subscribe`.
        """
        if self.stopping:
            raise Interrupted
        with self._cache.using(table_id):
            live = await self._keeper.load(table_id)
        if self._cache.peek(table_id) is not live:
            return
        feed = Feed(self._queue, player)
        live.feeds.add(feed)
        try:
            # From here on the feed has everything, so the log is read up to this version only.
            table = live.table
            async with aclosing(self._before(live, done)) as backlog:
                async for update in backlog:
                    if update.commit.version > done:
                        done, table = update.commit.version, update.table
                        yield update
            while not (table.status is Status.OVER and done >= table.version):
                next_update = await feed.get()
                if next_update is None:
                    return
                if next_update.commit.version > done:
                    done, table = next_update.commit.version, next_update.table
                    yield next_update
        finally:
            live.leave(feed)

    async def _before(self, live: Live, done: int) -> AsyncGenerator[Update, None]:
        """What happened at a table after a version until now, from memory if it is there."""
        known = live.since(done)
        if known is None and done == live.table.version - 1:
            known = await self._last(live, done)
        for update in known or ():
            yield update
        if known is None:
            async for update in self._log.updates(live.table.id, done, live.table.version):
                yield update

    async def _last(self, live: Live, done: int) -> Sequence[Update]:
        """The last update, read once for all who come at the same time, as after the death of a worker."""
        key = (live, done)
        reading = self._reading.get(key)
        if reading is None:
            reading = asyncio.create_task(self._read_last(live, done))
            self._reading[key] = reading
            reading.add_done_callback(lambda _: self._reading.pop(key, None))
        return await asyncio.shield(reading)

    async def _read_last(self, live: Live, done: int) -> Sequence[Update]:
        found = [update async for update in self._log.updates(live.table.id, done, done + 1)]
        if live.feeds and not live.recent and live.table.version == done + 1:
            live.recent = tuple(found)
        return found
