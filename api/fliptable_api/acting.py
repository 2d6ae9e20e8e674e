"""Carrying out a request to a table, and answering with what came of it."""

from __future__ import annotations

from typing import Any

import strawberry

from fliptable import Refusal, lobby
from fliptable.decide import Decision
from fliptable.ids import kind_of
from fliptable.lobby import NOT_SEATED
from fliptable.projection import may_look
from fliptable.quoting import quoted
from fliptable.requests import Command, Refused, Request, TableNotFound
from fliptable_api.context import RequestContext
from fliptable_api.nodes import TableNode, UpdateNode
from fliptable_api.tabletypes import Table, TableUpdate
from fliptable_api.vocabulary import Vocabulary


def success_type(name: str, description: str) -> Any:
    """A success type: the update that was made, and the table after it."""

    class Success:
        """A success."""

        update: TableUpdate = strawberry.field(description="What happened.")
        # Nullable although it never is null: so both a success and a refusal can be asked for `table` in
        # one document, which GraphQL allows only where both have the same type.
        table: Table | None = strawberry.field(description="The table, as the caller sees it; never null.")

    Success.__name__ = Success.__qualname__ = name
    return strawberry.type(Success, name=name, description=description)


async def carry_out(
    words: Vocabulary,
    context: RequestContext,
    table_id: str,
    success: Any,
    command: Command,
    **conditions: Any,
) -> Any:
    """Ask a table for something on behalf of the caller; the answer is a success or a refusal.

    Errors: CodedError when nobody is signed in, and those of the service.
    """
    player = context.signed_in().id
    if kind_of(table_id) != "table":
        return words.refused(no_table(table_id))
    try:
        answer = await context.shared.service.act(table_id, Request(player, **conditions), command)
    except TableNotFound:
        return words.refused(no_table(table_id))
    if isinstance(answer, Refused):
        refusal = answer.refusal
        if refusal.code == "STALE_VERSION" and not may_look(answer.table, player):
            # How far the table has come is not for everybody either.
            refusal = NOT_SEATED
        return words.refused(refusal, TableNode(context.shared, answer.table, player))
    update = UpdateNode(context.shared, answer, player)
    return success(update=update, table=update.table)


def no_table(named: str, field: str = "tableId") -> Refusal:
    """The refusal of a request to a table that there is not."""
    return Refusal("TABLE_NOT_FOUND", f"There is no table {quoted(named)}.", field)


async def seen(context: RequestContext, table_id: str) -> TableNode | None:
    """The table for a refusal of the input alone; None when there is none."""
    if kind_of(table_id) != "table":
        return None
    try:
        return TableNode(context.shared, await context.shared.service.get(table_id), context.player)
    except TableNotFound:
        return None


def joining(player: str, name: str) -> Command:
    """The request to sit down."""

    def command(decision: Decision) -> Refusal | None:
        return lobby.join(decision, player, name)

    return command
