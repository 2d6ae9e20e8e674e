"""Table services for tests: workers on stores that work and stores that fail, and what is asked of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from itertools import count
from typing import Any

from fliptable import Refusal, Visibility, decide
from fliptable.decide import Decision
from fliptable.feed import Update
from fliptable.log import Unavailable
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.opening import Opening
from fliptable.plugins import Registry
from fliptable.requests import Request
from fliptable.service import TableService
from fliptable.testing import FakeClock

numbers = count(1)
ANN, BOB = "ply_ann", "ply_bob"


def opening(registry: Registry, game: str = "high-card", mode: str = "timed", **changes: Any) -> Opening:
    number = next(numbers)
    values: dict[str, Any] = {
        "id": f"tbl_{number}",
        "code": f"CODE{number}",
        "secret": bytes(32),
        "game": game,
        "mode": mode,
        "game_options": registry.game(game).Options(),
        "mode_options": registry.mode(mode).Options(),
        "seats": 1,
        "local_seats": (),
        "visibility": Visibility.PUBLIC,
        "host": ANN,
        "host_name": "Ann",
    }
    return Opening(**{**values, **changes})


def play(move: Any, seat: int = 0) -> Callable[[Decision], Refusal | None]:
    return lambda decision: decide.play(decision, seat, move)


def asks(key: str | None = None, digest: str = "d", version: int | None = None, player: str = ANN) -> Request:
    return Request(player, key, digest if key else None, version)


class Workers:
    """Makes services, each on a store of its own that shares the data with the others'."""

    def __init__(self, kind: str, registry: Registry, url: Callable[[], str], database: str) -> None:
        self.kind, self.registry = kind, registry
        self._url, self._database = url, database
        self._stores: list[Any] = []
        self._services: list[TableService] = []

    async def store(self) -> Any:
        if self.kind == "memory":
            store: Any = self._stores[0] if self._stores else MemoryStore(self.registry.codec)
        else:
            store = MongoStore(self._url(), self.registry.codec, self._database)
            await store.open()
        self._stores.append(store)
        return store

    async def service(self, store: Any = None, registry: Registry | None = None, **settings: Any) -> Any:
        store = await self.store() if store is None else store
        settings.setdefault("clock", FakeClock())
        service = TableService(registry or self.registry, store, **settings)
        await service.start()
        self._services.append(service)
        return service

    async def close(self) -> None:
        for service in self._services:
            await service.stop()
        for store in self._stores:
            await store.close()


class Troubled:
    """A store that fails when it is told to, before or after it has done what was asked."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.failing: dict[str, str] = {}
        self.delays: dict[str, asyncio.Event] = {}
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name == "watch" or not asyncio.iscoroutinefunction(method):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            how = self.failing.get(name)
            if name in self.delays:
                await self.delays[name].wait()
            if how == "before":
                raise Unavailable("the database is away")
            result = await method(*args, **kwargs)
            if how == "after":
                raise Unavailable("the answer was lost")
            return result

        return call


async def follow(service: Any, table: str, after: int | None, into: list[Update]) -> None:
    async with aclosing(service.subscribe(table, after)) as updates:
        async for update in updates:
            into.append(update)  # noqa: PERF401


@asynccontextmanager
async def followed(service: Any, table: str, after: int | None = 0) -> AsyncIterator[list[Update]]:
    """The updates that a subscriber has got so far."""
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, after, seen))
    try:
        yield seen
    finally:
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def versions(updates: list[Update]) -> list[int]:
    return [update.commit.version for update in updates]


async def kept_table(service: Any, registry: Registry, **changes: Any) -> str:
    update = await service.open(opening(registry, **changes))
    return str(update.table.id)
