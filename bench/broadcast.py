"""What fan-out is measured against: a plain Starlette WebSocket broadcast of bytes that are ready.

``POST /set`` gives it the text of a message; ``POST /tell`` is answered, and the text sent to everybody.
"""

from __future__ import annotations

import sys
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fliptable_api.serving import config, listen
from fliptable_api.settings import Settings

everybody: set[WebSocket] = set()
text = ""


async def follow(one: WebSocket) -> None:
    """Stay connected."""
    await one.accept()
    everybody.add(one)
    try:
        while True:
            await one.receive_text()
    except WebSocketDisconnect:
        everybody.discard(one)


async def broadcast() -> None:
    """Send the text to everybody."""
    for one in list(everybody):
        await one.send_text(text)


async def set_text(request: Request) -> PlainTextResponse:
    """Take the text."""
    global text
    text = (await request.body()).decode()
    return PlainTextResponse("ok")


async def tell(request: Request) -> PlainTextResponse:
    """Answer, then send."""
    await request.body()
    return PlainTextResponse("ok", background=BackgroundTask(broadcast))


app = Starlette(
    routes=[
        Route("/set", set_text, methods=["POST"]),
        Route("/tell", tell, methods=["POST"]),
        WebSocketRoute("/ws", follow),
    ]
)


def main() -> None:
    """Serve as the server itself is served."""
    import uvicorn

    with listen("127.0.0.1", int(sys.argv[1])) as listener:
        server: Any = uvicorn.Server(config(Settings(), app))
        server.run(sockets=[listener])


if __name__ == "__main__":
    main()
