"""Challenges in MongoDB."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pymongo import DESCENDING, IndexModel
from pymongo.errors import DuplicateKeyError

from fliptable.challenges import Challenge
from fliptable.codec import pack, unpack
from fliptable.log import CodeTaken
from fliptable.mongo.driver import Collection, find_one, reaching

_NEWEST = [("created_at", DESCENDING), ("_id", DESCENDING)]


class MongoChallenges:
    """A :class:`fliptable.log.ChallengeStore` in a collection; the code is the id."""

    def __init__(self, challenges: Collection) -> None:
        """Nothing is sent yet."""
        self._challenges = challenges

    async def make_indexes(self) -> None:
        """Make the indexes. Errors: what the driver raises."""
        await self._challenges.create_indexes(
            [
                IndexModel(_NEWEST, name="newest"),
                IndexModel([("author", DESCENDING), *_NEWEST], name="author"),
            ]
        )

    async def add(self, challenge: Challenge) -> None:
        """See :class:`fliptable.log.ChallengeStore`."""
        document = pack(challenge)
        document["_id"] = document.pop("code")
        async with reaching():
            try:
                await self._challenges.insert_one(document)
            except DuplicateKeyError:
                raise CodeTaken(challenge.code) from None

    async def find(self, code: str) -> Challenge | None:
        """See :class:`fliptable.log.ChallengeStore`."""
        document = await find_one(self._challenges, {"_id": code})
        return None if document is None else _challenge(document)

    async def newest(
        self, limit: int, before: tuple[datetime, str] | None = None, author: str | None = None
    ) -> list[Challenge]:
        """See :class:`fliptable.log.ChallengeStore`."""
        query: dict[str, Any] = {} if author is None else {"author": author}
        if before is not None:
            at, code = before
            query["$or"] = [{"created_at": {"$lt": at}}, {"created_at": at, "_id": {"$lt": code}}]
        async with reaching():
            documents = await self._challenges.find(query).sort(_NEWEST).limit(limit).to_list(limit)
        return [_challenge(document) for document in documents]


def _challenge(document: dict[str, Any]) -> Challenge:
    values = {name: value for name, value in document.items() if name != "_id"}
    return unpack({"code": document["_id"], **values}, Challenge)
