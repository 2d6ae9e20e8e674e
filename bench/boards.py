"""Time for the page of a board around a player, with few and with very many players on the board."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fliptable.mongo import MongoStore, initiate_replica_set
from fliptable.plugins import load_plugins
from fliptable.records import ALL_TIME, Board, place_of
from fliptable_api.embedded import EmbeddedMongo

FEW, MANY = 10_000, 1_000_000
ASKED = 200
START = datetime(2026, 1, 1, tzinfo=UTC)
BOARD = Board("call-it", "speedrun", "flips")


async def fill(store: MongoStore, count: int) -> None:
    """Put players on the board as the records keep them, without a log behind it."""
    records = await store.records()
    chance = random.Random(count)
    counts: dict[int, int] = {}
    for start in range(0, count, 20_000):
        bests = []
        for number in range(start, min(start + 20_000, count)):
            value = 5 + min(int(chance.expovariate(0.4)), 40)
            counts[value] = counts.get(value, 0) + 1
            at, player = START + timedelta(seconds=number), f"ply_{number:020d}"
            bests.append(
                {
                    "_id": f"{ALL_TIME}/{player}/{BOARD.key}",
                    "board": BOARD.key,
                    "scope": "",
                    "period": ALL_TIME,
                    "player": player,
                    "key": value,
                    "value": value,
                    "at": at,
                    "table": f"tbl_{number:020d}",
                    "place": place_of(value, at, player),
                }
            )
        await records._bests.insert_many(bests, ordered=False)
    await records._counts.insert_many(
        [
            {"_id": {"b": BOARD.key, "p": ALL_TIME, "k": value}, "players": players, "value": value}
            for value, players in counts.items()
        ]
    )


async def page_time(store: MongoStore, count: int) -> float:
    """The median time of a page around a random player, in milliseconds."""
    records = await store.records()
    chance = random.Random(7)
    times = []
    for _ in range(ASKED):
        player = f"ply_{chance.randrange(count):020d}"
        start = time.perf_counter()
        page = await records.around(BOARD, ALL_TIME, player)
        times.append(time.perf_counter() - start)
        assert len(page) == 20 and any(one.player == player for one in page)
    return statistics.median(times) * 1000


async def measure() -> None:
    """Fill two databases and ask both, turn about."""
    registry = load_plugins(builtin_only=True)
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedMongo(Path(folder), initiate=initiate_replica_set) as mongo:
            stores = {
                count: MongoStore(mongo.url, registry.codec, f"players{count}") for count in (FEW, MANY)
            }
            for count, store in stores.items():
                await store.open()
                await fill(store, count)
            times: dict[int, list[float]] = {count: [] for count in stores}
            for _ in range(3):
                for count, store in stores.items():
                    times[count].append(await page_time(store, count))
            for store in stores.values():
                await store.close()
    few, many = (min(times[count]) for count in (FEW, MANY))
    print(f"a page around a player: {few:.2f} ms of {FEW}, {many:.2f} ms of {MANY}: ratio {many / few:.2f}")


def main() -> None:
    """Print the times and their ratio."""
    asyncio.run(measure())
