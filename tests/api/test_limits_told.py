"""A value that is out of its limits is refused in a sentence: what it is of, and what would be right."""

from __future__ import annotations

import re

import pytest
from inprocess import local
from serverkit import caller

from fliptable.plugins import Registry
from fliptable_api.naming import why_not

OPTIONS = """{ games { id input defaultMode { id } options { ...O } }
  modes { id input options { ...O } } } fragment O on Option { name min max }"""
OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  __typename ... on Refusal { code field message } } }"""
SHOWN = {"match": "flip7", "race": "callIt", "survival": "callIt"}


async def test_each_option_says_its_name_and_its_limits(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as ann:
        catalogue = await ann.data(OPTIONS)
        for kind in ("games", "modes"):
            for part in catalogue[kind]:
                for option in part["options"]:
                    if option["min"] is None or option["max"] is None:
                        continue
                    value = option["max"] + 1
                    chosen = {part["input"]: {option["name"]: value}}
                    wanted = {"game": chosen}
                    if kind == "modes":
                        wanted = {"game": {SHOWN[part["id"]]: {}}, "mode": chosen}
                    answer = (await ann.data(OPEN, i=wanted))["createTable"]
                    words = re.sub("([A-Z])", r" \1", option["name"]).lower()
                    assert answer["message"] == (
                        f"{words.capitalize()}: {value} is not possible, "
                        f"only from {option['min']} to {option['max']}."
                    )
        answer = await ann.data(OPEN, i={"game": {"callIt": {}}, "house": {"turnSeconds": 4}})
        assert answer["createTable"]["message"] == "Turn seconds: 4 is not possible, only from 5 to 86400."


@pytest.mark.parametrize(
    ("path", "why", "told"),
    [
        ("winning_score", "2 is too few", "Winning score: 2 is too few."),
        ("handSize", "20 is too many.", "Hand size: 20 is too many."),
        ("decks", "COLORS makes two decks", "COLORS makes two decks."),
        ("line.numbers.3", "13 is no card", "Numbers: 13 is no card."),
        ("3", "it has to be a card", "It has to be a card."),
    ],
)
def test_a_sentence_names_what_it_is_about_once(path: str, why: str, told: str) -> None:
    assert why_not(path, why) == told
