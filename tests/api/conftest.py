"""Servers that the tests of the API share. Each test plays at tables of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from serverkit import Server

from fliptable_api.cli.local import memory_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, mongo_url: str) -> Iterator[Server]:
    """One worker on a database of its own."""
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, "--mongo-url", mongo_url, FLIPTABLE_MONGO_DATABASE="api") as server:
        yield server
        assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a server in memory, in this process."""
    with memory_server() as address:
        yield address
