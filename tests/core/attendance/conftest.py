"""Races whose players come and go."""

from __future__ import annotations

from typing import Any

import pytest
from turnkit import check

from fliptable.plugins import Registry
from fliptable.testing import TableScript, stacked
from fliptable_games.call_it.vocabulary import CallItOptions

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture
def race(registry: Registry) -> Any:
    """A race; the log and a snapshot give the same table in the end."""
    opened: list[TableScript] = []

    def make(players: int = 3, *decks: str, shared: bool = False, **more: Any) -> TableScript:
        table = TableScript(
            registry,
            "call-it",
            more.pop("mode", "race"),
            players=NAMES[:players],
            game_options=CallItOptions(shared),
            chance=stacked(*decks) if decks else None,
            **more,
        )
        opened.append(table)
        return table

    yield make
    for table in opened:
        check(table)
