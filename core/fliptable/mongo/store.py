"""The store in MongoDB."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from bson.binary import Binary
from bson.codec_options import CodecOptions
from bson.errors import InvalidDocument
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import ASCENDING, DESCENDING, IndexModel, InsertOne, UpdateOne, WriteConcern
from pymongo.errors import BulkWriteError, DuplicateKeyError, PyMongoError

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
    VersionTaken,
)
from fliptable.mongo.challenges import MongoChallenges
from fliptable.mongo.driver import DUPLICATE, DURABLE, Database, find_one, reaching

MINIMUM_SERVER = (6, 0)
"""The oldest MongoDB that is supported."""

_OPTIONS: CodecOptions[dict[str, Any]] = CodecOptions(tz_aware=True)


class MongoStore:
    """A :class:`fliptable.log.Store` in a MongoDB replica set."""

    def __init__(self, url: str, codec: EventCodec, database: str = "fliptable") -> None:
        """``url`` is a MongoDB connection string; nothing is sent before :meth:`open`."""
        self._client: AsyncIOMotorClient[dict[str, Any]] = AsyncIOMotorClient(
            url, serverSelectionTimeoutMS=5000, appname="fliptable"
        )
        base: Database = self._client.get_database(database, codec_options=_OPTIONS, write_concern=DURABLE)
        self.challenges = MongoChallenges(base["challenges"])
        self._codec = codec
        self._commits = base["commits"]
        # Caches and projections are remade when lost, so they need not wait for the disk.
        self._snapshots = base["snapshots"].with_options(write_concern=WriteConcern(w=1))
        self._heads = base["heads"]
        self._accounts = base["players"]
        self._secrets = base["secrets"]
        self._group: GroupCommit[dict[str, Any]] = GroupCommit(self._insert)

    async def open(self) -> None:
        """Check the server and make the indexes. Errors: Unavailable says what is wrong with it."""
        await self.ready()
        with reaching():
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
        newest = [("created_at", DESCENDING), ("_id", DESCENDING)]
        await self._heads.create_indexes(
            [
                IndexModel([("visibility", ASCENDING), ("status", ASCENDING), *newest], name="lobby"),
                IndexModel([("players", ASCENDING), *newest], name="players"),
                IndexModel([("deadline", ASCENDING)], name="deadline", sparse=True),
            ]
        )
        await self.challenges.make_indexes()
        await self._accounts.create_indexes([IndexModel([("token_hash", ASCENDING)], unique=True)])

    async def _insert(self, documents: Sequence[dict[str, Any]]) -> list[Exception | None]:
        results: list[Exception | None] = [None] * len(documents)
        try:
            await self._commits.bulk_write([InsertOne(one) for one in documents], ordered=False)
        except BulkWriteError as error:
            details = error.details or {}
            if details.get("writeConcernErrors"):
                unsure = Unavailable(f"the write was not confirmed: {details['writeConcernErrors'][0]}")
                results = [unsure] * len(documents)
            for failed in details.get("writeErrors", ()):
                results[failed["index"]] = _refused(failed)
        except InvalidDocument as error:
            return [error] * len(documents) if len(documents) == 1 else await self._one_by_one(documents)
        except OverflowError as error:
            return [error] * len(documents) if len(documents) == 1 else await self._one_by_one(documents)
        except PyMongoError as error:
            return [Unavailable(str(error))] * len(documents)
        return results

    async def _one_by_one(self, documents: Sequence[dict[str, Any]]) -> list[Exception | None]:
        """A document that cannot be encoded must not take those of other tables with it."""
        return [(await self._insert([document]))[0] for document in documents]

    async def append(self, commit: Commit) -> None:
        """See :class:`fliptable.log.Log`."""
        await self._group.add(to_document(self._codec, commit))

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Commit]:
        """See :class:`fliptable.log.Log`."""
        # Embedded documents compare field by field, so this is one range of the _id index.
        span = {"$gt": {"t": table, "v": after}, "$lte": {"t": table, "v": 2**31}}
        with reaching():
            cursor = self._commits.find({"_id": span}).sort("_id", ASCENDING)
            documents = await cursor.to_list(limit)
        return [from_document(self._codec, document) for document in documents]

    async def find_key(self, table: str, actor: str, key: str) -> Commit | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._commits, {"_id.t": table, "key": key_of(actor, key)})
        return None if document is None else from_document(self._codec, document)

    async def find_code(self, code: str) -> str | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._commits, {"code": code}, {"_id": 1})
        return None if document is None else str(document["_id"]["t"])

    async def find_claim(self, claim: str) -> str | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._commits, {"claim": claim}, {"_id": 1})
        return None if document is None else str(document["_id"]["t"])

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See :class:`fliptable.log.Log`."""
        document = {"_id": snapshot.table, "version": snapshot.version, "state": snapshot.state}
        with reaching():
            await self._snapshots.replace_one({"_id": snapshot.table}, document, upsert=True)

    async def load_snapshot(self, table: str) -> Snapshot | None:
        """See :class:`fliptable.log.Log`."""
        document = await find_one(self._snapshots, {"_id": table})
        return None if document is None else Snapshot(table, document["version"], document["state"])

    async def watch(self) -> AsyncIterator[tuple[str, int]]:
        """See :class:`fliptable.log.Log`. It goes on after the database was away, without a gap."""
        inserts = {"$match": {"operationType": "insert"}}
        pipeline: list[dict[str, Any]] = [inserts, {"$project": {"documentKey": 1}}]
        token: Mapping[str, Any] | None = None
        while True:
            try:
                async with self._commits.watch(pipeline, resume_after=token) as stream:
                    async for change in stream:
                        token = stream.resume_token
                        key = change["documentKey"]["_id"]
                        yield key["t"], key["v"]
            except PyMongoError:
                await asyncio.sleep(0.5)

    async def save_heads(self, heads: Sequence[Head]) -> None:
        """See :class:`fliptable.log.Store`."""
        writes = []
        for head in heads:
            document = {**asdict(head), "_id": head.table, "players": list(head.players)}
            del document["table"]
            if head.deadline is None:
                del document["deadline"]
            # The condition fails for a newer head; the upsert then collides with it, harmlessly.
            older = {"_id": head.table, "version": {"$lte": head.version}}
            writes.append(UpdateOne(older, [{"$replaceWith": {"$literal": document}}], upsert=True))
        with reaching():
            try:
                await self._heads.bulk_write(writes, ordered=False)
            except BulkWriteError as error:
                failures = (error.details or {}).get("writeErrors", ())
                if any(failed["code"] != DUPLICATE for failed in failures):
                    raise

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
        with reaching():
            documents = await self._heads.find(query).sort(order).limit(limit).to_list(limit)
        return [_head(document) for document in documents]

    async def add_account(self, account: Account) -> None:
        """See :class:`fliptable.log.Store`."""
        document = {
            "_id": account.id,
            "name": account.name,
            "token_hash": Binary(account.token_hash),
            "created_at": account.created_at,
        }
        with reaching():
            await self._accounts.insert_one(document)

    async def find_account(self, id: str) -> Account | None:
        """See :class:`fliptable.log.Store`."""
        return _account(await find_one(self._accounts, {"_id": id}))

    async def find_token(self, token_hash: bytes) -> Account | None:
        """See :class:`fliptable.log.Store`."""
        return _account(await find_one(self._accounts, {"token_hash": Binary(token_hash)}))

    async def shared_secret(self, proposal: bytes) -> bytes:
        """See :class:`fliptable.log.Store`."""
        with reaching(), suppress(DuplicateKeyError):
            await self._secrets.insert_one({"_id": "shared", "secret": proposal})
        document = await find_one(self._secrets, {"_id": "shared"})
        assert document is not None
        return bytes(document["secret"])

    async def ready(self) -> None:
        """See :class:`fliptable.log.Store`."""
        with reaching():
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


def _account(document: Mapping[str, Any] | None) -> Account | None:
    if document is None:
        return None
    return Account(document["_id"], document["name"], bytes(document["token_hash"]), document["created_at"])


def _head(document: Mapping[str, Any]) -> Head:
    values = {name: value for name, value in document.items() if name != "_id"}
    return Head(table=document["_id"], **{**values, "players": tuple(values["players"])})
