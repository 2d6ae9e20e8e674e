"""A watchdog: what a plugin is asked and does not answer ends the check, and not the patience of people."""

from __future__ import annotations

import ctypes
import faulthandler
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

CALL_SECONDS = 30.0
"""So long a call of a plugin may take, unless a check says otherwise."""
_DEBUGGERS = frozenset(("bdb", "pdb", "pydevd", "debugpy"))
_LOOKS = 8
"""How often it looks within that time."""


class Endless(BaseException):
    """Raised inside of a call that has taken too long. Code that catches exceptions does not catch it."""


class NoAnswer(Exception):
    """That a call has not come back, as what a law is broken by."""


class Watchdog:
    """Counts calls of plugins: whoever calls one counts it, and says when it is ``inside``."""

    __slots__ = ("_done", "_thread", "calls", "inside", "seconds")
    seconds: float
    calls: int
    inside: bool

    def __init__(self, seconds: float) -> None:
        """``seconds`` are what a call may take."""
        self.seconds = seconds
        self.calls = 0
        self.inside = False
        self._done = threading.Event()
        self._thread = threading.get_ident()

    def watch(self) -> None:
        """Look now and then, until :meth:`stop`, and end the call that takes too long."""
        seen, since, told = -1, time.monotonic(), False
        while not self._done.wait(min(1.0, self.seconds / _LOOKS)):
            now = time.monotonic()
            if not self.inside or self.calls != seen or self._debugged():
                seen, since, told = self.calls, now, False
            elif now - since > 2 * self.seconds and not told:
                told = True
                self._tell()
            elif now - since > self.seconds:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(Endless)
                )

    def stop(self) -> None:
        """Look no more."""
        self._done.set()

    def _debugged(self) -> bool:
        """Whether somebody looks at the code step by step, which may take as long as they like."""
        frame = sys._current_frames().get(self._thread)
        while frame is not None:
            if str(frame.f_globals.get("__name__")).partition(".")[0] in _DEBUGGERS:
                return True
            frame = frame.f_back
        return False

    def _tell(self) -> None:
        """What can be done where not even an exception gets through."""
        with suppress(Exception):
            sys.__stderr__.write(  # type: ignore[union-attr]
                f"\nfliptable.testing: a plugin has not answered for {2 * self.seconds:g} seconds, "
                "and cannot be interrupted where it is:\n"
            )
            faulthandler.dump_traceback(sys.__stderr__)  # type: ignore[arg-type]


_HERE = threading.local()
_ASLEEP = Watchdog(CALL_SECONDS)


def watchdog() -> Watchdog:
    """The one that watches this thread; where none does, one that is asleep."""
    found: Watchdog = getattr(_HERE, "dog", _ASLEEP)
    return found


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """Has calls that take longer end with :class:`Endless`; with 0 seconds they may take for ever."""
    before = watchdog()
    if seconds <= 0:
        yield
        return
    dog = Watchdog(seconds)
    thread = threading.Thread(target=dog.watch, name="fliptable-watchdog", daemon=True)
    _HERE.dog = dog
    thread.start()
    try:
        yield
    finally:
        _HERE.dog = before
        dog.stop()
        thread.join()


@contextmanager
def impatient() -> Iterator[None]:
    """Has calls that never end end sooner, while a smaller case is looked for."""
    dog = watchdog()
    seconds, dog.seconds = dog.seconds, min(dog.seconds, max(1.0, dog.seconds / 10))
    try:
        yield
    finally:
        dog.seconds = seconds


@contextmanager
def called() -> Iterator[None]:
    """A call of a plugin."""
    dog = watchdog()
    before = dog.inside
    dog.calls += 1
    dog.inside = True
    try:
        yield
    finally:
        dog.calls += 1
        dog.inside = before
