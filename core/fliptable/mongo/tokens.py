"""The tokens of players, in MongoDB."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from collections.abc import Collection as Collected
from contextlib import aclosing
from datetime import datetime
from typing import Any

from bson.binary import Binary
from pymongo import ASCENDING, IndexModel

from fliptable.mongo.driver import Collection, changes, find_one, reaching
from fliptable.tokens import Token

_REMEMBERED = 30 * 86_400
"""Seconds for which a token that has expired is still known, to be told so."""

_ENDED = "ended_at"


class MongoTokens:
    """A :class:`fliptable.tokens.TokenStore` in a collection, and in that of the players.

    The first token of a player stands in their own document, as it always did: ``token_hash`` and,
    where it expires, ``token_expires_at``. So players of before stay known, and workers of before
    know those of now. Every other token is a document of its own, and so is the end of any.
    """

    def __init__(self, tokens: Collection, players: Collection) -> None:
        """Nothing is sent yet."""
        self._tokens = tokens
        self._players = players

    async def make_indexes(self) -> None:
        """Make the indexes that are not there."""
        index = IndexModel([("expires_at", ASCENDING)], name="expired", expireAfterSeconds=_REMEMBERED)
        await self._tokens.create_indexes([index])

    async def add(self, token: Token) -> None:
        """See :class:`fliptable.tokens.TokenStore`."""
        async with reaching():
            await self._tokens.insert_one({"_id": Binary(token.hash), **_facts(token)})

    async def find(self, hash: bytes) -> Token | None:
        """See :class:`fliptable.tokens.TokenStore`."""
        further = await find_one(self._tokens, {"_id": Binary(hash)})
        if further is not None:
            return None if _ENDED in further else Token(hash, further["player"], further.get("expires_at"))
        first = await find_one(self._players, {"token_hash": Binary(hash)}, {"token_expires_at": 1})
        return None if first is None else Token(hash, first["_id"], first.get("token_expires_at"))

    async def end(self, token: Token, now: datetime) -> None:
        """See :class:`fliptable.tokens.TokenStore`."""
        # With its time, so that nothing is kept of what nobody could use any more.
        change = {"$set": {**_facts(token), _ENDED: now}}
        async with reaching():
            await self._tokens.update_one({"_id": Binary(token.hash)}, change, upsert=True)

    async def ended(self, hashes: Collected[bytes]) -> set[bytes]:
        """See :class:`fliptable.tokens.TokenStore`."""
        query = {"_id": {"$in": [Binary(one) for one in hashes]}, _ENDED: {"$exists": True}}
        async with reaching():
            found = await self._tokens.find(query, {"_id": 1}).to_list(None)
        return {bytes(one["_id"]) for one in found}

    async def watch(self) -> AsyncIterator[bytes | None]:
        """See :class:`fliptable.tokens.TokenStore`. It goes on after the database was away, without a gap."""
        fields = ("fullDocument", "updateDescription.updatedFields")
        ends = {"$match": {"$or": [{f"{one}.{_ENDED}": {"$exists": True}} for one in fields]}}
        pipeline: list[dict[str, Any]] = [ends, {"$project": {"documentKey": 1}}]
        async with aclosing(changes(self._tokens, pipeline)) as stream:
            async for change in stream:
                yield None if change is None else bytes(change["documentKey"]["_id"])


def _facts(token: Token) -> Mapping[str, Any]:
    facts: dict[str, Any] = {"player": token.player}
    if token.expires_at is not None:
        facts["expires_at"] = token.expires_at
    return facts
