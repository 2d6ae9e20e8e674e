"""What others have written to check a server, and clients that name documents by their hash."""

from __future__ import annotations

import json
from collections.abc import Iterator

import anyio
import pytest
from inprocess import local
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


@pytest.mark.parametrize("client", ["Apollo Client", "urql"])
async def test_a_server_that_keeps_no_documents_is_asked_with_a_hash_once(client: str) -> None:
    async with local(persisted_queries=False) as server:
        told = await run("persisted.mjs", client, server.url)
    assert told["games"] == [4, 4]
    assert told["sent"] == ["hash", "document", "document"]
