"""The end of a connection whose peer may still be sending: it is read on for a while, for nothing.

A connection that is closed with something unread is reset by the kernel, and a reset takes back what the
peer has not read yet: the very answer that says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fliptable_api.connections import Connection

PATIENCE = 5.0
"""Seconds that a peer has to come to its end, once the last answer is sent."""

MOST_READ = 1 << 25
"""The most bytes that are read for nothing."""


class Line(asyncio.Protocol):
    """The transport of a connection as its protocol sees it; when it lingers, what reads it."""

    write: Callable[[bytes], None]
    is_closing: Callable[[], bool]

    def __init__(self, transport: Any, owner: Any, loop: asyncio.AbstractEventLoop) -> None:
        """``owner`` is the protocol that is told of the end."""
        self._transport = transport
        self._owner = owner
        self._loop = loop
        self._left = MOST_READ
        self._end: asyncio.TimerHandle | None = None
        self.midway = False
        """Whether the peer has, or may have, more to send that belongs to what is answered."""
        self.counted: Connection | None = None
        """As what it is counted for its address, if it is; until :meth:`lost`."""
        # The busy ones without a detour.
        self.write = transport.write
        self.is_closing = transport.is_closing

    def __getattr__(self, name: str) -> Any:
        """All else is the transport's."""
        return getattr(self._transport, name)

    def set_protocol(self, protocol: Any) -> None:
        """Another protocol owns the line."""
        self._owner = protocol
        if self._end is None:
            self._transport.set_protocol(protocol)

    def close(self) -> None:
        """Close, at once if the peer has nothing more to send."""
        if self.midway:
            self.linger()
        elif self._end is None:
            self._transport.close()

    def linger(self, patience: float | None = None) -> None:
        """Send what is written and the end, and read on for so many seconds; nothing more can be written."""
        transport = self._transport
        if self.is_closing():
            return
        if not transport.can_write_eof():
            transport.close()
            return
        self._end = self._loop.call_later(PATIENCE if patience is None else patience, transport.abort)
        self.write = _ignore
        self.is_closing = _yes
        transport.set_protocol(self)
        transport.write_eof()
        if not transport.is_reading():
            transport.resume_reading()

    def lost(self) -> None:
        """The connection is no more; whichever protocol owns it says so."""
        if self.counted is not None:
            self.counted.close()

    def hurry(self) -> None:
        """Linger no longer, as the server stops."""
        if self._end is not None and not self._transport.get_write_buffer_size():
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Throw it away; nobody may go on like this for ever."""
        self._left -= len(data)
        if self._left < 0:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        if self._end is not None:
            self._end.cancel()
        self._owner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Passed on: the owner may wait for what it wrote last."""
        self._owner.pause_writing()

    def resume_writing(self) -> None:
        """Passed on."""
        self._owner.resume_writing()


def _ignore(data: bytes) -> None:
    """What is written behind the end."""


def _yes() -> bool:
    return True
