"""How the server logs: one line an entry, to standard error."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def set_up_logging(level: int = logging.INFO) -> None:
    """Send the log of the server to standard error, and of libraries only what is wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("fliptable").setLevel(level)
    # Uvicorn calls every dropped connection an error; its start and stop are told by the server.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


@contextmanager
def plugin_failures(told: bool) -> Iterator[None]:
    """For the time being, log a plugin that does not load in one line, or not at all.

    ``fliptable plugins --traceback`` says where in the plugin it happened.
    """
    logger = logging.getLogger("fliptable.plugins")

    def one_line(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            record.exc_info = None
        return told

    logger.addFilter(one_line)
    try:
        yield
    finally:
        logger.removeFilter(one_line)
