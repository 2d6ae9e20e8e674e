"""The tables that a worker has in memory, read from the log when somebody comes to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fliptable.announcer import Announcer
from fliptable.cache import Live, TableCache
from fliptable.tablelog import TableLog


class TableKeeper:
    """Hands tables out: to look at, or to one request at a time.

    Errors of all: TableNotFound, PluginMissing, UnreadableLog, Unavailable.
    """

    def __init__(self, cache: TableCache, log: TableLog, announcer: Announcer) -> None:
        """Tables are kept in the cache, and read from the log for it."""
        self._cache = cache
        self._log = log
        self._announcer = announcer
        self._loading: dict[str, asyncio.Task[Live]] = {}

    async def load(self, table_id: str) -> Live:
        """The table in memory; read once for all who ask for it at the same time."""
        live = self._cache.get(table_id)
        if live is not None:
            return live
        loading = self._loading.get(table_id)
        if loading is None:
            loading = asyncio.create_task(self._read(table_id))
            self._loading[table_id] = loading
        return await asyncio.shield(loading)

    @asynccontextmanager
    async def hold(self, table_id: str) -> AsyncIterator[Live]:
        """The table in memory, for one request at a time."""
        with self._cache.using(table_id):
            while True:
                live = await self.load(table_id)
                async with live.lock:
                    # Its state may have come into doubt while this request waited.
                    if self._cache.peek(table_id) is live:
                        yield live
                        return

    async def _read(self, table_id: str) -> Live:
        try:
            table, commits, complete = await self._log.latest(table_id)
            live = self._cache.peek(table_id)
            if live is None:  # else it was opened here meanwhile
                live = self._cache.add(table, keys_complete=complete)
                live.remember(commits)
                self._announcer.loaded(live)
            return live
        finally:
            del self._loading[table_id]
