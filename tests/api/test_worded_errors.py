"""Errors of documents and variables speak JSON and GraphQL, and say what an enum can be."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from serverkit import Server

pytestmark = pytest.mark.anyio

PLAY = "mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename } }"
TABLES = "query ($f: TableFilter) { tables(filter: $f) { nodes { id } } }"
NEEDS = "query ($n: Int!) { tables(first: $n) { nodes { id } } }"

ERRORS: dict[str, tuple[str, Any, tuple[str, ...]]] = {
    # the document, the variables, and what is in the message
    "null where something is needed": (NEEDS, {"n": None}, ("not to be null",)),
    "a field that is missing": (
        PLAY,
        {"i": {"move": {"nextRound": True}}},
        ("required field 'tableId'", 'found: {"move":{"nextRound":true}}'),
    ),
    "a field that is not there": (
        PLAY,
        {"i": {"tableId": "x", "move": {"nextRound": True}, "x": None}},
        ("unknown field 'x'", "null"),
    ),
    "no object": (PLAY, {"i": True}, ("to be an object, found: true",)),
    "a wrong enum value in a variable": (TABLES, {"f": {"status": "SOON"}}, ("'SOON'", "OPEN", "OVER")),
    "a wrong enum value in the document": (
        "{ tables(filter: {status: SOON}) { nodes { id } } }",
        {},
        ("'SOON'", "OPEN", "OVER"),
    ),
    "much": (PLAY, {"i": {f"a{n}": [n] * 50 for n in range(50)}}, ("tableId",)),
    "words of a client's own": (
        PLAY,
        {"i": {"tableId": "it is None, found: True. x", "x": 1}},
        ("unknown field 'x'", "it is None, found: True. x"),
    ),
}


@pytest.mark.parametrize("kind", ERRORS)
async def test_a_message_speaks_json(server: Server, kind: str) -> None:
    document, variables, words = ERRORS[kind]
    async with httpx.AsyncClient() as http:
        answer = (await http.post(server.url, json={"query": document, "variables": variables})).json()
    messages = " ".join(error["message"] for error in answer["errors"])
    for word in words:
        assert word in messages
    # What stands in quotes is the client's own.
    bare = re.sub(r'"(\\.|[^"\\])*"', "", messages)
    assert not [python for python in ("None", "True", "False", "{'") if python in bare]
