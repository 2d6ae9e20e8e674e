"""Fliptable on more than one machine, played through on one: a replica set, workers and a proxy.

    python deploy/cluster.py [--folder FOLDER] [--port PORT] [--workers N]

Three mongods make a replica set, two workers share it, and a proxy deals connections out to the workers
in turn. Each is a process of its own that may be killed to see what happens (the proxy is this one); it
is started again. Ctrl-C stops everything. Without ``--folder`` everything is forgotten then.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from fliptable.mongo import wait_writable
from fliptable_api.loopback import HOST
from fliptable_api.mongod_binary import find_mongod

MEMBERS, WORKERS = 3, 2
PATIENCE = 90.0
"""Seconds that a process may take to be ready."""
ELECTION = 10.0
"""Seconds without a primary after which another is elected: MongoDB's own default."""

_ALREADY_INITIALIZED = 23

# Becomes another program, after asking Linux for a signal at the death of whoever started it.
_GUARD = """\
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, int(sys.argv[2]))
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[3], sys.argv[3:])
"""


class Process:
    """A program that may be killed and started again."""

    def __init__(self, name: str, port: int, command: Sequence[str], log: Path, **environment: str) -> None:
        """``port`` is where it listens; what it writes goes to ``log``."""
        self.name, self.port = name, port
        self._command = list(command)
        self._log = log
        self._environment = {**os.environ, **environment}
        self._process: asyncio.subprocess.Process | None = None

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The number of the process that runs, or of the last one."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What it has written."""
        return self._log.read_text(errors="replace")

    async def start(self) -> None:
        """Start it, without waiting until it is ready."""
        command = self._command
        if sys.platform == "linux":
            guard = (sys.executable, "-I", "-S", "-c", _GUARD, str(os.getpid()), str(int(signal.SIGKILL)))
            command = [*guard, *command]
        with self._log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self._environment,
                start_new_session=True,  # Ctrl-C at a terminal is for this program alone
            )

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def ended(self) -> int:
        """Wait for its end; the exit code."""
        assert self._process is not None
        return await self._process.wait()

    async def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.send(signal.SIGKILL)
        await self.ended()

    async def stop(self, patience: float = 20.0) -> None:
        """End it in good order, by force if that takes too long."""
        if not self.alive:
            return
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.ended(), patience)
        except TimeoutError:
            await self.kill()


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


class Proxy:
    """Deals connections out to backends in turn, past those that do not take any."""

    def __init__(self, ports: Sequence[int]) -> None:
        """``ports`` are the backends'."""
        self._backends = list(ports)
        self._next = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def start(self, port: int = 0) -> None:
        """Take connections, at any port that is free unless one is given."""
        self._server = await asyncio.start_server(self._accept, HOST, port, backlog=2048)
        self.port = self._server.sockets[0].getsockname()[1]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connected(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        finally:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self._backends:
            port = self._backends[self._next % len(self._backends)]
            self._next += 1
            try:
                there_reader, there_writer = await asyncio.open_connection(HOST, port)
            except OSError:
                continue
            try:
                # Where one direction ends, however it does, the connection is over.
                pumps = [
                    asyncio.create_task(_pump(source, sink))
                    for source, sink in ((reader, there_writer), (there_reader, writer))
                ]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
                await _flush(writer)
            finally:
                there_writer.transport.abort()
            return

    async def stop(self) -> None:
        """Break all connections and take no new ones."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()


async def _flush(writer: asyncio.StreamWriter) -> None:
    """Send what is left, if the other side takes it soon."""
    with contextlib.suppress(OSError, TimeoutError):
        writer.close()
        await asyncio.wait_for(writer.wait_closed(), 1)


class Cluster:
    """A replica set, workers and a proxy in front of them. ``async with`` it."""

    def __init__(
        self,
        folder: Path,
        *,
        members: int = MEMBERS,
        workers: int = WORKERS,
        port: int = 0,
        election: float = ELECTION,
        **environment: str,
    ) -> None:
        """Data and logs go into ``folder``; ``environment`` is for the workers."""
        folder.mkdir(parents=True, exist_ok=True)
        ports = _ports(folder, members, workers)
        self._port = port
        self.mongo = ReplicaSet(folder, ports[:members], election)
        self.workers = []
        for number, one in enumerate(ports[members:], start=1):
            command = [sys.executable, "-m", "fliptable_api", "serve", "--host", HOST, "--port", str(one)]
            command += ["--mongo-url", self.mongo.url]
            log = folder / f"worker-{number}.log"
            self.workers.append(Process(f"worker {number}", one, command, log, **environment))
        self.proxy = Proxy(ports[members:])

    @property
    def base(self) -> str:
        """The address in front of all workers."""
        return f"http://{HOST}:{self.proxy.port}"

    @property
    def url(self) -> str:
        """The GraphQL endpoint in front of all workers."""
        return self.base + "/graphql"

    @property
    def socket_url(self) -> str:
        """The WebSocket endpoint in front of all workers."""
        return self.url.replace("http", "ws", 1)

    async def __aenter__(self) -> Self:
        try:
            await self.mongo.start()
            await asyncio.gather(*[self.start_worker(one) for one in self.workers])
            await self.proxy.start(self._port)
        except BaseException:
            await self.stop()
            raise
        return self

    async def start_worker(self, worker: Process) -> None:
        """Start a worker, again perhaps, and wait until it is ready."""
        await worker.start()
        deadline = time.monotonic() + PATIENCE
        async with httpx.AsyncClient() as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get(f"http://{HOST}:{worker.port}/readyz")).status_code == 200:
                        return
                if not worker.alive or time.monotonic() > deadline:
                    raise RuntimeError(f"{worker.name} did not start:\n{worker.log[-4000:]}")
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Stop everything, the database last."""
        await self.proxy.stop()
        await asyncio.gather(*[one.stop() for one in self.workers])
        await self.mongo.stop()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()


def _ports(folder: Path, members: int, workers: int) -> list[int]:
    """Free ports, the same ones for the same folder: a replica set knows its members by them."""
    kept = folder / "ports.json"
    if kept.exists():
        ports: list[int] = json.loads(kept.read_text())
        if len(ports) == members + workers:
            return ports
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(members + workers)]
        for probe in probes:
            probe.bind((HOST, 0))
        ports = [probe.getsockname()[1] for probe in probes]
    kept.write_text(json.dumps(ports))
    return ports


async def keep(process: Process) -> None:
    """Start a process again whenever it ends."""
    while True:
        code = await process.ended()
        print(f"{process.name} (pid {process.pid}) ended with code {code}; it is started again", flush=True)
        await asyncio.sleep(1)
        await process.start()


async def run(folder: Path, port: int, workers: int) -> None:
    """Run a cluster until told to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    print("starting three mongods and their workers …", flush=True)
    async with Cluster(folder, workers=workers, port=port) as cluster:
        print(f"GraphQL     {cluster.url}")
        print(f"WebSocket   {cluster.socket_url}")
        for one in cluster.workers:
            print(f"{one.name}    http://{HOST}:{one.port}/graphql (pid {one.pid})")
        for one in cluster.mongo.members:
            state = await cluster.mongo.state(one)
            print(f"{one.name}    {HOST}:{one.port} (pid {one.pid}, {state.lower()})")
        print(f"MongoDB     {cluster.mongo.url}")
        print(f"data, logs  {folder}", flush=True)
        keepers = [asyncio.create_task(keep(one)) for one in (*cluster.mongo.members, *cluster.workers)]
        await stop.wait()
        print("stopping", flush=True)
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, help="where data and logs go, and stay")
    parser.add_argument("--port", type=int, default=8000, help="of the proxy; 0 takes any (8000)")
    parser.add_argument("--workers", type=int, default=WORKERS, help=f"how many ({WORKERS})")
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fliptable-")))
        asyncio.run(run(folder.resolve(), asked.port, asked.workers))


if __name__ == "__main__":
    main()
