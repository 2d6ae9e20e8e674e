"""A subscriber's bounded queue of what happens at a table."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any
from weakref import ref

from fliptable.events import Commit
from fliptable.table import Answers, Table

_ANSWERS = object()


@dataclass(frozen=True, slots=True)
class Update:
    """A commit and the table as it left it."""

    commit: Commit
    table: Table
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What those who pass it on keep of it, so that they need not make it twice."""

    @classmethod
    def with_answers(cls, commit: Commit, table: Table) -> Update:
        """An update that keeps what plugins are asked of its table, for all who read it."""
        answers = Answers()
        return cls(commit, table.having(answers=ref(answers)), {_ANSWERS: answers})

    def forget_answers(self) -> None:
        """Keep nothing of what plugins have answered; who still reads it asks them again."""
        self.memo.pop(_ANSWERS, None)


class TooSlow(Exception):
    """The subscriber did not keep up; it was cut off instead of letting its queue grow."""


class Feed:
    """The updates that one subscriber has not taken yet."""

    __slots__ = ("_lost", "_most", "_waiter", "_waiting", "player")

    def __init__(self, most: int, player: str | None = None) -> None:
        """At ``most`` waiting updates the subscriber, a player or anybody, counts as too slow."""
        self.player: str | None = player
        self._most = most
        self._waiting: deque[Update | None] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._lost = False

    def put(self, update: Update | None) -> None:
        """Queue an update, or mark the subscriber as lost when there is no room."""
        if len(self._waiting) >= self._most:
            self._lost = True
        if self._lost:
            return
        self._waiting.append(update)
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def close(self) -> None:
        """End the feed after what is queued, for example because the server stops."""
        self.put(None)

    async def get(self) -> Update | None:
        """The next update; None at the end. Errors: TooSlow once the subscriber was cut off.

        One at a time may wait for it.
        """
        if self._lost:
            raise TooSlow
        while not self._waiting:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._waiting.popleft()
