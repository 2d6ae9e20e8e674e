"""The subscriptions."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator
from typing import Annotated, Any

import strawberry

from fliptable.heads import head_of
from fliptable.lobbyfeed import HeadChange
from fliptable.log import Head, HeadFilter
from fliptable.projection import may_look
from fliptable.quoting import quoted
from fliptable.requests import Interrupted
from fliptable.table import Table as CoreTable
from fliptable_api.context import RequestContext
from fliptable_api.errors import CodedError
from fliptable_api.listing import (
    FORBIDDEN,
    TableFilter,
    fits,
    listed,
    matches,
    parting,
    table_of,
    was_listed,
    where_of,
)
from fliptable_api.nodes import TableNode, UpdateNode
from fliptable_api.tabletypes import Table, TableUpdate

_OWN = 100
"""Of how many of their tables, the newest, who follows their own is told also what was so before."""
_KNOWN = 2000
"""Of how many tables a follower's memory is: more than the changes that may wait for it."""


@strawberry.type(description="A table came into the lobby, changed there, or left it.")
class LobbyUpdate:
    """A table came into the lobby, changed there, or left it."""

    table_id: strawberry.ID = strawberry.field(description="The table.")
    table: Table | None = strawberry.field(
        description="The table as it is now; null, once, when it is not among those asked for any more."
    )


def _arg(description: str) -> Any:
    return strawberry.argument(description=description)


@strawberry.type(description="What can be followed live.")
class Subscription:
    """What can be followed live."""

    @strawberry.subscription(
        graphql_type=TableUpdate,
        description="What happens at a table: what is missing after a version, then live, "
        "in order, without gap or repeat. Without `after` it begins with the latest update. "
        "It completes with the update in which the table is over; `myTables` tells of a rematch.",
    )
    async def table_updates(
        self,
        info: strawberry.Info,
        table_id: Annotated[strawberry.ID, _arg("The table.")],
        after: Annotated[int | None, _arg("The last version that the caller has; 0 for none.")] = None,
    ) -> AsyncGenerator[Any, None]:
        """The table's updates as the caller sees them."""
        context: RequestContext = info.context
        await checked_table(context, table_id)
        async for update in context.shared.service.subscribe(table_id, after, context.player):
            check_look(update.table, context.player)
            yield UpdateNode(context.shared, update, context.player)

    @strawberry.subscription(
        graphql_type=LobbyUpdate,
        description="Changes in the list of public tables that `tables` shows with the same filter. "
        "Subscribe first, then ask for the list, and nothing is missed.",
    )
    async def lobby_updates(
        self,
        info: strawberry.Info,
        filter: Annotated[TableFilter | None, _arg("Which tables.")] = None,
    ) -> AsyncGenerator[Any, None]:
        """Every change of a table that is or was among those asked for."""
        context: RequestContext = info.context
        where = where_of(context, filter)
        told = Told()
        async for change, node in _changes(context, where):
            id = change.head.table
            found: Any = node if node is not None and fits(node.table, where) else None
            if found is not None:
                new = told.shows(found.table)
            else:
                new = told.is_gone(id, was_listed(change, where, context.player, node is not None))
            if new:
                yield LobbyUpdate(table_id=strawberry.ID(id), table=found)

    @strawberry.subscription(
        graphql_type=Table,
        description="Every table at which the caller gets a seat, and every change of who sits, is ready or "
        "is there at it, of its host or of its status: so a rematch is heard of. Play is no change. A table "
        "at which the caller has lost their seat comes once more, without them: `mySeat` is null.",
    )
    async def my_tables(self, info: strawberry.Info) -> AsyncGenerator[Any, None]:
        """The caller's tables, whenever something that lists show is different."""
        context: RequestContext = info.context
        where = HeadFilter(player=context.signed_in().id)
        told = Told()
        async for change, node in _changes(context, where):
            if node is not None and fits(node.table, where):
                if told.shows(node.table):
                    yield node
            elif told.is_gone(change.head.table, was_listed(change, where, context.player, node is not None)):
                last = await parting(context, change)
                if last is not None:
                    yield last


class Told:
    """What the follower of a list was told last of each table.

    The table itself may be further than the change that is told, and then the changes up to there have
    nothing new.
    """

    def __init__(self) -> None:
        """Nothing was told."""
        self._last: OrderedDict[str, str | None] = OrderedDict()

    def shows(self, table: CoreTable) -> bool:
        """Whether it is something new how the table is now; from now on it is none."""
        return self._tell(table.id, head_of(table).shown)

    def is_gone(self, table_id: str, was_there: bool = True) -> bool:
        """Whether it is something new that the table is gone; from now on it is none.

        ``was_there`` says whether it was there for a follower who was told nothing of it yet.
        """
        if table_id not in self._last and not was_there:
            return False
        return self._tell(table_id, None)

    def _tell(self, table_id: str, shown: str | None) -> bool:
        new = table_id not in self._last or self._last[table_id] != shown
        self._last[table_id] = shown
        self._last.move_to_end(table_id)
        if len(self._last) > _KNOWN:
            self._last.popitem(last=False)
        return new


def check_look(table: CoreTable, player: str | None) -> None:
    """Errors: CodedError when a table that has started since wants no spectators."""
    if not may_look(table, player):
        raise CodedError("FORBIDDEN", FORBIDDEN.message)


async def checked_table(context: RequestContext, table_id: str) -> None:
    """Errors: CodedError when there is no such table, or the caller may not see it."""
    if await table_of(context, table_id) is None:
        raise CodedError("NOT_FOUND", f"There is no table {quoted(table_id)}.")


async def _changes(
    context: RequestContext, where: HeadFilter
) -> AsyncGenerator[tuple[HeadChange, TableNode | None], None]:
    """What changes in lists, each with the table as the caller sees it; None where it is not for the caller.

    Errors: Interrupted, TooSlow, Unavailable.
    """
    service = context.shared.service
    own: dict[str, Head] = {}

    async def look() -> None:
        # This worker may not have heard of them yet, and who loses a seat is to be told.
        if where.player is not None:
            heads = await service.store.list_heads(HeadFilter(player=where.player), _OWN)
            own.update((head.table, head) for head in heads)

    async for change in service.lobby.subscribe(look):
        known = own.pop(change.head.table, None)
        if change.before is None and known is not None and known.version < change.head.version:
            change = HeadChange(known, change.head)
        if matches(change.head, where):
            yield change, await listed(context, change.head)
        elif change.before is not None and matches(change.before, where):
            yield change, None
    raise Interrupted
