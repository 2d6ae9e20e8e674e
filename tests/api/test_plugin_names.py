"""No name that a plugin brings replaces another in the schema: a collision keeps it out, and names both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import make_dataclass
from enum import Enum
from keyword import kwlist
from typing import Any

import pytest
from highcard import HighCard, Swap
from inprocess import local

from fliptable import PluginQuery, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable_api.client import Client
from fliptable_api.naming import field_of, key_of
from fliptable_api.schema import build_schema
from fliptable_api.typegen import SchemaCollision


class Brings:
    """A plugin with some games and queries."""

    def __init__(self, games: Any = (), queries: Any = ()) -> None:
        self._games, self._queries = games, queries

    @hookimpl
    def fliptable_games(self) -> Any:
        return self._games

    @hookimpl
    def fliptable_queries(self) -> Any:
        return self._queries


def loaded(games: Any = (), queries: Any = ()) -> Registry:
    registry = load_plugins()
    registry.register(Brings(games, queries), "mine", "fliptable-mine")
    return registry


def made(name: str, *fields: Any, **namespace: Any) -> type:
    kind = make_dataclass(name, fields, frozen=True, namespace=namespace)
    kind.__module__ = "mine"
    kind.__doc__ = "Something."
    return kind


def event(name: str, *fields: Any) -> type:
    return made(name, ("seat", int), *fields, text=lambda self, names: "x")


def game(graphql: str, **members: Any) -> Any:
    return type("Mine", (HighCard,), {"id": "mine", "graphql": graphql, **members})()


def with_events(graphql: str, *events: type) -> Any:
    return game(graphql, events=(*HighCard.events, *events))


def question(name: str, graphql: str = "Luck", result: str = "Answer", argument: str = "x") -> PluginQuery:
    kind = made(result, ("y", int))
    return PluginQuery(name, "Luck.", graphql, made("Asked", (argument, int)), kind, lambda asked: kind(7))


@pytest.mark.parametrize("name", ["table", "node", "me", "games", "table_by_code", "records"])
def test_a_question_does_not_replace_a_field_of_query(name: str) -> None:
    with pytest.raises(SchemaCollision) as caught:
        build_schema(loaded(queries=[question(name)]))
    said = str(caught.value)
    assert "the schema's own Query." in said and f"the query {name} of mine (fliptable-mine)" in said


def test_two_questions_that_clients_could_not_tell_apart() -> None:
    with pytest.raises(
        SchemaCollision, match=r"Query\.a1 is wanted by the query a_1 of mine .* and the query a1"
    ):
        build_schema(loaded(queries=[question("a_1"), question("a1", "Other")]))


def test_a_question_and_its_answer_are_not_called_the_same() -> None:
    with pytest.raises(SchemaCollision, match=r"OddlyResult is wanted by mine\.Result and the answer of"):
        build_schema(loaded(queries=[question("oddly", "Oddly", "Result")]))
    with pytest.raises(
        SchemaCollision, match="PlayMoveResult is wanted by the answer of the query play_move and"
    ):
        build_schema(loaded(queries=[question("play_move")]))


OWN = ["String", "Int", "ID", "JSON", "DateTime", "Seat", "TableStatus", "PlayMoveResult", "MoveInput"]


@pytest.mark.parametrize("name", [*OWN, "ErrorCode", "RefusalCode", "DeckShuffled", "GameInput"])
def test_a_type_does_not_replace_one_of_the_schema(name: str) -> None:
    prefix = name[:2] if name[1].islower() else name[0]
    with pytest.raises(SchemaCollision, match=rf"the GraphQL type {name} is wanted by .*mine\.{name}"):
        build_schema(loaded([with_events(prefix, event(name))]))
    view = made("MineView", ("one", Enum(name, {"A": 1}, module="mine")))
    with pytest.raises(SchemaCollision, match=rf"the GraphQL type {name} is wanted by .*mine\.{name}"):
        build_schema(loaded([game(prefix, View=view)]))


FAULTS: Mapping[str, tuple[Callable[[], Any], str]] = {
    "two moves": (
        lambda: game("Mine", moves=(made("Flip"), made("flip"))),
        "Flip and flip, moves of mine, are both called flip",
    ),
    "introspection": (
        lambda: game("Mine", moves=(Swap, made("__X"))),
        "__X, a move of mine, has no name that GraphQL",
    ),
    "letters": (lambda: game("Mine", moves=(Swap, made("Über"))), "Über, a move of mine, has no name"),
    "input of moves": (
        lambda: game("Mine", moves=(Swap, made("Move", ("a", int)))),
        r"MineMoveInput is wanted by mine\.Move and the moves of High Card",
    ),
    "next round": (
        lambda: game("NextRound"),
        r"nextRound is a move of every table, and the name of game mine of mine .fliptable-mine.",
    ),
    "resolving": (
        lambda: with_events("Mine", event("Odd", ("is_type_of", int))),
        r"mine\.Odd\.is_type_of cannot be called that",
    ),
    "beside": (
        lambda: game("Mine", View=made("MineView", ("of_table", int))),
        r"mine\.MineView\.of_table cannot be called that",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_names_that_cannot_be_told_apart_or_would_mean_something_else(fault: str) -> None:
    make, complaint = FAULTS[fault]
    with pytest.raises(SchemaCollision, match=complaint):
        build_schema(loaded([make()]))


def test_but_for_one_that_has_a_meaning_of_its_own() -> None:
    with pytest.raises(SchemaCollision, match=r"mine\.Asked\.info cannot be called that"):
        build_schema(loaded(queries=[question("luck", argument="info")]))


@pytest.mark.anyio
@pytest.mark.parametrize("argument", ["self", "source", "root", "args", "class_"])
async def test_an_argument_may_be_called_anything(argument: str) -> None:
    registry = loaded(queries=[question("luck", argument=argument)])
    async with local(registry) as server, Client(server.base) as client:
        name = argument.removesuffix("_")
        asked = await client.ask(f"{{ luck({name}: 1) {{ ... on LuckAnswer {{ y }} }} }}")
        assert asked == {"luck": {"y": 7}}


@pytest.mark.anyio
@pytest.mark.parametrize(
    "name",
    ["Class", "Note", "Int", "Fort"],
    ids=["a word of Python", "not and a letter", "in and a letter", "for and a letter"],
)
async def test_a_game_may_be_called_by_a_word_of_python(name: str) -> None:
    """Also its moves: clients do not know which language the server is written in."""
    others = (made("Pass"), made("Import", ("a", int)), made("Ask", ("a", int)), made("Form"))
    registry = loaded([game(name, moves=(Swap, *others))])
    key = name.lower()
    async with local(registry) as server, Client(server.base) as client:
        signed = await client.ask('mutation { signInAsGuest(input: {name: "Ann"}) { token } }')
        client.token = signed["signInAsGuest"]["token"]
        opened = await client.ask(
            "mutation ($g: GameInput!) { createTable(input: {game: $g}) { ... on TableOpened { table { id "
            "legalMoves { input } } } } }",
            g={key: {}},
        )
        table = opened["createTable"]["table"]
        assert {key: {"swap": True}} in [one["input"] for one in table["legalMoves"]]
        played = await client.ask(
            "mutation ($t: ID!, $m: MoveInput!) { playMove(input: {tableId: $t, move: $m}) { __typename } }",
            t=table["id"],
            m={key: {"swap": True}},
        )
        assert played["playMove"]["__typename"] == "MovePlayed"


@pytest.mark.parametrize("name", [*kwlist, *[f"{one}{more}" for one in kwlist for more in "tdes"], "x"])
def test_the_field_of_a_key_is_what_the_key_was_made_for(name: str) -> None:
    assert field_of(key_of(name)) == field_of(name) == name
