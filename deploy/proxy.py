"""A proxy that deals connections out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from fliptable_api.loopback import HOST


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
