"""The workers' lists of whom they serve, in MongoDB."""

from __future__ import annotations

from collections.abc import Collection as Collected
from typing import Any

from fliptable.mongo.driver import Collection, find_one, reaching
from fliptable.roster import STALE, Lost, Seated


class MongoRoster:
    """A :class:`fliptable.roster.Roster` in a collection, one document a worker."""

    def __init__(self, workers: Collection) -> None:
        """Nothing is sent yet."""
        self._workers = workers

    async def beat(self, worker: str, seated: Collected[Seated]) -> None:
        """See :class:`fliptable.roster.Roster`."""
        served = [_write(one) for one in seated]
        change = {"$set": {"serves": served}, "$currentDate": {"at": True}}
        async with reaching():
            await self._workers.update_one({"_id": worker}, change, upsert=True)

    async def elsewhere(self, worker: str, one: Seated) -> bool:
        """See :class:`fliptable.roster.Roster`."""
        query = {"_id": {"$ne": worker}, "serves": _write(one), "$expr": {"$not": [_older(STALE)]}}
        return await find_one(self._workers, query, {"_id": 1}) is not None

    async def take_lost(self, worker: str, older: float = STALE) -> list[Lost]:
        """See :class:`fliptable.roster.Roster`."""
        query = {"_id": {"$ne": worker}, "$expr": _older(older)}
        aged = [{"$match": query}, {"$project": {"age": {"$subtract": ["$$NOW", "$at"]}}}]
        found = []
        async with reaching():
            for one in await self._workers.aggregate(aged).to_list(None):
                # Whoever deletes the list has it; a worker that came back meanwhile keeps its own.
                query = {"_id": one["_id"], "$expr": _older(older)}
                taken = await self._workers.find_one_and_delete(query)
                if taken is not None:
                    seated = frozenset([_read(text) for text in taken["serves"]])
                    found.append(Lost(one["age"] / 1000, seated))
        return found

    async def leave(self, worker: str) -> None:
        """See :class:`fliptable.roster.Roster`."""
        async with reaching():
            await self._workers.delete_one({"_id": worker})


def _older(seconds: float) -> dict[str, Any]:
    return {"$lte": ["$at", {"$subtract": ["$$NOW", round(seconds * 1000)]}]}


def _write(one: Seated) -> str:
    return f"{one[0]} {one[1]}"


def _read(text: str) -> Seated:
    table, _, player = text.partition(" ")
    return table, player
