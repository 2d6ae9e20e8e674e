"""The heads that a store keeps for lists, in memory and in a real MongoDB."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from storekit import AT, Opener

from fliptable.log import (
    Head,
    HeadFilter,
)


def head(table: str, version: int = 1, minute: int = 0, **changes: Any) -> Head:
    values: dict[str, Any] = {
        "code": f"C{table}",
        "game": "call-it",
        "mode": "classic",
        "status": "OPEN",
        "visibility": "PUBLIC",
        "seats": 2,
        "free_seats": 1,
        "players": ("ply_ann",),
        "created_at": AT + timedelta(minutes=minute),
    }
    return Head(table, version, **{**values, **changes})


async def names(store: Any, limit: int = 10, before: Any = None, **where: Any) -> list[str]:
    return [one.table for one in await store.list_heads(HeadFilter(**where), limit, before)]


async def test_a_head_is_read_as_it_was_kept(store: Any) -> None:
    full = head("t1", 3, players=("ply_ann", "ply_bob"), deadline=AT + timedelta(hours=1))
    await store.save_heads([full, head("t2", players=())])
    assert await store.list_heads(HeadFilter(), 10) == [head("t2", players=()), full]
    await store.save_heads([])


async def test_a_head_is_never_replaced_by_an_older_one(store: Any) -> None:
    await store.save_heads([head("t1", 5, status="PLAYING"), head("t2", 1)])
    await store.save_heads([head("t1", 4, status="OPEN"), head("t2", 2, status="OVER"), head("t3")])
    heads = {one.table: (one.version, one.status) for one in await store.list_heads(HeadFilter(), 10)}
    assert heads == {"t1": (5, "PLAYING"), "t2": (2, "OVER"), "t3": (1, "OPEN")}
    # One of the same version was made from the same commits; a later form of it may replace it.
    await store.save_heads([head("t1", 5, status="OVER")])
    assert await names(store, status="OVER") == ["t2", "t1"]


async def test_of_heads_written_at_once_the_newest_stays(opener: Opener) -> None:
    one, other = await opener(), await opener()
    tables = [f"t{n}" for n in range(40)]
    await asyncio.gather(
        *[
            store.save_heads([head(table, version)])
            for table in tables
            for store, version in ((one, 1), (other, 3), (one, 2))
        ]
    )
    heads = await one.list_heads(HeadFilter(), 100)
    assert {one.table: one.version for one in heads} == dict.fromkeys(tables, 3)


async def test_heads_are_filtered(store: Any) -> None:
    await store.save_heads(
        [
            head("t1"),
            head("t2", game="flip"),
            head("t3", mode="streak"),
            head("t4", status="PLAYING", free_seats=0),
            head("t5", visibility="UNLISTED"),
            head("t6", players=("ply_bob", "ply_ann")),
            head("t7", players=()),
        ]
    )
    assert await names(store) == ["t7", "t6", "t5", "t4", "t3", "t2", "t1"]
    assert await names(store, game="flip") == ["t2"]
    assert await names(store, mode="streak") == ["t3"]
    assert await names(store, status="PLAYING") == ["t4"]
    assert await names(store, visibility="UNLISTED") == ["t5"]
    assert await names(store, player="ply_bob") == ["t6"]
    assert await names(store, has_free_seat=False) == ["t4"]
    assert "t4" not in await names(store, has_free_seat=True)
    assert await names(store, player="ply_ann", status="OPEN", game="flip") == ["t2"]
    assert await names(store, game="chess") == []


async def test_heads_come_in_pages_without_gap_or_repeat(store: Any) -> None:
    # Several tables of the same moment: the id decides.
    await store.save_heads([head(f"t{n:02}", minute=n // 3) for n in range(11)])
    pages, before = [], None
    while page := await store.list_heads(HeadFilter(), 4, before):
        pages.append([one.table for one in page])
        before = (page[-1].created_at, page[-1].table)
    assert pages == [
        ["t10", "t09", "t08", "t07"],
        ["t06", "t05", "t04", "t03"],
        ["t02", "t01", "t00"],
    ]


async def test_deadlines_are_found_when_they_are_due(store: Any) -> None:
    await store.save_heads(
        [
            head("t1", deadline=AT + timedelta(seconds=30)),
            head("t2", deadline=AT + timedelta(seconds=10)),
            head("t3"),
            head("t4", deadline=AT + timedelta(seconds=20)),
        ]
    )

    async def due(seconds: float, limit: int = 10) -> list[str]:
        found = await store.due_heads(AT + timedelta(seconds=seconds), limit)
        return [one.table for one in found]

    assert await due(9.999) == []
    assert await due(20) == ["t2", "t4"]
    assert await due(99) == ["t2", "t4", "t1"]
    assert await due(99, 1) == ["t2"]
    # A deadline that is gone is not due any more.
    await store.save_heads([head("t2", 2)])
    assert await due(99) == ["t4", "t1"]
