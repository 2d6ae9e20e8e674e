"""Tables as their stored log has them: at any version, from the latest snapshot that helps."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence

from fliptable.events import Commit
from fliptable.evolve import fold
from fliptable.feed import Update
from fliptable.log import Log
from fliptable.plugins import PluginMissing, Registry
from fliptable.requests import TableNotFound
from fliptable.snapshot import from_snapshot
from fliptable.table import Table

logger: logging.Logger = logging.getLogger("fliptable.service")

_PAGE = 100


class TableLog:
    """Reads tables from their logs. Errors of all: PluginMissing, UnreadableLog, Unavailable."""

    def __init__(self, registry: Registry, log: Log) -> None:
        """Folds with the plugins of the registry."""
        self._registry = registry
        self._store = log

    async def latest(self, table_id: str) -> tuple[Table, Sequence[Commit], bool]:
        """The table, the commits that were read for it, and whether those are all there are.

        Errors: TableNotFound too.
        """
        table = await self.start_from(table_id, None)
        start = 0 if table is None else table.version
        commits = await self._store.read(table_id, start)
        table = fold(self._registry, commits, table)
        if table is None:
            raise TableNotFound(table_id)
        return table, commits, start == 0

    async def start_from(self, table_id: str, most: int | None) -> Table | None:
        """The latest snapshot that is not beyond version ``most``, as a table."""
        snapshot = await self._store.load_snapshot(table_id)
        if snapshot is None or (most is not None and snapshot.version > most):
            return None
        try:
            return from_snapshot(self._registry, snapshot)
        except PluginMissing:
            # The log says more of what is missing.
            return None
        except Exception:
            logger.exception("the snapshot of table %s is of no use", table_id)
            return None

    async def updates(self, table_id: str, after: int, upto: int) -> AsyncIterator[Update]:
        """The stored updates with versions above ``after`` and up to ``upto``, each with its table."""
        if after >= upto:
            return
        table = await self.start_from(table_id, after)
        version = 0 if table is None else table.version
        while version < upto:
            commits = await self._store.read(table_id, version, min(_PAGE, upto - version))
            if not commits:
                return
            for commit in commits:
                table = fold(self._registry, [commit], table)
                assert table is not None
                version = commit.version
                if version > after:
                    yield Update(commit, table)
