"""`fliptable serve`: what keeps a server from running is said in a sentence."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from clikit import Cli
from serverkit import Server, free_port

from fliptable.log import Unavailable
from fliptable.mongo import store
from fliptable_api import mongod_binary
from fliptable_api.app import Server as Parts
from fliptable_api.folder_lock import FolderLock
from fliptable_api.mongod_binary import MongodError, find_mongod
from fliptable_api.settings import Settings


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


@pytest.fixture
def mongod() -> Path:
    try:
        return find_mongod()
    except MongodError as error:
        pytest.skip(str(error))


def test_a_port_that_is_taken(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = cli("serve", "--memory", "--port", str(port))
    assert result.exit_code == 1
    assert result.output == (
        f"Error: cannot listen at 127.0.0.1:{port}: another program has that port; "
        "choose another with --port (0 takes a free one)\n"
    )


def test_an_address_that_is_not_this_machine_s(cli: Cli) -> None:
    result = cli("serve", "--memory", "--port", "0", "--host", "192.0.2.1")
    assert result.exit_code == 1
    assert result.output.startswith("Error: cannot listen at 192.0.2.1:0: ")
    result = cli("serve", "--memory", "--port", "0", "--host", "nowhere.invalid")
    assert result.exit_code == 1
    assert result.output.startswith("Error: cannot listen at nowhere.invalid:0: ")


def test_memory_is_for_one_worker(cli: Cli) -> None:
    result = cli("serve", "--memory", "--workers", "2")
    assert result.exit_code == 2
    assert "--memory keeps everything in one process" in result.output


@pytest.mark.parametrize(
    "places",
    [
        ("--memory", "--data", "here"),
        ("--memory", "--mongo-url", "mongodb://db"),
        ("--data", "here", "--mongo-url", "mongodb://db"),
    ],
)
def test_what_is_kept_has_one_place(cli: Cli, places: tuple[str, ...]) -> None:
    result = cli("serve", *places)
    assert result.exit_code == 2
    first, second = (word for word in places if word.startswith("--"))
    assert f"{first} and {second} say two different places" in result.output


def test_a_wrong_setting(cli: Cli) -> None:
    result = cli("serve", FLIPTABLE_MAX_DEPTH="deep")
    assert result.exit_code == 2
    assert "FLIPTABLE_MAX_DEPTH is 'deep'; it has to be a whole number of at least 1" in result.output


@pytest.mark.parametrize("url", ["mongodb://", "http://127.0.0.1", "mongodb://127.0.0.1:99999"])
def test_an_address_that_is_no_mongodb_s(cli: Cli, url: str) -> None:
    result = cli("serve", "--port", "0", "--mongo-url", url)
    assert result.exit_code == 2
    assert "Error: --mongo-url is no address of a MongoDB (mongodb://HOST:PORT/" in result.output


def test_a_mongodb_that_is_not_there(cli: Cli) -> None:
    """With several workers it is found out before any of them is started."""
    result = cli("serve", "--port", "0", "--workers", "2", "--mongo-url", "mongodb://127.0.0.1:9/")
    assert result.exit_code == 1
    assert result.output.startswith("Error: the MongoDB server cannot be reached: 127.0.0.1:9: ")
    assert len(result.output) < 200, "what the driver thinks of its servers is left out"


def test_a_mongodb_that_is_no_replica_set(cli: Cli, mongod: Path, tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "db").mkdir()
    command = [
        mongod,
        "--dbpath",
        tmp_path / "db",
        "--port",
        str(port),
        "--bind_ip",
        "127.0.0.1",
        "--nounixsocket",
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            result = cli("serve", "--port", "0", "--mongo-url", f"mongodb://127.0.0.1:{port}/")
        finally:
            process.terminate()
    assert result.exit_code == 1
    assert result.output.startswith("Error: the MongoDB server is not a member of a replica set;")
    assert "--replSet" in result.output


def test_a_mongodb_that_is_too_old(mongo_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MINIMUM_SERVER", (99, 1))
    parts = Parts(Settings(mongo_url=mongo_url))
    with pytest.raises(
        Unavailable, match=r"the MongoDB server is version \d+\.\d+\.\d+; at least 99\.1 is needed"
    ):
        asyncio.run(parts.check())


def test_a_folder_that_another_server_uses(cli: Cli, mongod: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    lock = FolderLock(folder)
    lock.acquire()
    try:
        result = cli("serve", "--port", "0", "--data", str(folder))
    finally:
        lock.release()
    assert result.exit_code == 1
    assert result.output == (
        f"Error: the data folder {folder} is in use by another server (process {os.getpid()}); "
        "stop it, or choose another folder with --data\n"
    )


def test_a_folder_that_cannot_be_made(cli: Cli, mongod: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = cli("serve", "--port", "0", "--data", str(tmp_path / "file" / "data"))
    assert result.exit_code == 2
    assert "Error: --data is " in result.output and "which is no folder" in result.output


def test_a_machine_without_a_mongod(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It names the two other ways to a database."""
    monkeypatch.setattr(mongod_binary, "_WHEELS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("FLIPTABLE_MONGOD", raising=False)
    result = cli("serve", "--port", "0", "--data", str(tmp_path / "data"))
    assert result.exit_code == 1
    assert "There is no mongod to start" in result.output
    assert "FLIPTABLE_MONGO_URL" in result.output and "fliptable serve --memory" in result.output


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "server", "--memory") as server:
        yield server


def test_it_says_where_it_listens_and_ends_at_ctrl_c(running: Server) -> None:
    assert f"Fliptable is listening at http://127.0.0.1:{running.port}/graphql" in running.log
    assert httpx.get(f"{running.base}/healthz", timeout=10).text == "ok"
    assert running.stop() == 0
    assert "Traceback" not in running.log
