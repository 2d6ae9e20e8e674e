"""The WebSocket protocol of uvicorn, with an end to every connection whose peer is gone or does not read.

uvicorn's own closes such a connection and then waits for what it still has to send, which may be for
ever; and it closes with a code after which the clients of graphql-ws give up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import orjson
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from fliptable_api.errors import body
from fliptable_api.lingering import Line

logger = logging.getLogger("fliptable.sockets")

TRY_AGAIN = 1013
"""The close code of what is no fault of the client: it may connect again."""

LAST_WORDS = 5.0
"""Seconds that a connection which is over has to take what was sent, before it is cut."""


SEND_NOW = "fliptable.send_now"
"""The ASGI extension of a connection that can be written to without a detour: :meth:`Protocol.send_now`."""

WHEN_STOPPING = "fliptable.when_stopping"
"""The ASGI extension that takes a function to be called when the server stops: its caller then closes."""

PARTING = 8.0
"""Seconds that what is under way on a connection has to be answered when the server stops."""

_TEXT = b"\x81"  # a final frame of text
_SHORT, _MIDDLE = 126, 1 << 16


def framed(text: bytes) -> bytes:
    """A text message (as UTF-8) of a server, as it goes over the wire."""
    size = len(text)
    if size < _SHORT:
        head = _TEXT + size.to_bytes(1, "big")
    elif size < _MIDDLE:
        head = _TEXT + b"\x7e" + size.to_bytes(2, "big")
    else:
        head = _TEXT + b"\x7f" + size.to_bytes(8, "big")
    return head + text


_CODES = {HTTPStatus.FORBIDDEN: "FORBIDDEN", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "PAYLOAD_TOO_LARGE"}


class Conversation(ServerProtocol):
    """What is said on a WebSocket; a handshake is refused with JSON, as everything else is."""

    def reject(self, status: Any, text: str) -> Response:
        """The answer to a handshake that is none, or not wanted."""
        code = _CODES.get(HTTPStatus(status), "BAD_REQUEST" if status < 500 else "INTERNAL")
        message = text.strip().partition("\n")[0] or "The WebSocket is refused."
        response = super().reject(status, orjson.dumps(body(code, message)).decode())
        response.headers["Cache-Control"] = "no-store"
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json; charset=utf-8"
        return response


class Protocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    transport: Line  # type: ignore[assignment]
    _cut: asyncio.TimerHandle | None = None
    _leave: Callable[[], None] | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """As uvicorn's."""
        super().__init__(*arguments, **named)
        # uvicorn's has no extensions either: they are turned off in `serving.config`.
        self.conn = Conversation(max_size=self.config.ws_max_size, logger=self.logger)

    def connection_made(self, transport: Any) -> None:
        """The connection becomes this one's; its peer may be sending whenever it is closed."""
        line = transport if isinstance(transport, Line) else Line(transport, self, self.loop)
        line.midway = True
        super().connection_made(line)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        """Read. The first data are the whole handshake, so one that was not understood then never will be."""
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_connect(self, event: Any) -> None:
        """Begin the handshake; whoever serves the connection is told what it can do."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[SEND_NOW] = self.send_now
            extensions[WHEN_STOPPING] = self.when_stopping

    async def send(self, message: Any) -> None:
        """As uvicorn's, which takes a handshake that was refused for one that has no answer yet."""
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True

    def when_stopping(self, leave: Callable[[], None]) -> None:
        """Let whoever serves the connection say what is to be said, and close, when the server stops."""
        self._leave = leave

    def send_now(self, text: bytes) -> bool:
        """Send a text message (as UTF-8), if that can be done at once; says whether it was.

        Many get the same at the same time, so the way of an ASGI message through all layers counts.
        """
        if (
            self.close_sent
            or not self.writable.is_set()
            or self.conn.extensions
            or self.conn.state is not OPEN
            or self.transport.is_closing()
        ):
            return False
        self.transport.write(framed(text))
        return True

    def keepalive_timeout(self) -> None:
        """No pong came in time: close, tell the application, and cut the line soon if need be."""
        self.pong_timer = None
        self.pending_ping_payload = None
        if self.close_sent or self.transport.is_closing():
            return
        unread = self.transport.get_write_buffer_size()
        if unread:
            reason = "TOO_SLOW: you did not read what was sent; subscribe again with `after`."
        else:
            reason = "No pong came in time; connect again."
        logger.info("%s is cut off: %s (%d bytes waiting)", self.client, reason, unread)
        self.conn.fail(TRY_AGAIN, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        # From now on nothing more is read.
        self.read_paused = False
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TRY_AGAIN, "reason": reason})
        self.transport.close()
        self._cut_soon()

    async def run_asgi(self) -> None:
        """Serve; afterwards the connection is over, whether the peer takes note or not."""
        await super().run_asgi()
        self._cut_soon()

    def shutdown(self) -> None:
        """The server stops: that is said, in an order that makes sense, by whoever serves the connection."""
        if self._leave is None or self.close_sent or self.disconnected:
            super().shutdown()
            self._cut_soon()
            return
        self._leave()
        self._cut_soon(PARTING + 1)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        if self._cut is not None:
            self._cut.cancel()
        self.transport.lost()
        super().connection_lost(exc)

    def _cut_soon(self, seconds: float = LAST_WORDS) -> None:
        if self.disconnected:
            return
        if self._cut is not None:
            if self._cut.when() <= self.loop.time() + seconds:
                return
            self._cut.cancel()
        self._cut = self.loop.call_later(seconds, self.transport.abort)
