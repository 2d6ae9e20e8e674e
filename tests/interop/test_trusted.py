"""Trusted documents are asked for by their hash alone, as docs/clients.md shows it."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import anyio
import pytest
from inprocess import local
from nodekit import INTEROP, node, package
from serverkit import caller, finish

GAMES = "query Games { games { id } }"
FOLLOW = "subscription Follow($table: ID!) { tableUpdates(tableId: $table) { version } }"

pytestmark = pytest.mark.anyio


async def test_fetch_and_graphql_ws_send_hashes(tmp_path: Path) -> None:
    package("graphql-ws")
    manifest = tmp_path / "manifest.json"
    hashes = {text: sha256(text.encode()).hexdigest() for text in (GAMES, FOLLOW)}
    manifest.write_text(json.dumps({key: text for text, key in hashes.items()}))
    async with local(trust="allow", trusted_documents=str(manifest)) as server, caller(server.url) as ann:
        table = (await ann.open())["id"]
        command = [node(), "trusted.mjs", server.url, hashes[GAMES], hashes[FOLLOW], table]
        done = await anyio.run_process(command, cwd=INTEROP, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert told["posted"] == told["got"] and len(told["got"]["data"]["games"]) > 3
    assert told["data"] == {"tableUpdates": {"version": 1}}


OF_EVENTS = """
import { createClient } from 'graphql-sse'
const [url, request] = process.argv.slice(1)
const client = createClient({ url, retryAttempts: 0 })
const answers = []
client.subscribe(JSON.parse(request), {
  next: (answer) => answers.push(answer),
  error: (error) => console.log(JSON.stringify({ broken: String(error.message) })),
  complete: () => console.log(JSON.stringify({ answers })),
})
"""


async def test_graphql_sse_is_told_of_a_hash_that_is_not_known(tmp_path: Path) -> None:
    package("graphql-sse")
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({sha256(GAMES.encode()).hexdigest(): GAMES}))
    unknown = {"query": "", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "0" * 64}}}
    for settings, code in (
        ({}, "PERSISTED_QUERY_NOT_FOUND"),
        ({"persisted_queries": False}, "PERSISTED_QUERY_NOT_SUPPORTED"),
        ({"trust": "only", "trusted_documents": str(manifest)}, "DOCUMENT_NOT_TRUSTED"),
    ):
        async with local(**settings) as server:
            command = [node(), "--input-type=module", "-e", OF_EVENTS, server.url, json.dumps(unknown)]
            done = await anyio.run_process(command, cwd=INTEROP, check=False)
        told = json.loads(done.stdout)
        assert [one["errors"][0]["extensions"]["code"] for one in told["answers"]] == [code]


PARTS = """
import { meros } from 'meros/browser'
const [url, request] = process.argv.slice(1)
const headers = { accept: 'multipart/mixed;subscriptionSpec=1.0', 'content-type': 'application/json' }
const answer = await fetch(url, { method: 'POST', headers, body: request })
const parts = []
for await (const { json, body } of await meros(answer)) parts.push({ json, body })
console.log(JSON.stringify(parts))
"""


async def test_meros_reads_a_stream_of_parts_from_end_to_end() -> None:
    package("meros")
    async with local() as server, caller(server.url) as ann:
        table = (await ann.open())["id"]
        last = (await finish(ann, table))["table"]["version"]
        query = f'subscription {{ tableUpdates(tableId: "{table}", after: 0) {{ version }} }}'
        command = [node(), "--input-type=module", "-e", PARTS, server.url, json.dumps({"query": query})]
        done = await anyio.run_process(command, cwd=INTEROP, check=False)
    parts = json.loads(done.stdout)
    assert [one["json"] for one in parts] == [True] * len(parts)
    assert parts[0]["body"] == {}
    updates = [one["body"]["payload"]["data"]["tableUpdates"]["version"] for one in parts if one["body"]]
    assert updates == list(range(1, last + 1))
