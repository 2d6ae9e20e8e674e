"""What the engine's tests share: a small game and mode of their own, and table services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import decidekit
import highcard
import pytest
import storekit
import timedmode
from servicekit import Workers
from turnkit import check, limited

from fliptable import Shuffled
from fliptable.codec import EventCodec
from fliptable.events import RoundOver, SeatTaken, TableCreated, TableOver
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.owners import Owner
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import TableScript


@pytest.fixture(scope="session")
def high() -> SimpleNamespace:
    """What tests need of high card and timed."""
    names = {**vars(highcard), **vars(timedmode)}
    return SimpleNamespace(**{name: value for name, value in names.items() if name[:1].isupper()})


@pytest.fixture
def plugins() -> Registry:
    """The installed plugins, and high card and timed besides."""
    both = load_plugins()
    both.register(timedmode.Plugin(), "high-card")
    return both


@pytest.fixture
def high_table(plugins: Registry) -> Callable[..., TableScript]:
    """Opens a table of high card, with the cards that are dealt if they matter."""
    return partial(decidekit.high_table, plugins)


@pytest.fixture
def timed(plugins: Registry) -> Iterator[Callable[..., TableScript]]:
    """Opens a table whose turns have a limit; every version of it survives the log and a snapshot."""
    opened: list[TableScript] = []

    def make(players: int = 2, *decks: str, **more: Any) -> TableScript:
        opened.append(limited(more.pop("registry", plugins), players, *decks, **more))
        return opened[-1]

    yield make
    for table in opened:
        check(table)


@pytest.fixture(params=["memory", "mongo"])
async def workers(
    request: pytest.FixtureRequest, plugins: Registry, mongo_database: str
) -> AsyncIterator[Workers]:
    """Services on a memory store, then on MongoDB."""
    made = Workers(request.param, plugins, lambda: request.getfixturevalue("mongo_url"), mongo_database)
    if request.param == "mongo":
        request.getfixturevalue("mongo_url")
    yield made
    await made.close()


@pytest.fixture
def codec() -> EventCodec:
    """Knows the events that the tests of stores store."""
    codec = EventCodec()
    codec.register("table", Shuffled, TableCreated, SeatTaken, RoundOver, TableOver)
    codec.register("call-it", owner=Owner("game 'call-it'", Options=storekit.Options))
    codec.register("mode:classic")
    codec.register("test", storekit.Anything)
    return codec


@pytest.fixture(params=["memory", "mongo"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def opener(
    kind: str, codec: EventCodec, request: pytest.FixtureRequest, mongo_database: str
) -> AsyncIterator[storekit.Opener]:
    """Opens a store; every further one shares the data with the first, as another server would."""
    opened: list[Any] = []

    async def open_store() -> Any:
        if kind == "memory":
            store: Any = opened[0] if opened else MemoryStore(codec)
        else:
            store = MongoStore(request.getfixturevalue("mongo_url"), codec, mongo_database)
            await store.open()
        opened.append(store)
        return store

    yield open_store
    for store in opened:
        await store.close()


@pytest.fixture
async def store(opener: storekit.Opener) -> Any:
    return await opener()
