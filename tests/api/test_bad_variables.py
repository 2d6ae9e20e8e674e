"""Variables that do not fit: the answer names the place and what is expected there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scenekit import Scene, told
from serverkit import CREATE, FLIP, PLAY

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
