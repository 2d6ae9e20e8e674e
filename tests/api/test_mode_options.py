"""The options of a mode at a game: the catalogue tells the limits and defaults that hold there."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import local
from serverkit import caller

from fliptable.plugins import Registry

SEATING = """{ games { id input seating { mode { id input } minSeats
  options { name type required default min max } } } }"""
OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { run {
    ... on MatchRun { threshold reach ties } } } } ... on Refusal { code field } } }"""


@pytest.mark.parametrize(
    ("game", "least", "most", "usual"),
    # flip7 F29 and F30; flip Y13.
    [("flip7", 50, 1000, (200, "AT_LEAST", "PLAY_ON")), ("flip", 1, 100, (3, None, None))],
)
async def test_a_match_is_told_as_the_game_has_it(
    registry: Registry, game: str, least: int, most: int, usual: tuple[Any, ...]
) -> None:
    async with local(registry) as server, caller(server.url) as ann:
        games = {one["id"]: one for one in (await ann.data(SEATING))["games"]}
        (match,) = [one for one in games[game]["seating"] if one["mode"]["id"] == "match"]
        options = {one["name"]: one for one in match["options"]}
        assert (options["threshold"]["min"], options["threshold"]["max"]) == (least, most)
        assert tuple(options[name]["default"] for name in ("threshold", "reach", "ties")) == usual
        wanted = {"game": {game: {}}, "mode": {"match": {}}, "localSeats": ["Ann", "Bob"]}
        answer = (await ann.data(OPEN, i=wanted))["createTable"]
        for name, option in options.items():
            assert option["default"] in (None, answer["table"]["run"][name])


async def test_whatever_is_within_the_limits_that_are_told_opens_a_table(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as ann:
        for game in (await ann.data(SEATING))["games"]:
            for seating in game["seating"]:
                for option in seating["options"]:
                    tried = {option["min"]: True, option["max"]: True}
                    tried |= {edge - 1: False for edge in (option["min"],) if edge is not None}
                    tried |= {edge + 1: False for edge in (option["max"],) if edge is not None}
                    for value, fits in tried.items():
                        if value is None:
                            continue
                        mode = seating["mode"]["input"]
                        wanted = {
                            "game": {game["input"]: {}},
                            "mode": {mode: {option["name"]: value}},
                            "seats": seating["minSeats"],
                        }
                        answer = (await ann.data(OPEN, i=wanted))["createTable"]
                        refused = {"code": "INVALID_VALUE", "field": f"mode.{mode}.{option['name']}"}
                        assert (answer == refused) != fits, (wanted, answer)
                        assert ("table" in answer) == fits, (wanted, answer)
