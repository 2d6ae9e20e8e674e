"""Trusted documents are asked for by their hash alone, as docs/clients.md shows it."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import anyio
import pytest
from inprocess import local
from nodekit import INTEROP, node, package
from serverkit import caller

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
