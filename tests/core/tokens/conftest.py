"""Players whose tokens last thirty days, by a clock that a test sets."""

from __future__ import annotations

import pytest
from accountkit import LIFETIME

from fliptable.accounts import Accounts
from fliptable.memory import MemoryStore
from fliptable.plugins import Registry
from fliptable.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(registry: Registry) -> MemoryStore:
    return MemoryStore(registry.codec)


@pytest.fixture
def players(store: MemoryStore, clock: FakeClock) -> Accounts:
    return Accounts(store, clock, lifetime=LIFETIME)
