"""What the table service is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from fliptable.decide import Decision
from fliptable.feed import Update
from fliptable.rules import Refusal
from fliptable.table import Table

Observer = Callable[[Table | None, Update], None]
"""Told of a commit: the table before it (None: there was none), the commit and the table after it."""

Command = Callable[[Decision], Refusal | None]
"""A request to a table: it emits events into the decision, or says why not."""


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for something, and under which conditions."""

    player: str
    key: str | None = None
    digest: str | None = None
    expected_version: int | None = None
    present: bool = True
    """Whether it shows that the player is there."""
    anyway: bool = False
    """Whether it is carried out even where a plugin fails at what was due before, so that all can leave."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal, with the table as it stands."""

    refusal: Refusal
    table: Table


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a worker has done and has in hand."""

    tables: int
    subscriptions: int
    commits: int
    refusals: int


class TableNotFound(LookupError):
    """There is no table of that id."""


class Interrupted(Exception):
    """The server stops before the table is over; the subscription can be resumed."""


class UnknownVersion(ValueError):
    """The table has not reached that version."""

    def __init__(self, version: int) -> None:
        """``version`` is the one that the table is at."""
        super().__init__(f"the table is at version {version}; after may be 0 to that")
        self.version: int = version


def utc_now() -> datetime:
    """The present, to the millisecond, as the database keeps it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
