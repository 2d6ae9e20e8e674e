"""A server inside the test's own process, on a real socket, whose parts a test can reach."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from serverkit import PATIENCE

from fliptable.plugins import Registry
from fliptable_api.app import Server as Parts
from fliptable_api.app import app_of
from fliptable_api.serving import Worker, config, listen
from fliptable_api.settings import Settings


@dataclass
class Local:
    """A running server: its parts, and where it listens."""

    parts: Parts
    base: str

    @property
    def url(self) -> str:
        return self.base + "/graphql"

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1)

    @property
    def store(self) -> Any:
        return self.parts.store


@asynccontextmanager
async def local(registry: Registry | None = None, **settings: Any) -> AsyncIterator[Local]:
    """A server that keeps everything in memory, unless the settings say otherwise."""
    chosen = Settings(**{"memory": "mongo_url" not in settings, **settings})
    parts = Parts(chosen, registry)
    handlers = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    with listen("127.0.0.1", 0) as listener:
        server = Worker(config(chosen, app_of(parts)), parts)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        async with asyncio.timeout(PATIENCE):
            while not server.started:
                assert not serving.done(), "the server did not start"
                await asyncio.sleep(0.005)
        try:
            yield Local(parts, f"http://127.0.0.1:{listener.getsockname()[1]}")
        finally:
            server.should_exit = True
            await serving
            for number, handler in handlers:
                signal.signal(number, handler)
