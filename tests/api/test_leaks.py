"""What a viewer may not know cannot be told from anything the API answers.

Two servers hold the same tables, whose logs differ only in the order of cards that the viewer has not
seen. Everything that can be asked, of every field that the schema has, is answered byte for byte the
same on both, until a move brings a card up.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    get_named_type,
)
from inprocess import Local
from leakkit import OFFERS, TABLES, play, scene, twins
from serverkit import JOIN, START, Caller, socket

from fliptable.plugins import Registry, load_plugins

pytestmark = [pytest.mark.anyio]


class Selector:
    """Selections of every field of a type, with nothing left out but what repeats itself."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema

    def everything(self, name: str, without: frozenset[str] = frozenset()) -> str:
        """The selection set of a type; ``without`` are types that are left out below it."""
        kind: Any = self._schema.type_map[name]
        if isinstance(kind, GraphQLInterfaceType):
            parts = [
                f"... on {one.name} {self._fields(one, without)}"
                for one in self._schema.get_implementations(kind).objects
            ]
            return "{ __typename " + " ".join(parts) + " }"
        return self._fields(kind, without)

    def _fields(self, kind: GraphQLObjectType, without: frozenset[str]) -> str:
        chosen = ["__typename"]
        for name, field in kind.fields.items():
            inner = get_named_type(field.type)
            # Types of one interface may have fields of one name and different types.
            column = f"{kind.name}_{name}: {name}"
            if isinstance(inner, GraphQLScalarType | GraphQLEnumType):
                chosen.append(column)
            elif inner.name not in without:
                chosen.append(f"{column} {self.everything(inner.name, without | {kind.name})}")
        return "{ " + " ".join(chosen) + " }"


@pytest.fixture(scope="module")
def plugins() -> Registry:
    return load_plugins()


def questions(schema: GraphQLSchema) -> dict[str, str]:
    """Every way to a table. The replay is left out of the tables inside the replay.

    So is what is no part of them, and the same at each version: the catalogue, and the challenge.
    """
    select = Selector(schema)
    table = select.everything("Table", frozenset({"Game", "Mode"}))
    apart = {"Challenge", "Game", "Mode", "Option"}
    inner = select.everything("Table", frozenset({*apart, "TableUpdateConnection"}))
    events = select.everything("TableEvent")
    update = f"{{ version at events {events} table {inner} }}"
    refusal = f"{{ __typename ... on Refusal {{ code message field table {inner} legalMoves {{ input }} }} }}"
    return {
        "table": f"query ($i: ID!) {{ table(id: $i) {table} }}",
        "node": f"query ($i: ID!) {{ node(id: $i) {{ ... on Table {inner} }} }}",
        "code": f"query ($c: String!) {{ tableByCode(code: $c) {inner} }}",
        "lobby": f"query {{ tables {{ nodes {inner} edges {{ cursor }} }} }}",
        "replay": f"query ($i: ID!) {{ table(id: $i) {{ updates(first: 100) {{ nodes {update} }} }} }}",
        "play": f"mutation ($p: PlayMoveInput!) {{ playMove(input: $p) {refusal} }}",
        "join": f"mutation ($i: ID!) {{ joinTable(input: {{tableId: $i}}) {refusal} }}",
        "start": f"mutation ($i: ID!) {{ startTable(input: {{tableId: $i}}) {refusal} }}",
        "follow": f"subscription ($i: ID!) {{ tableUpdates(tableId: $i, after: 0) {update} }}",
    }


async def answers(
    server: Local, token: str | None, table: str, code: str, asked: dict[str, str]
) -> list[Any]:
    """Everything that somebody can get of a table, as the bytes that came."""
    told: list[Any] = []
    async with Caller(server.url, token) as one:
        for name in ("table", "node", "code", "lobby", "replay", "join", "start"):
            sent = {"query": asked[name], "variables": {"i": table, "c": code}}
            told.append((await one.http.post(server.url, json=sent, headers=one.headers)).content)
        for move in ({"callIt": {"flip": True}}, {"callIt": {"call": {"target": 2}}}):
            for more in ({"expectedVersion": 0}, {"seat": 0, "expectedVersion": 0}, {"seat": 99}):
                sent = {"query": asked["play"], "variables": {"p": {"tableId": table, "move": move, **more}}}
                told.append((await one.http.post(server.url, json=sent, headers=one.headers)).content)
    return told


async def followed(
    server: Local, token: str | None, table: str, version: int, asked: dict[str, str]
) -> list[Any]:
    """The table's updates as a subscriber gets them, up to its version."""
    payloads: list[Any] = []
    async with socket(server.socket_url, token) as one:
        async for payload in one.run(asked["follow"], i=table):
            payloads.append(payload)
            if len(payloads) == version:
                break
    return payloads


@pytest.fixture(scope="module")
async def pair(plugins: Registry) -> AsyncIterator[tuple[Local, Local]]:
    async with twins(plugins) as both:
        yield both


@pytest.mark.parametrize("kind", TABLES)
async def test_what_a_viewer_has_not_seen_cannot_be_told_from_any_answer(
    pair: tuple[Local, Local], kind: str
) -> None:
    one, _ = pair
    asked = questions(one.parts.built.schema._schema)
    compared: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Caller(one.url)) for _ in range(3)]
        for person, name in zip(people, ("Ann", "Bob", "Cyd"), strict=True):
            await person.sign_in(name)
        ann, bob, cyd = people
        for seed in range(30):
            if min(compared["a player"], compared["a stranger"], compared["nobody"]) > 0:
                break
            async with scene(pair, ann, bob, kind, seed) as found:
                viewers = [
                    *(("a player", one) for one in found.players),
                    ("a stranger", cyd),
                    ("nobody", None),
                ]
                for who, viewer in viewers:
                    if not found.spread(viewer):
                        continue
                    token = None if viewer is None else viewer.token
                    told = [await answers(each, token, found.id, found.code, asked) for each in pair]
                    assert b"INTERNAL" not in b"".join(told[0])
                    assert told[0] == told[1]
                    version = found.table.version
                    seen = [await followed(each, token, found.id, version, asked) for each in pair]
                    assert len(seen[0]) == version
                    assert seen[0] == seen[1]
                    compared[who] += 1
    assert len(compared) == 3


@pytest.mark.parametrize("kind", ["Call It and Flip, copies", "FLIP"])
async def test_subscribers_with_one_document_each_get_what_they_may_see(
    pair: tuple[Local, Local], kind: str
) -> None:
    """Answers are shared between those who may see the same; nobody gets another's."""
    opening, _ = TABLES[kind]
    server, _ = pair
    asked = questions(server.parts.built.schema._schema)
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Caller(server.url)) for _ in range(4)]
        for person, name in zip(people, ("Ann", "Bob", "Cyd"), strict=False):
            await person.sign_in(name)
        ann, bob, *_ = people
        table = (await ann.open(**opening, house={"graceSeconds": 3600}))["id"]
        await bob.data(JOIN, i={"tableId": table})
        await ann.data(START, i={"tableId": table})
        sockets = [await stack.enter_async_context(socket(server.socket_url, one.token)) for one in people]
        feeds = [one.run(asked["follow"], i=table) for one in sockets]
        await play([ann, bob], table, 6, random.Random(kind))
        version = (await ann.data(OFFERS, i=table))["table"]["version"]

        async def all_of(feed: AsyncIterator[dict[str, Any]]) -> list[Any]:
            return [(await anext(feed))["data"]["tableUpdates"] for _ in range(version)]

        seen = await asyncio.gather(*[all_of(feed) for feed in feeds])
        for person, updates in zip(people, seen, strict=True):
            replay = await person.data(asked["replay"], i=table)
            assert updates == replay["table"]["updates"]["nodes"]
        assert seen[0] != seen[1] != seen[2] == seen[3]
