"""What the engine's tests share: a small game and mode of their own, and table services."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace

import highcard
import pytest
import timedmode
from servicekit import Workers

from fliptable.plugins import Registry, load_plugins


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
