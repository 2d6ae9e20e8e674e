"""What the modules that talk to the MongoDB driver share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from motor.motor_asyncio import AsyncIOMotorCollection, AsyncIOMotorDatabase
from pymongo import WriteConcern
from pymongo.errors import AutoReconnect, ConnectionFailure, PyMongoError

from fliptable.log import Unavailable

Collection = AsyncIOMotorCollection[dict[str, Any]]
Database = AsyncIOMotorDatabase[dict[str, Any]]

DURABLE = WriteConcern(w="majority", j=True)
DUPLICATE = 11000
"""The error code of a document whose unique key is taken."""


@contextmanager
def reaching() -> Iterator[None]:
    """Turn what the driver raises into Unavailable."""
    try:
        yield
    except (ConnectionFailure, AutoReconnect) as error:
        raise Unavailable(f"the MongoDB server cannot be reached: {error}") from error
    except PyMongoError as error:
        raise Unavailable(f"the MongoDB server answered with an error: {error}") from error


async def find_one(
    collection: Collection, query: Mapping[str, Any], fields: Mapping[str, int] | None = None
) -> dict[str, Any] | None:
    """The document that a query finds, if any. Errors: Unavailable."""
    with reaching():
        found: dict[str, Any] | None = await collection.find_one(query, fields)
    return found
