"""Servers that are killed in the middle of play: what was acknowledged stays, once, and play goes on."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from nursery import Nursery, nursery
from pymongo import MongoClient
from serverkit import (
    CALL_31,
    CREATE,
    FLIP,
    PLAY,
    SIGN_IN,
    Caller,
    Closed,
    Failed,
    Server,
    eventually,
    free_port,
    socket,
)
from websockets.exceptions import WebSocketException

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

KILLS = 50
PLAYERS = 5


@pytest.fixture(scope="module")
def births() -> Iterator[Nursery]:
    with nursery() as one:
        yield one


@dataclass
class Chronicle:
    """What clients were told: per table, the key of every version that was acknowledged."""

    played: dict[str, dict[int, str]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    resent: int = 0
    retried: int = 0
    reconnected: int = 0
    closing: bool = False


async def insist(player: Caller, document: str, chronicle: Chronicle, **variables: Any) -> dict[str, Any]:
    """Ask until there is an answer, as a client does whose connection drops."""
    while True:
        try:
            payload = await player.ask(document, **variables)
        except (httpx.TransportError, json.JSONDecodeError):
            chronicle.retried += 1
            await asyncio.sleep(0.03)
            continue
        if payload.get("errors"):
            codes = {error["extensions"]["code"] for error in payload["errors"]}
            assert codes == {"UNAVAILABLE"}, payload
            chronicle.retried += 1
            await asyncio.sleep(0.1)
            continue
        data: dict[str, Any] = payload["data"]
        return next(iter(data.values()))


async def play_on(
    server: Server, chronicle: Chronicle, watchers: asyncio.TaskGroup, rng: random.Random
) -> None:
    """Play table after table. Every answer is the next version, never another."""
    async with Caller(lambda: server.url) as player:
        made = await insist(player, SIGN_IN, chronicle, n="Ann")
        player.token = made["token"]
        keys = itertools.count(1)
        while not chronicle.closing:
            opened = await insist(player, CREATE, chronicle, i={"game": {"callIt": {}}})
            table = opened["table"]["id"]
            chronicle.played[table] = {}
            watchers.create_task(watch(server, table, chronicle))
            version, move, over = 1, CALL_31, False
            while not over:
                key = f"{rng.getrandbits(32):x}-{next(keys)}"
                asked = {"tableId": table, "move": move, "idempotencyKey": key}
                answer = await insist(player, PLAY, chronicle, i=asked)
                assert answer["__typename"] == "MovePlayed", answer
                assert answer["update"]["version"] == version + 1, "a move was lost or played twice"
                version += 1
                chronicle.played[table][version] = key
                if rng.random() < 0.2:
                    again = await insist(player, PLAY, chronicle, i=asked)
                    assert again["update"] == answer["update"]
                    chronicle.resent += 1
                move, over = FLIP, answer["table"]["status"] == "OVER"


async def watch(server: Server, table: str, chronicle: Chronicle) -> None:
    """Follow a table to its end, coming back with ``after`` whenever the connection drops."""
    seen = 0
    while True:
        try:
            async with socket(server.socket_url) as watcher:
                async for update in watcher.follow(table, seen):
                    assert update["version"] == seen + 1, "a version was missed or seen twice"
                    seen += 1
                break
        except Failed as error:
            assert error.code in ("INTERRUPTED", "UNAVAILABLE"), error
        except (Closed, OSError, WebSocketException):
            pass
        chronicle.reconnected += 1
        await asyncio.sleep(0.05)
    chronicle.seen[table] = seen


def check_log(url: str, database: str, chronicle: Chronicle) -> int:
    """Hold the stored log against what clients were told; the number of moves."""
    moves = 0
    with MongoClient[dict[str, Any]](url) as client:
        commits = client[database]["commits"]
        for table, played in chronicle.played.items():
            stored = list(commits.find({"_id.t": table}).sort("_id.v", 1))
            assert [one["_id"]["v"] for one in stored] == list(range(1, len(stored) + 1)), "a gap"
            keys = {one["_id"]["v"]: one["key"].partition(":")[2] for one in stored if "key" in one}
            assert keys == played
            assert chronicle.seen[table] == len(stored)
            moves += len(played)
    return moves


@asynccontextmanager
async def playing(server: Server, seed: int) -> AsyncIterator[Chronicle]:
    """Several clients play and follow different tables; afterwards each table has been played to its end."""
    chronicle = Chronicle()
    async with asyncio.TaskGroup() as group:
        for number in range(PLAYERS):
            group.create_task(play_on(server, chronicle, group, random.Random(f"{seed} {number}")))
        yield chronicle
        chronicle.closing = True


async def test_in_fifty_kills_no_acknowledged_move_is_lost_or_doubled(
    births: Nursery, tmp_path: Path, mongo_url: str
) -> None:
    server = Server(tmp_path, "--mongo-url", mongo_url, FLIPTABLE_MONGO_DATABASE="kills")
    server.nursery = births
    rng = random.Random(50)
    with server:
        async with playing(server, 1) as chronicle:
            for _ in range(KILLS):
                await asyncio.sleep(rng.uniform(0.02, 0.4))
                server.kill()
                await asyncio.to_thread(server.start)
        moves = check_log(mongo_url, "kills", chronicle)
    assert moves > 5 * KILLS and chronicle.reconnected > KILLS and chronicle.resent > KILLS
    assert "Traceback" not in server.log, server.log


async def test_with_its_mongod_killed_too_no_acknowledged_move_is_lost_or_doubled(
    births: Nursery, tmp_path: Path
) -> None:
    """The server and its own mongod die at the same moment; both come back on the same folder."""
    data = tmp_path / "data"
    server = Server(tmp_path, "--data", str(data))
    server.nursery = births
    rng = random.Random(3)
    with server:
        async with playing(server, 2) as chronicle:
            for number in range(4):
                await asyncio.sleep(rng.uniform(0.3, 0.8))
                mongod = int((data / "mongod.pid").read_text())
                if number % 2:
                    server.kill()
                os.kill(mongod, signal.SIGKILL)
                server.kill()
                await asyncio.to_thread(server.start)
        url = f"mongodb://127.0.0.1:{int((data / 'mongod.port').read_text())}/?replicaSet=rs0"
        moves = check_log(url, "fliptable", chronicle)
    assert moves > 20


async def test_a_worker_that_is_killed_takes_nothing_with_it(tmp_path: Path, mongo_url: str) -> None:
    """Of two workers one dies, again and again; the other goes on, and a new one takes its place."""
    server = Server(tmp_path, "--mongo-url", mongo_url, "--workers", "2", FLIPTABLE_MONGO_DATABASE="workers")
    server.port = free_port()
    rng = random.Random(2)
    with server:
        assert server.process is not None
        parent = psutil.Process(server.process.pid)
        async with playing(server, 3) as chronicle:
            for _ in range(4):
                await asyncio.sleep(rng.uniform(0.5, 1.5))
                workers = await eventually(
                    lambda: len(parent.children()) == 2 and parent.children(), "two workers"
                )
                rng.choice(workers).kill()
        moves = check_log(mongo_url, "workers", chronicle)
    assert moves > 20
    assert server.log.count("starting another") == 4
