"""Two versions of a plugin at once, as while servers are replaced one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from serverkit import Answered, Caller, Failed, caller, socket
from versionkit import STEP, Site, again, clean, ladder_of, step, unreadable

from fliptable_api.client import Client, ServerError, is_passing

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


async def test_two_versions_at_once_lose_nothing(site: Site) -> None:
    """While workers are replaced one by one, the newer version's tables are those of its workers alone."""
    async with (
        clean(site.server("1.0")) as old,
        clean(site.server("1.1")) as new,
        caller(old.url) as ann,
        again(new, ann) as ann2,
        socket(old.socket_url, ann.token) as at_old,
        socket(new.socket_url, ann.token) as at_new,
    ):
        table = await ladder_of(ann)
        seen = [one async for one in _upto(at_old.follow(table, 0), 1)]
        # The newer worker reads along as long as the older one moves the table.
        feed = at_new.follow(table, 0)
        await step(ann, table)
        assert [(await anext(feed))["version"] for _ in range(2)] == [1, 2]
        # The newer one moves it. Whoever is at the older one is told, and goes on at the newer one.
        watching = at_old.follow(table, 2)
        await _live(watching, ann, table)
        moved = await step(ann2, table)
        with pytest.raises(Failed) as failed:
            while True:
                seen.append(await anext(watching))
        unreadable(failed.value.errors, "1.1", "1.0")
        versions = [one["version"] async for one in _upto(feed, moved["version"])]
        assert versions == list(range(3, moved["version"] + 1))
        with pytest.raises(Answered, match="TABLE_UNREADABLE"):
            await ann.move(table, STEP, seat=0)
        # The terminal's client would try again, until another worker has it.
        async with Client(old.base) as client:
            with pytest.raises(ServerError) as error:
                await client.ask("query ($i: ID!) { table(id: $i) { id } }", i=table)
        assert is_passing(error.value)
        assert (await step(ann2, table))["version"] == moved["version"] + 1


async def _live(feed: AsyncIterator[dict[str, Any]], player: Caller, table: str) -> None:
    """See that a subscription has begun."""
    await step(player, table)
    await anext(feed)


async def _upto(feed: AsyncIterator[dict[str, Any]], version: int) -> AsyncIterator[dict[str, Any]]:
    while True:
        update = await anext(feed)
        yield update
        if update["version"] == version:
            return


async def test_races_between_two_versions_have_one_winner_each(site: Site) -> None:
    """Both workers get moves for the same tables at the same time; every one that was answered is there."""
    async with (
        clean(site.server("1.0")) as old,
        clean(site.server("1.1")) as new,
        caller(old.url) as ann,
        again(new, ann) as ann2,
    ):
        tables = [await ladder_of(ann) for _ in range(6)]
        played: dict[str, set[int]] = {table: set() for table in tables}

        async def play(player: Caller, table: str, key: str) -> None:
            for number in range(8):
                for seat in (0, 1):
                    document = "mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename "
                    document += "... on MovePlayed { update { version } } } }"
                    sent = {"tableId": table, "move": STEP, "seat": seat}
                    payload = await player.ask(
                        document, i={**sent, "idempotencyKey": f"{key} {number} {seat}"}
                    )
                    if payload.get("errors"):
                        unreadable(payload["errors"], "1.1", "1.0")
                        assert player is ann
                    elif payload["data"]["playMove"]["__typename"] == "MovePlayed":
                        version = payload["data"]["playMove"]["update"]["version"]
                        assert version not in played[table]
                        played[table].add(version)

        await asyncio.gather(
            *[play(ann, table, "old") for table in tables], *[play(ann2, table, "new") for table in tables]
        )
        for table in tables:
            replay = await ann2.replay(table)
            assert [one["version"] for one in replay] == list(range(1, len(replay) + 1))
            steps = [
                one["version"]
                for one in replay
                if "LadderStepped" in [event["__typename"] for event in one["events"]]
            ]
            assert set(steps) == played[table] != set()
            upgrades = [one["version"] for one in replay if one["events"][0]["__typename"] == "TableUpgraded"]
            assert len(upgrades) == 1
            stamps = [
                event.get("@v", "1.0")
                for document in site.stored(table)[:-2]
                for event in document["e"]
                if event["@"] == "ladder/Stepped"
            ]
            assert stamps == sorted(stamps), "the older version has moved it after the newer one"
