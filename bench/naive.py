"""The server with a subscription as Strawberry runs it: each subscriber's selection by itself."""

from __future__ import annotations

import sys

from fliptable_api import sockets
from fliptable_api.cli import main

sockets.table_subscription = lambda *_: None  # type: ignore[assignment]

if __name__ == "__main__":
    main(sys.argv[1:])
