"""What a viewer may not know cannot be told from anything the API answers.

Two servers hold the same tables, whose logs differ only in the order of cards that the viewer has not
seen. Everything that can be asked, of every field that the schema has, is answered byte for byte the
same on both, until a move brings a card up.
"""

from __future__ import annotations

import asyncio
import copy
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
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
from inprocess import Local, local
from serverkit import JOIN, START, Caller, socket

from fliptable.plugins import Registry, load_plugins
from fliptable.table import Table
from fliptable_api import guard
from fliptable_games.flip.state import FIELD

pytestmark = [pytest.mark.anyio]

ROOMY = {"max_tokens": 10**6, "max_depth": 100, "max_fields": 10**6, "max_aliases": 10**6}

TABLES: dict[str, tuple[dict[str, Any], int]] = {
    "Call It and Flip, alone": ({"game": {"callIt": {}}}, 8),
    "Call It and Flip, a streak": ({"game": {"callIt": {}}, "mode": {"streak": {}}}, 25),
    "Call It and Flip, practice": ({"game": {"callIt": {}}, "mode": {"practice": {}}}, 15),
    "Call It and Flip, a common pile": (
        {"game": {"callIt": {"sharedDeck": True}}, "seats": 3, "localSeats": ["Lou"]},
        10,
    ),
    "Call It and Flip, copies": ({"game": {"callIt": {}}, "seats": 3, "localSeats": ["Lou"]}, 10),
    "Flip 7": ({"game": {"flip7": {}}, "seats": 4, "localSeats": ["Lou", "Max"]}, 20),
    "FLIP": ({"game": {"flip": {}}, "seats": 3, "localSeats": ["Lou"]}, 15),
}


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
    """Every way to a table. The replay is left out of the tables inside the replay."""
    select = Selector(schema)
    table = select.everything("Table", frozenset({"Game", "Mode"}))
    inner = select.everything("Table", frozenset({"Game", "Mode", "TableUpdateConnection"}))
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


OFFERS = (
    "query ($i: ID!) { table(id: $i) { version status "
    "legalMoves { seat input fields { path type min max choices } } } }"
)
MOVE = (
    "mutation ($p: PlayMoveInput!) { playMove(input: $p) { ... on MovePlayed { update { version } } "
    "... on Refusal { code message } } }"
)


def filled(move: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal move with its open fields filled in by lot."""
    given: dict[str, Any] = copy.deepcopy(move["input"])
    for field in move["fields"]:
        *way, last = field["path"].split(".")
        place = given
        for step in way:
            place = place[step]
        if field["choices"] is not None:
            place[last] = rng.choice(field["choices"])
        else:
            place[last] = rng.randint(field["min"], min(field["max"], field["min"] + 20))
    return given


async def play(players: list[Caller], table: str, moves: int, rng: random.Random) -> None:
    """Play at random, with nothing but what legalMoves offers."""
    for _ in range(moves):
        for player in rng.sample(players, len(players)):
            offer = (await player.data(OFFERS, i=table))["table"]
            if offer["legalMoves"]:
                break
        if offer["status"] != "PLAYING" or not offer["legalMoves"]:
            return
        move = rng.choice(offer["legalMoves"])
        asked = {"tableId": table, "move": filled(move, rng), "seat": move["seat"]}
        answer = (await player.data(MOVE, p=asked))["playMove"]
        assert "update" in answer, answer


def hidden_from(table: Table, viewer: frozenset[int]) -> dict[int, int]:
    """For each shuffle with hidden cards: how many cards from its top the viewer knows.

    It is written down per game, apart from the games' own code for views.
    """
    current = table.round
    sealed = [one for one in table.shuffles if one.seed is None]
    if table.game.id == "call-it":
        known = {}
        for one in sealed:
            staged = table.staged is not None and one.round == table.staged.number
            assert current is not None or staged
            state: Any = table.staged.state if staged else current.state  # type: ignore[union-attr]
            if state.shared:
                known[one.number] = state.taken + state.terms.peek
            else:
                flips = [len(hand.cards) for seat, hand in enumerate(state.hands) if seat in viewer]
                own = len(state.hands) == 1
                known[one.number] = (len(state.hands[0].cards) if own else max(flips, default=0)) + (
                    state.terms.peek if viewer else 0
                )
        return known
    assert current is not None
    if table.game.id == "flip7":
        pile, left = sealed[-1], len(current.state.deck) - current.state.place
        return {pile.number: len(pile.cards) - left}
    assert table.game.id == "flip"
    decks = sealed[: len(current.state.decks)]
    return {
        one.number: len(one.cards) - len(left) for one, left in zip(decks, current.state.decks, strict=True)
    }


def events_of(commits: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for commit in commits:
        yield from commit["e"]


def mixed(commits: list[dict[str, Any]], known: dict[int, int], rng: random.Random) -> list[dict[str, Any]]:
    """The log with the cards behind the known ones in another order.

    Where others have turned some of them up unseen, each becomes one of the same rank, so that all
    that followed from their values still holds.
    """
    commits = copy.deepcopy(commits)
    orders: dict[int, list[str]] = {}
    private = [event["event"] for event in events_of(commits) if event["@"] == "private"]
    unseen = [event for event in private if event["@"] == "call-it/Flipped"]
    for event in events_of(commits):
        if event["@"] == "table/Shuffled" and event["shuffle"] in known:
            order, first = event["order"], known[event["shuffle"]]
            tail = list(order[first:])
            if unseen:
                groups = defaultdict(list)
                for place, card in enumerate(tail):
                    groups[card[:-1]].append(place)
                for places in groups.values():
                    cards = [tail[place] for place in places]
                    rng.shuffle(cards)
                    for place, card in zip(places, cards, strict=True):
                        tail[place] = card
            else:
                rng.shuffle(tail)
            event["order"] = [*order[:first], *tail]
            orders[event["shuffle"]] = event["order"]
    if unseen:
        (order,) = orders.values()
        flips: dict[int, int] = defaultdict(int)
        for event in unseen:
            event["card"] = order[flips[event["seat"]]]
            flips[event["seat"]] += 1
    return commits


def field_mixed(table: Table, commits: list[dict[str, Any]], rng: random.Random) -> int:
    """Put the cards of FLIP's field that never lay face-up in another order; says how many those are.

    A card of the field stays where it was laid until its pile is flipped for the first time.
    """
    columns = table.round.state.layout.columns  # type: ignore[union-attr]
    flips = [event for event in events_of(commits) if event["@"] == "flip/PileFlipped"]
    turned = {event["row"] * columns + event["column"] for event in flips}
    (field,) = [
        event for event in events_of(commits) if event["@"] == "table/Shuffled" and event["name"] == FIELD
    ]
    order = list(field["order"])
    hidden = [space for space in range(len(order)) if space not in turned]
    cards = [order[space] for space in hidden]
    rng.shuffle(cards)
    for space, card in zip(hidden, cards, strict=True):
        order[space] = card
    field["order"] = order
    return len(hidden)


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
    """Two servers that will hold the same tables."""
    with pytest.MonkeyPatch.context() as patch:
        # These documents are larger than any client's; keep them checked all the same.
        patch.setattr(guard, "_LARGEST_CACHED", 10**7)
        async with local(plugins, **ROOMY) as one, local(plugins, **ROOMY) as other:
            yield one, other


def hold(server: Local, table: str, log: list[dict[str, Any]]) -> None:
    """Make a server hold a table with exactly that log."""
    server.store._commits[table] = copy.deepcopy(log)
    cache = server.parts.service._cache  # type: ignore[union-attr]
    live = cache.peek(table)
    if live is not None:
        cache.drop(live)


@pytest.mark.parametrize("kind", TABLES)
async def test_what_a_viewer_has_not_seen_cannot_be_told_from_any_answer(
    pair: tuple[Local, Local], kind: str
) -> None:
    opening, most = TABLES[kind]
    one, other = pair
    asked = questions(one.parts.built.schema._schema)
    compared = 0
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Caller(one.url)) for _ in range(3)]
        for person, name in zip(people, ("Ann", "Bob", "Cyd"), strict=True):
            await person.sign_in(name)
        ann, bob, cyd = people
        for seed in range(30):
            if compared >= 3:
                break
            rng = random.Random(f"{kind} {seed}")
            house = {"graceSeconds": 3600}
            opened = await ann.open(**opening, house=house, visibility="PUBLIC")
            table, code = opened["id"], opened["code"]
            players = [ann]
            if opened["status"] == "OPEN":
                await bob.data(JOIN, i={"tableId": table})
                await ann.data(START, i={"tableId": table})
                players.append(bob)
            await play(players, table, rng.randint(1, most), rng)
            found = await one.parts.service.get(table)  # type: ignore[union-attr]
            log = copy.deepcopy(one.store._commits[table])
            for name in ("_accounts", "tokens", "_heads", "_codes", "_secret"):
                setattr(other.store, name, copy.copy(getattr(one.store, name)))
            for viewer in (*players, cyd, None):
                token = None if viewer is None else viewer.token
                known = hidden_from(found, found.viewer(None if viewer is None else viewer.player))
                changed = mixed(log, known, rng)
                if found.game.id == "flip" and known:
                    assert field_mixed(found, changed, rng) > 1
                if changed == log:
                    continue  # Every card has been seen, or the table is over.
                hold(one, table, log)
                hold(other, table, changed)
                told = [await answers(each, token, table, code, asked) for each in (one, other)]
                assert b"INTERNAL" not in b"".join(told[0])
                assert told[0] == told[1]
                seen = [await followed(each, token, table, found.version, asked) for each in (one, other)]
                assert len(seen[0]) == found.version
                assert seen[0] == seen[1]
                compared += 1
            assert one.store._commits[table] == log
            for server in pair:
                hold(server, table, [])
                server.store._heads.clear()
    assert compared >= 3


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
