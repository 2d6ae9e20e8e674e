"""What ends a server: the first signal lets it stop, and Ctrl-C once more ends it at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
_ENDED_BY = 128
"""What shells add to the number of a signal that ended a program."""


class Interrupts:
    """The signals of a server's process, from its start to its end."""

    def __init__(self) -> None:
        """Nobody has asked it to stop."""
        self._told: int | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], object] | None = None
        self._at_once: list[Callable[[], None]] = []

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Hear the signals; only the main thread can."""
        before = {number: signal.signal(number, self._hear) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            if self._told is not None:
                # Nothing is left to be broken off, so nobody needs to hear where Python was.
                signal.signal(signal.SIGINT, signal.SIG_DFL)

    @property
    def exit_code(self) -> int | None:
        """What a process ends with that was ended by the first signal; None when there was none."""
        return None if self._told is None else _ENDED_BY + self._told

    @contextlib.contextmanager
    def stopping_by(self, stop: Callable[[], object]) -> Iterator[None]:
        """Meanwhile the first signal calls ``stop``, on the running event loop."""
        before = self._loop, self._stop
        self._loop, self._stop = asyncio.get_running_loop(), stop
        try:
            yield
        finally:
            self._loop, self._stop = before

    def at_once(self, end: Callable[[], None]) -> None:
        """Call this before the process ends at once, so that it leaves nothing behind."""
        self._at_once.append(end)

    def _hear(self, number: int, _: FrameType | None) -> None:
        if self._told is not None:
            if number == signal.SIGINT:
                self._end_at_once()
            return
        self._told = number
        if self._loop is not None and self._stop is not None:
            # The loop may be waiting, and nobody may wake it but like this.
            self._loop.call_soon_threadsafe(self._stop)

    def _end_at_once(self) -> None:
        for end in self._at_once:
            with contextlib.suppress(Exception):
                end()
        # What was acknowledged is stored already, and nobody waits for anything else.
        os._exit(_ENDED_BY + signal.SIGINT)
