"""A light HTTP load: some connections, each sending its next prepared request when it has an answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class Connection:
    """A kept-alive connection that knows just enough of HTTP/1.1."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes) -> None:
        """``head`` is the request's head up to its Content-Length."""
        self._reader, self._writer, self._head = reader, writer, head

    @classmethod
    async def open(cls, host: str, port: int, token: str | None = None, path: str = "/graphql") -> Connection:
        """Connect to a server, to post to a path."""
        reader, writer = await asyncio.open_connection(host, port)
        head = f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        return cls(reader, writer, head.encode())

    async def post(self, body: bytes) -> bytes:
        """Send a body and wait for the answer's."""
        self._writer.write(self._head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + 15
        return await self._reader.readexactly(int(head[at : head.index(b"\r\n", at)]))

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


async def run(connections: list[Connection], next_body: Callable[[int], bytes], seconds: float) -> float:
    """Answers per second over all connections; ``next_body`` gives a connection its next request."""
    done = 0
    ends = time.perf_counter() + seconds

    async def one(index: int, connection: Connection) -> None:
        nonlocal done
        while time.perf_counter() < ends:
            answer = await connection.post(next_body(index))
            if b'"MovePlayed"' not in answer:
                raise RuntimeError(answer[:500].decode())
            done += 1

    start = time.perf_counter()
    await asyncio.gather(*[one(index, connection) for index, connection in enumerate(connections)])
    return done / (time.perf_counter() - start)
