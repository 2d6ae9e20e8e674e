"""Running the server: its own MongoDB where it needs one, and one worker or several."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Generator
from dataclasses import replace
from functools import partial

import uvicorn

from fliptable.mongo import initiate_replica_set
from fliptable_api.app import Server, app_of
from fliptable_api.connections import Connections
from fliptable_api.embedded import EmbeddedMongo
from fliptable_api.httpprotocol import HttpProtocol
from fliptable_api.interrupts import Interrupts
from fliptable_api.logs import plugin_failures
from fliptable_api.origins import Origins
from fliptable_api.settings import Settings, to_environment
from fliptable_api.wsprotocol import Protocol

logger = logging.getLogger("fliptable")

_GRACE = 10
"""Seconds that open connections have to end when the server stops."""


_KEEP_ALIVE = 75
"""Seconds that an idle HTTP connection stays open: longer than proxies keep theirs (60), so that none
sends a request into a connection that is being closed."""

_UNREAD = 30
"""Seconds after which the kernel gives a connection up that does not take what it is sent."""
_QUIET, _PROBES = 2, 3
"""Seconds without a sign of life after which the kernel asks for one, and how often, a second apart."""
_SEND_BUFFER = 262_144
"""The most bytes that the kernel keeps for one connection to send."""


class CannotListen(RuntimeError):
    """The address to listen at is taken, or is none of this machine's."""


def config(settings: Settings, app: object) -> uvicorn.Config:
    """How uvicorn runs a worker."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=partial(  # type: ignore[arg-type]
            HttpProtocol,
            held=Connections(settings.connections_per_address, 0, "connections"),
            origins=Origins(settings.allowed_origins),
        ),
        ws=Protocol,
        # It would cost memory and time for every client and every message, more than what is saved.
        ws_per_message_deflate=False,
        ws_max_size=settings.max_message,
        ws_ping_interval=settings.ping_frame_interval,
        ws_ping_timeout=settings.ping_frame_timeout,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_GRACE,
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
    )


@contextlib.asynccontextmanager
async def database(settings: Settings, interrupts: Interrupts | None = None) -> AsyncIterator[Settings]:
    """The settings with a database to use: the server's own mongod unless another is named."""
    if settings.memory or settings.mongo_url:
        yield settings
        return
    mongo = EmbeddedMongo(settings.data_folder, initiate=initiate_replica_set)
    if interrupts is not None:
        interrupts.at_once(mongo.end_soon)
    async with mongo:
        logger.info("MongoDB of the server's own is running, its data in %s", settings.data_folder)
        # Nobody else knows of this database; several workers of this server are told so.
        yield replace(settings, mongo_url=mongo.url, shared_store=False)


def run(settings: Settings, host: str, port: int, workers: int) -> None:
    """Run the server until it is told to stop, on the fastest event loop that there is.

    Errors: those of :func:`serve`, and SystemExit when it is told so before it runs.
    """
    # uvicorn knows which one; it takes its own only where it starts the loop itself.
    factory = uvicorn.Config("", loop="auto").get_loop_factory()
    interrupts = Interrupts()
    with interrupts.heard(), asyncio.Runner(loop_factory=factory) as runner:
        try:
            runner.run(serve(settings, host, port, workers, interrupts))
        except asyncio.CancelledError:
            raise SystemExit(interrupts.exit_code) from None


async def serve(settings: Settings, host: str, port: int, workers: int, interrupts: Interrupts) -> None:
    """Run the server until it is told to stop.

    Errors: CannotListen, PluginError, SchemaCollision, Unavailable, MongodError, FolderInUseError, and
    CancelledError when it is told so before it runs.
    """
    starting = asyncio.current_task()
    assert starting is not None
    with listen(host, port) as listener, interrupts.stopping_by(starting.cancel):
        async with database(settings, interrupts) as ready:
            # What would keep a worker from running is found out before one is started.
            with plugin_failures(told=not ready.strict_plugins):
                server = Server(ready)
            # Only in a wait it is found out that nobody wants the server any more; that was none.
            await asyncio.sleep(0)
            await server.check()
            await asyncio.sleep(0)
            url = f"http://{host}:{listener.getsockname()[1]}/graphql"
            if workers == 1:
                await _serve_here(ready, server, listener, url, interrupts)
            else:
                ready = replace(ready, shared_store=True)
                await _serve_workers(ready, listener, url, workers, interrupts)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Errors: CannotListen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's delay only where it knows it.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _limit(listener)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise CannotListen(f"cannot listen at {host}:{port}: {_why(error)}") from None
    return listener


def _limit(listener: socket.socket) -> None:
    """Keep peers that are gone or do not read from holding on; connections inherit it where Linux runs."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        ("TCP_KEEPIDLE", _QUIET),
        ("TCP_KEEPINTVL", 1),
        ("TCP_KEEPCNT", _PROBES),
        ("TCP_USER_TIMEOUT", _UNREAD * 1000),
    ):
        if hasattr(socket, option):
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _why(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "another program has that port; choose another with --port (0 takes a free one)"
    if error.errno == errno.EACCES:
        return "that port needs more rights than this user has; choose one above 1023 with --port"
    return error.strerror or str(error)


async def _serve_here(
    settings: Settings, server: Server, listener: socket.socket, url: str, interrupts: Interrupts
) -> None:
    worker = Worker(config(settings, app_of(server)), server, url, interrupts)
    await worker.serve(sockets=[listener])
    if not worker.started:
        raise SystemExit(3)


class Worker(uvicorn.Server):
    """One worker: it says where it listens, and when it stops, it says so to its subscribers first."""

    def __init__(
        self,
        config: uvicorn.Config,
        server: Server,
        url: str | None = None,
        interrupts: Interrupts | None = None,
    ) -> None:
        """``server`` is that of the application; ``url`` is said once it listens there.

        Without ``interrupts`` it hears signals itself, as uvicorn has it.
        """
        super().__init__(config)
        self._server = server
        self._url = url
        self._interrupts = interrupts

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stop at a signal; with ``interrupts`` it is not raised again, as there may be a mongod to stop."""
        hearing = self._interrupts
        with super().capture_signals() if hearing is None else hearing.stopping_by(self._stop):
            yield

    def _stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started and self._url is not None:
            logger.info("Fliptable is listening at %s", self._url)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop. Streams have no end of their own, so they get one before answers are waited for."""
        self._server.interrupt()
        await super().shutdown(sockets)


async def _serve_workers(
    settings: Settings, listener: socket.socket, url: str, count: int, interrupts: Interrupts
) -> None:
    """Run worker processes on one socket; one that dies is replaced."""
    stop = asyncio.Event()
    running: dict[int, asyncio.subprocess.Process] = {}

    def kill() -> None:
        for worker in running.values():
            worker.kill()

    interrupts.at_once(kill)
    with interrupts.stopping_by(stop.set):
        logger.info("Fliptable is starting %d workers at %s", count, url)
        os.set_inheritable(listener.fileno(), True)
        fd = listener.fileno()
        keepers = [asyncio.create_task(_keep(settings, fd, index, stop, running)) for index in range(count)]
        await asyncio.gather(*keepers)


async def _keep(
    settings: Settings,
    fd: int,
    index: int,
    stop: asyncio.Event,
    running: dict[int, asyncio.subprocess.Process],
) -> None:
    environment = {**os.environ, **to_environment(settings)}
    stopping = asyncio.ensure_future(stop.wait())
    pause = 0.1
    while not stop.is_set():
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fliptable_api.worker", str(fd)),
            env=environment,
            pass_fds=[fd],
            stdin=asyncio.subprocess.PIPE,  # never written to: its end tells the worker of this process's
            start_new_session=True,  # Ctrl-C is for this process, which tells the workers
        )
        running[index] = worker
        started = loop_time()
        ended = asyncio.ensure_future(worker.wait())
        await asyncio.wait([ended, stopping], return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            with contextlib.suppress(ProcessLookupError):
                worker.terminate()
            await ended
            return
        pause = 0.1 if loop_time() - started > 10 else min(pause * 2, 10)
        logger.error(
            "worker %d (pid %d) ended with code %s; starting another", index, worker.pid, ended.result()
        )
        await asyncio.sleep(pause)


def loop_time() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()
