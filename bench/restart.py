"""Time from the start of a server to its first move, with few and with many unfinished tables stored."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from bench.load import Connection
from bench.moves import body, free_port, serving
from bench.tables import played_tables
from fliptable.accounts import Accounts
from fliptable.mongo import MongoStore, initiate_replica_set
from fliptable.plugins import load_plugins
from fliptable.requests import utc_now
from fliptable.service import TableService
from fliptable_api.embedded import EmbeddedMongo

FEW, MANY = 10, 10_000
RUNS = 3


async def filled(url: str, database: str, count: int) -> tuple[str, list[str]]:
    """Fill a database with unfinished tables; the token of who plays at them, and some of them."""
    registry = load_plugins(builtin_only=True)
    store = MongoStore(url, registry.codec, database)
    await store.open()
    account, token, _ = await Accounts(store, utc_now).sign_in_as_guest("Ann")
    service = TableService(registry, store)
    tables = await played_tables(service, count, flips=1, player=account.id)
    await service.stop()
    await store.close()
    return token, tables


async def first_move(url: str, database: str, token: str, table: str) -> float:
    """Seconds from starting the program to the answer of a move."""
    port = free_port()
    start = time.perf_counter()
    command = [sys.executable, "-m", "fliptable_api", "serve", "--port", str(port)]
    with serving(command, port, FLIPTABLE_MONGO_URL=url, FLIPTABLE_MONGO_DATABASE=database):
        connection = await Connection.open("127.0.0.1", port, token)
        answer = json.loads(await connection.post(body(table, {"flip": True})))
        taken = time.perf_counter() - start
        assert answer["data"]["playMove"]["__typename"] == "MovePlayed", answer
        connection.close()
    return taken


async def measure() -> None:
    """The best of some runs of each, turn about."""
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedMongo(Path(folder), initiate=initiate_replica_set) as mongo:
            few = await filled(mongo.url, "few", FEW)
            many = await filled(mongo.url, "many", MANY)
            taken: dict[str, list[float]] = {"few": [], "many": []}
            for run in range(RUNS):
                for name, (token, tables) in (("few", few), ("many", many)):
                    taken[name].append(await first_move(mongo.url, name, token, tables[run]))
    best = {name: min(times) for name, times in taken.items()}
    print(
        f"first move after {best['few']:.2f} s with {FEW} unfinished tables, {best['many']:.2f} s with "
        f"{MANY}: ratio {best['many'] / best['few']:.2f}"
    )


def main() -> None:
    """Print the times and their ratio."""
    asyncio.run(measure())
