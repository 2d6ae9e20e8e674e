"""Variables that do not fit: the answer names the place and what is expected there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from scenekit import Scene, told
from serverkit import CREATE, FLIP, PLAY, socket

pytestmark = pytest.mark.anyio


VARIABLES: dict[str, tuple[str, Callable[[Scene], Any], str, str]] = {
    "no input": (PLAY, lambda s: None, "GRAPHQL_VALIDATION_FAILED", "PlayMoveInput!"),
    "a list for an input": (PLAY, lambda s: [1], "GRAPHQL_VALIDATION_FAILED", "PlayMoveInput"),
    "no move": (PLAY, lambda s: {"tableId": s.table}, "GRAPHQL_VALIDATION_FAILED", "move"),
    "an empty move": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {}},
        "GRAPHQL_VALIDATION_FAILED",
        "MoveInput",
    ),
    "two moves at once": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"flip": True, "call": {"target": 31}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "move.callIt",
    ),
    "a null move": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": None}},
        "GRAPHQL_VALIDATION_FAILED",
        "move",
    ),
    "a move of no game": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"poker": {"fold": True}}},
        "GRAPHQL_VALIDATION_FAILED",
        "poker",
    ),
    "a field too many": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "cheat": True},
        "GRAPHQL_VALIDATION_FAILED",
        "cheat",
    ),
    "a target of 30.5": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": 30.5}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "'$i' has invalid value at .move.callIt.call.target: Int",
    ),
    "a target of 2^40": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": 2**40}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "target",
    ),
    "a target that is a string": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": "31"}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "Int",
    ),
    "a target of 100 kilobytes": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": "9" * 100_000}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "target",
    ),
    "a target that is true": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"call": {"target": True}}}},
        "GRAPHQL_VALIDATION_FAILED",
        "target",
    ),
    "a version that is a string": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": "2"},
        "GRAPHQL_VALIDATION_FAILED",
        "expectedVersion",
    ),
    "an id that is an object": (
        PLAY,
        lambda s: {"tableId": {"$gt": ""}, "move": FLIP},
        "GRAPHQL_VALIDATION_FAILED",
        "ID",
    ),
    "seats that are a list": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": [1]},
        "GRAPHQL_VALIDATION_FAILED",
        "seats",
    ),
    "two games": (
        CREATE,
        lambda s: {"game": {"callIt": {}, "flip": {}}},
        "GRAPHQL_VALIDATION_FAILED",
        "GameInput",
    ),
    "no game": (CREATE, lambda s: {"game": {}}, "GRAPHQL_VALIDATION_FAILED", "GameInput"),
    "a visibility that is none": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "visibility": "SECRET"},
        "GRAPHQL_VALIDATION_FAILED",
        "SECRET",
    ),
}


@pytest.mark.parametrize("case", VARIABLES)
async def test_variables_that_do_not_fit_name_the_place_and_what_is_expected(
    unharmed: Scene, case: str
) -> None:
    document, variables, code, word = VARIABLES[case]
    answer = await unharmed.player.http.post(
        unharmed.player._url(),
        json={"query": document, "variables": {"i": variables(unharmed)}},
        headers=unharmed.player.headers,
    )
    assert word in told(answer, code)["message"]


OPEN_LOCAL = {"game": {"callIt": {}}, "localSeats": ["Bob", 3]}
PLACES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "deep in it": (
        PLAY,
        {"move": {"callIt": {"call": {"target": 2**40}}}},
        {"field": "move.callIt.call.target"},
    ),
    "an option": (CREATE, {"game": {"flip": {"rows": 99_999_999_999}}}, {"field": "game.flip.rows"}),
    "an entry of a list": (CREATE, OPEN_LOCAL, {"field": "localSeats.1"}),
    "a field too many": (CREATE, {"game": {"callIt": {}}, "cheat": 1}, {"field": "cheat"}),
    "a field too many inside": (CREATE, {"game": {"callIt": {"cheat": 1}}}, {"field": "game.callIt.cheat"}),
    "a field with dots in its name": (
        CREATE,
        {"game": {"callIt": {"a.b": 1}}},
        {"field": 'game.callIt."a.b"'},
    ),
    "a field with a space in it": (
        CREATE,
        {"game": {"callIt": {}}, "the seats": 1},
        {"field": '"the seats"'},
    ),
    "a field like an index": (CREATE, {"game": {"callIt": {}}, "0": 1}, {"field": '"0"'}),
    "a field without a name": (CREATE, {"game": {"callIt": {}}, "": 1}, {"field": '""'}),
    "a field with quotes": (CREATE, {"game": {"callIt": {}}, "a'b\"": 1}, {"field": '"a\'b\\""'}),
    "a field on two lines": (CREATE, {"game": {"callIt": {}}, "a\nb\0": 1}, {"field": '"a\\nb\\u0000"'}),
    "a field like a sentence": (
        CREATE,
        {"game": {"callIt": {}}, "seats'. Did you mean it?": 1},
        {"field": '"seats\'. Did you mean it?"'},
    ),
    "a field of 100,000 letters": (
        CREATE,
        {"game": {"callIt": {"x" * 100_000: 1}}},
        {"field": f'game.callIt."{"x" * 49}…"'},
    ),
    "a field too few": (CREATE, {}, {"field": "game"}),
    "null for what has to be there": (CREATE, {"game": None}, {"field": "game"}),
    "a member of no enum": (CREATE, {"game": {"callIt": {}}, "visibility": "X"}, {"field": "visibility"}),
    "two at once": (CREATE, {"game": {"callIt": {}, "flip": {}}}, {"field": "game"}),
    "no object": (CREATE, [], {}),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("case", PLACES)
async def test_a_program_finds_the_place_without_reading_the_message(unharmed: Scene, case: str) -> None:
    document, variable, place = PLACES[case]
    if document == PLAY:
        variable = {"tableId": unharmed.table, **variable}
    answer = await unharmed.player.http.post(
        unharmed.player._url(),
        json={"query": document, "variables": {"i": variable}},
        headers=unharmed.player.headers,
    )
    first = answer.json()["errors"][0]
    assert first["extensions"] == {"code": "GRAPHQL_VALIDATION_FAILED", "variable": "i", **place}


async def test_a_variable_that_is_missing_is_named(unharmed: Scene) -> None:
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": CREATE, "variables": {}}, headers=unharmed.player.headers
    )
    extensions = answer.json()["errors"][0]["extensions"]
    assert extensions == {"code": "GRAPHQL_VALIDATION_FAILED", "variable": "i"}


async def test_what_a_client_calls_things_is_told_as_json_and_not_at_length(unharmed: Scene) -> None:
    for name, words in (
        ("a\0\n", 'unknown field "a\\u0000\\n"'),
        ("a.b", 'unknown field "a.b"'),
        ("x" * 100_000, f'unknown field "{"x" * 79}…"'),
        ("cheat", "unknown field 'cheat'"),
        ("seat", "unknown field 'seat'. Did you mean"),
    ):
        variables = {"i": {"game": {"callIt": {}}, name: 1}}
        payload = {"query": CREATE, "variables": variables}
        answer = await unharmed.player.http.post(
            unharmed.player._url(), json=payload, headers=unharmed.player.headers
        )
        error = answer.json()["errors"][0]
        assert words in error["message"]
        assert error["message"].isprintable() and len(error["message"]) <= 500


async def test_a_long_name_in_a_document_is_not_told_at_length(unharmed: Scene) -> None:
    name = "n" * 10_000
    for query, place in (
        (f"query (${name}: Int!) {{ tables(first: ${name}) {{ nodes {{ id }} }} }}", "variable"),
        ('{ table(id: "x") { updates(FIRST: "x") { nodes { at } } } }'.replace("FIRST", name), None),
        (f"{{ tables(filter: {{{name}: 1}}) {{ nodes {{ id }} }} }}", "field"),
    ):
        error = (await unharmed.player.ask(query))["errors"][0]
        assert len(error["message"]) <= 500
        assert all(len(str(value)) <= 200 for value in error["extensions"].values())
        assert place is None or error["extensions"][place].startswith('"nnn')


@pytest.mark.parametrize("number", ["1" + "0" * 308, "1" + "0" * 309, "-1" + "0" * 5000, "1e400", "-1e400"])
async def test_a_number_beyond_all_floats_is_told_with_its_place(unharmed: Scene, number: str) -> None:
    """It is JSON, whatever its size."""
    query = "query ($n: Int!) { tables(first: $n) { nodes { id } } }"
    variables = f'{{"n": {number}}}'
    body = json.dumps({"query": query, "variables": 0}).replace(": 0}", f": {variables}}}")
    player = unharmed.player
    headers = {**player.headers, "content-type": "application/json"}
    posted = await player.http.post(player._url(), content=body, headers=headers)
    got = await player.http.get(player._url(), params={"query": query, "variables": variables})
    for answer in (posted, got):
        assert answer.status_code == 200
        error = told(answer, "GRAPHQL_VALIDATION_FAILED")
        assert "'$n' has invalid value" in error["message"]
    async with socket(player._url().replace("http", "ws", 1)) as one:
        await one.connection.send(f'{{"id": "1", "type": "subscribe", "payload": {body}}}')
        answer_ = await one.receive()
        assert answer_["type"] == "error"
        assert answer_["payload"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


@pytest.mark.parametrize("rest", ["NaN", '"\\ud8"', "[" * 3000 + "]" * 3000, "01", "1e400 1"])
async def test_what_is_no_json_is_none_beside_a_large_number_either(unharmed: Scene, rest: str) -> None:
    player = unharmed.player
    body = f'{{"query": "{{ __typename }}", "variables": {{"a": 1e400, "b": {rest}}}}}'
    headers = {"content-type": "application/json"}
    answer = await player.http.post(player._url(), content=body, headers=headers)
    assert answer.status_code == 400
    assert told(answer, "BAD_REQUEST")["message"] == "The body has to be JSON."
