"""A client that knows no game gets on with it when it always takes what is offered first."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import local
from serverkit import caller

pytestmark = pytest.mark.anyio

MOVES = "legalMoves { seat name input fields { path choices list minItems } }"
OPEN = f"""mutation ($i: CreateTableInput!) {{
  createTable(input: $i) {{ ... on TableOpened {{ table {{ id status {MOVES} }} }} }}
}}"""
PLAY = f"""mutation ($i: PlayMoveInput!) {{
  playMove(input: $i) {{
    ... on MovePlayed {{ table {{ status prompt {{ seat }} {MOVES} }} }} ... on Refusal {{ code }}
  }}
}}"""


def filled(move: dict[str, Any]) -> dict[str, Any]:
    """As docs/frontend.md has it: the last of the choices, where there are some."""
    for field in move["fields"]:
        if few := field["choices"]:
            *outer, last = field["path"].split(".")
            place = move["input"]
            for step in outer:
                place = place[step]
            place[last] = few[-max(field["minItems"], 1) :] if field["list"] else few[-1]
    given: dict[str, Any] = move["input"]
    return given


@pytest.mark.parametrize("game", ["callIt", "flip", "flip7", "scoreboard"])
async def test_it_comes_to_the_end(game: str) -> None:
    async with local() as server, caller(server.url) as ann:
        opening = {"game": {game: {}}, "localSeats": ["Bob", "Cleo"]}
        if game == "callIt":
            opening = {"game": {game: {}}}
        table = (await ann.data(OPEN, i=opening))["createTable"]["table"]
        id, played = table["id"], 0
        while table["legalMoves"]:
            move, *_ = table["legalMoves"]
            wanted = {"tableId": id, "move": filled(move), "seat": move["seat"]}
            answer = (await ann.data(PLAY, i=wanted))["playMove"]
            assert "code" not in answer
            table = answer["table"]
            if (asked := table["prompt"]) is not None and table["legalMoves"]:
                assert table["legalMoves"][0]["seat"] == asked["seat"]
            played += 1
            assert played < 3000
        assert table["status"] == "OVER"
