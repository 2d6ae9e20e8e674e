"""What the modules that talk to the MongoDB driver share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import pymongo
from motor.motor_asyncio import AsyncIOMotorCollection, AsyncIOMotorDatabase
from pymongo import DESCENDING, WriteConcern
from pymongo.errors import AutoReconnect, ConnectionFailure, OperationFailure, PyMongoError

from fliptable.log import Unavailable

Collection = AsyncIOMotorCollection[dict[str, Any]]
Database = AsyncIOMotorDatabase[dict[str, Any]]

DURABLE = WriteConcern(w="majority", j=True)
NEWEST = [("created_at", DESCENDING), ("_id", DESCENDING)]
"""The order of lists of what was made, the newest first."""

DUPLICATE = 11000
"""The error code of a document whose unique key is taken."""

PAUSE = 0.5
"""Seconds before a change stream that broke is opened again."""

_AWAIT_MS = 200
"""Milliseconds that the database holds a question for changes open. Whatever changes is told at once;
but the first answer, for which a server waits at its start, comes only after them."""

PATIENCE = 5.0
"""Seconds that the database has for an operation before it counts as unavailable."""


@asynccontextmanager
async def reaching(patience: float = PATIENCE) -> AsyncIterator[None]:
    """Turn what the driver raises into Unavailable, and what takes longer than ``patience`` seconds too.

    The driver keeps the time where it can; it cannot while an operation waits for one of its threads.
    """
    try:
        async with asyncio.timeout(patience + 0.5):
            with pymongo.timeout(patience):
                yield
    except TimeoutError as error:
        raise Unavailable(f"the MongoDB server did not answer in {patience:g} seconds") from error
    except (ConnectionFailure, AutoReconnect) as error:
        raise Unavailable(f"the MongoDB server cannot be reached: {error}") from error
    except PyMongoError as error:
        raise Unavailable(f"the MongoDB server answered with an error: {error}") from error


async def find_one(
    collection: Collection, query: Mapping[str, Any], fields: Mapping[str, int] | None = None
) -> dict[str, Any] | None:
    """The document that a query finds, if any. Errors: Unavailable."""
    async with reaching():
        found: dict[str, Any] | None = await collection.find_one(query, fields)
    return found


def newer_and_older(
    before: tuple[datetime, str] | None, since: tuple[datetime, str] | None
) -> dict[str, Any]:
    """What a query has to ask besides, for what lies between two places in the order of NEWEST."""
    bounds = []
    for place, than in ((before, "$lt"), (since, "$gt")):
        if place is not None:
            at, id = place
            bounds.append({"$or": [{"created_at": {than: at}}, {"created_at": at, "_id": {than: id}}]})
    return {"$and": bounds} if bounds else {}


async def changes(
    collection: Collection, pipeline: list[dict[str, Any]], **options: Any
) -> AsyncGenerator[Mapping[str, Any] | None, None]:
    """The changes of a collection; None first, once the stream is open, and after every gap."""
    token: Mapping[str, Any] | None = None
    while True:
        try:
            stream_options = {**options, "resume_after": token, "max_await_time_ms": _AWAIT_MS}
            async with collection.watch(pipeline, **stream_options) as stream:
                change = await stream.try_next()  # The first call opens the stream.
                if token is None:
                    yield None
                while stream.alive:
                    token = stream.resume_token
                    if change is not None:
                        yield change
                    change = await stream.try_next()
                token = None
        except OperationFailure:
            # The place in the stream may be lost for good, so it begins anew.
            token = None
            await asyncio.sleep(PAUSE)
        except PyMongoError:
            await asyncio.sleep(PAUSE)
