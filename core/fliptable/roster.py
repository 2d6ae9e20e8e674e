"""Who follows which table on which worker: what workers tell one another about presence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

Seated = tuple[str, str]
"""A table's id and the id of a player with a seat there."""

STALE = 5.0
"""Seconds without a sign of life after which a worker counts as gone."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The players whom a worker that is gone was serving, and how many seconds ago it was last seen."""

    seconds: float
    seated: frozenset[Seated]


class Roster(Protocol):
    """The workers' lists. Times are the store's own, so that workers' clocks need not agree."""

    async def beat(self, worker: str, seated: Collection[Seated]) -> None:
        """Say that a worker lives, and whom it serves. Errors: Unavailable."""
        ...

    async def elsewhere(self, worker: str, one: Seated) -> bool:
        """Whether another worker that lives serves the player at the table. Errors: Unavailable."""
        ...

    async def take_lost(self, worker: str, older: float = STALE) -> list[Lost]:
        """Take over the lists of other workers not seen for so long; each goes to one taker only.

        Errors: Unavailable.
        """
        ...

    async def leave(self, worker: str) -> None:
        """Take a worker's own list away. Errors: Unavailable."""
        ...


class MemoryRoster:
    """A :class:`Roster` for the one worker that a store in memory can have."""

    async def beat(self, worker: str, seated: Collection[Seated]) -> None:
        """Nobody else is there to be told."""

    async def elsewhere(self, worker: str, one: Seated) -> bool:
        """There is no other worker."""
        return False

    async def take_lost(self, worker: str, older: float = STALE) -> list[Lost]:
        """There is no other worker."""
        return []

    async def leave(self, worker: str) -> None:
        """Nothing was kept."""
