"""A host who wants no spectators: who has no seat sees nothing of the play, whatever they ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLSchema,
    build_schema,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_union_type,
)
from inprocess import Local, local
from serverkit import JOIN, START, Caller, Failed, caller, eventually, socket

FOLLOW = "subscription ($i: ID!) { tableUpdates(tableId: $i, after: 0) { version table { status } } }"
# A root field in a fragment makes it a subscription that is answered to each one alone.
ALONE = """subscription ($i: ID!) { ...F }
  fragment F on Subscription { tableUpdates(tableId: $i, after: 0) { version } }"""


@pytest.mark.parametrize("document", [FOLLOW, ALONE])
async def test_who_subscribed_before_the_start_is_sent_away_by_it(document: str) -> None:
    create = (
        "mutation ($i: CreateTableInput!) { createTable(input: $i) { ... on TableOpened { table { id } } } }"
    )
    async with local() as server, caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        wanted = {"game": {"flip": {}}, "seats": 2, "house": {"spectators": False}}
        table = (await ann.data(create, i=wanted))["createTable"]["table"]["id"]
        async with socket(server.socket_url) as stranger:
            feed = stranger.run(document, i=table)
            assert (await anext(feed))["data"]
            await bob.data(JOIN, i={"tableId": table})
            assert (await anext(feed))["data"]
            await ann.data(START, i={"tableId": table})
            with pytest.raises(Failed) as failed:
                await anext(feed)
            assert failed.value.code == "FORBIDDEN"


SEEN = """fragment S on Table {
  __typename id version round { __typename } updates(last: 100) { nodes { version table { id } } } }"""
REFUSED = "... on Refusal { code table { ...S } legalMoves { input } }"


@dataclass
class Scene:
    """A table that plays and wants no spectators, the one it is the rematch of, and who has no seat there."""

    server: Local
    hidden: str
    code: str
    before: str
    ann: Caller
    bob: Caller
    outsiders: dict[str, Caller]


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    """Ann and Bob play; Cleo has left, Dan was sent away, Eve is a stranger, and one has no token."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(local(max_cost=1_000_000))
        names = ("Ann", "Bob", "Cleo", "Dan", "Eve")
        ann, bob, cleo, dan, eve = [
            await stack.enter_async_context(caller(server.url, name)) for name in names
        ]
        house = {"spectators": False, "graceSeconds": 3600}
        wanted = {"game": {"scoreboard": {"threshold": 50}}, "seats": 4, "visibility": "PUBLIC"}
        old = (await ann.open(**wanted, house=house))["id"]
        for one in (bob, cleo, dan):
            await one.data(JOIN, i={"tableId": old})
        await ann.data(START, i={"tableId": old})
        for points, one in enumerate((bob, cleo, dan, ann), start=50):
            await one.move(old, {"scoreboard": {"enterPoints": {"points": points}}})
        await ann.move(old, {"scoreboard": {"finish": True}})
        again = (await ann.data(MUTATIONS["rematch"], i={"tableId": old}))["rematch"]["table"]
        hidden = (await ann.data("query ($i: ID!) { table(id: $i) { id code } }", i=again["id"]))["table"]
        await ann.data(START, i={"tableId": hidden["id"]})
        await ann.data(MUTATIONS["kickPlayer"], i={"tableId": hidden["id"], "seat": 3})
        await cleo.data(MUTATIONS["leaveTable"], i={"tableId": hidden["id"]})
        nobody = await stack.enter_async_context(Caller(server.url))
        outsiders = {"left": cleo, "sent away": dan, "stranger": eve, "no token": nobody}
        yield Scene(server, hidden["id"], hidden["code"], old, ann, bob, outsiders)


QUERIES = {
    "node": "query ($i: ID!) { node(id: $i) { ...S } }",
    "nodes": "query ($i: ID!) { nodes(ids: [$i]) { ...S } }",
    "table": "query ($i: ID!) { table(id: $i) { ...S } }",
    "tableByCode": "query ($c: String!) { tableByCode(code: $c) { ...S } }",
    "tables": "{ tables(first: 100) { nodes { ...S } edges { node { ...S } } } }",
    "scoreFlip7Line": f"{{ scoreFlip7Line(line: {{numbers: [1, 1]}}) {{ {REFUSED} }} }}",
}


def _asking(name: str, input: str) -> str:
    return f"mutation ($i: {input}!) {{ {name}(input: $i) {{ {REFUSED} }} }}{SEEN}"


MUTATIONS = {
    name: _asking(name, f"{name[0].upper()}{name[1:]}Input")
    for name in (
        "createTable",
        "createChallenge",
        "joinTable",
        "leaveTable",
        "setReady",
        "startTable",
        "kickPlayer",
        "handOverHost",
        "playMove",
    )
} | {
    "rematch": "mutation ($i: RematchInput!) { rematch(input: $i) { "
    f"... on RematchReady {{ table {{ ...S }} }} {REFUSED} }} }}{SEEN}"
}


LISTS = {
    "lobbyUpdates": "subscription { lobbyUpdates { tableId table { ...S } } }",
    "myTables": "subscription { myTables { ...S } }",
}


def inputs(scene: Scene) -> Iterator[tuple[str, dict[str, Any]]]:
    """What outsiders ask by mutation, in every way in which it can be refused."""
    at = {"tableId": scene.hidden}
    yield "createTable", {"game": {"callIt": {}}, "seats": 99}
    yield "createChallenge", {"title": ""}
    for name in ("joinTable", "leaveTable", "setReady", "startTable", "rematch"):
        yield name, at
    yield "joinTable", {"code": scene.code}
    yield "joinTable", {"code": scene.code, **at}
    yield "rematch", {"tableId": scene.before}
    for name in ("kickPlayer", "handOverHost"):
        for seat in (0, 9):
            yield name, {"seat": seat, **at}
    points = {"scoreboard": {"enterPoints": {"points": 5}}}
    for move in (points, {"callIt": {"flip": True}}, {"callIt": {"flip": False}}, {"nextRound": True}):
        for more in ({}, {"seat": 0}, {"seat": 9}, {"expectedVersion": 1}, {"idempotencyKey": "x" * 999}):
            yield "playMove", {"move": move, **at, **more}


def told_of(payload: Any, table: str) -> list[str]:
    """Where in an answer a table is, and moves that are legal there."""
    found = []
    if isinstance(payload, dict):
        if payload.get("id") == table or payload.get("legalMoves"):
            found.append(str(payload)[:200])
        payload = list(payload.values())
    if isinstance(payload, list):
        for one in payload:
            found += told_of(one, table)
    return found


async def test_no_query_tells_an_outsider_of_the_table(scene: Scene) -> None:
    for who, outsider in scene.outsiders.items():
        for name, document in QUERIES.items():
            payload = await outsider.ask(document + SEEN, i=scene.hidden, c=scene.code)
            assert not told_of(payload, scene.hidden), (who, name)
            codes = [error["extensions"]["code"] for error in payload.get("errors", ())]
            expected = ["FORBIDDEN"] if name in ("node", "nodes", "table", "tableByCode") else []
            assert codes == expected, (who, name)
    seen = await scene.ann.data(QUERIES["tables"] + SEEN)
    assert told_of(seen, scene.hidden), "the one who sits there is told"


async def test_no_refusal_tells_an_outsider_of_the_table(scene: Scene) -> None:
    version = (await scene.ann.table(scene.hidden))["version"]
    for who, outsider in scene.outsiders.items():
        for name, input in inputs(scene):
            payload = await outsider.ask(MUTATIONS[name], i=input)
            assert not told_of(payload, scene.hidden), (who, name, input)
            if outsider.token is not None:
                assert payload["data"][name]["code"], (who, name, input)
                assert payload["data"][name]["code"] != "STALE_VERSION", (who, name, input)
    refused = (await scene.ann.data(MUTATIONS["setReady"], i={"tableId": scene.hidden}))["setReady"]
    assert refused["table"]["version"] == version, "the one who sits there is told"


async def test_no_subscription_tells_an_outsider_of_the_table(scene: Scene) -> None:
    for who, outsider in scene.outsiders.items():
        for document in (FOLLOW, ALONE):
            async with socket(scene.server.socket_url, outsider.token) as one:
                with pytest.raises(Failed) as failed:
                    await anext(one.run(document, i=scene.hidden))
                assert failed.value.code == "FORBIDDEN", who
        for name, document in LISTS.items():
            if outsider.token is None and name == "myTables":
                continue
            heard = await heard_by(outsider, document, scene)
            assert not told_of(heard, scene.hidden), (who, name)
    assert told_of(await heard_by(scene.ann, LISTS["myTables"], scene), scene.hidden)


async def heard_by(one: Caller, document: str, scene: Scene) -> list[dict[str, Any]]:
    """What a list tells while the table has another host and its own again, until one more is opened."""
    queues = scene.server.parts.service.lobby._queues  # type: ignore[union-attr]
    assert not queues
    heard = []
    async with socket(scene.server.socket_url, one.token) as connection:
        feed = connection.run(document + SEEN)
        waiting = asyncio.ensure_future(anext(feed))
        await eventually(lambda: queues, "the list is followed")
        for host, seat in ((scene.ann, 1), (scene.bob, 0)):
            handed = await host.data(MUTATIONS["handOverHost"], i={"tableId": scene.hidden, "seat": seat})
            assert handed == {"handOverHost": {}}
        opener = one if one.token is not None else scene.ann
        last = (await opener.open(seats=2, visibility="PUBLIC"))["id"]
        while not heard or last not in str(heard[-1]):
            heard.append(await waiting)
            waiting = asyncio.ensure_future(anext(feed))
        waiting.cancel()
    await eventually(lambda: not queues, "the list is followed no more")
    return heard


async def test_who_gives_up_their_seat_sees_last_what_that_led_to(scene: Scene) -> None:
    """Their own act is theirs to see; the same asked again is refused without the table."""
    leave = """mutation ($i: LeaveTableInput!) { leaveTable(input: $i) {
      ... on TableLeft { update { version events { __typename } table { version } } table { version mySeat } }
      ... on Refusal { code table { id } } } }"""
    version = (await scene.ann.table(scene.hidden))["version"]
    left = (await scene.bob.data(leave, i={"tableId": scene.hidden}))["leaveTable"]
    assert left["table"] == {"version": version + 1, "mySeat": None}
    assert left["update"]["table"] == {"version": version + 1}
    assert "SeatLeft" in [event["__typename"] for event in left["update"]["events"]]
    again = (await scene.bob.data(leave, i={"tableId": scene.hidden}))["leaveTable"]
    assert again == {"code": "NOT_SEATED", "table": None} or again == {"code": "TABLE_OVER", "table": None}


def test_every_way_to_a_table_is_asked_above() -> None:
    schema = build_schema((Path(__file__).parents[2] / "schema.graphql").read_text())
    for root, asked in (
        (schema.query_type, QUERIES.keys()),
        (schema.mutation_type, MUTATIONS.keys()),
        (schema.subscription_type, {*LISTS, "tableUpdates"}),
    ):
        assert root is not None
        leading = {name for name, field in root.fields.items() if leads_to_a_table(schema, field.type)}
        assert leading == set(asked)


def leads_to_a_table(schema: GraphQLSchema, type: Any) -> bool:
    """Whether the fields of a type, or theirs, come to a table."""
    seen, ahead = set(), [get_named_type(type)]
    while ahead:
        one = ahead.pop()
        if one in seen or not is_composite_type(one):
            continue
        seen.add(one)
        if is_abstract_type(one):
            ahead += schema.get_possible_types(one)
        if not is_union_type(one):
            ahead += [get_named_type(field.type) for field in one.fields.values()]
    return schema.type_map["Table"] in seen
