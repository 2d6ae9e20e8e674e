"""The queries."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from typing import Annotated, Any

import strawberry

from fliptable.ids import clean_code, kind_of
from fliptable_api.context import RequestContext
from fliptable_api.listing import TableFilter, page_of, table_of, where_of
from fliptable_api.nodes import PlayerNode
from fliptable_api.tabletypes import Table, TableConnection
from fliptable_api.types import Game, Mode, Node, Player


def _arg(description: str) -> Any:
    return strawberry.argument(description=description)


async def _node(context: RequestContext, id: str) -> Any:
    kind = kind_of(id)
    if kind == "player":
        account = await context.shared.accounts.find(id)
        return None if account is None else PlayerNode(account.id, account.name)
    return await table_of(context, id) if kind == "table" else None


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
        return await table_of(info.context, id)

    @strawberry.field(graphql_type=Table | None, description="A table by its short code.")
    async def table_by_code(
        self, info: strawberry.Info, code: Annotated[str, _arg("The code; case and spaces do not matter.")]
    ) -> Any:
        """The table of that code, or nothing."""
        table_id = await info.context.shared.service.find_code(clean_code(code))
        return None if table_id is None else await table_of(info.context, table_id)

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
        return await page_of(context, where_of(context, filter), first, after)
