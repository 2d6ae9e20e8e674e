"""One worker process of several; ``fliptable serve`` starts it with a listening socket."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading

from fliptable_api.app import Server, app_of
from fliptable_api.logs import plugin_failures, set_up_logging
from fliptable_api.serving import Worker, config
from fliptable_api.settings import from_environment


def main(fd: int) -> None:
    """Serve on the socket of that file descriptor until told to stop."""
    set_up_logging()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    settings = from_environment()
    with plugin_failures(told=False):
        # Whoever started the worker has loaded the same plugins and told what failed.
        server = Server(settings)
    Worker(config(settings, app_of(server)), server).run(sockets=[socket.socket(fileno=fd)])


def _end_with_parent() -> None:
    """Stop when whoever started the worker is gone, however that came: its pipe has an end then."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(int(sys.argv[1]))
