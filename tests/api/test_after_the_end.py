"""What still comes when a session has ended: the rest of its last update, and one more for a rematch."""

from __future__ import annotations

import asyncio

from inprocess import local
from serverkit import JOIN, START, caller, eventually, socket

FOLLOW = """subscription ($i: ID!, $a: Int) {
  tableUpdates(tableId: $i, after: $a) { version events { __typename } } }"""
LEAVE = "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }"
REMATCH = "mutation ($t: ID!) { rematch(input: {tableId: $t}) { ... on RematchReady { table { id } } } }"
MINE = "subscription { myTables { id seats { name } } }"


async def test_a_seat_that_is_left_follows_the_end_in_its_update() -> None:
    async with local() as server, caller(server.url) as ann, socket(server.socket_url, ann.token) as one:
        table = (await ann.open())["id"]
        await ann.data(LEAVE, t=table)
        updates = [payload["data"]["tableUpdates"] async for payload in one.run(FOLLOW, i=table, a=0)]
        kinds = [event["__typename"] for event in updates[-1]["events"]]
        assert kinds[-2:] == ["TableOver", "SeatLeft"]


async def test_a_rematch_is_heard_of_by_my_tables_and_read_by_who_resumes() -> None:
    async with local() as server, caller(server.url) as ann, caller(server.url, "Bob") as bob:
        board = {"scoreboard": {"threshold": 50}}
        table = (await ann.open(board, seats=2))["id"]
        await bob.data(JOIN, i={"tableId": table})
        await ann.data(START, i={"tableId": table})
        for points, one in ((60, ann), (50, bob)):
            await one.move(table, {"scoreboard": {"enterPoints": {"points": points}}})
        async with (
            socket(server.socket_url, bob.token) as stream,
            socket(server.socket_url, bob.token) as list_,
        ):
            mine = list_.run(MINE)
            told = asyncio.ensure_future(anext(mine))
            queues = server.parts.service.lobby._queues  # type: ignore[union-attr]
            await eventually(lambda: queues, "the list is followed")
            await ann.move(table, {"scoreboard": {"finish": True}})
            updates = [one["data"]["tableUpdates"] async for one in stream.run(FOLLOW, i=table, a=0)]
            last = updates[-1]["version"]
            # The stream is complete, so Bob hears of the rematch by his tables.
            fresh = (await ann.data(REMATCH, t=table))["rematch"]["table"]["id"]
            assert (await told)["data"]["myTables"]["id"] == table
            heard = (await anext(mine))["data"]["myTables"]
            assert heard == {"id": fresh, "seats": [{"name": "Ann"}, {"name": "Bob"}]}
            found = (await bob.data("query ($i: ID!) { table(id: $i) { version rematch } }", i=table))[
                "table"
            ]
            assert found == {"version": last + 1, "rematch": fresh}
            more = [one["data"]["tableUpdates"] async for one in stream.run(FOLLOW, i=table, a=last)]
            assert more == [{"version": last + 1, "events": [{"__typename": "RematchOpened"}]}]
