"""Finding a table by what a person has of it, and reading its replay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from fliptable_api.client import Client, ClientError


async def find_table(client: Client, named: str, selection: str) -> dict[str, Any]:
    """The table of that id or short code, with the selected fields. Errors: ClientError."""
    if named.startswith("tbl_"):
        document = f"query($named: ID!) {{ table(id: $named) {{ {selection} }} }}"
    else:
        document = f"query($named: String!) {{ table: tableByCode(code: $named) {{ {selection} }} }}"
    table: dict[str, Any] | None = (await client.ask(document, named=named))["table"]
    if table is None:
        raise ClientError(f"there is no table {named!r} at {client.url}")
    return table


async def replay_of(client: Client, table: str, selection: str) -> AsyncIterator[dict[str, Any]]:
    """All updates of the table of that id, oldest first, with the selected fields. Errors: ClientError."""
    document = f"""query($table: ID!, $after: String) {{ table(id: $table) {{
      updates(first: 100, after: $after) {{
        nodes {{ {selection} }} pageInfo {{ hasNextPage endCursor }}
      }}
    }} }}"""
    after = None
    while True:
        page = (await client.ask(document, table=table, after=after))["table"]["updates"]
        for update in page["nodes"]:
            yield update
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]
