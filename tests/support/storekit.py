"""What tests of stores store: commits of events that can carry anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from fliptable import Visibility
from fliptable.events import Commit, SeatTaken, TableCreated

AT = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)

LATER = AT + timedelta(days=30_000)


@dataclass(frozen=True)
class Anything:
    """An event that can carry whatever a test wants to store."""

    value: Any = None
    when: datetime | None = None
    counts: dict[int, str] = field(default_factory=dict)

    def text(self, names: Any) -> str:
        return "Something happens."


@dataclass(frozen=True)
class Options:
    shared_deck: bool = True


Opener = Callable[[], Awaitable[Any]]


def opened(table: str, code: str, **changes: Any) -> Commit:
    event = TableCreated(
        code=code,
        game="call-it",
        mode="classic",
        game_version="1.0",
        mode_version="1.0",
        game_options={"shared_deck": False},
        mode_options={},
        seats=2,
        visibility=Visibility.PUBLIC,
        host="ply_ann",
        host_name="Ann",
        secret=bytes(range(32)),
    )
    return Commit(table, 1, AT, (event, SeatTaken(0, "Ann", "ply_ann")), "ply_ann", **changes)


def commit(table: str, version: int, *events: Any, **changes: Any) -> Commit:
    return Commit(table, version, AT + timedelta(seconds=version), events or (Anything(version),), **changes)


async def follow(store: Any, into: list[Any]) -> None:
    async for change in store.watch():
        into.append(change)  # noqa: PERF401
