"""What all tests share: the loaded plugins, and a real MongoDB for those that ask for one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from fliptable_api.mongod_binary import MongodError, find_mongod

# A process of its own owns the mongod: it ends when its standard input does, so also when the tests
# are killed, and it does not matter which event loops the tests use.
_OWNER = """\
import asyncio, sys
from pathlib import Path
from fliptable.mongo import initiate_replica_set
from fliptable_api.embedded import EmbeddedMongo

async def main():
    async with EmbeddedMongo(Path(sys.argv[1]), initiate=initiate_replica_set) as mongo:
        print(mongo.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""

_databases = count(1)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio, so the asynchronous tests do."""
    return "asyncio"


@pytest.fixture(scope="session")
def mongo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a MongoDB replica set of one, which lives as long as the test process."""
    try:
        find_mongod()
    except MongodError as error:
        pytest.skip(str(error))
    folder: Path = tmp_path_factory.mktemp("mongod")
    command = [sys.executable, "-c", _OWNER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdin is not None and owner.stdout is not None
        url = owner.stdout.readline().strip()
        assert url, f"no mongod; see {folder}/mongod.log"
        yield url
        owner.stdin.close()


@pytest.fixture
def mongo_database() -> str:
    """The name of a database that no other test of this process uses."""
    return f"test_{next(_databases)}"
