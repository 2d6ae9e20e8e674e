"""Who wants to hear of changes in the lists of tables, and telling them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from fliptable.feed import TooSlow
from fliptable.log import Head

_MOST = 1024
"""How many changes a subscriber may be behind before it is cut off."""


class LobbyFeed:
    """Passes every change of a head on to all subscribers on this worker."""

    def __init__(self) -> None:
        """Without subscribers."""
        self._queues: set[asyncio.Queue[Head | None]] = set()

    def publish(self, heads: Iterable[Head]) -> None:
        """Tell all subscribers; one that is too far behind is cut off."""
        for head in heads:
            for queue in list(self._queues):
                if queue.full():
                    self._queues.discard(queue)
                else:
                    queue.put_nowait(head)

    async def subscribe(self) -> AsyncIterator[Head]:
        """Every change from now on, until the server stops. Errors: TooSlow."""
        queue: asyncio.Queue[Head | None] = asyncio.Queue(_MOST)
        self._queues.add(queue)
        try:
            while True:
                head = await queue.get()
                if head is None:
                    return
                yield head
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
