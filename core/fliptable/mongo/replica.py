"""Making a mongod the replica set that the store needs."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from motor.motor_asyncio import AsyncIOMotorClient
from pymongo.errors import OperationFailure, PyMongoError

from fliptable.log import Unavailable
from fliptable.mongo.driver import reaching

_NOT_YET_INITIALIZED = 94


async def initiate_replica_set(host: str, port: int) -> None:
    """Make the mongod at that address the only member of its replica set, and wait for it to be primary.

    A fresh one is initiated; one whose stored configuration names another address is told the new
    one by force. Errors: Unavailable.
    """
    client: AsyncIOMotorClient[dict[str, Any]] = AsyncIOMotorClient(
        host, port, directConnection=True, serverSelectionTimeoutMS=10_000
    )
    address = f"{host}:{port}"
    members = [{"_id": 0, "host": address}]
    try:
        async with reaching(60):
            # The stored configuration is read itself: while a wrong one is being probed, none is in use.
            stored = await client.local["system.replset"].find_one()
            if stored is None:
                await client.admin.command("replSetInitiate", {"_id": "rs0", "members": members})
            elif [member["host"] for member in stored["members"]] != [address]:
                config = {**stored, "version": stored["version"] + 1, "members": members}
                await _reconfigure(client, config, time.monotonic() + 45)
    finally:
        client.close()
    await wait_writable(f"mongodb://{address}/?directConnection=true", 30)


async def _reconfigure(
    client: AsyncIOMotorClient[dict[str, Any]], config: dict[str, Any], ends: float
) -> None:
    while True:
        try:
            await client.admin.command("replSetReconfig", config, force=True)
            return
        except OperationFailure as error:
            if error.code != _NOT_YET_INITIALIZED or time.monotonic() > ends:
                raise
        await asyncio.sleep(0.05)


async def wait_writable(url: str, timeout: float) -> None:
    """Wait until the replica set has a primary. Errors: Unavailable after ``timeout`` seconds."""
    client: AsyncIOMotorClient[dict[str, Any]] = AsyncIOMotorClient(url, serverSelectionTimeoutMS=1000)
    ends = time.monotonic() + timeout
    try:
        while True:
            try:
                if (await client.admin.command("hello")).get("isWritablePrimary"):
                    return
            except PyMongoError:
                pass
            if time.monotonic() > ends:
                raise Unavailable(f"the MongoDB replica set has no primary after {timeout:g} s")
            await asyncio.sleep(0.05)
    finally:
        client.close()
