"""The queries and the subscription."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Annotated, Any

import strawberry

from fliptable.ids import clean_code, kind_of
from fliptable.log import Head, HeadFilter
from fliptable.service import TableNotFound
from fliptable.table import Status
from fliptable_api import paging
from fliptable_api.context import RequestContext
from fliptable_api.errors import CodedError
from fliptable_api.nodes import PlayerNode, TableNode, UpdateNode
from fliptable_api.tabletypes import Table, TableConnection, TableUpdate
from fliptable_api.types import Game, Mode, Node, Player


@strawberry.input(description="Which tables a list should have.")
class TableFilter:
    """Which tables a list should have; what is left out does not matter."""

    game: strawberry.ID | None = strawberry.field(default=None, description="The id of the game.")
    mode: strawberry.ID | None = strawberry.field(default=None, description="The id of the mode.")
    status: Status | None = strawberry.field(default=None, description="Where it is in its life.")
    has_free_seat: bool | None = strawberry.field(default=None, description="Whether a seat is free.")
    mine: bool = strawberry.field(
        default=False, description="Only tables where the caller sits, unlisted ones too."
    )


def _arg(description: str) -> Any:
    return strawberry.argument(description=description)


async def _table(context: RequestContext, table_id: str) -> TableNode | None:
    if kind_of(table_id) != "table":
        return None
    try:
        table = await context.shared.service.get(table_id)
    except TableNotFound:
        return None
    return TableNode(context.shared, table, context.player)


async def _node(context: RequestContext, id: str) -> Any:
    kind = kind_of(id)
    if kind == "player":
        account = await context.shared.accounts.find(id)
        return None if account is None else PlayerNode(account.id, account.name)
    return await _table(context, id) if kind == "table" else None


@strawberry.type(description="What can be looked up.")
class Query:
    """What can be looked up."""

    @strawberry.field(graphql_type=Node | None, description="Anything with an id.")
    async def node(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The thing of that id, or nothing."""
        return await _node(info.context, id)

    @strawberry.field(graphql_type=Player | None, description="The caller; null when not signed in.")
    def me(self, info: strawberry.Info) -> Any:
        """Who is asking."""
        account = info.context.account
        return None if account is None else PlayerNode(account.id, account.name)

    @strawberry.field(graphql_type=list[Game], description="Every game that is loaded.")
    def games(self, info: strawberry.Info) -> Any:
        """The catalogue."""
        return list(info.context.shared.catalogue.games.values())

    @strawberry.field(graphql_type=Game | None, description="One game of the catalogue.")
    def game(self, info: strawberry.Info, id: Annotated[str, _arg("Its id.")]) -> Any:
        """The game of that id, or nothing."""
        return info.context.shared.catalogue.games.get(id)

    @strawberry.field(graphql_type=list[Mode], description="Every mode that is loaded.")
    def modes(self, info: strawberry.Info) -> Any:
        """The catalogue's modes."""
        return list(info.context.shared.catalogue.modes.values())

    @strawberry.field(graphql_type=Table | None, description="A table by its id.")
    async def table(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The table of that id, or nothing."""
        return await _table(info.context, id)

    @strawberry.field(graphql_type=Table | None, description="A table by its short code.")
    async def table_by_code(
        self, info: strawberry.Info, code: Annotated[str, _arg("The code; case and spaces do not matter.")]
    ) -> Any:
        """The table of that code, or nothing."""
        table_id = await info.context.shared.service.find_code(clean_code(code))
        return None if table_id is None else await _table(info.context, table_id)

    @strawberry.field(graphql_type=TableConnection, description="Public tables, the newest first.")
    async def tables(
        self,
        info: strawberry.Info,
        filter: Annotated[TableFilter | None, _arg("Which ones.")] = None,
        first: Annotated[int | None, _arg("How many, 1 to 100; 20 if left out.")] = None,
        after: Annotated[str | None, _arg("The cursor to go on from.")] = None,
    ) -> Any:
        """A page of the lobby, or of the caller's own tables."""
        context: RequestContext = info.context
        wanted = filter or TableFilter()
        size = paging.page_size(first)
        before = None if after is None else paging.from_cursor("table", after, _read_place)
        where = HeadFilter(
            game=wanted.game,
            mode=wanted.mode,
            status=wanted.status.value if wanted.status is not None else None,
            visibility=None if wanted.mine else "PUBLIC",
            player=context.signed_in().id if wanted.mine else None,
            has_free_seat=wanted.has_free_seat,
        )
        heads = await context.shared.service.store.list_heads(where, size + 1, before)
        entries = [(paging.to_cursor("table", _write_place(head)), head) for head in heads]
        tables = [
            (cursor, node)
            for cursor, head in entries
            if (node := await _table(context, head.table)) is not None and _fits(node, where)
        ]
        return paging.page(tables, size, before is not None)


def _fits(node: TableNode, where: HeadFilter) -> bool:
    """Whether the table itself still is what the list took it for."""
    table = node.table
    if where.status is not None and table.status.value != where.status:
        return False
    free = table.status is Status.OPEN and any(not place.held for place in table.seats)
    return where.has_free_seat is None or where.has_free_seat == free


def _write_place(head: Head) -> str:
    return f"{head.created_at.isoformat()}|{head.table}"


def _read_place(text: str) -> tuple[datetime, str]:
    at, _, table = text.partition("|")
    if kind_of(table) != "table":
        raise ValueError(text)
    return datetime.fromisoformat(at), table


@strawberry.type(description="What can be followed live.")
class Subscription:
    """What can be followed live."""

    @strawberry.subscription(
        graphql_type=TableUpdate,
        description="What happens at a table: what is missing after a version, then live, "
        "in order, without gap or repeat. Without `after` it begins with the latest update. "
        "It completes when the table is over.",
    )
    async def table_updates(
        self,
        info: strawberry.Info,
        table_id: Annotated[strawberry.ID, _arg("The table.")],
        after: Annotated[int | None, _arg("The last version that the caller has; 0 for none.")] = None,
    ) -> AsyncGenerator[Any, None]:
        """The table's updates as the caller sees them."""
        context: RequestContext = info.context
        if kind_of(table_id) != "table":
            raise CodedError("NOT_FOUND", f"There is no table {table_id[:64]!r}.")
        async for update in context.shared.service.subscribe(table_id, after, context.player):
            yield UpdateNode(context.shared, update, context.player)
