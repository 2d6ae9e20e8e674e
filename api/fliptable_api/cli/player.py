"""Opening, joining and coming back to a table, and playing it to the end or until one has had enough."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from fliptable_api.cli.choosing import ByHand, ByLot, Chooser
from fliptable_api.cli.opening import opening_input
from fliptable_api.cli.session import Ending, Session
from fliptable_api.cli.shapes import Shapes
from fliptable_api.cli.tables import find_table
from fliptable_api.cli.tokens import sign_in, stay_signed_in
from fliptable_api.cli.typing_in import Lines
from fliptable_api.client import DEFAULT_SERVER, Client, ClientError, endpoint

_REFUSED = "... on Refusal { message code field }"
_OPENED = "update { version } table { id code status }"
_CREATE = f"""mutation($input: CreateTableInput!) {{ createTable(input: $input) {{
  __typename ... on TableOpened {{ {_OPENED} }} {_REFUSED}
}} }}"""
_JOIN = f"""mutation($input: JoinTableInput!) {{ joinTable(input: $input) {{
  __typename ... on TableJoined {{ {_OPENED} }} {_REFUSED}
}} }}"""
_FOUND = "id code status mySeat host { id } seats { local taken }"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    server: str
    game: str | None = None
    mode: str | None = None
    options: Sequence[str] = ()
    seats: int | None = None
    local: Sequence[str] = ()
    public: bool = False
    table: str | None = None
    token: str | None = None
    name: str | None = None
    auto: bool = False
    seed: int | None = None
    moves: int | None = None


async def play_table(wanted: Wanted) -> str:
    """Open or find the table and play it; the id of the table. Errors: ClientError."""
    async with Client(wanted.server) as client:
        if wanted.table is None and wanted.game is None:
            await opening_input(client, None, None, (), None, (), False)
        name = await sign_in(client, wanted.token, wanted.name)
        if wanted.table is None:
            table, after = await _open(client, wanted)
        else:
            table, after = await _come_to(client, wanted.table)
        chooser: Chooser | None = None
        if wanted.auto:
            chooser = ByLot(wanted.seed, wanted.moves)
        elif table.get("plays", True):
            chooser = ByHand(Lines().read, click.echo)
        click.echo(f"You are {name}. Table {table['code']}, {table['id']}")
        session = Session(client, await Shapes.ask(client), table["id"], chooser, click.echo)
        # A token that was given is somebody else's to renew.
        renewing = None if wanted.token is not None else asyncio.create_task(stay_signed_in(client))
        try:
            ending = await session.run(after)
        except BaseException:
            click.echo(_come_back(client, wanted, name, table), err=True)
            raise
        finally:
            if renewing is not None:
                renewing.cancel()
                await asyncio.gather(renewing, return_exceptions=True)
        if ending is Ending.OVER:
            click.echo("The table is over. To check its shuffles:")
            click.echo(f"  fliptable verify {table['code']}{_where(client)}")
        else:
            click.echo(_come_back(client, wanted, name, table))
        return str(table["id"])


async def _open(client: Client, wanted: Wanted) -> tuple[dict[str, Any], int | None]:
    input = await opening_input(
        client, wanted.game, wanted.mode, wanted.options, wanted.seats, wanted.local, wanted.public
    )
    answer = (await client.ask(_CREATE, input=input))["createTable"]
    if answer["__typename"] == "Refusal":
        raise ClientError(f"{answer['message']} ({answer['code']}{_at(answer['field'])})")
    return answer["table"], 0


async def _come_to(client: Client, named: str) -> tuple[dict[str, Any], int | None]:
    """The table, with a seat taken if one is free, and the version after which to tell what happened."""
    table = await find_table(client, named, _FOUND)
    me = (await client.ask("{ me { id } }"))["me"]
    mine = table["mySeat"] is not None or (table["host"] == me and any(s["local"] for s in table["seats"]))
    if not mine and table["status"] == "OPEN":
        answer = (await client.ask(_JOIN, input={"tableId": table["id"]}))["joinTable"]
        if answer["__typename"] != "Refusal":
            return answer["table"], 0
        click.echo(f"Refused: {answer['message']} ({answer['code']})")
    if not mine:
        click.echo("You have no seat at this table, so you watch.")
    return {**table, "plays": mine}, 0 if table["status"] == "OPEN" else None


def _come_back(client: Client, wanted: Wanted, name: str, table: dict[str, Any]) -> str:
    who = "" if wanted.token is not None else f" --name {shlex.quote(wanted.name or name)}"
    return f"The table stays. Come back with:\n  fliptable play --table {table['code']}{who}{_where(client)}"


def _where(client: Client) -> str:
    """The option that names the server, unless it is the usual one."""
    if client.url == endpoint(DEFAULT_SERVER):
        return ""
    return f" --server {client.url.removesuffix('/graphql')}"


def _at(field: str | None) -> str:
    return f" at {field}" if field else ""
