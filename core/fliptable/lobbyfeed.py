"""Who wants to hear of changes in the lists of tables, and telling them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import NamedTuple

from fliptable.feed import TooSlow
from fliptable.log import Head

_MOST = 1024
"""How many changes a subscriber may be behind before it is cut off."""
_KNOWN = 10_000
"""Of how many tables it is known what was told of them last; nothing is told twice of those."""


class HeadChange(NamedTuple):
    """A change of what lists show of a table."""

    before: Head | None
    """What they showed until then; None for a new table, and where this worker has not heard of it yet."""
    head: Head


class LobbyFeed:
    """Passes every change of a head on to all subscribers on this worker."""

    def __init__(self) -> None:
        """Without subscribers."""
        self._queues: set[asyncio.Queue[HeadChange | None]] = set()
        self._known: OrderedDict[str, Head] = OrderedDict()
        self._stopped = False

    def publish(self, heads: Iterable[Head]) -> None:
        """Tell all subscribers; one that is too far behind is cut off."""
        for head in heads:
            before = self._known.get(head.table)
            if before is not None and head.version < before.version:
                continue
            self._known[head.table] = head
            self._known.move_to_end(head.table)
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
            if before is not None and before.shown == head.shown != "":
                # Only what timers go by is different.
                continue
            change = HeadChange(before, head)
            for queue in list(self._queues):
                if queue.full():
                    self._queues.discard(queue)
                else:
                    queue.put_nowait(change)

    async def subscribe(
        self, begun: Callable[[], Awaitable[None]] | None = None
    ) -> AsyncIterator[HeadChange]:
        """Every change from now on, until the feed is closed or the server stops.

        What ``begun`` looks at, it looks at when no change can be missed any more. Errors: TooSlow, and
        those of ``begun``.
        """
        if self._stopped:
            return
        queue: asyncio.Queue[HeadChange | None] = asyncio.Queue(_MOST)
        self._queues.add(queue)
        try:
            if begun is not None:
                await begun()
            while True:
                change = await queue.get()
                if change is None:
                    return
                yield change
                if queue not in self._queues and queue.empty():
                    raise TooSlow
        finally:
            self._queues.discard(queue)

    def close(self) -> None:
        """End all subscriptions."""
        for queue in self._queues:
            if not queue.full():
                queue.put_nowait(None)
        self._queues.clear()
        # Something may have been missed.
        self._known.clear()

    def stop(self) -> None:
        """End all subscriptions, and those that are yet to come."""
        self._stopped = True
        self.close()
