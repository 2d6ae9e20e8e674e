"""A host need not have a seat, and can leave like anybody else."""

from __future__ import annotations

import pytest
from inprocess import local
from serverkit import Caller, caller

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio

OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { id mySeat } } } }"""
JOIN = "mutation ($t: ID!) { joinTable(input: {tableId: $t}) { ... on TableJoined { table { mySeat } } } }"
START = "mutation ($t: ID!) { startTable(input: {tableId: $t}) { __typename } }"
LEAVE = """mutation ($t: ID!) { leaveTable(input: {tableId: $t}) {
  __typename ... on TableLeft { table { status host { name } seats { taken } } } } }"""

KICK = "mutation ($t: ID!) { kickPlayer(input: {tableId: $t, seat: 0}) { __typename } }"
READ = "query ($t: ID!) { table(id: $t) { host { name } } }"


@pytest.mark.parametrize("started", [False, True])
async def test_the_first_player_becomes_host_when_one_without_a_seat_leaves(
    registry: Registry, started: bool
) -> None:
    # call-it R7
    async with (
        local(registry) as server,
        caller(server.url, "Ann") as ann,
        caller(server.url, "Bob") as bob,
        caller(server.url, "Cleo") as cleo,
    ):
        wanted = {"game": {"flip7": {}}, "seats": 3, "hostPlays": False}
        opened = (await ann.data(OPEN, i=wanted))["createTable"]["table"]
        assert opened["mySeat"] is None
        for seat, player in enumerate((bob, cleo)):
            assert (await player.data(JOIN, t=opened["id"]))["joinTable"]["table"]["mySeat"] == seat
        if started:
            assert (await ann.data(START, t=opened["id"]))["startTable"]["__typename"] == "SessionStarted"
        left = (await ann.data(LEAVE, t=opened["id"]))["leaveTable"]
        assert left["__typename"] == "TableLeft"
        assert left["table"]["status"] == ("PLAYING" if started else "OPEN")
        assert left["table"]["host"] == {"name": "Bob"}
        assert [seat["taken"] for seat in left["table"]["seats"]].count(True) == 2
        again = (await ann.data(LEAVE, t=opened["id"]))["leaveTable"]
        assert again["__typename"] == "Refusal", "who has left is not there to leave"


@pytest.mark.parametrize("locals", [[], ["Dan", "Eve"]], ids=["players alone", "local seats too"])
@pytest.mark.parametrize("kicked", [False, True])
@pytest.mark.parametrize("started", [False, True])
async def test_a_player_who_goes_takes_no_host_along(
    registry: Registry, started: bool, kicked: bool, locals: list[str]
) -> None:
    async with (
        local(registry) as server,
        caller(server.url, "Ann") as ann,
        caller(server.url, "Bob") as bob,
        caller(server.url, "Cleo") as cleo,
    ):
        wanted = {"game": {"flip7": {}}, "seats": 3 + len(locals), "localSeats": locals, "hostPlays": False}
        table = (await ann.data(OPEN, i=wanted))["createTable"]["table"]["id"]
        for player in (bob, cleo):
            await player.data(JOIN, t=table)
        if started:
            await ann.data(START, t=table)
        if kicked:
            assert (await ann.data(KICK, t=table))["kickPlayer"]["__typename"] == "PlayerKicked"
        else:
            assert (await bob.data(LEAVE, t=table))["leaveTable"]["__typename"] == "TableLeft"
        assert (await ann.data(READ, t=table))["table"] == {"host": {"name": "Ann"}}


@pytest.mark.parametrize("kicked", [False, True])
async def test_a_host_without_a_seat_waits_for_others_when_the_only_player_goes(
    registry: Registry, kicked: bool
) -> None:
    async with (
        local(registry) as server,
        caller(server.url, "Ann") as ann,
        caller(server.url, "Bob") as bob,
        caller(server.url, "Cleo") as cleo,
    ):
        wanted = {"game": {"flip7": {}}, "seats": 2, "hostPlays": False}
        table = (await ann.data(OPEN, i=wanted))["createTable"]["table"]["id"]
        await bob.data(JOIN, t=table)
        await (ann if kicked else bob).data(KICK if kicked else LEAVE, t=table)
        assert (await cleo.data(JOIN, t=table))["joinTable"]["table"]["mySeat"] == 0
        left = (await ann.data(LEAVE, t=table))["leaveTable"]["table"]
        assert (left["status"], left["host"]) == ("OPEN", {"name": "Cleo"})


async def test_a_table_without_anybody_but_its_host_is_over_when_that_one_leaves(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        wanted = {"game": {"flip7": {}}, "seats": 2, "hostPlays": False}
        opened = (await ann.data(OPEN, i=wanted))["createTable"]["table"]
        assert (await ann.data(LEAVE, t=opened["id"]))["leaveTable"]["table"]["status"] == "OVER"


MOVES = "query ($t: ID!) { table(id: $t) { status legalMoves { seat input } } }"
PLAY = "mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename } }"
REMATCH = """mutation ($t: ID!) { rematch(input: {tableId: $t}) { __typename
  ... on RematchReady { table { mySeat host { name } seats { name local taken } } } } }"""


async def to_the_end(table: str, *callers: Caller) -> None:
    """Play whatever comes first until the table is over."""
    while True:
        for player in callers:
            read = (await player.data(MOVES, t=table))["table"]
            if read["status"] == "OVER":
                return
            for move in read["legalMoves"][:1]:
                await player.data(PLAY, i={"tableId": table, "seat": move["seat"], "move": move["input"]})


@pytest.mark.parametrize("locals", [[], ["Dan", "Eve"]], ids=["players alone", "local seats too"])
@pytest.mark.parametrize("asker", ["Ann", "Bob"])
async def test_a_rematch_has_a_seat_for_all_who_had_one_and_none_for_their_host(
    registry: Registry, asker: str, locals: list[str]
) -> None:
    async with (
        local(registry) as server,
        caller(server.url, "Ann") as ann,
        caller(server.url, "Bob") as bob,
        caller(server.url, "Cleo") as cleo,
    ):
        wanted = {"game": {"callIt": {}}, "seats": 2 + len(locals), "localSeats": locals, "hostPlays": False}
        table = (await ann.data(OPEN, i=wanted))["createTable"]["table"]["id"]
        for player in (bob, cleo):
            await player.data(JOIN, t=table)
        await ann.data(START, t=table)
        await to_the_end(table, ann, bob, cleo)
        answer = await (ann if asker == "Ann" else bob).data(REMATCH, t=table)
        again = answer["rematch"]["table"]
        # Without local seats whoever asks runs the new table; with them it is who acts for these.
        host = "Ann" if locals else asker
        assert again["host"] == {"name": host}
        assert [seat["name"] for seat in again["seats"] if seat["taken"]] == ["Bob", "Cleo", *locals]
        assert again["mySeat"] == (None if asker == "Ann" else 0)
