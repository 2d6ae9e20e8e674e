"""Servers that start in an instant: each is forked from a process that has loaded everything already.

Run as a program it reads orders to fork from its standard input, one JSON object a line, and answers
with process numbers. What a fork runs is the command itself, from its arguments on; only the plugins
and their schema are there before.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


class Fork:
    """A forked process, with those methods of ``subprocess.Popen`` that the kit uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """None while it runs; what it ended with is not known."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        while self.poll() is None:
            assert time.monotonic() < deadline, f"process {self.pid} does not end"
            time.sleep(0.002)
        return 0

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """Gives birth to servers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def fork(self, arguments: list[str], environment: dict[str, str], log: Path) -> Fork:
        """A new process that runs ``fliptable`` with these arguments."""
        assert self._process.stdin is not None and self._process.stdout is not None
        order = {"arguments": arguments, "environment": environment, "log": str(log)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Fork(int(self._process.stdout.readline()))


@contextmanager
def nursery() -> Iterator[Nursery]:
    """A nursery for as long as the context lasts; what it gave birth to may live on."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()


def _serve(order: dict[str, Any]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    output = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for target, source in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output), (2, output)):
        os.dup2(source, target)
    os.environ.clear()
    os.environ.update(order["environment"])
    from fliptable_api.cli import main

    main(order["arguments"])


def _run() -> None:
    import fliptable_api.serving  # noqa: F401
    from fliptable_api import app
    from fliptable_api.limits import Limits
    from fliptable_api.loading import load
    from fliptable_api.settings import Settings

    loaded = load(Settings(strict_plugins=True), Limits())
    app.load = lambda *_: loaded  # type: ignore[assignment]
    gc.collect()
    gc.freeze()
    # Children that end are forgotten at once, so that a process number that is gone means an end.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                _serve(json.loads(line))
            finally:
                os._exit(1)
        print(pid, flush=True)


if __name__ == "__main__":
    _run()
