"""Many time attacks whose time is up within one second: each ends once, and how late its subscriber hears.

There are two workers on one database; each run is followed on the one that its moves do not come to.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from bench.fanout import PROTOCOL, ask
from bench.many_tables import Team, team
from bench.moves import free_port, serving
from bench.sockets import Crowd, Subscriber, run
from fliptable.mongo import initiate_replica_set
from fliptable_api.embedded import EmbeddedMongo

RUNS = 200
SECONDS = 8.0
"""How long a run lasts."""
BOUND = 250.0
"""Milliseconds within which a run has to end."""

OPEN = (
    "mutation { createTable(input: {game: {callIt: {}}, mode: {timeAttack: {}}}) "
    "{ ... on TableOpened { table { id } } } }"
)
FOLLOW = """subscription Follow($table: ID!) { tableUpdates(tableId: $table) {
  version at events { __typename } table { status run { ... on TimeAttackRun { endsAt } } } } }"""


class Ends:
    """What the subscribers are told of the ends of their runs."""

    def __init__(self, crowd: Crowd) -> None:
        """Listen to all."""
        self.late: list[float] = []
        self.deadlines: list[float] = []
        self.count: Counter[int] = Counter()
        self.all = asyncio.Event()
        self._left = len(crowd.members)
        for number, one in enumerate(crowd.members):
            one.told = self._listener(number)

    def _listener(self, number: int) -> Any:
        def told(one: Subscriber) -> None:
            now = time.time()
            message = json.loads(one.last)
            if message["type"] != "next":
                return
            update = message["payload"]["data"]["tableUpdates"]
            if not any(event["__typename"] == "TimeAttackTimeUp" for event in update["events"]):
                return
            ends = datetime.fromisoformat(update["table"]["run"]["endsAt"]).timestamp()
            self.count[number] += 1
            self.deadlines.append(ends)
            self.late.append((now - ends) * 1e3)
            if len(self.count) == self._left:
                self.all.set()

        return told


async def begin(everyone: Team, tables: list[str]) -> None:
    """Turn the first card of every run, which starts its clock."""
    await asyncio.gather(
        *[everyone.do(lambda player, table=table: player.move(table, {"flip": True})) for table in tables]
    )


async def measured(ports: list[int]) -> Ends:
    """Play the runs and wait for their ends."""
    signed = await ask(ports[0], None, 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }')
    token = signed["signInAsGuest"]["token"]
    async with team(ports[0], token, 32) as everyone:
        tables = await asyncio.gather(*[everyone.do(lambda one: one.open(OPEN)) for _ in range(RUNS)])
        crowd = await Crowd.open(ports[1], RUNS, "/graphql", PROTOCOL)
        await crowd.subscribe(lambda index: {"query": FOLLOW, "variables": {"table": tables[index]}})
        ends = Ends(crowd)
        await begin(everyone, tables)
        await asyncio.wait_for(ends.all.wait(), SECONDS + 20)
        await asyncio.sleep(3)  # for a second end of any of them
        crowd.close()
    return ends


async def measure() -> None:
    """Print how late the runs ended."""
    ports = [free_port() for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedMongo(Path(folder), initiate=initiate_replica_set) as mongo:
            serve = [sys.executable, "-m", "bench.dash", "serve", "--mongo-url", mongo.url, "--port"]
            with ExitStack() as stack:
                for port in ports:
                    stack.enter_context(serving([*serve, str(port)], port, BENCH_SECONDS=str(SECONDS)))
                ends = await measured(ports)
    parts = quantiles(ends.late, n=100)
    within = sum(late <= BOUND for late in ends.late)
    print(f"{RUNS} runs on two workers, deadlines within {max(ends.deadlines) - min(ends.deadlines):.2f} s")
    print(f"ended once: {sum(count == 1 for count in ends.count.values())} of {RUNS}")
    print(
        f"told after the deadline: p50 {parts[49]:.0f} ms, p99 {parts[98]:.0f} ms, "
        f"last {max(ends.late):.0f} ms; {within} of {RUNS} within {BOUND:.0f} ms"
    )


def main() -> None:
    """Print it."""
    run(measure())


if __name__ == "__main__":
    main()
