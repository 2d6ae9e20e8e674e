"""What those hear who follow the lists: each change of what is shown, with what was shown before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fliptable.lobbyfeed import HeadChange, LobbyFeed
from fliptable.log import Head

NOW = datetime(2030, 1, 1, tzinfo=UTC)
HEAD = Head("tbl_1", 1, "ABCDE", "flip", "match", "OPEN", "PUBLIC", 2, 1, ("ply_1",), NOW, shown="a")


async def heard(feed: LobbyFeed, *heads: Head) -> list[HeadChange]:
    """What a subscriber hears of these, one after the other."""

    async def hear() -> list[HeadChange]:
        return [change async for change in feed.subscribe()]

    hearing = asyncio.create_task(hear())
    await asyncio.sleep(0)
    for head in heads:
        feed.publish([head])
    for queue in list(feed._queues):
        queue.put_nowait(None)
    return await hearing


async def test_a_change_of_what_only_timers_go_by_is_not_told() -> None:
    later = replace(HEAD, version=2, deadline=NOW + timedelta(seconds=5))
    full = replace(later, version=3, free_seats=0, shown="b")
    told = await heard(LobbyFeed(), HEAD, later, replace(later, version=3), full)
    assert told == [HeadChange(None, HEAD), HeadChange(replace(later, version=3), full)]


async def test_what_was_shown_is_known_also_of_what_nobody_heard() -> None:
    feed = LobbyFeed()
    feed.publish([HEAD])
    full = replace(HEAD, version=2, free_seats=0, shown="b")
    assert await heard(feed, full) == [HeadChange(HEAD, full)]


async def test_an_older_head_is_none_that_is_told() -> None:
    full = replace(HEAD, version=2, free_seats=0, shown="b")
    assert await heard(LobbyFeed(), full, HEAD) == [HeadChange(None, full)]


async def test_a_head_without_a_digest_is_always_told() -> None:
    old = replace(HEAD, shown="")
    again = replace(old, version=2)
    assert await heard(LobbyFeed(), old, again) == [HeadChange(None, old), HeadChange(old, again)]


async def test_after_a_gap_nothing_is_taken_for_known() -> None:
    feed = LobbyFeed()
    feed.publish([HEAD])
    feed.close()
    assert await heard(feed, HEAD) == [HeadChange(None, HEAD)]
