"""What docs/clients.md says of Apollo Client: its cache never goes back, and following goes on."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from graphql import GraphQLObjectType, build_schema, get_named_type, is_composite_type, is_union_type
from inprocess import Local, local
from nodekit import INTEROP, node, package
from serverkit import JOIN, START, Caller, caller
from wire import wire

CALL_31 = {"callIt": {"call": {"target": 31}}}
FLIP = {"callIt": {"flip": True}}
SIGN_OUT = "mutation { signOut { player { id } } }"
LEAVE = "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }"

pytestmark = pytest.mark.anyio


class Apollo:
    """The Node program; ``async with`` it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.updates: list[int] = []

    async def __aenter__(self) -> Apollo:
        package("@apollo/client")
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            # As bundlers take it while developing, with what it warns of.
            *(node(), "--conditions=development", "apollo.mjs", self._url),
            cwd=INTEROP,
            stdin=pipe,
            stdout=pipe,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            line = await self._process.stdout.readline()
        assert line, "it ended"
        told: dict[str, Any] = json.loads(line)
        if "version" in told:
            assert told["version"] == told["at"]
            self.updates.append(told["version"])
        return told

    async def until(self, key: str) -> Any:
        """What the next line with the key says."""
        while key not in (told := await self.read()):
            pass
        return told[key]

    async def seen(self, version: int) -> None:
        while self.updates[-1:] != [version]:
            await self.read()

    async def do(self, what: str, answer: str, **given: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": what, **given}).encode() + b"\n")
        return await self.until(answer)


@asynccontextmanager
async def apollo(server: Local) -> AsyncIterator[tuple[Apollo, Caller, str]]:
    """Signed in at a table of their own; the same player may also ask for themselves."""
    async with Apollo(server.url) as client:
        token = await client.do("signIn", "token")
        table = await client.do("open", "table")
        async with Caller(server.url, token) as same:
            yield client, same, table


async def test_history_does_not_overwrite_the_present() -> None:
    async with local() as server, apollo(server) as (client, same, table):
        assert await client.do("play", "played", table=table, move=CALL_31) == 2
        assert await client.do("play", "played", table=table, move=FLIP) == 3
        assert await client.do("history", "history", table=table) == [1, 2, 3]
        assert (await client.do("cached", "cached", table=table))["version"] == 3
        await client.do("follow", "following", table=table, after=0)
        await client.seen(1)
        assert (await client.do("cached", "cached", table=table))["version"] == 3
        await client.seen(3)
        await same.data(LEAVE, t=table)
        assert await client.until("over")
        assert client.updates == [1, 2, 3, 4]
        cached = await client.do("cached", "cached", table=table)
        assert (cached["version"], cached["status"]) == (4, "OVER")


async def test_a_second_selection_keeps_what_the_first_has_fetched() -> None:
    async with local() as server, apollo(server) as (client, _, table):
        await client.do("look", "looked", table=table)
        cached = await client.do("cached", "cached", table=table)
        (seat,) = cached["seats"]
        assert (seat["name"], seat["local"]) == ("Ann", False)
        assert (cached["round"]["status"], cached["round"]["toAct"]) == ("RUNNING", [0])
        await client.do("play", "played", table=table, move=CALL_31)
        cached = await client.do("cached", "cached", table=table)
        assert cached["seats"][0]["local"] is False and "graceSeconds" in cached["house"]


HALVES = (
    """house { turnSeconds } seats { index name score player { id } } round { number status }
    run { ... on RaceRun { points } } prompt { seat text } fairness { algorithm } legalMoves { label }
    gameOptions { name value } modeOptions { name value } updates(last: 1) { nodes { version } }""",
    """house { graceSeconds } seats { name local player { id } } round { number toAct }
    run { ... on RaceRun { rounds } } prompt { name round } fairness { shuffles { number } }
    legalMoves { input } gameOptions { name title } modeOptions { name title }
    updates(last: 1) { pageInfo { endCursor } }""",
)
OTHERS = (
    "query { daily { date target } tables(first: 1) { nodes { id } } me { id records { metric { name } } }"
    ' records(mode: "streak", metric: "streak") { nodes { rank } } myChallenges(first: 1) { nodes { id } } }',
    "query { daily { date commitment } tables(first: 1) { pageInfo { endCursor } } "
    "me { id records { game { id } } }"
    ' records(mode: "streak", metric: "streak") { pageInfo { endCursor } } '
    "myChallenges(first: 1) { pageInfo { endCursor } } }",
)


async def test_no_selection_makes_it_warn_of_data_that_may_be_lost() -> None:
    """In the build for development, whatever two operations select of the parts of a table."""
    async with local() as server, apollo(server) as (client, same, _), caller(server.url, "Bob") as bob:
        wanted = {"game": {"callIt": {}}, "mode": {"race": {}}, "seats": 2}
        table = (await same.open(**wanted))["id"]
        await bob.data(JOIN, i={"tableId": table})
        await same.data(START, i={"tableId": table})
        documents = [f"query ($t: ID!) {{ table(id: $t) {{ id {half} }} }}" for half in HALVES]
        for move in (None, CALL_31, FLIP):
            if move is not None:
                assert (await same.move(table, move))["__typename"] == "MovePlayed"
            for document in (*documents, *documents[::-1]):
                await client.do("ask", "asked", query=document, variables={"t": table})
        for document in (*OTHERS, *OTHERS[::-1]):
            await client.do("ask", "asked", query=document)
        cached = await client.do("cached", "cached", table=table)
        assert {"turnSeconds", "graceSeconds"} <= cached["house"].keys()
        assert {"points", "rounds"} <= cached["run"].keys()
        assert {"algorithm", "shuffles"} <= cached["fairness"].keys()
        assert {"status", "toAct"} <= cached["round"].keys()
        assert all({"score", "local"} <= seat.keys() for seat in cached["seats"])
        assert all({"value", "title"} <= option.keys() for option in cached["modeOptions"])
        assert await client.do("warned", "warned") == []


@pytest.mark.parametrize("part", ["index name player { id }", "index name", "index"])
async def test_a_seat_keeps_nothing_of_who_sat_there_before(part: str) -> None:
    """Whoever comes to an index takes nothing over, also where two have one name."""
    async with (
        local() as server,
        apollo(server) as (client, same, _),
        caller(server.url, "Bob") as bob,
        caller(server.url, "Bob") as other,
    ):
        table = (await same.open({"callIt": {}}, seats=4))["id"]
        for one in (bob, other):
            await one.data(JOIN, i={"tableId": table})
        await bob.data("mutation ($t: ID!) { setReady(input: {tableId: $t}) { __typename } }", t=table)
        asked = "query ($t: ID!) { table(id: $t) { id seats { %s } } }"
        await client.do("ask", "asked", query=asked % f"{part} ready", variables={"t": table})
        kick = "mutation ($t: ID!) { kickPlayer(input: {tableId: $t, seat: 1}) { __typename } }"
        await same.data(kick, t=table)
        await same.data(START, i={"tableId": table})
        await client.do("ask", "asked", query=asked % part, variables={"t": table})
        seats = (await client.do("cached", "cached", table=table))["seats"]
        assert [seat["index"] for seat in seats] == [0, 1]
        # The one at seat 1 is the other Bob now, who never said that they are ready.
        assert not any(seat.get("ready", False) for seat in seats)


def test_the_policies_name_every_part_without_an_id() -> None:
    """Of what has an identity, and of the queries: a new field needs a policy too."""
    schema = build_schema((INTEROP.parents[1] / "schema.graphql").read_text(encoding="utf-8"))
    page = (INTEROP.parents[1] / "docs" / "clients.md").read_text(encoding="utf-8")
    policies = page.partition("const typePolicies = {\n")[2].partition("\n}\n")[0]
    for kind in ("Table", "Player", "Query"):
        fields = cast(GraphQLObjectType, schema.type_map[kind]).fields
        for name, field in fields.items():
            of = get_named_type(field.type)
            if is_composite_type(of) and not is_union_type(of) and "id" not in getattr(of, "fields", {}):
                assert re.search(rf"\b{name}: \S", policies), f"{kind}.{name}"


async def test_a_cut_line_is_followed_on_where_it_was() -> None:
    async with local() as server, wire(int(server.base.rpartition(":")[2])) as line:
        server.base = f"http://127.0.0.1:{line.port}"
        async with apollo(server) as (client, same, table):
            await client.do("follow", "following", table=table, after=0)
            await client.seen(1)
            await line.cut()
            await line.mend()
            await same.move(table, CALL_31)
            await client.seen(2)
            await same.data(LEAVE, t=table)
            assert await client.until("over")
            assert client.updates == [1, 2, 3]


async def test_when_its_token_ends_it_signs_in_and_goes_on() -> None:
    async with local() as server, apollo(server) as (client, same, _), caller(server.url) as bob:
        table = (await bob.open())["id"]
        await client.do("follow", "following", table=table, after=0)
        await client.seen(1)
        await same.data(SIGN_OUT)
        async with asyncio.timeout(60):
            while await client.do("token", "token") in (None, same.token):
                pass
        await bob.move(table, CALL_31)
        await client.seen(2)
        assert client.updates == [1, 2]


async def test_what_does_not_pass_is_told() -> None:
    async with local() as server, apollo(server) as (client, _, _table):
        await client.do("follow", "following", table="tbl_" + "0" * 20, after=0)
        assert await client.until("failed") == "NOT_FOUND"


async def test_a_socket_from_before_the_sign_in_is_opened_anew() -> None:
    async with local() as server, apollo(server) as (client, same, table):
        await client.do("follow", "following", table=table, after=0)
        await client.seen(1)
        await client.do("signIn", "token")
        await same.move(table, CALL_31)
        await client.seen(2)
