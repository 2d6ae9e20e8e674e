"""Tables for tests of what is decided: from a log alone, without a service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fliptable.plugins import Registry
from fliptable.testing import TableScript, stacked

SECRET = bytes(range(32))


def kinds(events: Sequence[Any]) -> list[type]:
    return [type(event) for event in events]


def high_table(plugins: Registry, *cards: str, mode: str = "timed", **arguments: Any) -> TableScript:
    """High card for two under the mode of the tests."""
    chance = stacked(*cards) if cards else None
    arguments.setdefault("players", ("Ann", "Bob"))
    return TableScript(plugins, "high-card", mode, chance=chance, secret=SECRET, **arguments)


def solo(registry: Registry, *cards: str, mode: str = "classic") -> TableScript:
    return TableScript(registry, "call-it", mode, chance=stacked(*cards) if cards else None, secret=SECRET)
