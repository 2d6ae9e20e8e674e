"""Many WebSocket clients that cost next to nothing: they count messages and note when the last one came."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
import time
from collections.abc import Callable
from typing import Any, Self

import uvloop

_TEXT, _PING, _PONG = 0x1, 0x9, 0xA


class Subscriber(asyncio.Protocol):
    """One connection: it counts text messages, and answers pings."""

    def __init__(self, path: str, protocol: str | None) -> None:
        """It will ask for the WebSocket at ``path``."""
        self.messages = 0
        self.last = b""
        self.at = 0.0
        self.told: Callable[[Subscriber], None] = lambda one: None
        self.closed = False
        self._path, self._protocol = path, protocol
        self._buffer = bytearray()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {self._path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        if self._protocol:
            lines.append(f"Sec-WebSocket-Protocol: {self._protocol}")
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def data_received(self, data: bytes) -> None:
        """Take frames apart."""
        buffer = self._buffer
        buffer += data
        if not self.opened.done():
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert buffer.startswith(b"HTTP/1.1 101"), bytes(buffer)
            self.opened.set_result(None)
            del buffer[: end + 4]
        while len(buffer) >= 2:
            size, start = buffer[1], 2
            if size == 126:
                start = 4
                if len(buffer) < start:
                    return
                (size,) = struct.unpack_from("!H", buffer, 2)
            elif size == 127:
                start = 10
                if len(buffer) < start:
                    return
                (size,) = struct.unpack_from("!Q", buffer, 2)
            if len(buffer) < start + size:
                return
            opcode = buffer[0] & 0xF
            if opcode == _TEXT:
                self.messages += 1
                self.last = bytes(buffer[start : start + size])
                self.at = time.perf_counter()
                self.told(self)
            elif opcode == _PING:
                self._frame(_PONG, bytes(buffer[start : start + size]))
            del buffer[: start + size]

    def _frame(self, opcode: int, payload: bytes) -> None:
        head = bytes([0x80 | opcode])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        else:
            head += bytes([0x80 | 126]) + struct.pack("!H", len(payload))
        self.transport.write(head + bytes(4) + payload)  # A mask of zeros changes nothing.

    def send(self, message: object) -> None:
        """Send a JSON message."""
        self._frame(_TEXT, json.dumps(message).encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Note it."""
        self.closed = True


class Crowd:
    """Many subscribers, and when all of them had a message."""

    def __init__(self, members: list[Subscriber]) -> None:
        """All of them have had the same messages so far."""
        self.members = members
        self._missing = 0
        self._all = asyncio.Event()
        for one in members:
            one.told = self._told

    @classmethod
    async def open(cls, port: int, count: int, path: str, protocol: str | None = None) -> Self:
        """Connect so many to a port of this machine."""
        loop = asyncio.get_running_loop()
        members = []
        for start in range(0, count, 50):
            some = [
                loop.create_connection(lambda: Subscriber(path, protocol), "127.0.0.1", port)
                for _ in range(min(50, count - start))
            ]
            members += [one for _, one in await asyncio.gather(*some)]
            await asyncio.gather(*[one.opened for one in members[start:]])
        return cls(members)

    def _told(self, one: Subscriber) -> None:
        self._missing -= 1
        if self._missing == 0:
            self._all.set()

    def expect(self, each: int = 1) -> None:
        """From now on each member gets so many messages."""
        self._missing += each * len(self.members)
        self._all.clear()

    async def all(self, patience: float = 60.0) -> float:
        """Wait until everybody has got them; when the last one came."""
        async with asyncio.timeout(patience):
            await self._all.wait()
        return max(one.at for one in self.members)

    async def subscribe(self, documents: Callable[[int], dict[str, Any]]) -> None:
        """Begin an operation at each, all by graphql-transport-ws, and wait for its first message."""
        self.expect()
        for one in self.members:
            one.send({"type": "connection_init"})
        await self.all()
        for start in range(0, len(self.members), 100):
            some = Crowd(self.members[start : start + 100])
            some.expect()
            for number, one in enumerate(some.members, start):
                one.send({"id": "1", "type": "subscribe", "payload": documents(number)})
            await some.all()
        for one in self.members:
            one.told = self._told

    def close(self) -> None:
        """Hang up everywhere."""
        for one in self.members:
            one.transport.abort()


def run(work: Any) -> Any:
    """Run asynchronous work as the server does, on uvloop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
