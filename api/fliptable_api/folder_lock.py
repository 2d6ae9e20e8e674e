"""One server to a data folder: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from fliptable_api.mongod_binary import MongodError


class FolderInUseError(RuntimeError):
    """Another server holds the data folder; the message names the folder and the holder's pid."""


class FolderLock:
    """The right to use a data folder, held from :meth:`acquire` to :meth:`release`.

    The lock is the operating system's, on a file in the folder, so that nothing is left to clean up
    after a holder that was killed.
    """

    def __init__(self, folder: Path) -> None:
        """Takes nothing yet; the folder must exist when the lock is acquired."""
        self._folder = folder
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock at once, or raise :class:`FolderInUseError`."""
        if sys.platform == "win32":
            raise MongodError(
                "the server's own MongoDB runs on POSIX systems only; set FLIPTABLE_MONGO_URL to a "
                "replica set, or run `fliptable serve --memory`"
            )
        import fcntl

        descriptor = os.open(self._folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip()
            os.close(descriptor)
            raise FolderInUseError(
                f"the data folder {self._folder} is in use by another server"
                + (f" (process {holder})" if holder else "")
                + "; stop it, or choose another folder"
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back; nothing happens when it is not held. The file stays, empty."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None
