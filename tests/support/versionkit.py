"""Servers with one version of Ladder and Laps or another, on one database, and what is played there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from click.testing import Result
from clikit import Cli
from pymongo import MongoClient
from serverkit import Caller, Server

STEP = {"ladder": {"step": True}}
NEXT = {"nextRound": True}
OPEN: dict[str, Any] = {
    "game": {"ladder": {"long": True}},
    "mode": {"laps": {"laps": 2}},
    "seats": 2,
    "localSeats": ["Lou"],
}


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


VIEW = (
    "query ($i: ID!) { table(id: $i) { version round { ... on LadderRound { heights rungs } } "
    "run { ... on LapsRun { left wins } } } }"
)


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
