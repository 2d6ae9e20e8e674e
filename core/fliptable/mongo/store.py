"""The store in MongoDB."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from bson import encode
from bson.binary import Binary
from bson.codec_options import CodecOptions
from bson.raw_bson import RawBSONDocument
from bson.timestamp import Timestamp
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection
from pymongo import ASCENDING, DESCENDING, IndexModel, InsertOne, UpdateOne, WriteConcern
from pymongo.errors import BulkWriteError, DuplicateKeyError, OperationFailure, PyMongoError
from pymongo.read_concern import ReadConcern

from fliptable.codec import EventCodec
from fliptable.commits import from_document, key_of, to_document
from fliptable.events import Commit
from fliptable.groupcommit import GroupCommit
from fliptable.log import (
    Account,
    ClaimTaken,
    CodeTaken,
    Head,
    HeadFilter,
    KeyTaken,
    Snapshot,
    Unavailable,
    UnreadableLog,
    VersionTaken,
)
from fliptable.mongo.challenges import MongoChallenges
from fliptable.mongo.driver import DUPLICATE, DURABLE, PATIENCE, Database, find_one, reaching
from fliptable.mongo.records import MongoRecords
from fliptable.mongo.roster import MongoRoster
from fliptable.recordstore import RecordStore

MINIMUM_SERVER = (6, 0)
"""The oldest MongoDB that is supported."""

_OPTIONS: CodecOptions[dict[str, Any]] = CodecOptions(tz_aware=True)
_CERTAIN = ReadConcern("majority")
"""What another server stored is not seen before it is safe: it could still be rolled back."""
STORED = "w"
"""The field that says when a commit that adds to the records was stored: the server puts its own time,
which only goes up, where an empty timestamp stands."""
_MOST_BYTES = 16 << 20
_INDEXING = 3600.0
"""Seconds that the indexes of a large database may take to make."""
_PAUSE = 0.5
"""Seconds before a change stream that broke is opened again."""


class MongoStore:
    """A :class:`fliptable.log.Store` in a MongoDB replica set."""

    def __init__(self, url: str, codec: EventCodec, database: str = "fliptable") -> None:
        """``url`` is a MongoDB connection string; nothing is sent before :meth:`open`.

        Errors: Unavailable for what is no such string.
        """
        try:
            self._client: AsyncIOMotorClient[dict[str, Any]] = AsyncIOMotorClient(
                url, serverSelectionTimeoutMS=5000, appname="fliptable"
            )
        except (PyMongoError, ValueError) as error:
            raise Unavailable(f"the address of the MongoDB server cannot be used: {error}") from error
        base: Database = self._client.get_database(
            database, _OPTIONS, write_concern=DURABLE, read_concern=_CERTAIN
        )
        self.challenges = MongoChallenges(base["challenges"])
        self.roster = MongoRoster(base["workers"])
        self._base = base
        self._codec = codec
        self._commits: AsyncIOMotorCollection[Any] = base["commits"]
        # Caches and projections are remade when lost, so they need not wait for the disk.
        self._snapshots = base["snapshots"].with_options(
            write_concern=WriteConcern(w=1), read_concern=ReadConcern("local")
        )
        self._heads = base["heads"]
        self._accounts = base["players"]
        self._secrets = base["secrets"]
        self._group: GroupCommit[RawBSONDocument] = GroupCommit(self._insert)

    async def open(self) -> None:
        """Check the server and make the indexes. Errors: Unavailable says what is wrong with it."""
        await self.ready()
        async with reaching(_INDEXING):
            hello = await self._client.admin.command("hello")
            version = (await self._client.admin.command("buildInfo"))["versionArray"]
            if "setName" not in hello:
                raise Unavailable(
                    "the MongoDB server is not a member of a replica set; change streams and durable "
                    "writes need one (start mongod with --replSet and run rs.initiate())"
                )
            if tuple(version[:2]) < MINIMUM_SERVER:
                found, least = ".".join(map(str, version[:3])), ".".join(map(str, MINIMUM_SERVER))
                raise Unavailable(f"the MongoDB server is version {found}; at least {least} is needed")
            await self._make_indexes()

    async def _make_indexes(self) -> None:
        await self._commits.create_indexes(
            [
                IndexModel(
                    [("_id.t", ASCENDING), ("key", ASCENDING)],
                    name="key",
                    unique=True,
                    partialFilterExpression={"key": {"$exists": True}},
                ),
                IndexModel(
                    [("code", ASCENDING)],
                    name="code",
                    unique=True,
                    partialFilterExpression={"code": {"$exists": True}},
                ),
                IndexModel(
                    [("claim", ASCENDING)],
                    name="claim",
                    unique=True,
                    partialFilterExpression={"claim": {"$exists": True}},
                ),
            ]
        )
        await self._commits.create_indexes(
            [
                IndexModel(
                    [(STORED, ASCENDING)],
                    name="stored",
                    partialFilterExpression={STORED: {"$exists": True}},
                )
            ]
        )
        newest = [("created_at", DESCENDING), ("_id", DESCENDING)]
        await self._heads.create_indexes(
            [
                IndexModel([("visibility", ASCENDING), ("status", ASCENDING), *newest], name="lobby"),
                IndexModel([("players", ASCENDING), *newest], name="players"),
                IndexModel([("deadline", ASCENDING)], name="deadline", sparse=True),
            ]
        )
        await self.challenges.make_indexes()
        await (await self.records()).make_indexes()
        await self._accounts.create_indexes([IndexModel([("token_hash", ASCENDING)], unique=True)])

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
                now = (await self._client.admin.command("hello"))["localTime"]
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
        token: Mapping[str, Any] | None = None
        while True:
            try:
                async with self._commits.watch(pipeline, resume_after=token) as stream:
                    change = await stream.try_next()  # The first call opens the stream.
                    if token is None:
                        yield None
                    while stream.alive:
                        token = stream.resume_token
                        if change is not None:
                            key = change["documentKey"]["_id"]
                            yield key["t"], key["v"]
                        change = await stream.try_next()
                    token = None
            except OperationFailure:
                # The place in the stream may be lost for good, so it begins anew.
                token = None
                await asyncio.sleep(_PAUSE)
            except PyMongoError:
                await asyncio.sleep(_PAUSE)

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
            try:
                await self._heads.bulk_write(writes, ordered=False)
            except BulkWriteError as error:
                failures = (error.details or {}).get("writeErrors", ())
                if any(failed["code"] != DUPLICATE for failed in failures):
                    raise

    async def watch_heads(self) -> AsyncIterator[Head]:
        """See :class:`fliptable.log.Store`. Changes while the database is away are not told."""
        kinds = ["insert", "update", "replace"]
        pipeline: list[dict[str, Any]] = [{"$match": {"operationType": {"$in": kinds}}}]
        while True:
            try:
                async with self._heads.watch(pipeline, full_document="updateLookup") as stream:
                    async for change in stream:
                        if change.get("fullDocument") is not None:
                            yield _head(change["fullDocument"])
            except PyMongoError:
                await asyncio.sleep(_PAUSE)

    async def list_heads(
        self, where: HeadFilter, limit: int, before: tuple[datetime, str] | None = None
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
        if before is not None:
            at, table = before
            query["$or"] = [{"created_at": {"$lt": at}}, {"created_at": at, "_id": {"$lt": table}}]
        order = [("created_at", DESCENDING), ("_id", DESCENDING)]
        return await self._read_heads(query, order, limit)

    async def due_heads(self, until: datetime, limit: int) -> list[Head]:
        """See :class:`fliptable.log.Store`."""
        return await self._read_heads({"deadline": {"$lte": until}}, [("deadline", ASCENDING)], limit)

    async def _read_heads(self, query: dict[str, Any], order: list[Any], limit: int) -> list[Head]:
        # At the start it may be the deadlines of a million tables.
        async with reaching(PATIENCE + limit / 10_000):
            documents = await self._heads.find(query).sort(order).limit(limit).to_list(limit)
        return [_head(document) for document in documents]

    async def records(self) -> MongoRecords:
        """See :class:`fliptable.log.Store`."""
        found = await find_one(self._base["records"], {"_id": "current"})
        return MongoRecords(self._base, 1 if found is None else found["number"])

    async def fresh_records(self) -> MongoRecords:
        """See :class:`fliptable.log.Store`."""
        fresh = MongoRecords(self._base, (await self.records()).number + 1)
        # An attempt that was broken off may have left something.
        await fresh.drop()
        async with reaching():
            await fresh.make_indexes()
        return fresh

    async def use_records(self, records: RecordStore) -> None:
        """See :class:`fliptable.log.Store`."""
        assert isinstance(records, MongoRecords)
        old = await self.records()
        async with reaching():
            await self._base["records"].update_one(
                {"_id": "current"}, {"$set": {"number": records.number}}, upsert=True
            )
        await old.drop()

    async def add_account(self, account: Account) -> None:
        """See :class:`fliptable.log.Store`."""
        document = {
            "_id": account.id,
            "name": account.name,
            "token_hash": Binary(account.token_hash),
            "created_at": account.created_at,
        }
        async with reaching():
            await self._accounts.insert_one(document)

    async def find_account(self, id: str) -> Account | None:
        """See :class:`fliptable.log.Store`."""
        return _account(await find_one(self._accounts, {"_id": id}))

    async def find_accounts(self, ids: Collection[str]) -> dict[str, Account]:
        """See :class:`fliptable.log.Store`."""
        async with reaching():
            documents = await self._accounts.find({"_id": {"$in": list(ids)}}).to_list(None)
        found = [_account(document) for document in documents]
        return {one.id: one for one in found if one is not None}

    async def find_token(self, token_hash: bytes) -> Account | None:
        """See :class:`fliptable.log.Store`."""
        return _account(await find_one(self._accounts, {"token_hash": Binary(token_hash)}))

    async def shared_secret(self, proposal: bytes) -> bytes:
        """See :class:`fliptable.log.Store`."""
        async with reaching():
            with suppress(DuplicateKeyError):
                await self._secrets.insert_one({"_id": "shared", "secret": proposal})
        document = await find_one(self._secrets, {"_id": "shared"})
        assert document is not None
        return bytes(document["secret"])

    async def ready(self) -> None:
        """See :class:`fliptable.log.Store`."""
        async with reaching():
            await self._client.admin.command("ping")

    async def close(self) -> None:
        """Finish the writes under way and disconnect."""
        await self._group.close()
        self._client.close()


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


def _account(document: Mapping[str, Any] | None) -> Account | None:
    if document is None:
        return None
    return Account(document["_id"], document["name"], bytes(document["token_hash"]), document["created_at"])


def _head(document: Mapping[str, Any]) -> Head:
    values = {name: value for name, value in document.items() if name != "_id"}
    return Head(table=document["_id"], **{**values, "players": tuple(values["players"])})
