"""Moves per second of the service without HTTP, by how much plugins are asked before a move is stored.

Nothing, what is asked (the eyes of whoever is to act), and the eyes of every seat; turn about, in one run.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from fliptable import MoveRange, decide, lobby, projection, soundness, tablewriter
from fliptable.house import Visibility
from fliptable.ids import new_code, new_id
from fliptable.memory import MemoryStore
from fliptable.opening import Opening
from fliptable.plugins import load_plugins
from fliptable.requests import Request
from fliptable.service import TableService
from fliptable.table import Status, Table

SECONDS = 0.6
RUNS = 4
MOVES = 300
TABLES = (
    ("call-it", "classic", 1),
    ("call-it", "match", 2),
    ("flip", "match", 2),
    ("flip", "match", 4),
    ("flip7", "match", 4),
    ("flip7", "match", 8),
    ("scoreboard", "classic", 4),
)
HOST = new_id("player")


def nothing(before: Table | None, after: Table, commit: Any) -> None:
    """Ask nothing."""


def everybody(before: Table | None, after: Table, commit: Any) -> None:
    """Ask what is asked, and for the eyes of every seat."""
    soundness.ask_ahead(before, after, commit)
    if after.status is Status.OPEN:
        return
    for seat in range(len(after.seats)):
        if after.round is not None:
            projection.view_round(after, after.round, frozenset({seat}))
        projection.view_run(after, frozenset({seat}))


HOW: dict[str, Callable[..., None]] = {
    "nothing": nothing,
    "who is to act": soundness.ask_ahead,
    "everybody": everybody,
}


async def moves_a_second(game: str, mode: str, seats: int, chooser: random.Random) -> float:
    """Random moves at tables of local seats, by processor time."""
    registry = load_plugins()
    service = TableService(registry, MemoryStore(registry.codec))
    await service.start()
    moves, spent = 0, 0.0
    while spent < SECONDS:
        local = tuple([f"Seat {seat}" for seat in range(2, seats + 1)])
        options = registry.game(game).Options(), registry.mode(mode).Options()
        secret, unlisted = secrets.token_bytes(32), Visibility.UNLISTED
        opening = Opening(
            new_id("table"), new_code(), secret, game, mode, *options, seats, local, unlisted, HOST, "Ann"
        )
        table = (await service.open(opening)).table
        if table.status is Status.OPEN:
            start = await service.act(table.id, Request(HOST), partial(lobby.start, player=HOST))
            table = start.table
        for _ in range(MOVES):
            if table.status is not Status.PLAYING:
                break
            command: Any = partial(decide.next_round, player=HOST)
            if table.playable is not None:
                seat = chooser.choice(projection.to_act(table))
                move = chooser.choice(table.game.legal_moves(table.playable.state, seat))
                played = move.example if isinstance(move, MoveRange) else move
                command = partial(decide.play, seat=seat, move=played)
            begin = time.process_time()
            table = (await service.act(table.id, Request(HOST), command)).table
            spent += time.process_time() - begin
            moves += 1
    await service.stop()
    return moves / spent


def main() -> None:
    """Print the rates of each table."""
    asked = tablewriter.ask_ahead
    for game, mode, seats in TABLES:
        best: dict[str, float] = dict.fromkeys(HOW, 0.0)
        for run in range(RUNS):
            for name in sorted(HOW, reverse=bool(run % 2)):
                tablewriter.ask_ahead = HOW[name]
                rate = asyncio.run(moves_a_second(game, mode, seats, random.Random(run)))
                best[name] = max(best[name], rate)
        tablewriter.ask_ahead = asked
        told = ", ".join([f"{name} {rate:,.0f} ({1e6 / rate:.0f} us)" for name, rate in best.items()])
        print(f"{game} {mode}, {seats} seats, moves/s when asked of {told}", flush=True)
