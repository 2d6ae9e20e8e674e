"""Tables that are in the middle of a round, for benchmarks."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial

from fliptable import decide
from fliptable.house import Visibility
from fliptable.ids import new_code, new_id
from fliptable.opening import Opening
from fliptable.requests import Request
from fliptable.rules import NoOptions
from fliptable.service import TableService
from fliptable_games.call_it.vocabulary import Call, CallItOptions, Flip

PLAYER = new_id("player")


async def played_tables(service: TableService, count: int, flips: int, player: str = PLAYER) -> list[str]:
    """Open tables, call a target out of reach and flip some cards at each. Returns their ids."""

    async def one() -> str:
        table = new_id("table")
        code = new_code() + new_code()[:2]
        options = (CallItOptions(), NoOptions())
        secret = secrets.token_bytes(32)
        await service.open(
            Opening(
                table, code, secret, "call-it", "classic", *options, 1, (), Visibility.UNLISTED, player, "Ann"
            )
        )
        for move in [Call(1000), *[Flip()] * flips]:
            await service.act(table, Request(player), partial(decide.play, seat=0, move=move))
        return table

    tables: list[str] = []
    for start in range(0, count, 256):
        tables += await asyncio.gather(*[one() for _ in range(min(256, count - start))])
    return tables
