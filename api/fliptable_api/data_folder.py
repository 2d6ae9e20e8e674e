"""The folder where the server's own mongod has its data: what lies there, and what that tells of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

_LOG_LINES = 12


class DataFolder:
    """The files of one data folder. What writes may raise OSError."""

    def __init__(self, path: Path) -> None:
        """The folder need not be there yet."""
        self.path = path
        self.database = path / "db"
        """What mongod has to itself."""
        self.log = path / "mongod.log"
        self._port = path / "mongod.port"
        self._pid = path / "mongod.pid"

    def make(self) -> None:
        """Make the folder, for nobody else's eyes."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.database.mkdir(mode=0o700, exist_ok=True)

    def note_process(self, pid: int) -> None:
        """Take down the number of the mongod that was started."""
        self._pid.write_text(f"{pid}\n")

    def note_port(self, port: int) -> None:
        """Take down the port that the mongod answers at."""
        self._port.write_text(f"{port}\n")

    def last_port(self) -> int | None:
        """The port that was taken down last."""
        try:
            port = int(self._port.read_text())
        except (OSError, ValueError):
            return None
        return port if 0 < port < 65536 else None

    def running(self) -> int | None:
        """The pid of the mongod that runs on the folder, or None.

        A number from a file counts only while a process of that number was started on this very folder,
        so that a reused number harms nobody. Mongod's own lock file is asked too, but it is empty
        already while a mongod ends.
        """
        for file in (self._pid, self.database / "mongod.lock"):
            try:
                pid = int(file.read_text())
            except (OSError, ValueError):
                continue
            if f" --dbpath {self.database} " in _command_line(pid):
                return pid
        return None

    def turn_log(self) -> None:
        """Every start writes a new log; the one before it is kept."""
        if self.log.exists():
            self.log.replace(self.path / "mongod.log.1")

    def listens(self) -> bool:
        """Whether the log of this start says so; the port alone might be another program's."""
        try:
            return b"Waiting for connections" in self.log.read_bytes()
        except FileNotFoundError:
            return False

    def end_of_log(self) -> str:
        """The last lines of the log for a person, each cut down to what one reads."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - 64 * 1024))
                text = file.read().decode(errors="replace")
        except OSError:
            lines = "(it has no log)"
        else:
            last = text.splitlines()[-_LOG_LINES:]
            lines = "\n".join(_readable(line) for line in last) or "(its log is empty)"
        return f"the end of {self.log}:\n{lines}"


def _readable(line: str) -> str:
    try:
        entry = json.loads(line)
        detail = json.dumps(entry["attr"]) if entry.get("attr") else ""
        text = f"{entry['t']['$date']} {entry['s']} {entry['c']}: {entry['msg']} {detail}".rstrip()
    except (ValueError, KeyError, TypeError):
        text = line
    return text if len(text) <= 400 else f"{text[:399]}…"


def _command_line(pid: int) -> str:
    """A process's command, each word followed by a space; empty for one that is gone or a zombie."""
    processes = Path("/proc")
    if (processes / "self").exists():
        try:
            return (processes / str(pid) / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            return ""
    ps = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
    try:
        run = subprocess.run(ps, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return f"{run.stdout.strip()} "
