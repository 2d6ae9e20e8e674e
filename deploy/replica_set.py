"""Some mongods that hold the same data."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from deploy.process import Process
from fliptable.mongo import wait_writable
from fliptable_api.loopback import HOST
from fliptable_api.mongod_binary import find_mongod

PATIENCE = 90.0
"""Seconds that a process may take to be ready."""
ELECTION = 10.0
"""Seconds without a primary after which another is elected: MongoDB's own default."""

_ALREADY_INITIALIZED = 23


class ReplicaSet:
    """Some mongods that hold the same data, one of them the primary."""

    def __init__(
        self, folder: Path, ports: Sequence[int], election: float = ELECTION, cache_gb: float = 0.25
    ) -> None:
        """Nothing is started yet. ``election`` is in seconds."""
        self._election = election
        self.members = []
        for number, port in enumerate(ports, start=1):
            data = folder / f"mongod-{number}"
            data.mkdir(parents=True, exist_ok=True)
            command = [
                *(str(find_mongod()), "--replSet", "rs0", "--bind_ip", HOST, "--port", str(port)),
                *("--dbpath", str(data), "--nounixsocket", "--quiet"),
                *("--wiredTigerCacheSizeGB", str(cache_gb), "--oplogSize", "128"),
                *("--setParameter", "diagnosticDataCollectionEnabled=false"),
                *("--setParameter", "shutdownTimeoutMillisForSignaledShutdown=500"),
            ]
            log = folder / f"mongod-{number}.log"
            self.members.append(Process(f"mongod {number}", port, command, log))
        addresses = ",".join(f"{HOST}:{port}" for port in ports)
        self.url = f"mongodb://{addresses}/?replicaSet=rs0"

    async def start(self) -> None:
        """Start all, make them one replica set unless they are, and wait for a primary."""
        await asyncio.gather(*[one.start() for one in self.members])
        await asyncio.to_thread(self._initiate)
        await wait_writable(self.url, PATIENCE)

    def _initiate(self) -> None:
        members = [{"_id": i, "host": f"{HOST}:{one.port}"} for i, one in enumerate(self.members)]
        settings = {"electionTimeoutMillis": round(self._election * 1000)}
        if self._election < ELECTION:
            settings["heartbeatIntervalMillis"] = round(self._election * 250)
        config = {"_id": "rs0", "members": members, "settings": settings}
        deadline = time.monotonic() + PATIENCE
        with _client(self.members[0].port) as client:
            while True:
                try:
                    client.admin.command("replSetInitiate", config)
                    return
                except OperationFailure as error:
                    if error.code == _ALREADY_INITIALIZED:
                        return
                    raise
                except PyMongoError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.1)

    async def state(self, member: Process) -> str:
        """PRIMARY, SECONDARY, or AWAY for one that is neither or does not answer."""
        return await asyncio.to_thread(_state, member.port) if member.alive else "AWAY"

    async def primary(self) -> Process:
        """The primary, once there is one."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for one in self.members:
                if await self.state(one) == "PRIMARY":
                    return one
            await asyncio.sleep(0.05)
        raise TimeoutError("the replica set has no primary")

    async def whole(self) -> None:
        """Wait until every member is the primary or a secondary."""
        deadline = time.monotonic() + PATIENCE
        while "AWAY" in [await self.state(one) for one in self.members]:
            if time.monotonic() > deadline:
                raise TimeoutError("the replica set is not whole")
            await asyncio.sleep(0.1)

    async def stop(self) -> None:
        """Stop all."""
        await asyncio.gather(*[one.stop() for one in self.members])


def _client(port: int) -> MongoClient[dict[str, object]]:
    return MongoClient(
        HOST, port, directConnection=True, serverSelectionTimeoutMS=1000, connectTimeoutMS=1000
    )


def _state(port: int) -> str:
    with _client(port) as client:
        try:
            hello = client.admin.command("hello")
        except PyMongoError:
            return "AWAY"
    if hello.get("isWritablePrimary"):
        return "PRIMARY"
    return "SECONDARY" if hello.get("secondary") else "AWAY"
