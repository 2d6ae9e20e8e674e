"""What lists show of tables: a projection of the log, written behind the commits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from hashlib import blake2b

from fliptable.cache import Live
from fliptable.log import Head, Store, Unavailable
from fliptable.table import Status, Table

logger: logging.Logger = logging.getLogger("fliptable.heads")

_PAUSE = 0.1
"""Seconds between two writes, so that a busy moment becomes one."""
_AGAIN = 1.0
"""Seconds until another try when the database was away."""


def head_of(table: Table) -> Head:
    """What lists show of a table."""
    return Head(
        table=table.id,
        version=table.version,
        code=table.code,
        game=table.game.id,
        mode=table.mode.id,
        status=table.status.value,
        visibility=table.visibility.value,
        seats=len(table.seats),
        free_seats=sum(not place.held for place in table.seats) if table.status is Status.OPEN else 0,
        players=tuple(place.player for place in table.seats if place.player is not None),
        created_at=table.created_at,
        deadline=table.deadline(),
        shown=_digest(table),
    )


def _digest(table: Table) -> str:
    """The same for tables that are the same in lists: who sits there, who is the host, the status."""
    return blake2b(repr((table.status, table.seats, table.host)).encode(), digest_size=8).hexdigest()


class HeadWriter:
    """Writes the heads of tables whose listed facts changed, many at a time."""

    def __init__(self, store: Store, written: Callable[[Iterable[Head]], None]) -> None:
        """``written`` is told what was stored. Nothing is written before the first change is noted."""
        self._store = store
        self._written = written
        self._changed: dict[str, Head] = {}
        self._task: asyncio.Task[None] | None = None

    def note(self, live: Live) -> bool:
        """Take a table down if something that lists show is different now.

        Says whether it is worth waiting for: the time of a turn changes with every move, and the
        timer of an earlier turn finds the later one.
        """
        table = live.table
        facts = (table.status, table.seats, table.host, table.mode.deadline(table.run), table.turn_ends())
        known = live.listed
        if known == facts:
            return False
        live.listed = facts
        self._changed[table.id] = head_of(table)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_soon())
        return known is None or known[:-1] != facts[:-1]

    async def _write_soon(self) -> None:
        await asyncio.sleep(_PAUSE)
        await self.flush()
        while self._changed:
            await asyncio.sleep(_AGAIN)
            await self.flush()

    async def flush(self) -> None:
        """Write everything that was noted."""
        changed, self._changed = self._changed, {}
        if not changed:
            return
        try:
            await self._store.save_heads(list(changed.values()))
            self._written(changed.values())
        except asyncio.CancelledError:
            # Broken off by a stop, which writes what is left.
            self._changed = {**changed, **self._changed}
            raise
        except Unavailable as error:
            logger.warning("the lists of tables are behind: %s", error)
            self._changed = {**changed, **self._changed}
        except Exception:
            # The commits are stored: whoever asked for them need not hear of this.
            logger.exception("some tables cannot be listed: %s", ", ".join(changed))

    async def close(self) -> None:
        """Write what is left."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.flush()
