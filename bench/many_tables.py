"""Thousands of live tables with one subscriber each, on two workers: memory, and how long an update takes.

The subscriber of a table is on one worker, and the moves come to the other, so that every update goes
through the database. Against the same with a hundred tables, at the same rate of moves.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any, TypeVar

import psutil

from bench.fanout import PROTOCOL, ask
from bench.load import Connection
from bench.moves import free_port, serving
from bench.sockets import Crowd, run
from fliptable.mongo import initiate_replica_set
from fliptable_api.embedded import EmbeddedMongo

T = TypeVar("T")

TABLES = 2000
FEW = 100
RATE = 100.0
"""Moves a second, at both numbers of tables."""
SECONDS = 8.0

FOLLOW = """subscription Follow($table: ID!) { tableUpdates(tableId: $table) {
  version events { __typename seat text } table { version status toAct
    round { ... on CallItRound { hands { flips cards { text } } } } } } }"""
PLAY = """mutation Play($input: PlayMoveInput!) { playMove(input: $input) {
  __typename ... on MovePlayed { update { version } } ... on Refusal { code } } }"""
OPEN = "mutation { createTable(input: {game: {callIt: {}}}) { ... on TableOpened { table { id } } } }"


def megabytes(processes: list[int]) -> float:
    """The memory of processes that is theirs alone."""
    return sum(psutil.Process(one).memory_full_info().uss for one in processes) / 2**20


class Player:
    """Plays at one worker."""

    def __init__(self, connection: Connection) -> None:
        """One request at a time."""
        self._connection = connection

    async def move(self, table: str, move: object) -> None:
        """Play a move."""
        asked = {"query": PLAY, "variables": {"input": {"tableId": table, "move": {"callIt": move}}}}
        answer = await self._connection.post(json.dumps(asked).encode())
        assert b'"MovePlayed"' in answer, answer

    async def open(self, document: str = OPEN) -> str:
        """Open a table and call a target that is out of reach."""
        answer = json.loads(await self._connection.post(json.dumps({"query": document}).encode()))
        table: str = answer["data"]["createTable"]["table"]["id"]
        await self.move(table, {"call": {"target": 1000}})
        return table


class Team:
    """Players who each do the next thing when they are free."""

    def __init__(self, players: list[Player]) -> None:
        """All are free."""
        self._free = asyncio.Queue[Player]()
        for one in players:
            self._free.put_nowait(one)

    async def do(self, work: Callable[[Player], Awaitable[T]]) -> T:
        """Let the first who is free do something."""
        player = await self._free.get()
        try:
            return await work(player)
        finally:
            self._free.put_nowait(player)


@asynccontextmanager
async def team(port: int, token: str, count: int) -> AsyncIterator[Team]:
    """Connections of the same player."""
    connections = [await Connection.open("127.0.0.1", port, token) for _ in range(count)]
    yield Team([Player(one) for one in connections])
    for one in connections:
        one.close()


async def latencies(crowd: Crowd, tables: list[str], everyone: Team) -> list[float]:
    """Milliseconds from a move's request to its arrival at the subscriber, at a steady rate."""
    rng = random.Random(len(tables))
    found: list[float] = []
    sent: dict[int, float] = {}
    flips = dict.fromkeys(range(len(tables)), 0)
    none_left = asyncio.Event()

    def told(index: int) -> Any:
        def heard(_: Any) -> None:
            found.append((time.perf_counter() - sent.pop(index)) * 1e3)
            if not sent:
                none_left.set()

        return heard

    for index, one in enumerate(crowd.members):
        one.told = told(index)

    async def play(player: Player, index: int) -> None:
        sent[index] = time.perf_counter()
        await player.move(tables[index], {"flip": True})

    async with asyncio.TaskGroup() as group:
        began = time.perf_counter()
        for number in range(int(RATE * SECONDS)):
            some = rng.choices(range(len(tables)), k=50)
            index = next(one for one in some if one not in sent and flips[one] < 50)
            flips[index] += 1
            sent[index] = 0.0
            none_left.clear()
            group.create_task(everyone.do(partial(play, index=index)))
            await asyncio.sleep(max(0.0, began + number / RATE - time.perf_counter()))
    if sent:
        await asyncio.wait_for(none_left.wait(), 20)
    return found


async def measured(ports: list[int], processes: list[int], count: int) -> tuple[list[float], list[float]]:
    """With so many tables: the latencies, and the kilobytes of a table and of a subscriber."""
    signed = await ask(ports[0], None, 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }')
    token = signed["signInAsGuest"]["token"]
    async with team(ports[0], token, 16) as everyone:
        empty = megabytes(processes)
        tables = await asyncio.gather(*[everyone.do(Player.open) for _ in range(count)])
        opened = megabytes(processes)
        crowd = await Crowd.open(ports[1], count, "/graphql", PROTOCOL)
        await crowd.subscribe(lambda index: {"query": FOLLOW, "variables": {"table": tables[index]}})
        followed = megabytes(processes)
        found = await latencies(crowd, tables, everyone)
        crowd.close()
    return found, [(opened - empty) * 1024 / count, (followed - opened) * 1024 / count]


def shown(found: list[float]) -> list[float]:
    """The 50th and the 99th percentile."""
    parts = quantiles(found, n=100)
    return [parts[49], parts[98]]


async def measure() -> None:
    """Few tables first, then many on the same workers; print memory and latencies."""
    ports = [free_port() for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedMongo(Path(folder), initiate=initiate_replica_set) as mongo:
            serve = [sys.executable, "-m", "fliptable_api", "serve", "--mongo-url", mongo.url, "--port"]
            with ExitStack() as stack:
                roomy = {"FLIPTABLE_CONNECTIONS_PER_ADDRESS": str(2 * TABLES)}
                processes = [
                    stack.enter_context(serving([*serve, str(port)], port, **roomy)) for port in ports
                ]
                few, _ = await measured(ports, processes, FEW)
                lots, (table, subscriber) = await measured(ports, processes, TABLES)
    print(f"{TABLES} tables with one subscriber each, on another worker than the moves; {RATE:.0f} moves/s")
    print(f"memory: {table:.1f} KB for a table, {subscriber:.1f} KB more for its subscriber and second copy")
    for name, found in ((f"{FEW} tables", few), (f"{TABLES} tables", lots)):
        half, most = shown(found)
        print(f"{name}: p50 {half:.1f} ms, p99 {most:.1f} ms from the request to the subscriber")
    ratios = [one / other for one, other in zip(shown(lots), shown(few), strict=True)]
    print(f"{TABLES} tables against {FEW}: ratio {ratios[0]:.2f} of p50, {ratios[1]:.2f} of p99")


def main() -> None:
    """Print memory, latencies and ratios."""
    run(measure())


if __name__ == "__main__":
    main()
