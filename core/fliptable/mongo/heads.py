"""What lists show of tables, in MongoDB."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from pymongo import ASCENDING, IndexModel, UpdateOne
from pymongo.errors import BulkWriteError

from fliptable.log import Head, HeadFilter
from fliptable.mongo.driver import (
    DUPLICATE,
    NEWEST,
    PATIENCE,
    Database,
    changes,
    newer_and_older,
    reaching,
)

_FIELDS = frozenset(field.name for field in fields(Head))


class MongoHeads:
    """The part of a :class:`fliptable.log.Store` that keeps the heads of tables, in a collection."""

    def __init__(self, base: Database) -> None:
        """Nothing is sent yet."""
        self._heads = base["heads"]

    async def _index_heads(self) -> None:
        await self._heads.create_indexes(
            [
                IndexModel([("visibility", ASCENDING), ("status", ASCENDING), *NEWEST], name="lobby"),
                IndexModel([("players", ASCENDING), *NEWEST], name="players"),
                IndexModel([("deadline", ASCENDING)], name="deadline", sparse=True),
            ]
        )

    async def save_heads(self, heads: Sequence[Head]) -> None:
        """See :class:`fliptable.log.Store`."""
        if not heads:
            return
        writes = []
        for head in heads:
            document = {**asdict(head), "_id": head.table, "players": list(head.players)}
            del document["table"]
            if head.deadline is None:
                del document["deadline"]
            # The condition fails for a newer head; the upsert then collides with it, harmlessly.
            older = {"_id": head.table, "version": {"$lte": head.version}}
            writes.append(UpdateOne(older, [{"$replaceWith": {"$literal": document}}], upsert=True))
        async with reaching():
            # What collides may also have met a first head that another worker wrote at that moment, and
            # an older one; the second time it is there to be compared with.
            await self._write(await self._write(writes))

    async def _write(self, writes: Sequence[UpdateOne]) -> list[UpdateOne]:
        """Write heads; those that collided with another one. Errors: what the driver raises."""
        if not writes:
            return []
        try:
            await self._heads.bulk_write(list(writes), ordered=False)
        except BulkWriteError as error:
            failures = (error.details or {}).get("writeErrors", ())
            if any(failed["code"] != DUPLICATE for failed in failures):
                raise
            return [writes[failed["index"]] for failed in failures]
        return []

    async def watch_heads(self) -> AsyncIterator[Head | None]:
        """See :class:`fliptable.log.Store`. It goes on after the database was away, without a gap."""
        pipeline = [{"$match": {"operationType": {"$in": ["insert", "update", "replace"]}}}]
        async with aclosing(changes(self._heads, pipeline, full_document="updateLookup")) as stream:
            async for change in stream:
                if change is None:
                    yield None
                elif change.get("fullDocument") is not None:
                    yield _head(change["fullDocument"])

    async def list_heads(
        self,
        where: HeadFilter,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Head]:
        """See :class:`fliptable.log.Store`."""
        query: dict[str, Any] = {
            name: value
            for name, value in (
                ("game", where.game),
                ("mode", where.mode),
                ("status", where.status),
                ("visibility", where.visibility),
                ("players", where.player),
            )
            if value is not None
        }
        if where.has_free_seat is not None:
            query["free_seats"] = {"$gt": 0} if where.has_free_seat else 0
        query |= newer_and_older(before, since)
        order = [(name, -way) for name, way in NEWEST] if oldest_first else NEWEST
        return await self._read_heads(query, order, limit)

    async def due_heads(self, until: datetime, limit: int) -> list[Head]:
        """See :class:`fliptable.log.Store`."""
        return await self._read_heads({"deadline": {"$lte": until}}, [("deadline", ASCENDING)], limit)

    async def _read_heads(self, query: dict[str, Any], order: list[Any], limit: int) -> list[Head]:
        # At the start it may be the deadlines of a million tables.
        async with reaching(PATIENCE + limit / 10_000):
            documents = await self._heads.find(query).sort(order).limit(limit).to_list(limit)
        return [_head(document) for document in documents]


def _head(document: Mapping[str, Any]) -> Head:
    # A later version of the server may have stored more.
    values = {name: value for name, value in document.items() if name in _FIELDS}
    return Head(table=document["_id"], **{**values, "players": tuple(values["players"])})
