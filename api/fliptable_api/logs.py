"""How the server logs: one line an entry, to standard error."""

from __future__ import annotations

import logging
import sys


def set_up_logging(level: int = logging.INFO) -> None:
    """Send the log of the server to standard error, and of libraries only what is wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("fliptable").setLevel(level)
    # Uvicorn calls every dropped connection an error; its start and stop are told by the server.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
