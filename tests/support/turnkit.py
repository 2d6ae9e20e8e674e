"""Tables whose turns have a time limit."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from fliptable.house import HouseRules
from fliptable.plugins import Registry
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.testing import START, TableScript, stacked

LIMIT = 30
NAMES = ("Ann", "Bob", "Cid", "Dot")


def at(number: float) -> datetime:
    return START + timedelta(seconds=number)


def ends(table: TableScript) -> dict[int, float]:
    """When each seat's time is up, in seconds since the start."""
    return {seat: (end - START).total_seconds() for seat, end in table.table.turn_ends()}


def limited(
    plugins: Registry, players: int, *decks: str, game: str = "call-it", mode: str = "race", **more: Any
) -> TableScript:
    more.setdefault("house", HouseRules(turn_seconds=LIMIT))
    chance = stacked(*decks) if decks else None
    return TableScript(plugins, game, mode, players=NAMES[:players], chance=chance, **more)


def check(table: TableScript) -> None:
    """The log alone gives the table, its clocks too, and so does a snapshot of it."""
    assert to_snapshot(table.refold()) == to_snapshot(table.table)
    assert table.refold().clocks == table.table.clocks
    again = from_snapshot(table.catalogue, to_snapshot(table.table))  # type: ignore[arg-type]
    assert again is not None and again.clocks == table.table.clocks
    assert again.turn_ends() == table.table.turn_ends()
    assert again.deadline() == table.table.deadline()
