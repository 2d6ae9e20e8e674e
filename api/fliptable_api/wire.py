"""Requests and answers as they go over the wire: sizes, patience, and the answers of refused requests."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import orjson
from cross_web import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from fliptable_api.errors import body

SEND_PATIENCE = 30.0
"""Seconds that a client may leave what it is sent unread before it is hung up on."""

POLICY = 1008
"""The close code for whoever is not let in."""


def limited(scope: Scope, receive: Receive, most: int) -> Receive:
    """Receive a request's body, but no more than ``most`` bytes. Errors: HTTPException 413."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    left = -1 if declared.isdigit() and int(declared) > most else most

    async def receive_some() -> Any:
        nonlocal left
        message = await receive() if left >= 0 else {}
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, f"The request's body may have {most} bytes.")
        return message

    return receive_some


def patient(send: Send) -> Send:
    """Send, but hang up on a client that does not read. Errors: OSError, as for one that is gone."""

    async def send_soon(message: Any) -> None:
        try:
            async with asyncio.timeout(SEND_PATIENCE):
                await send(message)
        except TimeoutError:
            raise OSError("the client does not read") from None

    return send_soon


def utf8(kind: str) -> str:
    """A media type with its charset."""
    return f"{kind}; charset=utf-8"


def refused(kind: str, status: int, code: str, message: str, **extensions: Any) -> Response:
    """The answer of that media type to a request that is not carried out."""
    content = orjson.dumps(body(code, message, **extensions))
    headers = {"Content-Type": utf8(kind), "Cache-Control": "no-store"}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if "retryAfter" in extensions:
        headers["Retry-After"] = str(extensions["retryAfter"])
    return Response(content, status, headers)


async def turned_away(socket: WebSocket, answer: Response, code: int = POLICY) -> None:
    """Answer a handshake that does not become a WebSocket; a server that cannot closes with the code."""
    with suppress(OSError):
        if "websocket.http.response" in socket.scope.get("extensions", {}):
            await socket.send_denial_response(answer)
        else:
            await socket.close(code)
