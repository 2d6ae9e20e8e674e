"""A subscriber's bounded queue of what happens at a table."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from fliptable.events import Commit
from fliptable.table import Table


@dataclass(frozen=True, slots=True)
class Update:
    """A commit and the table as it left it."""

    commit: Commit
    table: Table
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What those who pass it on keep of it, so that they need not make it twice."""


class TooSlow(Exception):
    """The subscriber did not keep up; it was cut off instead of letting its queue grow."""


class Feed:
    """The updates that one subscriber has not taken yet."""

    def __init__(self, most: int, player: str | None = None) -> None:
        """At ``most`` waiting updates the subscriber, a player or anybody, counts as too slow."""
        self.player = player
        self._queue: asyncio.Queue[Update | None] = asyncio.Queue(most)
        self._lost = False

    def put(self, update: Update) -> None:
        """Queue an update, or mark the subscriber as lost when there is no room."""
        if self._lost:
            return
        try:
            self._queue.put_nowait(update)
        except asyncio.QueueFull:
            self._lost = True

    def close(self) -> None:
        """End the feed after what is queued, for example because the server stops."""
        if not self._queue.full():
            self._queue.put_nowait(None)
        else:
            self._lost = True

    async def get(self) -> Update | None:
        """The next update; None at the end. Errors: TooSlow once the subscriber was cut off."""
        if self._lost:
            raise TooSlow
        return await self._queue.get()
