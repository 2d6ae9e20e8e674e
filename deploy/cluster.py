"""Fliptable on more than one machine, played through on one: a replica set, workers and a proxy.

    python -m deploy.cluster [--folder FOLDER] [--port PORT] [--workers N]

Three mongods make a replica set, two workers share it, and a proxy deals connections out to the workers
in turn. Each is a process of its own that may be killed to see what happens (the proxy is this one); it
is started again. Ctrl-C stops everything. Without ``--folder`` everything is forgotten then.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from deploy.process import Process
from deploy.proxy import Proxy
from deploy.replica_set import ELECTION, PATIENCE, ReplicaSet
from fliptable_api.loopback import HOST

MEMBERS, WORKERS = 3, 2


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
