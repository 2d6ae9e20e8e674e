"""A server of the command line's own: in memory, on a free port, for as long as it is needed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from fliptable.plugins import Registry
from fliptable_api.app import Server, app_of
from fliptable_api.serving import Worker, config, listen
from fliptable_api.settings import Settings


@contextmanager
def memory_server(settings: Settings | None = None, registry: Registry | None = None) -> Iterator[str]:
    """Run a server in a thread; its address. Errors: PluginError, SchemaCollision, CannotListen."""
    settings = settings or Settings(memory=True)
    with listen("127.0.0.1", 0) as listener:
        started = threading.Event()

        class Announced(Worker):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                started.set()

        parts = Server(settings, registry)
        server = Announced(config(settings, app_of(parts)), parts)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
        thread.start()
        try:
            started.wait(30)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
