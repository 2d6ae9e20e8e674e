"""A plugin of another distribution gets what the built-in ones get; a broken one is named."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serverkit import CALL_31, CREATE, JOIN, START, Caller, Failed, Server, ServerEnded, caller, socket

pytestmark = pytest.mark.anyio

ALL = {"duel", "trap", "broken", "twin", "odd"}


def server_with(folder: Path, plugins: Path, *names: str, strict: bool, arguments: list[str]) -> Server:
    """A server that has those of the foreign plugins."""
    server = Server(
        folder,
        *arguments,
        "--strict-plugins" if strict else "--no-strict-plugins",
        PYTHONPATH=str(plugins),
        FLIPTABLE_DENY_PLUGINS=",".join(ALL - set(names)),
        FLIPTABLE_MONGO_DATABASE="foreign",
    )
    del server.environment["FLIPTABLE_STRICT_PLUGINS"]
    return server


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, mongo_url: str, foreign_plugins: Path
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("duel")
    with server_with(
        folder, foreign_plugins, "duel", strict=True, arguments=["--mongo-url", mongo_url]
    ) as one:
        yield one
        assert "Traceback" not in one.log, one.log


TYPES = """{ __schema { types {
  name kind isOneOf
  interfaces { name }
  enumValues { name }
  inputFields { name defaultValue type { ...T } description }
  fields { name type { ...T } description }
} } } fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }"""


def written(type: dict[str, Any]) -> str:
    """A type reference as GraphQL writes it."""
    if type["kind"] == "NON_NULL":
        return written(type["ofType"]) + "!"
    if type["kind"] == "LIST":
        return f"[{written(type['ofType'])}]"
    name: str = type["name"]
    return name


@pytest.fixture
async def types(server: Server) -> dict[str, dict[str, Any]]:
    async with Caller(server.url) as one:
        found = (await one.data(TYPES))["__schema"]["types"]
    return {type["name"]: type for type in found}


def fields_of(type: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: written(one["type"]) for one in type["fields"] or type["inputFields"]}


async def test_its_moves_are_typed_inputs(types: dict[str, dict[str, Any]]) -> None:
    assert fields_of(types["MoveInput"])["duel"] == "DuelMoveInput"
    assert types["DuelMoveInput"]["isOneOf"] is True
    assert fields_of(types["DuelMoveInput"]) == {"lead": "DuelLeadInput", "concede": "Boolean"}
    assert fields_of(types["DuelLeadInput"]) == {"card": "Int!", "bid": "Int!", "stance": "DuelStance!"}
    defaults = {one["name"]: one["defaultValue"] for one in types["DuelLeadInput"]["inputFields"]}
    assert defaults == {"card": None, "bid": "0", "stance": "HIGH"}
    assert [one["name"] for one in types["DuelStance"]["enumValues"]] == ["HIGH", "LOW"]
    (card,) = [one for one in types["DuelLeadInput"]["inputFields"] if one["name"] == "card"]
    assert card["description"] == "A card of the hand."


async def test_its_options_are_typed_inputs_with_defaults(types: dict[str, dict[str, Any]]) -> None:
    assert fields_of(types["GameInput"])["duel"] == "DuelOptionsInput"
    assert fields_of(types["DuelOptionsInput"]) == {
        "handSize": "Int!",
        "style": "DuelStyle!",
        "fee": "DuelFeeInput!",
    }
    defaults = {one["name"]: one["defaultValue"] for one in types["DuelOptionsInput"]["inputFields"]}
    assert defaults["handSize"] == "3" and defaults["style"] == "PLAIN"
    assert defaults["fee"].replace(" ", "") == "{points:1,doubled:false,ranks:[HIGH,LOW]}"
    assert fields_of(types["DuelFeeInput"]) == {
        "points": "Int!",
        "doubled": "Boolean!",
        "ranks": "[DuelStance!]!",
    }


async def test_its_events_and_views_are_typed(types: dict[str, dict[str, Any]]) -> None:
    led = fields_of(types["DuelLed"])
    assert led["boast"] == "DuelBoast!" and led["stance"] == "DuelStance!" and led["text"] == "String!"
    assert [one["name"] for one in types["DuelLed"]["interfaces"]] == ["TableEvent"]
    assert fields_of(types["DuelTrickTaken"])["cards"] == "[Int!]!"
    assert fields_of(types["DuelBoast"]) == {"card": "Int!", "bid": "Int!"}
    shown = fields_of(types["DuelRound"])
    assert shown["hands"] == "[DuelHand!]!" and shown["table"] == "[DuelBoast]!"
    assert shown["won"] == "[NamedNumber!]!" and shown["outcome"] == "Outcome"
    assert fields_of(types["DuelHand"]) == {"seat": "Int!", "size": "Int!", "cards": "[Int!]"}
    assert "NOT_IN_HAND" in [one["name"] for one in types["RefusalCode"]["enumValues"]]


async def test_the_catalogue_has_it(server: Server) -> None:
    async with Caller(server.url) as one:
        game = (
            await one.data(
                '{ game(id: "duel") { name summary input minSeats maxSeats modes { id } '
                "options { name type required default choices } } }"
            )
        )["game"]
    assert (game["name"], game["input"], game["minSeats"], game["maxSeats"]) == ("Duel", "duel", 2, 2)
    assert "classic" in [mode["id"] for mode in game["modes"]]
    options = {option["name"]: option for option in game["options"]}
    assert options["handSize"]["default"] == 3 and options["handSize"]["required"] is False
    assert options["style"]["choices"] == ["PLAIN", "BRAGGING"] and options["style"]["default"] == "PLAIN"
    assert options["fee"]["default"] == {"points": 1, "doubled": False, "ranks": ["HIGH", "LOW"]}


DUEL = """fragment D on Table { id version status toAct
  round { __typename outcome { seats { result points } }
    ... on DuelRound { hands { seat size cards } table { card bid } tricks stance won { name value } } }
  legalMoves { seat name label input fields { name path type min max choices } } }
fragment E on TableUpdate { version events { __typename seat text
  ... on DuelDealt { hand } ... on DuelDealtUnseen { count } ... on DuelLed { boast { card bid } stance }
  ... on DuelTrickTaken { cards } } table { ...D } }"""


async def duel_of(ann: Caller, bob: Caller, **options: Any) -> str:
    table: str = (await ann.open({"duel": options}))["id"]
    await bob.data(JOIN, i={"tableId": table})
    await ann.data(START, i={"tableId": table})
    return table


def filled(move: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal move with its fields filled in, by somebody who knows no game."""
    given: dict[str, Any] = json.loads(json.dumps(move["input"]))
    for field in move["fields"]:
        place = given
        *way, last = field["path"].split(".")
        for step in way:
            place = place[step]
        choices = field["choices"]
        place[last] = rng.choice(choices) if choices else rng.randint(field["min"], field["max"])
    return given


async def test_who_knows_no_game_can_play_it_with_legal_moves_alone(server: Server) -> None:
    rng = random.Random(7)
    read = f"query ($i: ID!) {{ table(id: $i) {{ ...D updates {{ nodes {{ ...E }} }} }} }} {DUEL}"
    async with (
        caller(server.url, "Ann") as ann,
        caller(server.url, "Bob") as bob,
        socket(server.socket_url, bob.token) as watching,
    ):
        table = await duel_of(ann, bob, handSize=4, style="BRAGGING")
        follow = f"subscription ($i: ID!) {{ tableUpdates(tableId: $i, after: 0) {{ ...E }} }} {DUEL}"
        feed = watching.run(follow, i=table)
        shown = [(await player.data(read, i=table))["table"]["round"]["hands"] for player in (ann, bob)]
        hands = [[one["cards"] for one in seen] for seen in shown]
        assert [[cards and len(cards) for cards in seen] for seen in hands] == [[4, None], [None, 4]]
        moves = 0
        while True:
            for player in (ann, bob):
                seen = (await player.data(read, i=table))["table"]
                leads = [move for move in seen["legalMoves"] if move["name"] == "lead"]
                if leads:
                    break
            if seen["status"] == "OVER":
                break
            move = filled(leads[0], rng)
            answer = await player.move(table, move, seat=leads[0]["seat"])
            assert answer["__typename"] == "MovePlayed", answer
            moves += 1
        assert moves == 8
        updates = [payload["data"]["tableUpdates"] async for payload in feed]
        assert [one["version"] for one in updates] == list(range(1, len(updates) + 1))
        events = [event for one in updates for event in one["events"]]
        # Bob saw his own hand when it was dealt, and of Ann's only that there was one.
        dealt = {event["seat"]: event for event in events if event["__typename"].startswith("DuelDealt")}
        assert dealt[1]["hand"] == hands[1][1] and dealt[0]["count"] == 4
        assert len([event for event in events if event["__typename"] == "DuelTrickTaken"]) == 4
        end = updates[-1]["table"]["round"]
        assert sum(seat["points"] for seat in end["outcome"]["seats"]) == 4
        assert {one["name"]: one["value"] for one in end["won"]} == {
            str(seat): end["tricks"].count(seat) for seat in (0, 1)
        }
        # The replay opens what was hidden, once it is over.
        replay = (await bob.data(read, i=table))["table"]["updates"]["nodes"]
        opened = [event for one in replay for event in one["events"] if event["__typename"] == "DuelDealt"]
        assert {event["seat"]: event["hand"] for event in opened} == {0: hands[0][0], 1: hands[1][1]}


def test_fliptable_play_plays_it(server: Server, tmp_path: Path) -> None:
    """The client has no code of the plugin: it is not on its path."""
    address = server.url.removesuffix("/graphql")
    seats = ["--seats", "2", "--local", "Ann", "--local", "Bob"]
    command = [sys.executable, "-m", "fliptable_api", "play", "duel", *seats, "--auto", "--seed", "3"]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    played = subprocess.run(
        [*command, "--server", address],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "The table is over" in played.stdout


async def test_its_refusals_name_the_field(server: Server) -> None:
    async with caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        table = await duel_of(ann, bob)
        lead = {"duel": {"lead": {"card": 99}}}
        answer = await ann.move(table, lead)
        assert (answer["code"], answer["field"]) == ("NOT_IN_HAND", "move.duel.lead.card")
        answer = await bob.move(table, lead)
        assert answer["code"] == "NOT_YOUR_TURN"
        wrong = (await ann.data(CREATE, i={"game": {"duel": {"handSize": 13}}}))["createTable"]
        assert (wrong["code"], wrong["field"]) == ("INVALID_VALUE", "game.duel.handSize")
        fee = {"duel": {"fee": {"points": 3, "doubled": True}}}
        table = (await ann.open(fee, seats=2, localSeats=["Lou"]))["id"]
        await ann.data(START, i={"tableId": table})
        answer = await ann.move(table, {"duel": {"concede": True}}, seat=0)
        assert [one["score"] for one in answer["table"]["seats"]] == [0, 6]


async def test_its_tables_survive_its_absence(
    server: Server, tmp_path: Path, mongo_url: str, foreign_plugins: Path
) -> None:
    """Without the plugin its tables are said to lack one, others go on; with it they are as they were."""
    async with caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        table = await duel_of(ann, bob)
        other = (await ann.open())["id"]
        before = await ann.replay(table)
        arguments = ["--mongo-url", mongo_url]
        with server_with(tmp_path, foreign_plugins, strict=True, arguments=arguments) as without:
            async with Caller(without.url, ann.token) as ann2, socket(without.socket_url, ann.token) as one:
                for document, variables in (
                    ("query ($i: ID!) { table(id: $i) { id } }", {"i": table}),
                    ("query ($i: ID!) { node(id: $i) { id } }", {"i": table}),
                    ("mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }", {"i": table}),
                ):
                    payload = await ann2.ask(document, **variables)
                    (error,) = payload["errors"]
                    assert error["extensions"]["code"] == "PLUGIN_MISSING", payload
                    assert "duel" in error["message"]
                with pytest.raises(Failed) as failed:
                    await anext(one.follow(table))
                assert failed.value.code == "PLUGIN_MISSING"
                assert (await ann2.move(other, CALL_31))["__typename"] == "MovePlayed"
                mine = await ann2.data("{ tables(filter: {mine: true}) { nodes { id } } }")
                assert other in [node["id"] for node in mine["tables"]["nodes"]]
            assert "Traceback" not in without.log
        assert await ann.replay(table) == before
        lead = (await ann.table(table))["legalMoves"][0]
        assert (await ann.move(table, lead["input"]))["__typename"] == "MovePlayed"


BAD = {
    "broken": [
        "plugin broken",
        "distribution fliptable-broken",
        "No module named 'a_module_that_is_not_there'",
    ],
    "twin": ["plugin twin", "distribution fliptable-twin", "call-it (fliptable)", "twin (fliptable-twin)"],
    "odd": ["plugin odd", "distribution fliptable-odd", "complex"],
}


@pytest.mark.parametrize("name", BAD)
async def test_a_plugin_that_does_not_load_is_named_and_left_out(
    tmp_path: Path, foreign_plugins: Path, name: str
) -> None:
    with server_with(tmp_path, foreign_plugins, "duel", name, strict=False, arguments=["--memory"]) as server:
        async with caller(server.url) as player:
            games = [game["id"] for game in (await player.data("{ games { id } }"))["games"]]
            assert games.count("call-it") == 1 and "duel" in games
            await player.open()
    for word in BAD[name]:
        assert word in server.log


@pytest.mark.parametrize("name", BAD)
def test_with_strict_plugins_it_stops_the_start(tmp_path: Path, foreign_plugins: Path, name: str) -> None:
    server = server_with(tmp_path, foreign_plugins, "duel", name, strict=True, arguments=["--memory"])
    with pytest.raises(ServerEnded) as ended:
        server.start()
    message = str(ended.value)
    for word in BAD[name]:
        assert word in message
    assert server.process is not None and server.process.poll() == 1
    assert "Error:" in message
