"""A program that may be killed and started again, and ends with whoever started it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

# Becomes another program, after asking Linux for a signal at the death of whoever started it.
_GUARD = """\
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, int(sys.argv[2]))
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[3], sys.argv[3:])
"""


class Process:
    """A program that may be killed and started again."""

    def __init__(self, name: str, port: int, command: Sequence[str], log: Path, **environment: str) -> None:
        """``port`` is where it listens; what it writes goes to ``log``."""
        self.name, self.port = name, port
        self._command = list(command)
        self._log = log
        self._environment = {**os.environ, **environment}
        self._process: asyncio.subprocess.Process | None = None

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The number of the process that runs, or of the last one."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What it has written."""
        return self._log.read_text(errors="replace")

    async def start(self) -> None:
        """Start it, without waiting until it is ready."""
        command = self._command
        if sys.platform == "linux":
            guard = (sys.executable, "-I", "-S", "-c", _GUARD, str(os.getpid()), str(int(signal.SIGKILL)))
            command = [*guard, *command]
        with self._log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self._environment,
                start_new_session=True,  # Ctrl-C at a terminal is for this program alone
            )

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def ended(self) -> int:
        """Wait for its end; the exit code."""
        assert self._process is not None
        return await self._process.wait()

    async def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.send(signal.SIGKILL)
        await self.ended()

    async def stop(self, patience: float = 20.0) -> None:
        """End it in good order, by force if that takes too long."""
        if not self.alive:
            return
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.ended(), patience)
        except TimeoutError:
            await self.kill()
