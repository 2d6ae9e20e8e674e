"""A server of the command line's own: in memory, on a free port, for as long as it is needed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from fliptable.plugins import Registry
from fliptable_api.app import create_app
from fliptable_api.serving import config, listen
from fliptable_api.settings import Settings


@contextmanager
def memory_server(settings: Settings | None = None, registry: Registry | None = None) -> Iterator[str]:
    """Run a server in a thread; its address. Errors: PluginError, SchemaCollision, CannotListen."""
    settings = settings or Settings(memory=True)
    with listen("127.0.0.1", 0) as listener:
        started = threading.Event()

        class Announced(uvicorn.Server):
            async def startup(self, sockets: object = None) -> None:
                await super().startup(sockets)  # type: ignore[arg-type]
                started.set()

        server = Announced(config(settings, create_app(settings, registry)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
        thread.start()
        try:
            started.wait(30)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
