"""What a WebSocket is written to through: its peer may be gone, slow or hostile at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect
from strawberry.asgi import ASGIWebSocketAdapter
from strawberry.http.exceptions import WebSocketDisconnected

from fliptable_api.wire import SEND_PATIENCE
from fliptable_api.wsprotocol import SEND_NOW

_REASON = 120  # bytes: a close frame has room for 123


class SocketAdapter(ASGIWebSocketAdapter):
    """A WebSocket whose peer may be gone, slow or hostile at any moment."""

    def __init__(self, view: Any, request: WebSocket, response: WebSocket) -> None:
        """As Strawberry's."""
        super().__init__(view, request, response)
        self._send_now: Callable[[bytes], bool] | None = self.ws.scope.get("extensions", {}).get(SEND_NOW)

    async def send_json(self, message: Mapping[str, object]) -> None:
        """Send a message. Errors: WebSocketDisconnected when the peer is gone or does not read."""
        try:
            async with asyncio.timeout(SEND_PATIENCE):
                await super().send_json(message)
        except (TimeoutError, RuntimeError):
            # RuntimeError: the connection was closed while this was on its way.
            raise WebSocketDisconnected from None

    async def send_encoded(self, message: bytes) -> None:
        """Send a message that is JSON already. Errors: as of :meth:`send_json`."""
        if self._send_now is not None and self._send_now(message):
            return
        try:
            async with asyncio.timeout(SEND_PATIENCE):
                await self.ws.send_text(message.decode())
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            raise WebSocketDisconnected from None

    async def close(self, code: int, reason: str) -> None:
        """Close with a code and a reason, shortened to what a close frame holds."""
        cut = reason.encode("utf-8", "replace")[:_REASON].decode("utf-8", "ignore")
        try:
            async with asyncio.timeout(SEND_PATIENCE):
                await super().close(code, cut)
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            raise WebSocketDisconnected from None
