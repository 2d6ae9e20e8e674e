"""The WebSocket protocol of uvicorn, with an end to every connection whose peer is gone or does not read.

uvicorn's own closes such a connection and then waits for what it still has to send, which may be for
ever; and it closes with a code after which the clients of graphql-ws give up.
"""

from __future__ import annotations

import asyncio
import logging

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

logger = logging.getLogger("fliptable.sockets")

TRY_AGAIN = 1013
"""The close code of what is no fault of the client: it may connect again."""

LAST_WORDS = 5.0
"""Seconds that a connection which is over has to take what was sent, before it is cut."""


class Protocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    _cut: asyncio.TimerHandle | None = None

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
        """The server stops."""
        super().shutdown()
        self._cut_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        if self._cut is not None:
            self._cut.cancel()
        super().connection_lost(exc)

    def _cut_soon(self) -> None:
        if self._cut is None and not self.disconnected:
            self._cut = self.loop.call_later(LAST_WORDS, self.transport.abort)
