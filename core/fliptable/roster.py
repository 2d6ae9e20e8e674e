"""Who follows which table on which worker: what workers tell one another about presence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

Seated = tuple[str, str]
"""A table's id and the id of a player with a seat there."""

STALE = 3.5
"""Seconds without a sign of life after which a worker counts as gone."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The list of a worker that is gone.

    Whom it served was gone with it, ``seconds`` ago; those in their grace period since the times in
    ``waits``, in seconds since 1970.
    """

    seconds: float
    serves: frozenset[Seated]
    waits: Mapping[Seated, float]


class Roster(Protocol):
    """The workers' lists. How old a list is goes by the store's own clock."""

    async def beat(self, worker: str, serves: Collection[Seated], waits: Mapping[Seated, float]) -> None:
        """Say that a worker lives, whom it serves, and since when others are in their grace period.

        Errors: Unavailable.
        """
        ...

    async def touch(self, worker: str) -> bool:
        """Say that a worker lives and that its list is as before; False when the list is gone.

        Errors: Unavailable.
        """
        ...

    async def elsewhere(self, worker: str, one: Seated, since: float) -> bool:
        """Whether the player at the table is another worker's to tell of: it serves them, or did later.

        Of workers whose subscriptions ended at the same time it is one. A list of a worker that is gone
        counts until it is taken over, since then its taker tells. Errors: Unavailable.
        """
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

    async def beat(self, worker: str, serves: Collection[Seated], waits: Mapping[Seated, float]) -> None:
        """Nobody else is there to be told."""

    async def touch(self, worker: str) -> bool:
        """Nothing was lost."""
        return True

    async def elsewhere(self, worker: str, one: Seated, since: float) -> bool:
        """There is no other worker."""
        return False

    async def take_lost(self, worker: str, older: float = STALE) -> list[Lost]:
        """There is no other worker."""
        return []

    async def leave(self, worker: str) -> None:
        """Nothing was kept."""
