"""`fliptable serve --reload-plugins` serves what a plugin's code has become."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from fliptable_api.cli.new_plugin import contents
from fliptable_api.mongod_binary import MongodError, find_mongod


def asked(url: str, query: str, token: str | None = None) -> Any:
    signed = {} if token is None else {"authorization": f"Bearer {token}"}
    body = json.dumps({"query": query}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json", **signed})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["data"]


def summary(url: str) -> str:
    return str(asked(url, '{ game(id: "my-own") { summary } }')["game"]["summary"])


def until(url: str, wanted: str) -> None:
    last: object = None
    for _ in range(300):
        try:
            last = summary(url)
        except (OSError, TypeError) as error:
            last = error
        if last == wanted:
            return
        time.sleep(0.1)
    raise AssertionError(last)


@pytest.mark.parametrize("kept", [False, True], ids=["memory", "mongod"])
def test_a_change_of_a_plugin_is_served(tmp_path: Path, kept: bool) -> None:
    """With a MongoDB players are still known afterwards; with --memory they are not, as rules.md says."""
    if kept:
        try:
            find_mongod()
        except MongodError as error:
            pytest.skip(str(error))
    made = contents("my-own", "game")
    code = tmp_path / "fliptable_my_own" / "__init__.py"
    code.parent.mkdir()
    code.write_text(made["fliptable_my_own/__init__.py"])
    info = tmp_path / "fliptable_my_own-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fliptable-my-own\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[fliptable]\nmy-own = fliptable_my_own\n")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "fliptable_api",
        "serve",
        *(["--data", str(tmp_path / "data")] if kept else ["--memory"]),
        "--port",
        str(port),
        "--reload-plugins",
    ]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        try:
            url = f"http://127.0.0.1:{port}/graphql"
            until(url, "Turn cards up, and stop before a picture card comes.")
            sign_in = 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }'
            token = asked(url, sign_in)["signInAsGuest"]["token"]
            code.write_text(code.read_text().replace("Turn cards up, and stop", "Go on, and stop"))
            until(url, "Go on, and stop before a picture card comes.")
            if kept:
                assert asked(url, "{ me { name } }", token) == {"me": {"name": "Ann"}}
            else:
                with pytest.raises(urllib.error.HTTPError, match="401"):
                    asked(url, "{ me { name } }", token)
        finally:
            server.send_signal(signal.SIGINT)
            told = server.communicate(timeout=30)[1]
    assert f"{code} changed: the server starts anew" in told
