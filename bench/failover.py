"""Primaries that are killed in the middle of play: how long moves wait, and whether anything is lost.

A replica set of three and two workers. Players insist on their moves as clients do, each move with a key
of its own; every table is followed on the worker that its moves do not come to. ``FAILOVERS`` says how
many there are, ``ELECTION`` how many seconds pass before another primary is elected.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from bench.fanout import PROTOCOL
from bench.sockets import Crowd
from deploy.cluster import Cluster

FAILOVERS = int(os.environ.get("FAILOVERS", "4"))
PLAYERS = 4
ELECTION = float(os.environ.get("ELECTION", "2"))
"""Seconds without a primary until an election; MongoDB's own default is ten."""

SIGN_IN = 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }'
OPEN = "mutation { createTable(input: {game: {callIt: {}}}) { ... on TableOpened { table { id } } } }"
PLAY = """mutation ($i: PlayMoveInput!) { playMove(input: $i) {
  __typename ... on MovePlayed { update { version table { status } } } ... on Refusal { code } } }"""
FOLLOW = "subscription ($t: ID!, $a: Int) { tableUpdates(tableId: $t, after: $a) { version } }"


@dataclass
class Chronicle:
    """What clients were told."""

    moves: int = 0
    delayed: int = 0
    slowest: float = 0.0
    acknowledged: float = 0.0
    """When the last move was, by the clock of ``time.monotonic``."""
    tables: dict[str, int] = field(default_factory=dict)
    """The last version that was acknowledged."""
    seen: dict[str, list[int]] = field(default_factory=dict)
    closing: bool = False


async def insist(client: httpx.AsyncClient, query: str, chronicle: Chronicle, **variables: Any) -> Any:
    """Ask until there is an answer; the first field of its data."""
    while True:
        try:
            answer = (await client.post("/graphql", json={"query": query, "variables": variables})).json()
        except (httpx.TransportError, ValueError):
            answer = {"errors": [{"extensions": {"retryable": True}}]}
        if not answer.get("errors"):
            return next(iter(answer["data"].values()))
        assert all(error["extensions"].get("retryable") for error in answer["errors"]), answer
        chronicle.delayed += 1
        await asyncio.sleep(0.05)


async def follow(port: int, table: str, chronicle: Chronicle) -> None:
    """Note every version of a table until it is over."""
    versions = chronicle.seen.setdefault(table, [])
    crowd = await Crowd.open(port, 1, "/graphql", PROTOCOL)
    (one,) = crowd.members
    over = asyncio.Event()

    def told(_: Any) -> None:
        text = one.last
        if b'"type":"next"' in text:
            versions.append(int(text.rpartition(b'"version":')[2].partition(b"}")[0]))
        elif b'"connection_ack"' not in text and b'"ping"' not in text:
            if b'"complete"' not in text:
                versions.append(-1)  # an error: nothing should end a subscription here
            over.set()

    one.told = told
    one.send({"type": "connection_init"})
    variables = {"t": table, "a": 0}
    one.send({"id": "1", "type": "subscribe", "payload": {"query": FOLLOW, "variables": variables}})
    await asyncio.wait_for(over.wait(), 300)
    crowd.close()


async def play(base: str, other: int, chronicle: Chronicle, group: asyncio.TaskGroup) -> None:
    """Play table after table."""
    keys = itertools.count()
    async with httpx.AsyncClient(base_url=base, timeout=60) as client:
        token = (await insist(client, SIGN_IN, chronicle))["token"]
        client.headers["authorization"] = f"Bearer {token}"
        while not chronicle.closing:
            table = (await insist(client, OPEN, chronicle))["table"]["id"]
            chronicle.tables[table] = 1
            group.create_task(follow(other, table, chronicle))
            move: Any = {"call": {"target": 1000}}
            status = ""
            while status != "OVER":
                asked = {"tableId": table, "move": {"callIt": move}, "idempotencyKey": str(next(keys))}
                began = time.monotonic()
                answer = await insist(client, PLAY, chronicle, i=asked)
                assert answer["__typename"] == "MovePlayed", answer
                assert answer["update"]["version"] == chronicle.tables[table] + 1, "lost, or played twice"
                chronicle.tables[table] += 1
                chronicle.moves += 1
                chronicle.acknowledged = time.monotonic()
                chronicle.slowest = max(chronicle.slowest, chronicle.acknowledged - began)
                status, move = answer["update"]["table"]["status"], {"flip": True}
                await asyncio.sleep(0.02)


async def kill_primaries(cluster: Cluster, chronicle: Chronicle) -> list[float]:
    """Kill the primary again and again; the seconds until a move was acknowledged after each."""
    waits = []
    for _ in range(FAILOVERS):
        await asyncio.sleep(1)
        primary = await cluster.mongo.primary()
        await primary.kill()
        killed = time.monotonic()
        while chronicle.acknowledged < killed + 0.05:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        waits.append(chronicle.acknowledged - killed)
        await primary.start()
        await cluster.mongo.whole()
    return waits


async def measure() -> None:
    """Print how long moves had to wait."""
    chronicle = Chronicle()
    with tempfile.TemporaryDirectory() as folder:
        async with Cluster(Path(folder), election=ELECTION) as cluster:
            ports = [worker.port for worker in cluster.workers]
            async with asyncio.TaskGroup() as group:
                for number in range(PLAYERS):
                    base = f"http://127.0.0.1:{ports[number % 2]}"
                    group.create_task(play(base, ports[(number + 1) % 2], chronicle, group))
                waits = await kill_primaries(cluster, chronicle)
                chronicle.closing = True
    whole = sum(chronicle.seen[table] == list(range(1, last + 1)) for table, last in chronicle.tables.items())
    print(f"{FAILOVERS} failovers with an election after {ELECTION:g} s, {chronicle.moves} moves")
    print(
        f"seconds until a move was acknowledged: median {median(waits):.1f}, longest {max(waits):.1f} "
        f"(slowest single move {chronicle.slowest:.1f}; {chronicle.delayed} requests repeated)"
    )
    print(
        f"tables whose every acknowledged move their subscriber saw once, in order: {whole} "
        f"of {len(chronicle.tables)}"
    )
    assert whole == len(chronicle.tables)


def main() -> None:
    """Print it."""
    asyncio.run(measure())


if __name__ == "__main__":
    main()
