"""``fliptable replay``: print what happened at a table."""

from __future__ import annotations

import json
from typing import Any

import click

from fliptable_api.cli.command import Command, run, server_option, token_option
from fliptable_api.cli.tables import find_table, replay_of
from fliptable_api.client import Client

_UPDATE = "version at events { __typename seat text }"
_FOLLOW = f"""subscription($table: ID!, $after: Int) {{
  tableUpdates(tableId: $table, after: $after) {{ {_UPDATE} }}
}}"""


@click.command(
    cls=Command,
    examples="""
fliptable replay K7M2QX
fliptable replay K7M2QX --follow
fliptable replay K7M2QX --json | jq .version
""",
)
@click.argument("table")
@server_option
@token_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--follow", is_flag=True, help="Go on with what happens, until the table is over.")
def replay(table: str, server: str, token: str | None, as_json: bool, follow: bool) -> None:
    """Print the log of a table, by its id or code: version, time and what happened.

    It is what a stranger may see of it; with --token, what that player may see.
    """
    run(print_replay(server, table, token, as_json, follow))


async def print_replay(server: str, named: str, token: str | None, as_json: bool, follow: bool) -> int:
    """Print it; the exit code. Errors: ClientError."""
    async with Client(server, token) as client:
        table = (await find_table(client, named, "id"))["id"]
        version = 0
        async for update in replay_of(client, table, _UPDATE):
            version = update["version"]
            _print(update, as_json)
        if follow:
            async for data in client.follow(_FOLLOW, table=table, after=version):
                _print(data["tableUpdates"], as_json)
    return 0


def _print(update: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(update, ensure_ascii=False))
        return
    start = f"{update['version']:>4}  {update['at'][:19].replace('T', ' ')}  "
    for event in update["events"] or [{"text": ""}]:
        click.echo(start + event["text"])
        start = " " * len(start)
