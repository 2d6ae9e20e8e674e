"""What a table is played with is told to all who see it, from the moment it is open."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any

import pytest
from inprocess import local
from serverkit import Caller, caller, eventually, socket

from fliptable import PlayingCard, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard
from fliptable_api.catalogue import options_of
from fliptable_api.chosen import values_of

pytestmark = pytest.mark.anyio

OPTIONS = "{ name title value text option { name title type default min max choices } }"
CHOSEN = f"id input gameOptions {OPTIONS} modeOptions {OPTIONS}"
OPEN = f"""mutation ($i: CreateTableInput!) {{ createTable(input: $i) {{
  ... on TableOpened {{ table {{ status {CHOSEN} }} }} ... on Refusal {{ code message field }} }} }}"""
TABLES = f"query ($f: TableFilter) {{ tables(filter: $f) {{ nodes {{ {CHOSEN} }} }} }}"
LOBBY = f"subscription {{ lobbyUpdates {{ table {{ {CHOSEN} }} }} }}"


async def opened(player: Caller, **wanted: Any) -> dict[str, Any]:
    answer: dict[str, Any] = (await player.data(OPEN, i=wanted))["createTable"]
    return answer["table"]  # type: ignore[no-any-return]


def told(options: list[dict[str, Any]]) -> dict[str, Any]:
    return {one["name"]: one["value"] for one in options}


async def test_a_lobby_tells_a_race_to_3_from_a_race_to_15(registry: Registry) -> None:
    async with (
        local(registry) as server,
        caller(server.url, "Ann") as ann,
        Caller(server.url) as nobody,
        socket(server.socket_url) as line,
    ):
        short, long = [
            await opened(
                ann,
                game={"callIt": {}},
                mode={"race": {"winningScore": score}},
                seats=2,
                visibility="PUBLIC",
            )
            for score in (3, 15)
        ]
        assert short["status"] == "OPEN"
        listed = (await nobody.data(TABLES))["tables"]["nodes"]
        assert [told(one["modeOptions"]) for one in listed] == [{"winningScore": 15}, {"winningScore": 3}]
        assert [told(one["gameOptions"]) for one in listed] == [{"sharedDeck": False}] * 2
        (score,) = listed[0]["modeOptions"]
        assert (score["title"], score["text"]) == ("Winning score", "15")
        assert (score["option"]["min"], score["option"]["max"], score["option"]["default"]) == (3, 15, 5)
        assert listed[1]["gameOptions"][0]["text"] == "no"
        assert {one["id"] for one in listed} == {short["id"], long["id"]}
        followers = server.parts.service.lobby._queues  # type: ignore[union-attr]
        hearing = asyncio.create_task(anext(line.run(LOBBY)))
        await eventually(lambda: len(followers) > 0, "the list is followed")
        new = await opened(
            ann, game={"callIt": {}}, mode={"race": {"winningScore": 9}}, seats=2, visibility="PUBLIC"
        )
        heard = (await hearing)["data"]["lobbyUpdates"]["table"]
        assert heard["id"] == new["id"] and told(heard["modeOptions"]) == {"winningScore": 9}


async def test_what_nobody_chose_is_told_as_it_is_played(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        for rules, match in (
            # flip7 F29 and F30 for the official rules, and what the host site has.
            ("OFFICIAL", {"threshold": 200, "reach": "AT_LEAST", "ties": "PLAY_ON"}),
            ("HOSTED", {"threshold": 200, "reach": "MORE_THAN", "ties": "ALL_WIN"}),
        ):
            table = await opened(ann, game={"flip7": {"rules": rules}}, seats=2)
            assert told(table["gameOptions"]) == {"rules": rules}
            assert table["gameOptions"][0]["text"] == rules.lower()
            assert set(told(table["modeOptions"])) == set(match)
            assert told(table["modeOptions"])["threshold"] == match["threshold"]
            assert None not in told(table["modeOptions"]).values()
            (reach,) = [one for one in table["modeOptions"] if one["name"] == "reach"]
            assert reach["text"] == reach["value"].replace("_", " ").lower()
            (threshold,) = [one for one in table["modeOptions"] if one["name"] == "threshold"]
            assert (threshold["option"]["min"], threshold["option"]["max"]) == (50, 1000)
        assert told((await opened(ann, game={"flip": {}}, seats=2))["gameOptions"])["first"] is None


SHAPES: list[dict[str, Any]] = [
    {"game": {"callIt": {}}},
    {"game": {"callIt": {"sharedDeck": True}}, "mode": {"race": {"winningScore": 7}}, "seats": 3},
    {"game": {"callIt": {}}, "mode": {"survival": {"lives": 9}}},
    {"game": {"callIt": {}}, "seats": 3, "localSeats": ["Bob", "Cleo"], "visibility": "PUBLIC"},
    {"game": {"flip7": {"rules": "HOSTED"}}, "seats": 4, "house": {"turnSeconds": 30, "spectators": False}},
    {"game": {"flip": {"decks": "SUITS", "fieldCards": 6, "first": 1}}, "seats": 2, "mode": {"match": {}}},
    {"game": {"scoreboard": {"threshold": 120}}, "localSeats": ["Bob", "Cleo"]},
    {"game": {"callIt": {}}, "seats": 3, "localSeats": ["Bob"], "hostPlays": False},
    {"game": {"flip7": {}}, "seats": 2, "hostPlays": False},
]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
async def test_what_a_table_was_opened_with_opens_another_one_like_it(
    registry: Registry, shape: dict[str, Any]
) -> None:
    same = "input gameOptions { name value } modeOptions { name value } house { turnSeconds graceSeconds "
    same += "waitSeconds spectators } visibility game { id } mode { id } mySeat seats { local taken }"
    again = (
        "mutation ($i: CreateTableInput!) { createTable(input: $i) { "
        f"... on TableOpened {{ table {{ id {same} }} }} }} }}"
    )
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        first = (await ann.data(again, i=shape))["createTable"]["table"]
        second = (await ann.data(again, i=first["input"]))["createTable"]["table"]
        assert second.pop("id") != first.pop("id")
        assert second == first
        for name, given in shape.items():
            (kept,) = [first["input"][name]]
            if name in ("game", "mode"):
                ((key, options),) = given.items()
                assert list(kept) == [key] and {**kept[key], **options} == kept[key]
            elif name == "house":
                assert {**kept, **given} == kept
            else:
                assert kept == given


START = "mutation ($t: ID!) { startTable(input: {tableId: $t}) { __typename } }"
LEAVE = "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }"
JOIN = "mutation ($t: ID!) { joinTable(input: {tableId: $t}) { __typename } }"
KICK = "mutation ($t: ID!, $s: Int!) { kickPlayer(input: {tableId: $t, seat: $s}) { __typename } }"
INPUT = "query ($t: ID!) { table(id: $t) { status input } }"


@pytest.mark.parametrize(
    "shape",
    [
        {"game": {"callIt": {}}, "seats": 1},
        {"game": {"callIt": {}}, "seats": 2},
        {"game": {"callIt": {}}, "seats": 2, "localSeats": ["Dan", "Eve"]},
        {"game": {"callIt": {}}, "seats": 3, "localSeats": ["Dan", "Eve"]},
        {"game": {"callIt": {}}, "seats": 3, "localSeats": ["Dan"]},
        {"game": {"callIt": {}}, "seats": 3, "hostPlays": False},
    ],
    ids=repr,
)
async def test_who_has_left_a_table_opens_one_as_it_was(registry: Registry, shape: dict[str, Any]) -> None:
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        before = (await opened(ann, **shape))["input"]
        table = (await opened(ann, **before))["id"]
        await ann.data(LEAVE, t=table)
        over = (await ann.data(INPUT, t=table))["table"]
        assert over == {"status": "OVER", "input": before}


async def test_free_seats_that_a_start_takes_away_give_no_seat_to_a_host_without_one(
    registry: Registry,
) -> None:
    shape = {"game": {"flip7": {}}, "seats": 4, "localSeats": ["Dan", "Eve"], "hostPlays": False}
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        table = await opened(ann, **shape)
        await ann.data(START, t=table["id"])
        started = (await ann.data(INPUT, t=table["id"]))["table"]
        assert started == {"status": "PLAYING", "input": table["input"]}


@pytest.mark.parametrize("started", [False, True])
async def test_local_seats_that_are_gone_while_others_stay_are_no_part_of_it(
    registry: Registry, started: bool
) -> None:
    shape = {"game": {"flip7": {}}, "seats": 4, "localSeats": ["Dan", "Eve"], "hostPlays": False}
    async with (
        local(registry) as server,
        caller(server.url, "Ann") as ann,
        caller(server.url, "Bob") as bob,
        caller(server.url, "Cleo") as cleo,
    ):
        table = (await opened(ann, **shape))["id"]
        for player in (bob, cleo):
            await player.data(JOIN, t=table)
        if started:
            await ann.data(START, t=table)
        await ann.data(KICK, t=table, s=2)
        kept = (await ann.data(INPUT, t=table))["table"]["input"]
        assert (kept["localSeats"], kept["hostPlays"]) == (["Eve"], False)
        await ann.data(LEAVE, t=table)
        # Bob is the host now, who has a seat.
        of_bob = (await bob.data(INPUT, t=table))["table"]["input"]
        assert "localSeats" not in of_bob and "hostPlays" not in of_bob and of_bob["seats"] == 4


class Mood(Enum):
    """A mood."""

    CALM = 1
    VERY_WILD = 2


@dataclass(frozen=True)
class Bonus:
    """A bonus."""

    points: int
    moods: tuple[Mood, ...] = (Mood.VERY_WILD,)


@dataclass(frozen=True)
class Everything:
    """Options of every kind."""

    number: float = 1.5
    when: datetime = datetime(2030, 1, 31, tzinfo=UTC)
    mood: Mood | None = None
    days: tuple[int, ...] = (1, 2)
    names: Annotated[list[str] | None, "Several names, or none."] = None
    card: PlayingCard = PlayingCard.TEN_OF_HEARTS
    cards: frozenset[PlayingCard] = frozenset({PlayingCard.ACE_OF_SPADES})
    bonus: Bonus = Bonus(3)
    bonuses: tuple[Bonus, ...] = field(default_factory=tuple)
    word: str = "as it stands"
    none: str = ""


def test_values_of_every_kind_can_be_read() -> None:
    def read(given: Everything) -> dict[str, tuple[Any, str]]:
        return {one.name: (one.value, one.text) for one in values_of(options_of(Everything), given)}

    assert read(Everything()) == {
        "number": (1.5, "1.5"),
        "when": ("2030-01-31T00:00:00.000Z", "2030-01-31T00:00:00.000Z"),
        "mood": (None, "not set"),
        "days": ([1, 2], "1, 2"),
        "names": (None, "not set"),
        "card": ("10H", "10♥"),
        "cards": (["AS"], "A♠"),
        "bonus": ({"points": 3, "moods": ["VERY_WILD"]}, "points: 3, moods: very wild"),
        "bonuses": ([], "none"),
        "word": ("as it stands", "as it stands"),
        "none": ("", "none"),
    }
    more = read(Everything(mood=Mood.VERY_WILD, names=["Ann"], bonuses=(Bonus(1, ()), Bonus(2))))
    assert more["mood"] == ("VERY_WILD", "very wild") and more["names"] == (["Ann"], "Ann")
    assert more["bonuses"][1] == "points: 1, moods: none; points: 2, moods: very wild"


@dataclass(frozen=True, slots=True)
class OldOptions:
    """Options of version 1.0."""

    slow: Annotated[bool, "Whether it is slow."] = False


@dataclass(frozen=True, slots=True)
class NewOptions:
    """Options of version 1.1."""

    speed: Annotated[int, "How quick it is."] = 2


class Old(OneCard):
    """Version 1.0."""

    Options = OldOptions


class New(OneCard):
    """Version 1.1, with a migration."""

    version = "1.1"
    Options = NewOptions

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"speed": 1 if document["slow"] else 2} if kind == "Options" else document


def having(game: Any) -> Registry:
    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [game]

    registry = load_plugins(builtin_only=True)
    if game is not None:
        registry.register(Brings(), "one-card", "fliptable-one-card")
    return registry


async def test_they_are_told_as_the_loaded_version_has_them_and_spoil_no_list(
    mongo_url: str, mongo_database: str
) -> None:
    database = {"mongo_url": mongo_url, "mongo_database": mongo_database}
    async with local(having(Old()), **database) as server, caller(server.url, "Ann") as ann:
        old = await opened(ann, game={"oneCard": {"slow": True}}, seats=2, visibility="PUBLIC")
        assert told(old["gameOptions"]) == {"slow": True}
        other = await opened(ann, game={"callIt": {}}, seats=2, visibility="PUBLIC")
    async with local(having(New()), **database) as server, Caller(server.url) as bob:
        new, _ = sorted((await bob.data(TABLES))["tables"]["nodes"], key=lambda one: one["id"] != old["id"])
        assert told(new["gameOptions"]) == {"speed": 1}
        assert new["input"]["game"] == {"oneCard": {"speed": 1}}
    async with local(having(None), **database) as server, Caller(server.url) as bob:
        assert [one["id"] for one in (await bob.data(TABLES))["tables"]["nodes"]] == [other["id"]]
