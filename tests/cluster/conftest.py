"""Three mongods, two workers and a proxy, for all tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from deploy.cluster import Cluster
from fliptable_api.mongod_binary import MongodError, find_mongod

ELECTION = 1.0
"""Seconds until an election, so that tests need not wait for long."""


@pytest.fixture(scope="session")
async def whole_cluster(
    anyio_backend: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Cluster]:
    try:
        find_mongod()
    except MongodError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("cluster")
    async with Cluster(folder, election=ELECTION, FLIPTABLE_STRICT_PLUGINS="true") as cluster:
        yield cluster


@pytest.fixture
async def cluster(whole_cluster: Cluster) -> AsyncIterator[Cluster]:
    """With everything running, before a test and after it."""
    yield whole_cluster
    for member in whole_cluster.mongo.members:
        if not member.alive:
            await member.start()
    for worker in whole_cluster.workers:
        if not worker.alive:
            await whole_cluster.start_worker(worker)
        assert "Traceback" not in worker.log, worker.log
    await whole_cluster.mongo.whole()
