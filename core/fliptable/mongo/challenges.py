"""Challenges in MongoDB."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pymongo import ASCENDING, IndexModel
from pymongo.errors import DuplicateKeyError

from fliptable.challenges import Challenge
from fliptable.codec import pack, unpack
from fliptable.log import CodeTaken
from fliptable.mongo.driver import NEWEST, Collection, find_one, newer_and_older, reaching


class MongoChallenges:
    """A :class:`fliptable.log.ChallengeStore` in a collection; the code is the id."""

    def __init__(self, challenges: Collection) -> None:
        """Nothing is sent yet."""
        self._challenges = challenges

    async def make_indexes(self) -> None:
        """The lists of what each player has made."""
        await self._challenges.create_indexes([IndexModel([("author", ASCENDING), *NEWEST], name="author")])

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

    async def made_by(
        self,
        author: str,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Challenge]:
        """See :class:`fliptable.log.ChallengeStore`."""
        query: dict[str, Any] = {"author": author, **newer_and_older(before, since)}
        order = [(name, -way) for name, way in NEWEST] if oldest_first else NEWEST
        async with reaching():
            documents = await self._challenges.find(query).sort(order).limit(limit).to_list(limit)
        return [_challenge(document) for document in documents]


def _challenge(document: dict[str, Any]) -> Challenge:
    values = {name: value for name, value in document.items() if name != "_id"}
    return unpack({"code": document["_id"], **values}, Challenge)
