"""``fliptable play``: any table of any game in the terminal, over the API that every client has."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from fliptable_api.cli.command import Command, run, server_option, token_option
from fliptable_api.cli.player import Wanted, play_table


@click.command(
    cls=Command,
    examples="""
fliptable play call-it                       open a table and play
fliptable play call-it --mode streak         the same game, round after round
fliptable play flip --seats 2 --local Bob    two people at one keyboard
fliptable play flip7 --seats 3 --option rules=hosted
fliptable play --table K7M2QX --name Bob     join a table by its code, or come back to it
fliptable play call-it --auto --seed 7       let the computer play
fliptable play --demo                        no server needed: play, print and verify a game
""",
)
@click.argument("game", required=False)
@click.option("--mode", metavar="MODE", help="How rounds make up a session  [default: the game's own]")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game or the mode."
)
@click.option("--seats", type=click.IntRange(1), metavar="N", help="How many seats the table has.")
@click.option("--local", multiple=True, metavar="NAME", help="A seat that you act for; may be repeated.")
@click.option("--public", is_flag=True, help="List the table in the lobby.")
@click.option("--table", metavar="ID|CODE", help="Sit down at a table, come back to it, or watch it.")
@server_option
@click.option("--name", metavar="NAME", help="What to be called  [default: as last time]")
@token_option
@click.option("--auto", is_flag=True, help="Play by lot, without asking.")
@click.option("--seed", type=int, metavar="N", help="With --auto: the same seed, the same choices.")
@click.option("--moves", type=click.IntRange(1), metavar="N", help="With --auto: stop after so many moves.")
@click.option("--demo", is_flag=True, help="Play one game by lot on a server of its own, and verify it.")
def play(demo: bool, server: str, **wanted: Any) -> None:
    """Play any game in the terminal.

    This client knows no game: it shows what the server says has happened, lists the legal moves that the
    server offers, and sends back the one you choose by its number.

    At q, Ctrl-D or Ctrl-C the table stays as it is; come back with --table. Who you are is kept in a file
    that only you can read, so you come back as the same player.
    """
    _refuse_idle_options(click.get_current_context(), demo, wanted)
    if demo:
        # Only a demo needs the server's side of the package.
        from fliptable_api.cli.demo import play_demo

        play_demo(Wanted("", **wanted))
    if wanted["table"] is not None and wanted["game"] is not None:
        raise click.UsageError("either a GAME to open a table for, or --table to go to one")
    run(_play(Wanted(server, **wanted)))


def _refuse_idle_options(context: click.Context, demo: bool, wanted: dict[str, Any]) -> None:
    """Refuse options that would say nothing beside the others. Errors: UsageError."""
    idle: dict[str, str] = {}
    if demo:
        idle = dict.fromkeys(("server", "token", "table"), "cannot go with --demo, which has its own server")
    else:
        if wanted["table"] is not None:
            opening = ("mode", "options", "seats", "local", "public")
            idle = dict.fromkeys(opening, "is for a table that is opened, and --table goes to one")
        if not wanted["auto"]:
            idle |= dict.fromkeys(("seed", "moves"), "is only for --auto")
    for name, why in idle.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{'option' if name == 'options' else name} {why}")


async def _play(wanted: Wanted) -> int:
    await play_table(wanted)
    return 0
