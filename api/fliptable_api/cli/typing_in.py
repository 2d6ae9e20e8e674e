"""What somebody types, line by line, without holding up the event loop."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import threading


class Lines:
    """The lines of standard input."""

    def __init__(self) -> None:
        """Starts to read; needs a running event loop."""
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._ended = False
        # The thread reads without Python's buffer, whose lock would be in the way when the program ends.
        threading.Thread(target=self._read_all, name="stdin", daemon=True).start()

    async def read(self) -> str | None:
        """The next line; None at the end."""
        if self._ended:
            return None
        line = await self._queue.get()
        self._ended = line is None
        return line

    def _read_all(self) -> None:
        rest = b""
        while chunk := _some():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._put(line.decode(errors="replace"))
        if rest:
            self._put(rest.decode(errors="replace"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)
        except RuntimeError:
            return  # the program has ended


def _some() -> bytes:
    """What there is to read; nothing at the end."""
    try:
        return os.read(sys.stdin.fileno(), 4096)
    except io.UnsupportedOperation:
        return sys.stdin.buffer.read(4096)  # no file: a test's input
    except (OSError, ValueError):
        return b""
