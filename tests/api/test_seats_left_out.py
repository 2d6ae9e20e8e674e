"""How many seats a table gets, and whether the host has one, where the input does not say."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import local
from serverkit import caller

pytestmark = pytest.mark.anyio

OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { status mySeat seats { name taken } } } ... on Refusal { code message } } }"""


@pytest.mark.parametrize(
    ("game", "wanted", "names", "status"),
    [
        # One game can be played by one, the other not: as few seats as it takes.
        ("callIt", {}, ["Ann"], "PLAYING"),
        ("flip", {}, ["Ann", None], "OPEN"),
        ("callIt", {"localSeats": ["Lea"]}, ["Lea"], "PLAYING"),
        ("flip", {"localSeats": ["Lea"]}, ["Ann", "Lea"], "PLAYING"),
        ("flip", {"localSeats": ["Lea", "Max"]}, ["Lea", "Max"], "PLAYING"),
        # A host who says that they play has a seat, whatever else is left out.
        ("callIt", {"localSeats": ["Lea"], "hostPlays": True}, ["Ann", "Lea"], "PLAYING"),
        ("flip", {"localSeats": ["Lea", "Max"], "hostPlays": True}, ["Ann", "Lea", "Max"], "PLAYING"),
        ("callIt", {"localSeats": ["Lea"], "seats": 2}, ["Ann", "Lea"], "PLAYING"),
        ("callIt", {"localSeats": ["Lea"], "seats": 3, "hostPlays": None}, ["Ann", None, "Lea"], "OPEN"),
        # One who says that they do not has none, also where one is left.
        ("flip", {"localSeats": ["Lea"], "hostPlays": False}, [None, "Lea"], "OPEN"),
        ("callIt", {"hostPlays": False}, [None], "OPEN"),
    ],
)
async def test_left_out_is_as_few_as_it_takes(
    game: str, wanted: dict[str, Any], names: list[str | None], status: str
) -> None:
    async with local() as server, caller(server.url, "Ann") as ann:
        table = (await ann.data(OPEN, i={"game": {game: {}}, **wanted}))["createTable"]["table"]
    assert [seat["name"] if seat["taken"] else None for seat in table["seats"]] == names
    assert table["mySeat"] == (0 if names[0] == "Ann" else None)
    assert table["status"] == status
