"""A MongoDB of the server's own: a real mongod as a one-node replica set in a data folder."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from fliptable_api.data_folder import DataFolder
from fliptable_api.folder_lock import FolderLock
from fliptable_api.loopback import HOST, comes_free, free_port
from fliptable_api.mongod_binary import MongodError, check_version, find_mongod

Initiate = Callable[[str, int], Awaitable[None]]
"""Makes the mongod at a host and port the only member of the replica set ``rs0``, and primary.

It is called after every start, so it must do nothing where that is so already; where the stored
configuration names another address, it must force a new one.
"""

REPLICA_SET = "rs0"

_ADDRESS_IN_USE = 48  # mongod's own exit code
_PATIENCE = 60.0  # seconds for a start, which may have to recover from a crash
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 10.0  # seconds before a crashed mongod is started again
_LAST_WORDS = 500  # milliseconds that a mongod told to end gives to running operations, then it cleans up
_CLEAN_UP = 20.0  # seconds for a mongod to end by itself

# Becomes mongod after it has asked Linux for a SIGTERM at the death of the server. It is a program
# and not a function for the child to run, since a fork of a process with threads must not run Python.
_GUARD = """\
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 15)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""

logger = logging.getLogger("fliptable.embedded")


class EmbeddedMongo:
    """Runs a mongod for as long as the server lives; use it as ``async with``, or start and stop it.

    One server uses a folder at a time. The data is kept between runs, and so is the port where that
    is possible. A mongod that crashes is reported and started again on the same port.
    """

    def __init__(
        self,
        folder: Path,
        *,
        initiate: Initiate,
        port: int | None = None,
        cache_gb: float = 0.25,
        oplog_mb: int = 256,
    ) -> None:
        """``folder`` is made if need be; without ``port`` the last one or any free one is taken.

        ``cache_gb`` is the memory that mongod may use for its cache, in GB (at least 0.25), and
        ``oplog_mb`` the disk space for the log that change streams read, in MB.
        """
        self._folder = DataFolder(folder.expanduser().resolve())
        self._initiate = initiate
        self._wanted_port = port
        self._options = (
            *("--wiredTigerCacheSizeGB", str(cache_gb), "--oplogSize", str(oplog_mb)),
            *("--setParameter", "diagnosticDataCollectionEnabled=false", "--quiet"),
            *("--setParameter", f"shutdownTimeoutMillisForSignaledShutdown={_LAST_WORDS}"),
        )
        self._lock = FolderLock(self._folder.path)
        self._binary = Path()
        self._port: int | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The address for a MongoDB driver. It stays the same until :meth:`stop`."""
        if self._port is None:
            raise MongodError("the embedded MongoDB is not running")
        return f"mongodb://{HOST}:{self._port}/?replicaSet={REPLICA_SET}"

    @property
    def pid(self) -> int | None:
        """The process number of the mongod, or None while none runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    async def start(self) -> str:
        """Start the mongod and return its address once it answers and has been initiated.

        Raises :class:`MongodError` when there is no mongod or it does not start, and
        :class:`FolderInUseError` when another server uses the folder.
        """
        if self._keeper is not None:
            raise MongodError("the embedded MongoDB is running already")
        if sys.platform == "win32":
            raise MongodError("the embedded MongoDB needs a POSIX system; set FLIPTABLE_MONGO_URL instead")
        self._binary = find_mongod()
        try:
            self._folder.make()
            self._lock.acquire()
        except OSError as error:
            raise MongodError(
                f"the data folder {self._folder.path} cannot be used: {error.strerror}"
            ) from error
        try:
            version = await asyncio.to_thread(check_version, self._binary)
            await self._stop_orphan()
            await self._start_on_some_port()
        except BaseException:
            self._port = None
            await self._end_process()
            self._lock.release()
            raise
        logger.info("mongod %s runs on %s:%s in %s", version, HOST, self._port, self._folder.path)
        self._keeper = asyncio.create_task(self._keep_running(), name="embedded-mongod")
        return self.url

    async def stop(self) -> None:
        """Stop the mongod cleanly, by force if it takes too long; safe to call twice."""
        keeper, self._keeper = self._keeper, None
        try:
            if keeper is not None:
                keeper.cancel()
                await asyncio.wait([keeper])
        finally:
            try:
                await self._end_process()
            finally:
                self._port = None
                self._lock.release()

    def end_soon(self) -> None:
        """Tell the mongod to end and wait for nothing, as the server itself ends at once."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGTERM)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _stop_orphan(self) -> None:
        """End the mongod of a server that was killed: it may hold the folder still."""
        path = self._folder.path
        signals = [signal.SIGTERM, signal.SIGKILL]
        patience = time.monotonic()
        while (pid := await asyncio.to_thread(self._folder.running)) is not None:
            if time.monotonic() >= patience:
                if not signals:
                    raise MongodError(f"the mongod {pid} of an earlier server on {path} does not end")
                logger.warning("stopping the mongod %s that an earlier server left on %s", pid, path)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signals.pop(0))
                patience = time.monotonic() + _CLEAN_UP
            await asyncio.sleep(0.05)

    async def _start_on_some_port(self) -> None:
        """Start on the wanted port, else on the last one, else on any.

        The kernel takes its time to close what an orphan held: its port and its lock on the data
        may last a moment longer than the process is seen.
        """
        port = self._wanted_port or self._folder.last_port()
        if port is not None and not await comes_free(port):
            if self._wanted_port is not None:
                raise MongodError(f"port {port} of {HOST} is taken by another program")
            port = None
        tries = 6
        while True:
            try:
                return await self._launch(port or free_port())
            except _BusyError as error:
                tries -= 1
                if not tries or (error.port_taken and self._wanted_port is not None):
                    raise
                if error.port_taken:
                    port = None
                await asyncio.sleep(0.2)

    async def _launch(self, port: int) -> None:
        """Start a mongod and wait until it is the replica set's one member."""
        folder = self._folder
        folder.turn_log()
        command = [
            *(str(self._binary), "--replSet", REPLICA_SET, "--bind_ip", HOST, "--port", str(port)),
            *("--dbpath", str(folder.database), "--logpath", str(folder.log), "--logappend"),
            *("--nounixsocket", *self._options),
        ]
        # The death signal belongs to the thread that starts a process, so only the main one will do.
        if sys.platform == "linux" and threading.current_thread() is threading.main_thread():
            command = [sys.executable, "-I", "-S", "-c", _GUARD, str(os.getpid()), *command]
        with folder.log.open("ab") as output:
            self._process = process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        folder.note_process(process.pid)
        try:
            async with asyncio.timeout(_PATIENCE):
                while not folder.listens():
                    if process.returncode is not None:
                        raise self._failure(process.returncode)
                    await asyncio.sleep(0.02)
                await self._initiate(HOST, port)
        except TimeoutError:
            raise MongodError(
                f"mongod was not ready in {_PATIENCE:g} seconds; {self._folder.end_of_log()}"
            ) from None
        self._port = port
        folder.note_port(port)

    def _failure(self, code: int) -> MongodError:
        message = f"mongod did not start: it {_ending(code)}; {self._folder.end_of_log()}"
        if code == _ADDRESS_IN_USE or "DBPathInUse" in message:
            return _BusyError(message, port_taken=code == _ADDRESS_IN_USE)
        return MongodError(message)

    async def _keep_running(self) -> None:
        """Report a mongod that ends by itself and start it again, more and more patiently."""
        pause = _FIRST_PAUSE
        while self._process is not None and self._port is not None:
            began = time.monotonic()
            code = await self._process.wait()
            pid, how = self._process.pid, _ending(code)
            logger.error(
                "mongod (process %s) %s and is started again; %s", pid, how, self._folder.end_of_log()
            )
            if time.monotonic() - began > _PATIENCE:
                pause = _FIRST_PAUSE
            while True:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
                try:
                    await self._launch(self._port)
                    break
                except Exception as error:
                    await self._end_process()
                    logger.error("mongod could not be started again, next try in %g s: %s", pause, error)
            logger.warning("mongod runs again on %s:%s", HOST, self._port)

    async def _end_process(self) -> None:
        process = self._process
        if process is None:
            return
        try:
            if process.returncode is None:
                process.terminate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), _CLEAN_UP)
        finally:
            if process.returncode is None:
                logger.warning("mongod (process %s) did not end in time and is killed", process.pid)
                process.kill()
                await process.wait()
            self._process = None


class _BusyError(MongodError):
    """Another process has the port or the data."""

    def __init__(self, message: str, *, port_taken: bool) -> None:
        super().__init__(message)
        self.port_taken = port_taken


def _ending(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
