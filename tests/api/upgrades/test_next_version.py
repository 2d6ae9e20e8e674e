"""A table goes on under the next version of its plugin, or is refused and kept as it is."""

from __future__ import annotations

from typing import Any

import pytest
from serverkit import CALL_31, FLIP, Caller, Failed, Server, caller, eventually, socket
from versionkit import STEP, Site, again, clean, half_played, ladder_of, laps_won, step, unreadable, view_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


async def test_a_table_goes_on_under_the_next_version(site: Site) -> None:
    async with clean(site.server("1.0")) as old, caller(old.url) as ann:
        table = await ladder_of(ann)
        before = await half_played(ann, table)
        heights = await view_of(ann, table)
        history = await ann.replay(table)
    documents = site.stored(table)
    async with clean(site.server("1.1")) as new, again(new, ann) as ann2:
        # Looking at it writes nothing.
        assert await ann2.table(table) == before
        assert await view_of(ann2, table) == heights
        assert heights["round"]["rungs"] == 6 and heights["run"]["left"] == 1
        assert await laps_won(ann2) == heights["run"]["wins"][0]
        told = await ann2.replay(table)
        assert [(one["version"], one["at"]) for one in told] == [
            (one["version"], one["at"]) for one in history
        ]
        for was, now in zip(history, told, strict=True):
            assert [event["__typename"] for event in was["events"]] == [
                event["__typename"] for event in now["events"]
            ]
            assert was["table"]["round"] == now["table"]["round"]
        # What the old version stored is told in the new one's words.
        texts = [event["text"] for one in told for event in one["events"]]
        assert [text for text in texts if text.endswith((" and climbs.", " and stays."))]
        assert site.stored(table)[:-2] == documents[:-2]
        # It goes on, and says from where on it is played with the new version.
        after = await step(ann2, table)
        (update,) = (await ann2.replay(table))[len(history) :]
        assert [event["__typename"] for event in update["events"]] == ["TableUpgraded", "LadderStepped"]
        assert update["events"][0]["text"] == "The table goes on with ladder 1.1 and laps 1.1."
        while after["status"] != "OVER":
            after = await step(ann2, table)
        assert after["overReason"] == "PLAYED" and after["round"]["number"] == 2
        wins = (await view_of(ann2, table))["run"]["wins"]

        async def counted() -> bool:
            return await laps_won(ann2) == wins[0]

        await eventually(counted, "the records have the second lap")
        whole = await ann2.replay(table)
        assert len([one for one in whole if one["events"][0]["__typename"] == "TableUpgraded"]) == 1
        replayed = await site.cli(new, "replay", table)
        assert (
            replayed.exit_code == 0 and "The table goes on with ladder 1.1 and laps 1.1." in replayed.output
        )
        verified = await site.cli(new, "verify", table)
        assert verified.exit_code == 0 and "All shuffles are right." in verified.output
    # Nothing of what the old version stored was written over.
    assert site.stored(table)[: len(history)] == documents[: len(history)]


ASKED = [
    "query ($i: ID!) { table(id: $i) { id } }",
    "query ($i: ID!) { table(id: $i) { updates { nodes { version } } } }",
    "query ($i: ID!) { node(id: $i) { id } }",
    "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }",
    "mutation ($i: ID!) { playMove(input: {tableId: $i, move: {nextRound: true}}) { __typename } }",
    "mutation ($i: ID!) { rematch(input: {tableId: $i}) { __typename } }",
]


async def refused(site: Site, server: Server, ann: Caller, table: str, check: Any) -> None:
    """Every way to the table is refused alike; others go on, and nothing of it is written."""
    documents = site.stored(table)
    async with again(server, ann) as here, socket(server.socket_url, ann.token) as one:
        for document in ASKED:
            check((await here.ask(document, i=table))["errors"])
        with pytest.raises(Failed) as failed:
            await anext(one.follow(table))
        check(failed.value.errors)
        mine = await here.data("{ tables(filter: {mine: true}) { nodes { id } } me { name } }")
        assert table not in [node["id"] for node in mine["tables"]["nodes"]]
        other = (await here.open())["id"]
        assert (await here.move(other, CALL_31))["__typename"] == "MovePlayed"
        assert (await here.move(other, FLIP))["__typename"] == "MovePlayed"
    for command in ("replay", "verify"):
        told = await site.cli(server, command, table)
        assert told.exit_code not in (0, 1 if command == "verify" else 0), told.output
        assert "until then the table is kept as it is" in " ".join(told.output.split())
    assert site.stored(table) == documents


async def test_without_a_migration_it_is_refused_and_kept(site: Site) -> None:
    async with clean(site.server("1.0")) as old, caller(old.url) as ann:
        table = await ladder_of(ann)
        before = await half_played(ann, table)
        history = await ann.replay(table)
    async with clean(site.server("bare")) as bare:
        await refused(site, bare, ann, table, lambda errors: unreadable(errors, "1.0", "1.1"))
        async with again(bare, ann) as here:
            # The new version's own tables are as good as any.
            own = (await here.open({"ladder": {"rungs": 2}}, mode={"laps": {"rounds": 1}}))["id"]
            assert (await here.move(own, STEP))["__typename"] == "MovePlayed"
    async with clean(site.server("1.0")) as old, again(old, ann) as here:
        assert await here.table(table) == before
        assert await here.replay(table) == history
        assert (await step(here, table))["version"] == before["version"] + 1


async def test_an_older_version_refuses_what_a_newer_one_has_moved(site: Site) -> None:
    async with clean(site.server("1.0")) as old, caller(old.url) as ann:
        moved, untouched = await ladder_of(ann), await ladder_of(ann)
        await half_played(ann, moved)
    async with clean(site.server("1.1")) as new, again(new, ann) as here:
        before = await step(here, moved)
        history = await here.replay(moved)
        opened = (await here.open({"ladder": {"rungs": 4}}, mode={"laps": {"rounds": 1}}))["id"]
        assert (await here.table(untouched))["version"] == 1
    async with clean(site.server("1.0")) as old:
        for table in (moved, opened):
            await refused(site, old, ann, table, lambda errors: unreadable(errors, "1.1", "1.0"))
        async with again(old, ann) as here:
            await step(here, untouched)
    async with clean(site.server("1.1")) as new, again(new, ann) as here:
        assert await here.table(moved) == before
        assert await here.replay(moved) == history
        await step(here, moved)


async def test_without_the_plugin_it_is_said_which_one_is_missing(site: Site) -> None:
    def missing(errors: list[dict[str, Any]]) -> None:
        (error,) = errors
        assert error["extensions"]["code"] == "PLUGIN_MISSING"
        wanted = "needs version 1.0 of the game 'ladder', which plugin ladder (fliptable-ladder) brought"
        assert wanted in error["message"] and "Install it again" in error["message"]

    async with clean(site.server("1.0")) as old, caller(old.url) as ann:
        table = await ladder_of(ann)
        before = await half_played(ann, table)
    async with clean(site.server(None)) as without:
        await refused(site, without, ann, table, missing)
    async with clean(site.server("1.0")) as old, again(old, ann) as here:
        assert await here.table(table) == before
        await step(here, table)
