"""Challenges in MongoDB."""

from __future__ import annotations

from typing import Any

from pymongo.errors import DuplicateKeyError

from fliptable.challenges import Challenge
from fliptable.codec import pack, unpack
from fliptable.log import CodeTaken
from fliptable.mongo.driver import Collection, find_one, reaching


class MongoChallenges:
    """A :class:`fliptable.log.ChallengeStore` in a collection; the code is the id."""

    def __init__(self, challenges: Collection) -> None:
        """Nothing is sent yet."""
        self._challenges = challenges

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


def _challenge(document: dict[str, Any]) -> Challenge:
    values = {name: value for name, value in document.items() if name != "_id"}
    return unpack({"code": document["_id"], **values}, Challenge)
