"""A plugin that raises an exception hurts the request that met it, and nothing else.

The client is told an id and nothing of the exception, on every transport; the log has the id, the
exception, the plugin and the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from serverkit import CALL_31, FLIP, JOIN, START, Caller, Failed, Server, caller, eventually, finish, socket

pytestmark = pytest.mark.anyio

SECRET = "king of hearts"
STEP = {"trap": {"step": True}}
PLAY = "mutation ($i: PlayMoveInput!) { playMove(input: $i) { ... on MovePlayed { update { version } } } }"
BARE = "query ($i: ID!) { table(id: $i) { id version status } }"
VIEW = "query ($i: ID!) { table(id: $i) { version round { ... on TrapRound { steps } } } }"
CREATE = "mutation ($i: CreateTableInput!) { createTable(input: $i) { ... on TableOpened { table { id } } } }"
LEGAL = "query ($i: ID!) { table(id: $i) { version legalMoves { input } } }"
TEXTS = "query ($i: ID!) { table(id: $i) { updates { nodes { version events { text } } } } }"
LEAVE = "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }"
FOLLOW = "subscription ($i: ID!) { tableUpdates(tableId: $i) { version } }"
TO_ACT = "query ($i: ID!) { table(id: $i) { version toAct } }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, foreign_plugins: Path) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("trap"),
        "--memory",
        PYTHONPATH=str(foreign_plugins),
        FLIPTABLE_DENY_PLUGINS="broken,twin,odd,duel",
    ) as server:
        yield server


def masked(server: Server, errors: list[dict[str, Any]], table: str) -> None:
    """The errors tell nothing but an id, and the log has the rest under it."""
    assert errors
    for error in errors:
        assert error["extensions"]["code"] == "INTERNAL", error
        id = error["extensions"]["id"]
        assert re.fullmatch(r"[0-9a-f]{16}", id) and id in error["message"]
        assert SECRET not in json.dumps(error) and "Runtime" not in json.dumps(error)
        (line,) = [line for line in server.log.splitlines() if f"error {id}" in line]
        assert "game trap of trap (fliptable-trap)" in line and f"table {table}" in line, line
    assert SECRET in server.log


async def trap(player: Caller, where: str, late: bool = True, **more: Any) -> str:
    """A table that goes wrong from its second step on, after its first one.

    ``late``: what is asked of it goes wrong only where somebody looks, so that a step is stored.
    """
    opened = await player.data(CREATE, i={"game": {"trap": {"where": where, "late": late}}, **more})
    table: str = opened["createTable"]["table"]["id"]
    await player.data(PLAY, i={"tableId": table, "move": STEP})
    return table


async def others_go_on(server: Server) -> None:
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        assert (await player.move(table, CALL_31))["__typename"] == "MovePlayed"
        assert (await player.move(table, FLIP))["__typename"] == "MovePlayed"
        healthy = await trap(player, "NOWHERE")
        for _ in range(4):
            await player.data(PLAY, i={"tableId": healthy, "move": STEP})
        assert (await player.data(BARE, i=healthy))["table"]["status"] == "OVER"


ENDS = ["EXIT", "INTERRUPT", "CANCEL", "GENERATOR", "RECURSION", "MEMORY"]
ASKED = ["DECIDE", "EVOLVE", "OUTCOME", "TO_ACT", "LEGAL_MOVES", "VIEW", "TEXT", "NOT_AN_EVENT", "CODE"]


@pytest.mark.parametrize("where", [*ASKED, *ENDS])
async def test_a_move_that_fails_changes_nothing(server: Server, where: str) -> None:
    async with caller(server.url) as player, socket(server.socket_url) as watcher:
        table = await trap(player, where, late=False)
        feed = watcher.run(FOLLOW, i=table)
        assert (await anext(feed))["data"]["tableUpdates"]["version"] == 2
        for _ in range(2):
            payload = await player.ask(PLAY, i={"tableId": table, "move": STEP})
            masked(server, payload["errors"], table)
        found = (await player.data(BARE, i=table))["table"]
        assert found == {"id": table, "version": 2, "status": "PLAYING"}
        assert (await player.data(LEAVE, i=table))["leaveTable"]["__typename"] == "TableLeft"
        assert (await anext(feed))["data"]["tableUpdates"]["version"] == 3
        await others_go_on(server)


@pytest.mark.parametrize(
    ("where", "document"),
    [
        ("VIEW", VIEW),
        ("LEGAL_MOVES", LEGAL),
        ("TEXT", TEXTS),
        ("TO_ACT", TO_ACT),
        ("TYPE", VIEW),
        ("ATTRIBUTE", VIEW),
        ("ATTRIBUTE", TEXTS),
    ],
)
async def test_a_field_that_fails_leaves_the_rest_readable(server: Server, where: str, document: str) -> None:
    async with caller(server.url) as player:
        table = await trap(player, where)
        if document == TEXTS:
            await player.data(PLAY, i={"tableId": table, "move": STEP})
        payload = await player.ask(document, i=table)
        masked(server, payload["errors"], table)
        found = (await player.data(BARE, i=table))["table"]
        assert found["id"] == table and found["status"] == "PLAYING"
        await others_go_on(server)


ALL = """id version status toAct legalMoves { input } prompt { text } seats { name } run { __typename }
round { ... on TrapRound { steps } }"""


async def test_a_view_that_fails_for_one_seat_hurts_its_own_requests_alone(server: Server) -> None:
    """It is not asked for before a move of others is stored, and whatever else there is can be read."""
    read = "query ($i: ID!) { table(id: $i) { " + ALL + " updates { nodes { events { text } } } } }"
    follow = "subscription ($i: ID!) { tableUpdates(tableId: $i, after: 3) { version events { text } table { "
    async with (
        caller(server.url) as ann,
        caller(server.url, "Bob") as bob,
        socket(server.socket_url, bob.token) as his,
    ):
        opened = await ann.data(CREATE, i={"game": {"trap": {"where": "VIEW_OF_THE_OTHER"}}, "seats": 2})
        table = opened["createTable"]["table"]["id"]
        await bob.data(JOIN, i={"tableId": table})
        await ann.data(START, i={"tableId": table})
        feed = his.run(follow + ALL + " } } }", i=table)
        whole = "mutation ($i: PlayMoveInput!) { playMove(input: $i) { ... on MovePlayed { table { " + ALL
        for steps in (1, 2):
            played = await ann.data(whole + " } } } }", i={"tableId": table, "move": STEP})
            assert played["playMove"]["table"]["round"] == {"steps": steps}
            told = await anext(feed)
            masked(server, told["errors"], table)
            update = told["data"]["tableUpdates"]
            assert update["events"] == [{"text": f"Ann takes step {steps}."}]
            payload = await bob.ask(read, i=table)
            masked(server, payload["errors"], table)
            assert [error["path"] for error in payload["errors"]] == [["table", "round"]]
            found = payload["data"]["table"]
            page = found.pop("updates")["nodes"]
            assert found == update["table"] and page[-1] == {"events": update["events"]}
            assert found["round"] is None and found["status"] == "PLAYING" and found["toAct"] == [0]
            assert found["run"] and found["prompt"]["text"] and found["seats"][1] == {"name": "Bob"}
            assert (await ann.data(read, i=table))["table"]["round"] == {"steps": steps}
        assert (await bob.data(LEAVE, i=table))["leaveTable"]["__typename"] == "TableLeft"


@pytest.mark.parametrize("where", ["TO_ACT", "LEGAL_MOVES", "VIEW", "TYPE"])
@pytest.mark.parametrize("selected", ["nodes { %s }", "edges { cursor node { %s } }"])
async def test_in_a_list_a_table_that_fails_leaves_the_others_readable(
    server: Server, where: str, selected: str
) -> None:
    """The lobby of a server is not gone because of one table in it."""
    table = "id toAct legalMoves { input } round { ... on TrapRound { steps } }"
    document = "{ tables(filter: {mine: true}) { " + selected % table + " pageInfo { endCursor } } }"
    async with caller(server.url) as player:
        sound = [await trap(player, "NOWHERE")]
        broken = await trap(player, where)
        sound.append((await player.open())["id"])
        for headers in ({}, {"accept": "application/graphql-response+json"}):
            sent = {"query": document}
            answer = await player.http.post(server.url, json=sent, headers={**player.headers, **headers})
            assert answer.status_code == 200
            payload = answer.json()
            masked(server, payload["errors"], broken)
            page = payload["data"]["tables"]
            found = page.get("nodes") or [edge["node"] for edge in page["edges"]]
            # The newest first; its round failed in a place that may be null, or it is null itself.
            assert [one and one["id"] for one in found] in (
                [sound[1], None, sound[0]],
                [sound[1], broken, sound[0]],
            )
            assert found[1] is None or (where in ("VIEW", "TYPE") and found[1]["round"] is None)
            assert {tuple(error["path"])[:3] for error in payload["errors"]} == {
                ("tables", "nodes", 1) if "nodes" in page else ("tables", "edges", 1)
            }
            assert page["pageInfo"]["endCursor"]


async def test_a_refusal_is_told_also_where_the_legal_moves_fail(server: Server) -> None:
    async with caller(server.url) as player:
        table = await trap(player, "REFUSED")
        asked = PLAY.replace("... on MovePlayed { update", "... on Refusal { code table")
        answer = await player.data(asked, i={"tableId": table, "move": STEP})
        assert answer["playMove"] == {"code": "INVALID_VALUE", "table": {"version": 2}}


async def test_a_table_whose_deadline_fails_is_readable_on_every_way(server: Server) -> None:
    """The time of a seat is up, and the plugin fails at it: the table is as it is stored."""
    async with caller(server.url) as player, socket(server.socket_url) as watcher:
        table = await trap(player, "EXPIRED", house={"turnSeconds": 5})
        told = f"what is due at table {table} cannot happen"
        await eventually(lambda: told in server.log, "its timer has come")
        found = (await player.data(BARE, i=table))["table"]
        assert found == {"id": table, "version": 2, "status": "PLAYING"}
        node = "query ($i: ID!) { node(id: $i) { ... on Table { version } } nodes(ids: [$i]) { id } }"
        assert (await player.data(node, i=table))["node"] == {"version": 2}
        page = (await player.data(TEXTS, i=table))["table"]["updates"]["nodes"]
        assert [one["version"] for one in page] == [1, 2]
        assert (await anext(watcher.run(FOLLOW, i=table)))["data"]["tableUpdates"]["version"] == 2
        payload = await player.ask(PLAY, i={"tableId": table, "move": STEP})
        masked(server, payload["errors"], table)
        assert (await player.data(LEAVE, i=table))["leaveTable"]["__typename"] == "TableLeft"
        assert (await player.data(BARE, i=table))["table"]["status"] == "OVER"
        assert server.log.count(told) == 1
        (line,) = [line for line in server.log.splitlines() if told in line]
        assert "game trap of trap (fliptable-trap)" in line
        await others_go_on(server)


async def test_a_table_that_cannot_be_dealt_is_not_opened(server: Server) -> None:
    async with caller(server.url) as player:
        create = "mutation ($i: CreateTableInput!) { createTable(input: $i) { __typename } }"
        payload = await player.ask(create, i={"game": {"trap": {"where": "DEAL"}}})
        (error,) = payload["errors"]
        assert error["extensions"]["code"] == "INTERNAL" and SECRET not in json.dumps(payload)
        assert (await player.data("{ tables(filter: {mine: true}) { nodes { id } } }"))["tables"][
            "nodes"
        ] == []


WHOLE = (
    "subscription ($i: ID!, $a: Int) { tableUpdates(tableId: $i, after: $a) { version events { text } "
    "table { round { ... on TrapRound { steps } } } } }"
)


async def test_over_a_websocket_an_update_that_fails_is_masked_and_the_next_ones_come(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url, player.token) as one:
        table = await trap(player, "TEXT")
        feed = one.run(WHOLE, i=table, a=1)
        assert "errors" not in await anext(feed)
        sound = one.run("subscription ($i: ID!) { tableUpdates(tableId: $i) { version } }", i=table)
        for _ in range(2):
            await player.data(PLAY, i={"tableId": table, "move": STEP})
        for _ in range(2):
            payload = await anext(feed)
            masked(server, payload["errors"], table)
        versions = [(await anext(sound))["data"]["tableUpdates"]["version"] for _ in range(1)]
        assert versions == [4]
        await others_go_on(server)


async def test_over_a_websocket_a_query_that_fails_is_masked(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url, player.token) as one:
        table = await trap(player, "VIEW")
        (payload,) = [payload async for payload in one.run(VIEW, i=table)]
        masked(server, payload["errors"], table)
        (payload,) = [payload async for payload in one.run(BARE, i=table)]
        assert payload["data"]["table"]["id"] == table


@pytest.mark.parametrize(
    "accept", ["text/event-stream", 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"']
)
async def test_over_http_streams_an_update_that_fails_is_masked(server: Server, accept: str) -> None:
    async with caller(server.url) as player:
        table = await trap(player, "TEXT")
        await player.data(PLAY, i={"tableId": table, "move": STEP})
        sent = {"query": WHOLE, "variables": {"i": table, "a": 2}}
        headers = {**player.headers, "accept": accept}
        async with player.http.stream("POST", server.url, json=sent, headers=headers) as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                if '"errors"' in line:
                    break
        payload = json.loads(line.removeprefix("data: "))
        masked(server, payload.get("payload", payload)["errors"], table)


async def events_of(answer: httpx.Response) -> list[tuple[str, str]]:
    """The server-sent events of a response to its end."""
    events, name = [], ""
    async for line in answer.aiter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data" or line == "data:":
            events.append((name, value))
    return events


async def test_server_sent_events_carry_a_whole_table(server: Server) -> None:
    """Not a failure at all, but the same transport when all is well."""
    async with caller(server.url) as player:
        table = (await player.open())["id"]
        await finish(player, table)
        last = (await player.table(table))["version"]
        sent = {
            "query": "subscription ($i: ID!) { tableUpdates(tableId: $i, after: 0) { version } }",
            "variables": {"i": table},
        }
        headers = {**player.headers, "accept": "text/event-stream"}
        async with player.http.stream("POST", server.url, json=sent, headers=headers) as answer:
            events = await events_of(answer)
        versions = [
            json.loads(data)["data"]["tableUpdates"]["version"] for name, data in events if name == "next"
        ]
        assert versions == list(range(1, last + 1))
        assert events[-1][0] == "complete"


async def test_server_sent_events_tell_errors_of_the_operation(server: Server) -> None:
    async with caller(server.url) as player:
        headers = {**player.headers, "accept": "text/event-stream"}
        for query, code in (
            ("subscription {", "GRAPHQL_PARSE_FAILED"),
            ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
            ('subscription { tableUpdates(tableId: "x") { version } }', "NOT_FOUND"),
        ):
            async with player.http.stream(
                "POST", server.url, json={"query": query}, headers=headers
            ) as answer:
                text = "".join([part async for part in answer.aiter_text()])
            assert f'"code":"{code}"' in text, text


async def test_a_failed_operation_is_no_completed_one(server: Server) -> None:
    async with caller(server.url) as player, socket(server.socket_url) as one:
        table = await trap(player, "NOWHERE")
        with pytest.raises(Failed):
            await anext(
                one.run("subscription ($i: ID!) { tableUpdates(tableId: $i, after: 9) { version } }", i=table)
            )
