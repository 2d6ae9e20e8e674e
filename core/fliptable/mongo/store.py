"""The store in MongoDB."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from bson.binary import Binary
from bson.codec_options import CodecOptions
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import ASCENDING, IndexModel
from pymongo.errors import DuplicateKeyError, PyMongoError
from pymongo.read_concern import ReadConcern

from fliptable.codec import EventCodec
from fliptable.log import Account, Unavailable
from fliptable.mongo.challenges import MongoChallenges
from fliptable.mongo.commits import MongoLog
from fliptable.mongo.driver import DURABLE, Database, find_one, reaching
from fliptable.mongo.heads import MongoHeads
from fliptable.mongo.records import MongoRecords
from fliptable.mongo.roster import MongoRoster
from fliptable.mongo.tokens import MongoTokens
from fliptable.recordstore import RecordStore
from fliptable.tokens import Token

MINIMUM_SERVER = (6, 0)
"""The oldest MongoDB that is supported."""

_OPTIONS: CodecOptions[dict[str, Any]] = CodecOptions(tz_aware=True)
_CERTAIN = ReadConcern("majority")
"""What another server stored is not seen before it is safe: it could still be rolled back."""
_INDEXING = 3600.0
"""Seconds that the indexes of a large database may take to make."""


class MongoStore(MongoLog, MongoHeads):
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
        MongoLog.__init__(self, base, codec)
        MongoHeads.__init__(self, base)
        self.challenges: MongoChallenges = MongoChallenges(base["challenges"])
        self.roster: MongoRoster = MongoRoster(base["workers"])
        self._accounts = base["players"]
        self.tokens: MongoTokens = MongoTokens(base["tokens"], self._accounts)
        self._secrets = base["secrets"]

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
        await self._index_commits()
        await self._index_heads()
        await (await self.records()).make_indexes()
        await self.tokens.make_indexes()
        await self.challenges.make_indexes()
        await self._accounts.create_indexes([IndexModel([("token_hash", ASCENDING)], unique=True)])

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

    async def add_account(self, account: Account, token: Token) -> None:
        """See :class:`fliptable.log.Store`."""
        document = {
            "_id": account.id,
            "name": account.name,
            "token_hash": Binary(token.hash),
            "created_at": account.created_at,
        }
        if token.expires_at is not None:
            document["token_expires_at"] = token.expires_at
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


def _account(document: Mapping[str, Any] | None) -> Account | None:
    if document is None:
        return None
    return Account(document["_id"], document["name"], document["created_at"])
