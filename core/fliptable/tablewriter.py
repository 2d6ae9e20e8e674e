"""Writing to tables: what was decided becomes the next commit, unless another worker was first."""

from __future__ import annotations

import logging

from fliptable.announcer import Announcer
from fliptable.blame import blame, blaming
from fliptable.cache import Live, TableCache
from fliptable.decide import Decision
from fliptable.errands import Errands
from fliptable.events import Commit
from fliptable.evolve import fold, stamped
from fliptable.feed import Update
from fliptable.log import KeyTaken, Store, Unavailable, VersionTaken
from fliptable.plugins import Registry
from fliptable.records import counted
from fliptable.requests import Request
from fliptable.setbacks import fault_of
from fliptable.snapshot import to_snapshot
from fliptable.soundness import ask_ahead
from fliptable.table import Table

logger: logging.Logger = logging.getLogger("fliptable.service")

SNAPSHOT_EVERY = 64
"""How many versions lie between two snapshots of a table."""


class TableWriter:
    """Brings tables in memory and their logs forward together. A table's lock is held meanwhile."""

    def __init__(
        self, registry: Registry, store: Store, cache: TableCache, announcer: Announcer, errands: Errands
    ) -> None:
        """What is stored is told by the announcer."""
        self._registry = registry
        self._store = store
        self._cache = cache
        self._announcer = announcer
        self._errands = errands

    async def open(self, decision: Decision, host: str) -> Update:
        """Store the first commit of a table. Errors: CodeTaken, VersionTaken, ClaimTaken, Unavailable."""
        claim = None if decision.claim is None else decision.claim.key
        events = tuple(decision.events)
        commit = Commit(decision.table.id, 1, decision.now, events, actor=host, claim=claim)
        update = _update(None, decision, commit)
        await self._append(update)
        # Whoever knows the id may have found the table in the log before this worker was told.
        live = self._cache.peek(update.table.id) or self._cache.add(update.table)
        await self._announcer.made(None, live, update)
        return update

    async def commit(self, live: Live, decision: Decision, request: Request | None = None) -> Update | None:
        """Store what was decided and tell everybody; None when another worker was first.

        Errors: Unavailable.
        """
        table = live.table
        commit = Commit(
            table.id,
            table.version + 1,
            decision.now,
            tuple(decision.events),
            None if request is None else request.player,
            None if request is None else request.key,
            None if request is None else request.digest,
        )
        update = _update(table, decision, commit)
        try:
            await self._append(update)
        except (VersionTaken, KeyTaken):
            await self.catch_up(live)
            return None
        except Unavailable:
            # Nobody knows whether it was stored: only the log can say, at the next load.
            self._cache.drop(live)
            raise
        self._advance(live, update)
        await self._announcer.made(table, live, update)
        return update

    async def _append(self, update: Update) -> None:
        """Errors: those of :meth:`fliptable.log.Log.append`, with a note of whose it is that has no form."""
        try:
            await self._store.append(update.commit)
        except (ValueError, TypeError, OverflowError) as error:
            blame(error, update.table.id, update.table.game, update.table.mode)
            raise

    async def catch_up(self, live: Live) -> None:
        """Apply what others stored since, and tell this worker's subscribers.

        Errors: UnreadableLog, Unavailable.
        """
        for commit in await self._store.read(live.table.id, live.table.version):
            table = fold(self._registry, [commit], live.table)
            assert table is not None
            update = Update.with_answers(commit, table)
            self._advance(live, update)
            await self._announcer.stored(live, update)

    def _advance(self, live: Live, update: Update) -> None:
        live.advance(update)
        if update.table.version % SNAPSHOT_EVERY == 0:
            self._errands.run(self._snapshot(update.table))

    async def _snapshot(self, table: Table) -> None:
        try:
            await self._store.save_snapshot(to_snapshot(table))
        except Unavailable as error:
            logger.warning("no snapshot of table %s: %s", table.id, error)
        except Exception as error:
            # Of a state that cannot be stored; the log has all that it is made of.
            blame(error, table.id, table.game, table.mode)
            logger.exception("no snapshot of table %s: %s", table.id, fault_of(error))


def _update(before: Table | None, decision: Decision, commit: Commit) -> Update:
    """A commit that is to be stored, and the table after it.

    What everybody needs of it plugins are asked now: what raises hurts its request alone, while stored
    it would be in the way of all. The update keeps what they say.
    """
    table = decision.table
    with blaming(table.id, table.game, table.mode):
        commit = counted(before, commit, table)
        update = Update.with_answers(commit, stamped(before, table, commit))
        update.table.deadline()
        if not decision.deserted:
            ask_ahead(before, update.table, commit)
    return update
