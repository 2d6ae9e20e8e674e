"""The log in MongoDB."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC
from typing import Any

from bson import encode
from bson.raw_bson import RawBSONDocument
from bson.timestamp import Timestamp
from motor.motor_asyncio import AsyncIOMotorCollection
from pymongo import ASCENDING, IndexModel, InsertOne, WriteConcern
from pymongo.errors import BulkWriteError
from pymongo.read_concern import ReadConcern

from fliptable.codec import EventCodec
from fliptable.commits import from_document, key_of, to_document
from fliptable.events import Commit
from fliptable.groupcommit import GroupCommit
from fliptable.log import (
    ClaimTaken,
    CodeTaken,
    KeyTaken,
    Snapshot,
    Unavailable,
    VersionTaken,
)
from fliptable.migrations import UnreadableLog
from fliptable.mongo.driver import DUPLICATE, Database, changes, find_one, reaching

STORED = "w"
"""The field that says when a commit that adds to the records was stored: the server puts its own time,
which only goes up, where an empty timestamp stands."""
_MOST_BYTES = 16 << 20


class MongoLog:
    """A :class:`fliptable.log.Log` in a collection of commits, and snapshots beside it."""

    def __init__(self, base: Database, codec: EventCodec) -> None:
        """Nothing is sent yet."""
        self._base = base
        self._codec = codec
        self._commits: AsyncIOMotorCollection[Any] = base["commits"]
        # Snapshots are remade when lost, so they need not wait for the disk.
        self._snapshots = base["snapshots"].with_options(
            write_concern=WriteConcern(w=1), read_concern=ReadConcern("local")
        )
        self._group: GroupCommit[RawBSONDocument] = GroupCommit(self._insert)

    async def _index_commits(self) -> None:
        await self._commits.create_indexes(
            [
                _where_present([("_id.t", ASCENDING), ("key", ASCENDING)], "key"),
                _where_present([("code", ASCENDING)], "code"),
                _where_present([("claim", ASCENDING)], "claim"),
                IndexModel(
                    [(STORED, ASCENDING)],
                    name="stored",
                    partialFilterExpression={STORED: {"$exists": True}},
                ),
            ]
        )

    async def _insert(self, documents: Sequence[RawBSONDocument]) -> list[Exception | None]:
        results: list[Exception | None] = [None] * len(documents)
        try:
            async with reaching():
                await self._commits.bulk_write([InsertOne(one) for one in documents], ordered=False)
        except Unavailable as unavailable:
            error = unavailable.__cause__
            if not isinstance(error, BulkWriteError):
                return [unavailable] * len(documents)
            details = error.details or {}
            if details.get("writeConcernErrors"):
                unsure = Unavailable(f"the write was not confirmed: {details['writeConcernErrors'][0]}")
                results = [unsure] * len(documents)
            for failed in details.get("writeErrors", ()):
                results[failed["index"]] = _refused(failed)
        return results

    async def append(self, commit: Commit) -> None:
        """See :class:`fliptable.log.Log`."""
        # Encoded here, what cannot be stored hurts no other commit of its group.
        document = to_document(self._codec, commit)
        if commit.counts:
            document[STORED] = Timestamp(0, 0)
        encoded = encode(document)
        if len(encoded) > _MOST_BYTES:
            raise ValueError(f"a commit of {len(encoded)} bytes is too large to be stored")
        await self._group.add(RawBSONDocument(encoded))

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Commit]:
        """See :class:`fliptable.log.Log`."""
        # Embedded documents compare field by field, so this is one range of the _id index.
        span = {"$gt": {"t": table, "v": after}, "$lte": {"t": table, "v": 2**31}}
        async with reaching():
            cursor = self._commits.find({"_id": span}).sort("_id", ASCENDING).limit(limit or 0)
            documents = await cursor.to_list(limit)
        for version, document in enumerate(documents, start=after + 1):
            if document["_id"]["v"] != version:
                raise UnreadableLog(f"version {version} of table {table} is missing")
        return [from_document(self._codec, document) for document in documents]

    async def find_key(self, table: str, actor: str, key: str) -> Commit | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._commits, {"_id.t": table, "key": key_of(actor, key)})
        return None if document is None else from_document(self._codec, document)

    async def find_code(self, code: str) -> str | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._commits, {"code": code}, {"_id": 1})
        return None if document is None else str(document["_id"]["t"])

    async def list_tables(self, after: str, limit: int) -> list[tuple[str, str]]:
        """See :class:`fliptable.log.Log`."""
        async with reaching():
            query = {"code": {"$gt": after, "$exists": True}}
            cursor = self._commits.find(query, {"code": 1}).sort("code", ASCENDING).limit(limit)
            return [(one["code"], one["_id"]["t"]) for one in await cursor.to_list(limit)]

    async def counting_commits(
        self, after: str, limit: int, settled: float = 0
    ) -> list[tuple[str, str, int]]:
        """See :class:`fliptable.log.Log`."""
        span: dict[str, Any] = {"$gt": _timestamp(after), "$exists": True}
        async with reaching():
            if settled:
                now = (await self._base.command("hello"))["localTime"].replace(tzinfo=UTC)
                span["$lt"] = Timestamp(int(now.timestamp() - settled), 0)
            cursor = self._commits.find({STORED: span}, {STORED: 1}).sort(STORED, ASCENDING).limit(limit)
            documents = await cursor.to_list(limit)
        return [(_place(one[STORED]), one["_id"]["t"], one["_id"]["v"]) for one in documents]

    async def find_claim(self, claim: str) -> str | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._commits, {"claim": claim}, {"_id": 1})
        return None if document is None else str(document["_id"]["t"])

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See :class:`fliptable.log.Log`."""
        document = {"_id": snapshot.table, "version": snapshot.version, "state": snapshot.state}
        async with reaching():
            await self._snapshots.replace_one({"_id": snapshot.table}, document, upsert=True)

    async def load_snapshot(self, table: str) -> Snapshot | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._snapshots, {"_id": table})
        return None if document is None else Snapshot(table, document["version"], document["state"])

    async def watch(self) -> AsyncIterator[tuple[str, int] | None]:
        """See :class:`fliptable.log.Log`. It goes on after the database was away, without a gap."""
        inserts = {"$match": {"operationType": "insert"}}
        pipeline: list[dict[str, Any]] = [inserts, {"$project": {"documentKey": 1}}]
        async with aclosing(changes(self._commits, pipeline)) as stream:
            async for change in stream:
                if change is None:
                    yield None
                else:
                    key = change["documentKey"]["_id"]
                    yield key["t"], key["v"]


def _where_present(keys: list[tuple[str, int]], field: str) -> IndexModel:
    """An index of the documents that have a field, which no two of them share."""
    present = {field: {"$exists": True}}
    return IndexModel(keys, name=field, unique=True, partialFilterExpression=present)


def _refused(failed: Mapping[str, Any]) -> Exception:
    if failed["code"] == DUPLICATE:
        fields = set(failed.get("keyPattern", {"_id": 1}))
        if "code" in fields:
            return CodeTaken(str(failed.get("keyValue", {}).get("code")))
        if "claim" in fields:
            return ClaimTaken(str(failed.get("keyValue", {}).get("claim")))
        return KeyTaken() if "key" in fields else VersionTaken()
    return Unavailable(str(failed.get("errmsg", failed)))


def _timestamp(place: str) -> Timestamp:
    """The server's time of a place in the order in which commits were stored."""
    seconds, _, counter = place.partition(".")
    return Timestamp(int(seconds or 0), int(counter or 0))


def _place(stored: Timestamp) -> str:
    return f"{stored.time:010d}.{stored.inc:010d}"
