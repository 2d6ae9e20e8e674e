"""Values that do not fit, in a document or a variable: one error each, its place, and JSON or GraphQL."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from inprocess import local
from serverkit import Failed, Server, caller, socket

pytestmark = pytest.mark.anyio

GAMES = "The fields are callIt, flip, flip7, scoreboard."
OPEN = "mutation { createTable(input: %s) { __typename } }"
CREATE = "mutation ($i: CreateTableInput!) { createTable(input: $i) { __typename } }"

LITERALS: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    # the document, the place in the extensions, and what the message has in it
    "an argument": (
        '{ tables(first: "3") { nodes { id } } }',
        {"argument": "first"},
        ("Argument 'first'", 'Int cannot represent non-integer value: "3"'),
    ),
    "a number of 5,000 digits": (
        f"{{ tables(first: {'9' * 5000}) {{ nodes {{ id }} }} }}",
        {"argument": "first"},
        ("Argument 'first'", "Int cannot represent non 32-bit signed integer value: 9999"),
    ),
    "of another kind": (
        "{ tables(first: {a: 1}) { nodes { id } } }",
        {"argument": "first"},
        ("Argument 'first'", "Int", "{ a: 1 }"),
    ),
    "null": ("{ node(id: null) { id } }", {"argument": "id"}, ("'ID!'", "null")),
    "an argument that is missing": ("{ node { id } }", {"argument": "id"}, ("'ID!'", "id")),
    "an argument of a directive": ("{ me @skip(if: 1) { id } }", {"argument": "if"}, ("Boolean", ": 1")),
    "the default of a variable": (
        'query ($n: Int = "a") { tables(first: $n) { nodes { id } } }',
        {"variable": "n"},
        ("Variable '$n'", 'Int cannot represent non-integer value: "a"'),
    ),
    "an entry of a list": (
        '{ scoreFlip7Line(line: {numbers: [1, "a"]}) { __typename } }',
        {"argument": "line", "field": "numbers.1"},
        ("Argument 'line'", "numbers[1]", 'Int cannot represent non-integer value: "a"'),
    ),
    "an enum": (
        OPEN % "{game: {flip7: {rules: OFFICIOUS}}}",
        {"argument": "input", "field": "game.flip7.rules"},
        ("'OFFICIOUS'", "'Flip7Rules'", "It can be OFFICIAL, HOSTED."),
    ),
    "a text for an enum": (
        OPEN % '{game: {callIt: {}}, visibility: "SECRET"}',
        {"argument": "input", "field": "visibility"},
        ('"SECRET"', "'TableVisibility'", "It can be PUBLIC, UNLISTED."),
    ),
    "no object": (
        OPEN % "{game: 5}",
        {"argument": "input", "field": "game"},
        ("'GameInput'", "object", "found: 5"),
    ),
    "a field too few": (
        OPEN % "{seats: 2}",
        {"argument": "input", "field": "game"},
        ("'CreateTableInput'", "required field 'game'"),
    ),
    "a field too many": (
        OPEN % "{game: {callIt: {}}, cheat: true}",
        {"argument": "input", "field": "cheat"},
        ("'CreateTableInput'", "unknown field 'cheat'", "The fields are game, mode, seats,"),
    ),
    "a game that there is not": (
        OPEN % "{game: {poker: {}}}",
        {"argument": "input", "field": "game.poker"},
        ("'GameInput'", "unknown field 'poker'", GAMES),
    ),
    "one that there is nearly": (
        OPEN % "{game: {callUt: {}}}",
        {"argument": "input", "field": "game.callUt"},
        ("unknown field 'callUt'. Did you mean 'callIt'?", GAMES),
    ),
    "two games": (
        OPEN % "{game: {callIt: {}, flip: {}}}",
        {"argument": "input", "field": "game"},
        ("'GameInput'", "exactly one field", GAMES),
    ),
    "no game": (OPEN % "{game: {}}", {"argument": "input", "field": "game"}, ("exactly one field", GAMES)),
    "a null game": (
        OPEN % "{game: {callIt: null}}",
        {"argument": "input", "field": "game.callIt"},
        ("exactly one field", "non-null", GAMES),
    ),
}

VARIABLES: dict[str, tuple[Any, dict[str, str], tuple[str, ...]]] = {
    "a text": ({"seats": "5"}, {"field": "seats"}, ('Int cannot represent non-integer value: "5"',)),
    "true": ({"seats": True}, {"field": "seats"}, ("non-integer value: true",)),
    "an object": ({"localSeats": [{"0": None}]}, {"field": "localSeats.0"}, ('value: {"0":null}',)),
    "too deep to show": (
        {"localSeats": [{"a": {"b": {"c": {"d": [1]}}}}]},
        {"field": "localSeats.0"},
        ("String cannot represent a non string value.",),
    ),
    "a large number": ({"seats": 2**70}, {"field": "seats"}, ("Int", "32-bit", "1.18")),
    "no member": (
        {"visibility": True},
        {"field": "visibility"},
        ("'TableVisibility'", "value: true. It can be PUBLIC, UNLISTED.",),
    ),
    "a long one": (
        {"visibility": {f"a{n}": n for n in range(500)}},
        {"field": "visibility"},
        ("'TableVisibility'", " It can be PUBLIC, UNLISTED.",),
    ),
    "a game that there is not": (
        {"game": {"poker": {"blind": True}}},
        {"field": "game.poker"},
        ("unknown field 'poker', found: {\"poker\":{\"blind\":true}}.", GAMES),
    ),
    "the id of a game": (
        {"game": {"call-it": {}}},
        {"field": 'game."call-it"'},
        ("unknown field \"call-it\". Did you mean 'callIt'? Found: {\"call-it\":{}}.", GAMES),
    ),
    "one that there is nearly": (
        {"game": {"callUt": {"a": None}}},
        {"field": "game.callUt"},
        ("unknown field 'callUt'. Did you mean 'callIt'? Found: {\"callUt\":{\"a\":null}}.", GAMES),
    ),
    "a long name": (
        {"game": {"x" * 400: True}},
        # As docs/errors.md has it: what is long is cut and ends with a sign that says so.
        {"field": f'game."{"x" * 49}…"'},
        ("unknown field", GAMES),
    ),
    "two games": ({"game": {"callIt": {}, "flip": {}}}, {"field": "game"}, ("exactly one field", GAMES)),
    "a null game": ({"game": {"callIt": None}}, {"field": "game.callIt"}, ("exactly one field", GAMES)),
}  # fmt: skip


def one(answer: Any) -> dict[str, Any]:
    """The only error; nothing in it is Python's."""
    (error,) = answer["errors"]
    assert error["locations"], error
    assert len(error["message"]) < 600
    for python in ("None", "True", "False", "{'", "Undefined", "Node"):
        assert python not in error["message"]
    extensions = error["extensions"]
    assert extensions.pop("code") == "GRAPHQL_VALIDATION_FAILED"
    found: dict[str, Any] = error
    return found


@pytest.mark.parametrize("case", LITERALS)
async def test_a_value_in_a_document(server: Server, case: str) -> None:
    document, place, words = LITERALS[case]
    async with httpx.AsyncClient() as http:
        for _ in range(2):  # What was found the first time is kept.
            error = one((await http.post(server.url, json={"query": document})).json())
            assert error["extensions"] == place
            assert [word for word in words if word not in error["message"]] == []


@pytest.mark.parametrize("case", VARIABLES)
async def test_a_value_of_a_variable(server: Server, case: str) -> None:
    changed, place, words = VARIABLES[case]
    variables = {"i": {"game": {"callIt": {}}, **changed}}
    async with httpx.AsyncClient() as http:
        content = json.dumps({"query": CREATE, "variables": variables})
        headers = {"content-type": "application/json"}
        error = one((await http.post(server.url, content=content, headers=headers)).json())
    assert error["extensions"] == {"variable": "i", **place}
    assert [word for word in words if word not in error["message"]] == []


async def test_every_mistake_has_an_error(server: Server) -> None:
    document = OPEN % '{game: {poker: {}, callIt: 1}, seats: "2", mode: {solo: {}}}'
    async with httpx.AsyncClient() as http:
        errors = (await http.post(server.url, json={"query": document})).json()["errors"]
    assert sorted(error["extensions"]["field"] for error in errors) == [
        "game.callIt",
        "game.poker",
        "mode.solo",
        "seats",
    ]


@pytest.mark.parametrize(
    "accept",
    [
        "application/json",
        "text/event-stream",
        "multipart/mixed;subscriptionSpec=1.0, application/json",
        "WebSocket",
    ],
)
@pytest.mark.parametrize("how", ["in the document", "in a variable"])
async def test_it_is_the_same_over_every_transport(accept: str, how: str) -> None:
    """Of a subscription, where there are such."""
    kind = "query" if accept == "application/json" else "subscription"
    what = (
        "tables(filter: %s) { nodes { id } }" if kind == "query" else "lobbyUpdates(filter: %s) { tableId }"
    )
    wrong, literal = {"filter": {"status": True}}, "{status: true}"
    if how == "in a variable":
        payload = {
            "query": f"{kind} ($f: TableFilter) {{ {what % '$f'} }}",
            "variables": {"f": wrong["filter"]},
        }
    else:
        payload = {"query": f"{kind} {{ {what % literal} }}"}
    async with local() as server, caller(server.url) as ann:
        if accept == "WebSocket":
            async with socket(server.socket_url, ann.token) as line:
                with pytest.raises(Failed) as failed:
                    async for _ in line.run(payload["query"], **payload.get("variables", {})):
                        pass
            answer = {"errors": failed.value.errors}
        else:
            told = (await ann.http.post(server.url, json=payload, headers={"accept": accept})).text
            begin = told.index('{"')
            answer, _ = json.JSONDecoder().raw_decode(told[begin:])
            answer = answer.get("payload", answer)
    error = one(answer)
    holder = {"variable": "f"} if how == "in a variable" else {"argument": "filter"}
    assert error["extensions"] == {**holder, "field": "status"}
    assert "'TableStatus'" in error["message"] and "true. It can be OPEN," in error["message"]
