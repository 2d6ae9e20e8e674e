"""A line between a client and a server that can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Wire:
    """Forwards connections to a port of this machine, until it is cut."""

    def __init__(self, to: int) -> None:
        """``to`` is the port of the server."""
        self._to = to
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()
        self.port = 0
        self.connections = 0

    async def mend(self) -> None:
        """Take connections (again), always at the same port."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Break all connections and take no new ones."""
        if self._server is not None:
            self._server.close()
        for end in self._ends:
            end.transport.abort()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        for source, sink in ((reader, there_writer), (there_reader, writer)):
            self._ends.add(sink)
            task = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(task)
            task.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        sink.close()
        self._ends.discard(sink)


@asynccontextmanager
async def wire(to: int) -> AsyncIterator[Wire]:
    """A wire that is whole at first."""
    one = Wire(to)
    await one.mend()
    try:
        yield one
    finally:
        await one.cut()
