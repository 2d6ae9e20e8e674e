"""A store in memory: for simulations, rule writers' tests and ``fliptable serve --memory``.

It keeps documents, not objects, so that what passes here survives storage too.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Collection, Sequence
from datetime import datetime
from typing import Any

from fliptable.challenges import Challenge
from fliptable.codec import EventCodec, pack, unpack
from fliptable.commits import from_document, key_of, to_document
from fliptable.events import Commit
from fliptable.log import (
    Account,
    ClaimTaken,
    CodeTaken,
    Head,
    HeadFilter,
    KeyTaken,
    Snapshot,
    VersionTaken,
)
from fliptable.memory_records import MemoryRecords
from fliptable.recordstore import RecordStore
from fliptable.roster import MemoryRoster
from fliptable.tokens import MemoryTokens, Token


class MemoryChallenges:
    """A :class:`fliptable.log.ChallengeStore` that forgets everything when it ends."""

    def __init__(self) -> None:
        """Without any challenge."""
        self._challenges: dict[str, dict[str, Any]] = {}

    async def add(self, challenge: Challenge) -> None:
        """See :class:`fliptable.log.ChallengeStore`."""
        if challenge.code in self._challenges:
            raise CodeTaken(challenge.code)
        self._challenges[challenge.code] = pack(challenge)

    async def find(self, code: str) -> Challenge | None:
        """See :class:`fliptable.log.ChallengeStore`."""
        document = self._challenges.get(code)
        return None if document is None else unpack(document, Challenge)

    async def made_by(
        self,
        author: str,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Challenge]:
        """See :class:`fliptable.log.ChallengeStore`."""
        made = [one for one in self._challenges.values() if one["author"] == author]
        places = {(one["created_at"], one["code"]): one for one in made}
        found = [
            place
            for place in sorted(places, reverse=not oldest_first)
            if (before is None or place < before) and (since is None or place > since)
        ]
        return [unpack(places[place], Challenge) for place in found[:limit]]


class MemoryStore:
    """A :class:`fliptable.log.Store` that forgets everything when it ends."""

    def __init__(self, codec: EventCodec) -> None:
        """``codec`` knows the events that will be stored."""
        self.challenges: MemoryChallenges = MemoryChallenges()
        self.roster: MemoryRoster = MemoryRoster()
        self.tokens: MemoryTokens = MemoryTokens()
        self._records: RecordStore = MemoryRecords()
        self._codec = codec
        self._commits: dict[str, list[dict[str, Any]]] = {}
        self._keys: dict[tuple[str, str], int] = {}
        self._codes: dict[str, str] = {}
        self._claims: dict[str, str] = {}
        self._counting: list[tuple[str, str, int]] = []
        self._snapshots: dict[str, Snapshot] = {}
        self._heads: dict[str, Head] = {}
        self._accounts: dict[str, Account] = {}
        self._secret: bytes | None = None
        self._watchers: set[asyncio.Queue[tuple[str, int]]] = set()

    async def append(self, commit: Commit) -> None:
        """See :class:`fliptable.log.Log`."""
        document = to_document(self._codec, commit)
        commits = self._commits.get(commit.table, [])
        if commit.version != len(commits) + 1:
            raise VersionTaken(f"table {commit.table} is at version {len(commits)}")
        key, code = document.get("key"), document.get("code")
        if key is not None and (commit.table, key) in self._keys:
            raise KeyTaken(key)
        if code is not None and code in self._codes:
            raise CodeTaken(code)
        if commit.claim is not None and commit.claim in self._claims:
            raise ClaimTaken(commit.claim)
        self._commits.setdefault(commit.table, commits).append(document)
        if key is not None:
            self._keys[commit.table, key] = commit.version
        if code is not None:
            self._codes[code] = commit.table
        if commit.claim is not None:
            self._claims[commit.claim] = commit.table
        if commit.counts:
            place = f"{len(self._counting) + 1:020d}"
            self._counting.append((place, commit.table, commit.version))
        for watcher in self._watchers:
            watcher.put_nowait((commit.table, commit.version))

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Commit]:
        """See :class:`fliptable.log.Log`."""
        commits = self._commits.get(table, [])[after:]
        return [from_document(self._codec, document) for document in commits[:limit]]

    async def find_key(self, table: str, actor: str, key: str) -> Commit | None:
        """See :class:`fliptable.log.Log`."""
        version = self._keys.get((table, key_of(actor, key)))
        return None if version is None else (await self.read(table, version - 1, 1))[0]

    async def find_code(self, code: str) -> str | None:
        """See :class:`fliptable.log.Log`."""
        return self._codes.get(code)

    async def list_tables(self, after: str, limit: int) -> list[tuple[str, str]]:
        """See :class:`fliptable.log.Log`."""
        return sorted(one for one in self._codes.items() if one[0] > after)[:limit]

    async def counting_commits(
        self, after: str, limit: int, settled: float = 0
    ) -> list[tuple[str, str, int]]:
        """See :class:`fliptable.log.Log`. In memory everything is settled at once."""
        start = bisect_right(self._counting, after, key=lambda one: one[0])
        return self._counting[start : start + limit]

    async def find_claim(self, claim: str) -> str | None:
        """See :class:`fliptable.log.Log`."""
        return self._claims.get(claim)

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See :class:`fliptable.log.Log`."""
        self._snapshots[snapshot.table] = snapshot

    async def load_snapshot(self, table: str) -> Snapshot | None:
        """See :class:`fliptable.log.Log`."""
        return self._snapshots.get(table)

    async def watch(self) -> AsyncIterator[tuple[str, int] | None]:
        """See :class:`fliptable.log.Log`."""
        queue: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self._watchers.add(queue)
        try:
            yield None
            while True:
                yield await queue.get()
        finally:
            self._watchers.discard(queue)

    async def save_heads(self, heads: Sequence[Head]) -> None:
        """See :class:`fliptable.log.Store`."""
        for head in heads:
            known = self._heads.get(head.table)
            if known is None or known.version <= head.version:
                self._heads[head.table] = head

    async def watch_heads(self) -> AsyncIterator[Head | None]:
        """No other worker can store any."""
        yield None
        await asyncio.Event().wait()
        for head in self._heads.values():
            yield head

    async def list_heads(
        self,
        where: HeadFilter,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Head]:
        """See :class:`fliptable.log.Store`."""
        found = [
            head
            for head in self._heads.values()
            if (where.game is None or head.game == where.game)
            and (where.mode is None or head.mode == where.mode)
            and (where.status is None or head.status == where.status)
            and (where.visibility is None or head.visibility == where.visibility)
            and (where.player is None or where.player in head.players)
            and (where.has_free_seat is None or where.has_free_seat == (head.free_seats > 0))
            and (before is None or (head.created_at, head.table) < before)
            and (since is None or (head.created_at, head.table) > since)
        ]
        found.sort(key=lambda head: (head.created_at, head.table), reverse=not oldest_first)
        return found[:limit]

    async def due_heads(self, until: datetime, limit: int) -> list[Head]:
        """See :class:`fliptable.log.Store`."""
        due = [(head.deadline, head) for head in self._heads.values() if head.deadline is not None]
        due = [one for one in due if one[0] <= until]
        return [head for _, head in sorted(due, key=lambda one: one[0])][:limit]

    async def records(self) -> RecordStore:
        """See :class:`fliptable.log.Store`."""
        return self._records

    async def fresh_records(self) -> RecordStore:
        """See :class:`fliptable.log.Store`."""
        return MemoryRecords()

    async def use_records(self, records: RecordStore) -> None:
        """See :class:`fliptable.log.Store`."""
        self._records = records

    async def add_account(self, account: Account, token: Token) -> None:
        """See :class:`fliptable.log.Store`."""
        self._accounts[account.id] = account
        await self.tokens.add(token)

    async def find_account(self, id: str) -> Account | None:
        """See :class:`fliptable.log.Store`."""
        return self._accounts.get(id)

    async def find_accounts(self, ids: Collection[str]) -> dict[str, Account]:
        """See :class:`fliptable.log.Store`."""
        return {id: self._accounts[id] for id in ids if id in self._accounts}

    async def shared_secret(self, proposal: bytes) -> bytes:
        """See :class:`fliptable.log.Store`."""
        self._secret = self._secret or proposal
        return self._secret

    async def ready(self) -> None:
        """Always ready."""

    async def close(self) -> None:
        """Nothing to let go of."""
