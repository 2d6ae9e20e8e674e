"""A table and two versions of the plugin it is played with: real distributions, servers and database.

Ladder and Laps, a game and a mode, have changed their options, an event and their states between 1.0 and
1.1. `bare` is 1.1 of which somebody forgot the migrations.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from clikit import Cli
from pymongo import MongoClient
from serverkit import CALL_31, FLIP, Answered, Caller, Failed, Server, caller, eventually, socket

from fliptable_api.client import Client, ServerError, is_passing

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

SOURCES = Path(__file__).parent / "versions"
STEP = {"ladder": {"step": True}}
NEXT = {"nextRound": True}
OPEN: dict[str, Any] = {
    "game": {"ladder": {"long": True}},
    "mode": {"laps": {"laps": 2}},
    "seats": 2,
    "localSeats": ["Lou"],
}


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders for PYTHONPATH, in each of which pip has installed a version of the distribution."""
    made = tmp_path_factory.mktemp("sources")
    for version in ("1.0", "1.1"):
        shutil.copytree(SOURCES / f"ladder-{version}", made / version)
    shutil.copytree(made / "1.1", made / "bare")
    module = made / "bare" / "fliptable_ladder.py"
    rules = module.read_text()
    assert rules.count("def migrate(") == 2
    module.write_text(rules.replace("def migrate(", "def forgotten("))
    targets = {folder.name: tmp_path_factory.mktemp(f"ladder-{folder.name}") for folder in made.iterdir()}
    for version, target in targets.items():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        options = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile", "--target", str(target)]
        subprocess.run([*command, *options, str(made / version)], check=True, timeout=110)
    return targets


class Site:
    """One database, and servers on it with one version of the plugin or another."""

    def __init__(self, folder: Path, mongo_url: str, database: str, versions: dict[str, Path]) -> None:
        self.folder = folder
        self.database = database
        self.mongo = MongoClient[Any](mongo_url)
        self._url = mongo_url
        self._versions = versions
        self._servers = 0

    def server(self, version: str | None, *arguments: str) -> Server:
        """A server that is not started yet; None: without the plugin."""
        self._servers += 1
        return Server(
            self.folder / f"server-{self._servers}",
            "--mongo-url",
            self._url,
            *arguments,
            PYTHONPATH="" if version is None else str(self._versions[version]),
            FLIPTABLE_MONGO_DATABASE=self.database,
        )

    async def cli(self, server: Server, *arguments: str) -> Result:
        return await asyncio.to_thread(Cli(self.folder, server.base), *arguments)

    def stored(self, table: str) -> list[Any]:
        """Everything that the database has of a table."""
        data = self.mongo[self.database]
        found: list[Any] = list(data["commits"].find({"_id.t": table}).sort("_id"))
        return [*found, data["heads"].find_one({"_id": table}), data["snapshots"].find_one({"_id": table})]


@pytest.fixture
def site(tmp_path: Path, mongo_url: str, mongo_database: str, versions: dict[str, Path]) -> Iterator[Site]:
    site = Site(tmp_path, mongo_url, f"versions_{mongo_database}", versions)
    yield site
    site.mongo.drop_database(site.database)
    site.mongo.close()


async def ladder_of(player: Caller, **more: Any) -> str:
    """A table at which the player acts for both seats."""
    table: str = (await player.open(**{**OPEN, **more}))["id"]
    return table


async def step(player: Caller, table: str, move: Any = None) -> dict[str, Any]:
    """The next seat's step, or the deal of the next round; the table after it."""
    seen = await player.table(table)
    if move is None and not seen["toAct"]:
        move = NEXT
    seat = {} if move == NEXT else {"seat": seen["toAct"][0]}
    answer = await player.move(table, move or STEP, **seat)
    assert answer["__typename"] == "MovePlayed", answer
    after: dict[str, Any] = answer["table"]
    return after


async def half_played(player: Caller, table: str) -> dict[str, Any]:
    """The table in the middle of its second round."""
    while (seen := await step(player, table))["round"]["status"] != "OVER":
        pass
    await step(player, table, NEXT)
    for _ in range(3):
        seen = await step(player, table)
    assert (seen["status"], seen["round"]["number"]) == ("PLAYING", 2)
    return seen


VIEW = "query ($i: ID!) { table(id: $i) { version round { ... on LadderRound { heights rungs } } "
VIEW += "run { ... on LapsRun { left wins } } } }"


async def view_of(player: Caller, table: str) -> dict[str, Any]:
    found: dict[str, Any] = (await player.data(VIEW, i=table))["table"]
    return found


RECORDS = '{ records(game: "ladder", mode: "laps", metric: "laps-won") { nodes { value player { name } } } }'


async def laps_won(player: Caller) -> int | None:
    """What the records say of the only player; None when they are not in them."""
    nodes = (await player.data(RECORDS))["records"]["nodes"]
    return nodes[0]["value"] if nodes else None


@asynccontextmanager
async def again(server: Server, player: Caller) -> AsyncIterator[Caller]:
    """The same player at another server."""
    async with Caller(server.url, player.token) as one:
        yield one


@asynccontextmanager
async def clean(server: Server) -> AsyncIterator[Server]:
    """A server that runs, and in the log of which nothing is unexpected."""
    with server:
        yield server
    assert "Traceback" not in server.log, server.log


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


def unreadable(errors: list[dict[str, Any]], stored: str, loaded: str) -> None:
    """The one error names the plugin, both versions and what to do."""
    (error,) = errors
    told, more = error["message"], error["extensions"]
    assert more["code"] == "TABLE_UNREADABLE", error
    assert (more["part"], more["stored"], more["loaded"]) == ("game 'ladder'", stored, loaded)
    assert more["retryable"] is (stored > loaded)
    assert f"stored by version {stored} of the game 'ladder'" in told
    assert "plugin ladder (fliptable-ladder)" in told and loaded in told
    assert f"Load version {stored}" in told and "until then the table is kept as it is" in told


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
