"""Keeping the records up with the log: quickly after each commit, and in any case in the end."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence

from fliptable.blame import blaming
from fliptable.evolve import fold
from fliptable.feed import Update
from fliptable.log import Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.plugins import PluginMissing
from fliptable.records import RoundRecord, records_of
from fliptable.recordstore import RecordStore
from fliptable.service import TableService
from fliptable.setbacks import fault_of
from fliptable.table import Table

logger: logging.Logger = logging.getLogger("fliptable.records")

_PAUSE = 0.1
"""Seconds between two writes, so that a busy moment becomes one."""
_EVERY = 60.0
"""Seconds between two looks for what a worker that is gone has left out."""
_SETTLED = 10.0
"""Seconds after which no commit is stored any more that the log would have had before."""
_PAGE = 500
_MOST_WAITING = 10_000
"""How many records wait for a database that is away; what is beyond that is found in the log later."""


class RecordKeeper:
    """Applies to the records what this worker commits, and what others committed and never applied."""

    def __init__(self, service: TableService) -> None:
        """Nothing happens before :meth:`start`."""
        self._service = service
        self._waiting: list[RoundRecord] = []
        self._writing = asyncio.Lock()
        self._soon: asyncio.Task[None] | None = None
        self._look_after: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow the service's commits, and look for what was left out before."""
        self._service.observe(self.note)
        self._look_after = asyncio.create_task(self._keep_up())

    async def stop(self) -> None:
        """Apply what waits and follow no more."""
        self._service.unobserve(self.note)
        async with self._writing:  # so that nothing is broken off that is under way
            tasks = [task for task in (self._soon, self._look_after) if task is not None]
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.flush()

    def note(self, before: Table | None, update: Update) -> None:
        """Take down what a commit of this worker adds to the records; they are written soon."""
        record = records_of(before, update.commit, update.table)
        if record is None or len(self._waiting) >= _MOST_WAITING:
            return
        self._waiting.append(record)
        if self._soon is None or self._soon.done():
            self._soon = asyncio.create_task(self._flush_soon())

    async def _flush_soon(self) -> None:
        while self._waiting:
            await asyncio.sleep(_PAUSE)
            await self.flush()

    async def flush(self) -> None:
        """Write everything that was noted."""
        async with self._writing:
            waiting, self._waiting = self._waiting, []
            if not waiting:
                return
            try:
                await _apply(await self._service.store.records(), waiting)
            except Unavailable as error:
                logger.warning("the records are behind: %s", error)
                self._waiting = waiting + self._waiting

    async def _keep_up(self) -> None:
        while True:
            try:
                await self.catch_up()
            except Unavailable as error:
                logger.warning("the records could not be compared with the log: %s", error)
            except Exception:
                logger.exception("the records could not be compared with the log")
            await asyncio.sleep(_EVERY)

    async def catch_up(self, records: RecordStore | None = None) -> int:
        """Apply what is in the log and was not applied; says how many commits those were.

        Errors: Unavailable.
        """
        store = self._service.store
        records = await store.records() if records is None else records
        missing = 0
        place = await records.mark()
        for settled in (_SETTLED, 0.0):
            while True:
                page = await store.counting_commits(place, _PAGE, settled)
                if not page:
                    break
                commits = {(table, version) for _, table, version in page}
                wanted = commits - await records.applied(commits)
                missing += len(wanted)
                await _apply(records, await self._read(wanted))
                place = page[-1][0]
                if settled:
                    # Only up to here nothing can turn up that has not been looked at.
                    await records.move_mark(place)
        return missing

    async def rebuild(self) -> None:
        """Make all records again from the log alone, beside those in use, and then use the new ones.

        Errors: Unavailable; the old records stay in use.
        """
        store = self._service.store
        fresh = await store.fresh_records()
        found: list[RoundRecord] = []
        page = await store.list_tables("", _PAGE)
        while page:
            for _, table in page:
                found += await self._of_table(table)
                if len(found) >= _PAGE:
                    await _apply(fresh, found)
                    found = []
            page = await store.list_tables(page[-1][0], _PAGE)
        await _apply(fresh, found)
        # What was stored while the tables were read, before and after the change.
        await self.catch_up(fresh)
        await store.use_records(fresh)
        await self.catch_up()

    async def _read(self, commits: Iterable[tuple[str, int]]) -> list[RoundRecord]:
        """What commits add to the records, by way of the log."""
        versions: dict[str, set[int]] = defaultdict(set)
        for table, version in commits:
            versions[table].add(version)
        return [
            record
            for table, wanted in versions.items()
            for record in await self._of_table(table)
            if record.version in wanted
        ]

    async def _of_table(self, table_id: str) -> Sequence[RoundRecord]:
        """What a table's whole log adds to the records; nothing if it cannot be read here."""
        registry = self._service.registry
        found = []
        before: Table | None = None
        try:
            for commit in await self._service.store.read(table_id):
                after = fold(registry, [commit], before)
                assert after is not None
                with blaming(table_id, after.game, after.mode):
                    record = records_of(before, commit, after)
                if record is not None:
                    found.append(record)
                before = after
        except (PluginMissing, UnreadableLog) as error:
            logger.warning("no records of table %s: %s", table_id, error)
            return []
        except Unavailable:
            raise
        except Exception as error:
            # Those of all other tables are kept all the same.
            logger.exception("no records of table %s: %s", table_id, fault_of(error))
            return []
        return found


async def _apply(records: RecordStore, found: Sequence[RoundRecord]) -> None:
    """Apply any number, so many at a time that none takes long. What is applied twice counts once."""
    for start in range(0, len(found), _PAGE):
        await records.apply(found[start : start + _PAGE])
