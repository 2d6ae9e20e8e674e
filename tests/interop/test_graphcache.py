"""What docs/clients.md says of urql's normalised cache: it knows what has no id, and what a move brings."""

from __future__ import annotations

import json

import anyio
import pytest
from inprocess import local
from nodekit import INTEROP, node, package

pytestmark = pytest.mark.anyio


async def test_it_takes_what_a_move_brings_and_warns_of_nothing() -> None:
    package("@urql/exchange-graphcache")
    async with local() as server:
        command = [node(), "graphcache.mjs", server.url]
        done = await anyio.run_process(command, cwd=INTEROP, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert (told["version"], told["target"]) == (2, 31)
    assert [seat["name"] for seat in told["seats"]] == ["Ann"]
    assert told["warned"] == []
