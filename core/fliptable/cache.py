"""The tables that a worker has in memory."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from fliptable.events import Commit
from fliptable.feed import Feed, Update
from fliptable.table import Table

KEYS_KEPT = 256
"""How many idempotency keys of a table are kept in memory; older ones are looked up in the log."""


RECENT = 8
"""How many of its latest updates a table has in memory while it is followed."""


class Live:
    """A table in memory, with those who follow it here and the lock that orders its moves."""

    __slots__ = ("feeds", "keys", "keys_complete", "listed", "lock", "recent", "table")

    def __init__(self, table: Table, keys_complete: bool) -> None:
        """``keys_complete`` says that no idempotency key was stored before what is in ``keys``.

        ``listed`` is what lists are known to show of the table.
        """
        self.table: Table = table
        self.lock: asyncio.Lock = asyncio.Lock()
        self.feeds: set[Feed] = set()
        self.keys: OrderedDict[tuple[str, str], int] = OrderedDict()
        self.keys_complete: bool = keys_complete
        self.listed: tuple[object, ...] | None = None
        self.recent: tuple[Update, ...] = ()

    def advance(self, update: Update) -> None:
        """Take the state that a stored commit left."""
        self.table = update.table
        if self.recent:
            self.recent[-1].forget_answers()
        self.recent = (*self.recent[1 - RECENT :], update) if self.feeds else ()
        self.remember([update.commit])

    def remember(self, commits: Iterable[Commit]) -> None:
        """Keep the idempotency keys of commits."""
        for commit in commits:
            if commit.key is not None and commit.actor is not None:
                self.keys[commit.actor, commit.key] = commit.version
                if len(self.keys) > KEYS_KEPT:
                    self.keys.popitem(last=False)
                    self.keys_complete = False

    def since(self, version: int) -> Sequence[Update] | None:
        """The updates after a version, if they are in memory."""
        if version >= self.table.version:
            return ()
        if not self.recent or self.recent[0].commit.version > version + 1:
            return None
        return [update for update in self.recent if update.commit.version > version]

    def leave(self, feed: Feed) -> None:
        """One of those who follow the table is gone."""
        self.feeds.discard(feed)
        if not self.feeds:
            self.recent = ()

    @property
    def idle(self) -> bool:
        """Whether nobody follows the table here and nothing is under way."""
        return not self.feeds and not self.lock.locked()


class TableCache:
    """Tables by id, the least recently used first; idle ones are let go beyond a number."""

    def __init__(self, most: int) -> None:
        """Keeps ``most`` tables, and beyond that only those that are not idle."""
        self._most = most
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._used: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Live]:
        """Every table in memory."""
        return iter(list(self._lives.values()))

    def __len__(self) -> int:
        """How many tables are in memory."""
        return len(self._lives)

    @contextmanager
    def using(self, table_id: str) -> Iterator[None]:
        """Keep a table, from its loading on, while somebody is at it."""
        self._used[table_id] += 1
        try:
            yield
        finally:
            self._used[table_id] -= 1
            if not self._used[table_id]:
                del self._used[table_id]

    def get(self, table_id: str) -> Live | None:
        """The table if it is in memory, as the one used last."""
        live = self._lives.get(table_id)
        if live is not None:
            self._lives.move_to_end(table_id)
        return live

    def peek(self, table_id: str) -> Live | None:
        """The table if it is in memory, without counting that as a use."""
        return self._lives.get(table_id)

    def add(self, table: Table, keys_complete: bool = True) -> Live:
        """Keep a table, and let go of idle ones that are too many."""
        live = Live(table, keys_complete)
        self._lives[table.id] = live
        self._shrink()
        return live

    def drop(self, live: Live) -> None:
        """Forget a table whose state is in doubt; its followers start again from the log."""
        if self._lives.get(live.table.id) is live:
            del self._lives[live.table.id]
        for feed in live.feeds:
            feed.close()

    def _shrink(self) -> None:
        excess = len(self._lives) - self._most
        if excess <= 0:
            return
        # Only a few of the oldest are looked at, so that an insertion stays cheap.
        for table_id in list(_first(self._lives, excess + 16)):
            if excess > 0 and self._lives[table_id].idle and table_id not in self._used:
                del self._lives[table_id]
                excess -= 1


def _first(ids: Iterable[str], count: int) -> Iterator[str]:
    for table_id, _ in zip(ids, range(count), strict=False):
        yield table_id
