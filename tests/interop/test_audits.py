"""What others have written to check a server, and clients that name documents by their hash."""

from __future__ import annotations

import json
from collections.abc import Iterator

import anyio
import pytest
from nodekit import INTEROP, node, package

from fliptable_api.cli.local import memory_server

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with memory_server() as address:
        yield f"{address}/graphql"


async def run(program: str, *arguments: str) -> dict[str, list[object]]:
    """The JSON that a program writes."""
    package("graphql-http")
    done = await anyio.run_process([node(), program, *arguments], cwd=INTEROP, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told: dict[str, list[object]] = json.loads(done.stdout)
    return told


async def test_every_audit_of_graphql_http_is_ok(url: str) -> None:
    """None warns and none fails, those that only recommend included."""
    audited = await run("audit.mjs", url)
    assert audited["wrong"] == []
    assert len(audited["ok"]) == len(set(map(str, audited["ok"]))) >= 61


@pytest.mark.parametrize("client", ["Apollo Client", "urql"])
async def test_a_document_is_sent_once_and_then_its_hash(url: str, client: str) -> None:
    told = await run("persisted.mjs", client, url)
    assert told["games"] == [4, 4]
    assert told["sent"] == ["hash", "hash document", "hash"]
