"""``fliptable play --demo``: a game that plays itself, on a server of its own."""

from __future__ import annotations

from dataclasses import replace

import click

from fliptable_api.cli.command import run
from fliptable_api.cli.local import memory_server
from fliptable_api.cli.player import Wanted, play_table
from fliptable_api.cli.tokens import SIGN_IN
from fliptable_api.cli.verify import verify_table
from fliptable_api.client import Client

_GAME = "call-it"
_SEED = 7
_NAME = "Ann"


def play_demo(wanted: Wanted) -> None:
    """Play, print and verify one table, and end with the exit code. Errors: ClientError."""
    with memory_server() as server:
        run(_play(replace(wanted, server=server)))


async def _play(wanted: Wanted) -> int:
    async with Client(wanted.server) as client:
        payload = (await client.ask(SIGN_IN, name=wanted.name or _NAME))["signInAsGuest"]
    filled = replace(
        wanted,
        game=wanted.game or _GAME,
        seed=_SEED if wanted.seed is None else wanted.seed,
        token=payload["token"],
        auto=True,
    )
    table = await play_table(filled)
    click.echo()
    return await verify_table(wanted.server, table)
