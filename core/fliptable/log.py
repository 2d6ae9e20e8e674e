"""Where everything is kept: the protocols that the memory and the MongoDB stores both implement."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from fliptable.challenges import Challenge
from fliptable.events import Commit
from fliptable.recordstore import RecordStore
from fliptable.roster import Roster
from fliptable.tokens import Token, TokenStore

SCHEMA_VERSION = 1
"""The version of the stored documents' form."""


class VersionTaken(Exception):
    """Another commit has that version of the table: somebody else was first."""


class KeyTaken(Exception):
    """The idempotency key is already in the table's log."""


class CodeTaken(Exception):
    """Another table, or another challenge, has that short code."""


class ClaimTaken(Exception):
    """Another table has claimed the same thing; see :meth:`fliptable.Mode.claim`."""


class Unavailable(Exception):
    """The database did not answer, or did not confirm. The write may or may not have happened."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a table at a version, to fold from. It may be deleted at any time."""

    table: str
    version: int
    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Head:
    """What lists show of a table: a projection of its log, made from ``version``."""

    table: str
    version: int
    code: str
    game: str
    mode: str
    status: str
    visibility: str
    seats: int
    free_seats: int
    players: tuple[str, ...]
    created_at: datetime
    deadline: datetime | None = None
    shown: str = ""
    """A digest of all that lists show; empty where an earlier version of the server wrote the head."""


@dataclass(frozen=True, slots=True)
class HeadFilter:
    """Which tables a list should have; None leaves a condition out."""

    game: str | None = None
    mode: str | None = None
    status: str | None = None
    visibility: str | None = None
    player: str | None = None
    has_free_seat: bool | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """A player, who is known by their tokens; see :class:`fliptable.tokens.Token`."""

    id: str
    name: str
    created_at: datetime


class ChallengeStore(Protocol):
    """The challenges that players made. They never change. Errors of all: Unavailable."""

    async def add(self, challenge: Challenge) -> None:
        """Keep a new challenge. Errors: CodeTaken, Unavailable."""
        ...

    async def find(self, code: str) -> Challenge | None:
        """The challenge of that code."""
        ...

    async def made_by(
        self,
        author: str,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Challenge]:
        """The challenges of a player, the newest first unless asked otherwise.

        ``before`` and ``since`` are the creation times and codes of challenges that are newer, and older,
        than all that are wanted.
        """
        ...


class Log(Protocol):
    """The commits of all tables, each table's in order and without gaps.

    Errors of all: Unavailable; and UnreadableLog of those that answer with commits.
    """

    async def append(self, commit: Commit) -> None:
        """Store a commit durably. Errors: VersionTaken, KeyTaken, CodeTaken, ClaimTaken, Unavailable."""
        ...

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Commit]:
        """The commits of a table with versions above ``after``, in order.

        Errors: UnreadableLog, Unavailable.
        """
        ...

    async def find_key(self, table: str, actor: str, key: str) -> Commit | None:
        """The commit that an idempotency key of a player led to."""
        ...

    async def find_code(self, code: str) -> str | None:
        """The id of the table with that short code."""
        ...

    async def list_tables(self, after: str, limit: int) -> list[tuple[str, str]]:
        """Code and id of every table, by code, after a code ("" is before the first)."""
        ...

    async def counting_commits(
        self, after: str, limit: int, settled: float = 0
    ) -> list[tuple[str, str, int]]:
        """The commits that add to the records, in the order in which they were stored.

        Each is given as its place in that order, the table and the version; ``after`` is such a place
        ("" is before the first). Only what was stored ``settled`` seconds ago is sure to have nothing
        before it that will be seen later. Errors: Unavailable.
        """
        ...

    async def find_claim(self, claim: str) -> str | None:
        """The id of the table that has claimed it."""
        ...

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the table's earlier one."""
        ...

    async def load_snapshot(self, table: str) -> Snapshot | None:
        """The table's latest snapshot, if there is one."""
        ...

    def watch(self) -> AsyncIterator[tuple[str, int] | None]:
        """Table and version of every commit that any worker stores.

        None comes first, once the watch has begun, and again whenever commits may have been missed:
        what was stored before it has to be looked up.
        """
        ...


class Store(Log, Protocol):
    """The log, and what is kept beside it. Errors of all: Unavailable."""

    async def records(self) -> RecordStore:
        """The records in use. They may be replaced, so ask for them each time."""
        ...

    async def fresh_records(self) -> RecordStore:
        """Empty records beside those in use, to be filled from the log."""
        ...

    async def use_records(self, records: RecordStore) -> None:
        """Put fresh records in the place of those in use, which are deleted."""
        ...

    @property
    def roster(self) -> Roster:
        """What workers tell one another about presence."""
        ...

    @property
    def challenges(self) -> ChallengeStore:
        """The challenges."""
        ...

    async def save_heads(self, heads: Sequence[Head]) -> None:
        """Keep projections; one made from an older version than the stored one is ignored."""
        ...

    def watch_heads(self) -> AsyncIterator[Head | None]:
        """Every head that any worker stores.

        None comes first, once the watch has begun, and again whenever some may have been missed.
        """
        ...

    async def list_heads(
        self,
        where: HeadFilter,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Head]:
        """Tables, the newest first unless asked otherwise.

        ``before`` and ``since`` are the creation times and ids of tables that are newer, and older, than
        all that are wanted.
        """
        ...

    async def due_heads(self, until: datetime, limit: int) -> list[Head]:
        """Tables whose deadline is not after ``until``, the earliest first."""
        ...

    @property
    def tokens(self) -> TokenStore:
        """The tokens of the players."""
        ...

    async def add_account(self, account: Account, token: Token) -> None:
        """Keep a new player with their first token."""
        ...

    async def find_account(self, id: str) -> Account | None:
        """The player of that id."""
        ...

    async def find_accounts(self, ids: Collection[str]) -> dict[str, Account]:
        """The players of those ids who are known, by id."""
        ...

    async def shared_secret(self, proposal: bytes) -> bytes:
        """The secret that all servers on this database share; ``proposal`` if there was none."""
        ...

    async def ready(self) -> None:
        """Check that the store answers. Errors: Unavailable says why not."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...
