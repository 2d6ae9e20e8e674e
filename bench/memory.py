"""Memory of an idle table that stays in the cache, after some moves at it."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc

from bench.tables import played_tables
from fliptable.memory import MemoryStore
from fliptable.plugins import load_plugins
from fliptable.service import TableService

TABLES = 2000


async def measure() -> None:
    """Load tables that were stored before into a fresh service, and see what they take."""
    registry = load_plugins(builtin_only=True)
    store = MemoryStore(registry.codec)
    tables = await played_tables(TableService(registry, store), TABLES, flips=2)
    service = TableService(registry, store, cached_tables=TABLES)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for table in tables:
        await service.get(table)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert service.numbers().tables == TABLES
    print(f"an idle cached table of Call It and Flip takes {taken / TABLES / 1024:.1f} KiB")


def main() -> None:
    """Print kibibytes per table."""
    asyncio.run(measure())
