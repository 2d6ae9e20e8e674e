"""`fliptable serve` and Ctrl-C: once it stops in order, twice it ends at once, and without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from serverkit import PATIENCE, SIGN_IN, Server, free_port

from fliptable_api.data_folder import DataFolder
from fliptable_api.mongod_binary import MongodError, find_mongod

INTERRUPTED = 130

_AT_IMPORT = """\
import os, runpy, signal, sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            for _ in range(int(sys.argv[2])):
                os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
finder = Finder()
sys.meta_path.insert(0, finder)
name, sys.argv = sys.argv, ["fliptable", "serve", "--port", "0", *sys.argv[3:]]
Finder.find_spec.__globals__["sys"] = type("Sys", (), {"argv": name})
runpy.run_module("fliptable_api", run_name="__main__")
"""
"""Presses Ctrl-C so many times when a module is looked for."""


@pytest.fixture(autouse=True)
def needs_mongod() -> None:
    try:
        find_mongod()
    except MongodError as error:
        pytest.skip(str(error))


def wait_until(check: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < deadline, f"not in {PATIENCE} s: {what}"
        time.sleep(0.02)


def interrupt(server: Server) -> None:
    assert server.process is not None
    server.process.send_signal(signal.SIGINT)


def pid_of_mongod(folder: Path) -> int:
    pid = DataFolder(folder).running()
    assert pid is not None
    return pid


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_twice_ends_at_once_and_loses_nothing(tmp_path: Path, workers: int) -> None:
    data = tmp_path / "data"
    server = Server(tmp_path, "--data", str(data), "--workers", str(workers))
    server.port = free_port()
    with server:
        sent = {"query": SIGN_IN, "variables": {"n": "Ann"}}
        token = httpx.post(server.url, json=sent, timeout=60).json()["data"]["signInAsGuest"]["token"]
        mongod = pid_of_mongod(data)
        # So that stopping in order has to wait.
        os.kill(mongod, signal.SIGSTOP)
        try:
            interrupt(server)
            wait_until(lambda: not accepts(server), "it takes nobody any more")
            assert server.alive
            said = server.log
            interrupt(server)
            assert server.process is not None
            assert server.process.wait(PATIENCE) == INTERRUPTED
        finally:
            os.kill(mongod, signal.SIGCONT)
        wait_until(lambda: DataFolder(data).running() is None, "the mongod ends, too")
        assert len(server.log[len(said) :].splitlines()) <= 1
        assert "Traceback" not in server.log
    with server:
        answer = httpx.post(
            server.url,
            json={"query": "{ me { name } }"},
            headers={"authorization": f"Bearer {token}"},
            timeout=60,
        )
        assert answer.json() == {"data": {"me": {"name": "Ann"}}}


def accepts(server: Server) -> bool:
    try:
        httpx.get(server.base + "/healthz", timeout=5)
    except httpx.HTTPError:
        return False
    return True


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    "module",
    ["click", "httpx", "fliptable.plugins", "fliptable_api.serving", "strawberry", "fliptable_api.http"],
)
def test_ctrl_c_while_it_is_loaded_is_answered_by_the_exit_code_alone(module: str, times: int) -> None:
    command = [sys.executable, "-c", _AT_IMPORT, module, str(times), "--memory"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode in (INTERRUPTED, -signal.SIGINT)
    assert ended.stderr == ended.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["mongod.log", "mongod 6"])
def test_a_signal_while_it_starts_leaves_nothing_behind(
    tmp_path: Path, moment: str, number: signal.Signals
) -> None:
    data = tmp_path / "data"
    server = Server(tmp_path, "--data", str(data)).launch()
    try:
        wait_until(lambda: moment in server.log or any(data.rglob(moment)), "it starts")
        assert server.process is not None
        server.process.send_signal(number)
        # It may have come so far meanwhile that it stops as if it had been up.
        assert server.process.wait(PATIENCE) in (128 + number, 0)
    finally:
        server.kill()
    assert DataFolder(data).running() is None
    assert "Traceback" not in server.log and "Aborted" not in server.log
