"""Lists of tables: which ones, in which order, and where a page goes on."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

import strawberry

from fliptable.ids import kind_of
from fliptable.lobbyfeed import HeadChange
from fliptable.log import Head, HeadFilter, Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.plugins import PluginMissing
from fliptable.projection import may_look
from fliptable.requests import TableNotFound
from fliptable.table import Status, Table
from fliptable_api import paging
from fliptable_api.catalogue import check_named
from fliptable_api.context import RequestContext
from fliptable_api.errors import CodedError
from fliptable_api.nodes import TableNode

logger = logging.getLogger("fliptable")


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


def where_of(context: RequestContext, wanted: TableFilter | None) -> HeadFilter:
    """A filter as the store takes it.

    Errors: CodedError when it needs a player and there is none, or names a game or mode that there is not.
    """
    wanted = wanted or TableFilter()
    check_named(context.shared.catalogue, wanted.game, wanted.mode, "filter.")
    return HeadFilter(
        game=wanted.game,
        mode=wanted.mode,
        status=wanted.status.value if wanted.status is not None else None,
        visibility=None if wanted.mine else "PUBLIC",
        player=context.signed_in().id if wanted.mine else None,
        has_free_seat=wanted.has_free_seat,
    )


async def page_of(context: RequestContext, where: HeadFilter, window: paging.Window) -> Any:
    """A page of tables, the newest first."""
    older = _place(window.after, "after")
    newer = _place(window.before, "before")
    size, backward = window.size, window.backward
    heads = await context.shared.service.store.list_heads(where, size + 1, older, newer, backward)
    more = len(heads) > size
    heads = heads[:size]
    if backward:
        heads.reverse()
    entries = []
    cursors = [paging.to_cursor("table", f"{head.created_at.isoformat()}|{head.table}") for head in heads]
    for head, cursor in zip(heads, cursors, strict=True):
        node = await listed(context, head)
        # The list may be behind the table itself.
        if node is not None and fits(node.table, where):
            entries.append((cursor, node))
    page = paging.page(entries, size, False)
    about = page.page_info
    # What a page leaves out must not keep anybody from going on.
    about.has_next_page, about.has_previous_page = (
        (newer is not None, more) if backward else (more, older is not None)
    )
    about.start_cursor, about.end_cursor = (cursors[0], cursors[-1]) if cursors else (None, None)
    return page


def _place(cursor: str | None, name: str) -> tuple[datetime, str] | None:
    return None if cursor is None else paging.from_cursor("table", cursor, _read_place, name)


async def listed(context: RequestContext, head: Head) -> TableNode | None:
    """The table for a list, at its head's version or later; None when the caller does not see it there.

    One that cannot be read, for want of its plugin or by the plugin's fault, spoils no list.
    Errors: Unavailable.
    """
    try:
        return await table_of(context, head.table, None, head.version)
    except Unavailable:
        raise
    except (PluginMissing, UnreadableLog) as error:
        logger.warning("table %s is left out of a list: %s", head.table, error)
    except Exception:
        logger.exception("table %s is left out of a list", head.table)
    return None


async def parting(context: RequestContext, change: HeadChange) -> TableNode | None:
    """The table for somebody who has lost their seat there by a change, or since; None if it cannot be read.

    It is as it stands or, where they may not look on, as it was when they lost it. Errors: Unavailable.
    """
    node = await listed(context, change.head)
    if node is not None:
        return node
    service = context.shared.service
    id, begin = change.head.table, (change.before or change.head).version
    try:
        upto = (await service.get(id, change.head.version)).version
        async for update in service.updates(id, min(begin, change.head.version - 1), upto):
            if update.table.seat_of(context.player) is None:
                return TableNode(context.shared, update.table, context.player)
    except Unavailable:
        raise
    except Exception as error:
        logger.warning("who has lost a seat at table %s is not told: %s", id, error)
    return None


FORBIDDEN = CodedError("FORBIDDEN", "The host of this table wants no spectators.")


async def table_of(
    context: RequestContext,
    table_id: str,
    forbidden: CodedError | None = FORBIDDEN,
    version: int | None = None,
) -> TableNode | None:
    """The table as the caller sees it; None when there is none, or it is ``forbidden`` silently.

    Without a ``version`` that is enough it is the table as it stands.

    Errors: CodedError when the caller may not see it.
    """
    if kind_of(table_id) != "table":
        return None
    try:
        table = await context.shared.service.get(table_id, version)
    except TableNotFound:
        return None
    if not may_look(table, context.player):
        if forbidden is not None:
            raise CodedError("FORBIDDEN", forbidden.message)
        return None
    if forbidden is not None and context.player is not None:
        # Whoever asks for a table, and not only for a list, looks at it.
        context.shared.service.looked(table, context.player)
    return TableNode(context.shared, table, context.player)


def fits(table: Table, where: HeadFilter) -> bool:
    """Whether the table itself is what a filter asks for."""
    free = table.status is Status.OPEN and any(not place.held for place in table.seats)
    players = [place.player for place in table.seats]
    return (
        (where.game is None or table.game.id == where.game)
        and (where.mode is None or table.mode.id == where.mode)
        and (where.status is None or table.status.value == where.status)
        and (where.visibility is None or table.visibility.value == where.visibility)
        and (where.player is None or where.player in players)
        and (where.has_free_seat is None or where.has_free_seat == free)
    )


def matches(head: Head, where: HeadFilter) -> bool:
    """Whether a head may belong to a table that a filter asks for, apart from its state."""
    return (
        (where.game is None or head.game == where.game)
        and (where.mode is None or head.mode == where.mode)
        and (where.visibility is None or head.visibility == where.visibility)
        and (where.player is None or where.player in head.players)
    )


def was_listed(change: HeadChange, where: HeadFilter, player: str | None, seen: bool) -> bool:
    """Whether a table was among those that a filter asks for until a change of it, as far as is known.

    ``seen`` says whether the player may see it now. Who may not has seen it only before its start, or from
    a seat.
    """
    before = change.before
    if before is None:
        return change.head.version > 1 and matches(change.head, where)
    if not seen and before.status != Status.OPEN.value and player not in before.players:
        return False
    return (
        matches(before, where)
        and (where.status is None or where.status == before.status)
        and (where.has_free_seat is None or where.has_free_seat == (before.free_seats > 0))
    )


def _read_place(text: str) -> tuple[datetime, str]:
    at, table = paging.read_place(text)
    if kind_of(table) != "table":
        raise ValueError(text)
    return at, table
