"""Servers that the tests of the API share. Each test plays at tables of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from scenekit import Scene
from serverkit import CALL_31, Server, caller

from fliptable_api.cli.local import memory_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, mongo_url: str) -> Iterator[Server]:
    """One worker on a database of its own."""
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, "--mongo-url", mongo_url, FLIPTABLE_MONGO_DATABASE="api") as server:
        yield server
        assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="session")
def foreign_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH where pip has installed the distributions of tests/api/distributions."""
    target = tmp_path_factory.mktemp("foreign")
    sources = tmp_path_factory.mktemp("sources") / "all"
    # pip may leave its traces beside what it builds.
    shutil.copytree(Path(__file__).parent / "distributions", sources)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    options = ["--no-deps", "--no-build-isolation", "--no-compile", "--target", str(target)]
    subprocess.run([*command, *options, *map(str, sorted(sources.iterdir()))], check=True, timeout=120)
    return target


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a server in memory, in this process."""
    with memory_server() as address:
        yield address


@pytest.fixture(scope="module")
async def scene(server: Server) -> AsyncIterator[Scene]:
    async with caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        mine, theirs, fresh = [(await one.open())["id"] for one in (ann, bob, ann)]
        await ann.move(mine, CALL_31)
        scene = Scene(ann, bob, mine, theirs, fresh)
        scene.before = await scene.state()
        yield scene


@pytest.fixture
async def unharmed(scene: Scene) -> AsyncIterator[Scene]:
    """The scene; afterwards nothing at its tables has changed."""
    yield scene
    assert await scene.state() == scene.before
