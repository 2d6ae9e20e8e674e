"""The workers' lists of whom they serve, in MongoDB."""

from __future__ import annotations

from collections.abc import Collection as Collected
from collections.abc import Mapping
from typing import Any

from fliptable.log import Unavailable
from fliptable.mongo.driver import Collection, find_one, reaching
from fliptable.roster import STALE, Lost, Seated


class MongoRoster:
    """A :class:`fliptable.roster.Roster` in a collection, one document a worker."""

    def __init__(self, workers: Collection) -> None:
        """Nothing is sent yet."""
        self._workers = workers

    async def beat(self, worker: str, serves: Collected[Seated], waits: Mapping[Seated, float]) -> None:
        """See :class:`fliptable.roster.Roster`."""
        lists = {
            "serves": [_write(one) for one in serves],
            "waits": [{"who": _write(one), "since": since} for one, since in waits.items()],
        }
        change = {"$set": lists, "$currentDate": {"at": True}}
        async with reaching():
            await self._workers.update_one({"_id": worker}, change, upsert=True)

    async def touch(self, worker: str) -> bool:
        """See :class:`fliptable.roster.Roster`."""
        async with reaching():
            result = await self._workers.update_one({"_id": worker}, {"$currentDate": {"at": True}})
        return bool(result.matched_count)

    async def elsewhere(self, worker: str, one: Seated, since: float) -> bool:
        """See :class:`fliptable.roster.Roster`."""
        who = _write(one)
        later = {"waits": {"$elemMatch": {"who": who, "since": {"$gt": since}}}}
        same = {"waits": {"$elemMatch": {"who": who, "since": since}}, "_id": {"$gt": worker}}
        query = {"_id": {"$ne": worker}, "$or": [{"serves": who}, later, same]}
        return await find_one(self._workers, query, {"_id": 1}) is not None

    async def take_lost(self, worker: str, older: float = STALE) -> list[Lost]:
        """See :class:`fliptable.roster.Roster`."""
        query = {"_id": {"$ne": worker}, "$expr": _older(older)}
        aged = [{"$match": query}, {"$project": {"age": {"$subtract": ["$$NOW", "$at"]}}}]
        async with reaching():
            lists = await self._workers.aggregate(aged).to_list(None)
        found: list[Lost] = []
        for lost in lists:
            # Whoever deletes the list has it; a worker that came back meanwhile keeps its own.
            query = {"_id": lost["_id"], "$expr": _older(older)}
            try:
                async with reaching():
                    taken = await self._workers.find_one_and_delete(query)
            except Unavailable:
                if found:
                    break  # Those are taken; the others can be later.
                raise
            if taken is not None:
                serves = frozenset([_read(text) for text in taken["serves"]])
                waits = {_read(one["who"]): one["since"] for one in taken.get("waits", ())}
                found.append(Lost(lost["age"] / 1000, serves, waits))
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
