"""The catalogue of constraints is enough to make a form for a challenge, and its values are data."""

from __future__ import annotations

import pytest
from inprocess import local
from serverkit import Caller, caller

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio

CATALOGUE = """{ constraints { __typename id name summary input games { id }
  options { name title type list required default min max choices } } }"""
MAKE = """mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) {
  ... on ChallengeCreated { challenge { code constraints {
    constraint text input options { name title value text option { type min max } } } } }
  ... on Refusal { code message field } } }"""


async def test_the_constraints_of_the_rule_sheet_are_there(registry: Registry) -> None:
    """As call-it M9 has them."""
    async with local(registry) as server, Caller(server.url) as nobody:
        found = {one["id"]: one for one in (await nobody.data(CATALOGUE))["constraints"]}
        assert {"no-ace", "use-ace", "exact-flips", "max-flips", "min-flips", "include-suit"} <= set(found)
        assert all(one["__typename"] == "Constraint" for one in found.values())
        assert all({"id": "call-it"} in one["games"] for one in found.values())
        exact = found["exact-flips"]
        assert exact["input"] == "exactFlips"
        assert exact["name"] == registry.constraint("exact-flips").name
        (flips,) = exact["options"]
        assert (flips["name"], flips["title"], flips["type"]) == ("flips", "Flips", "Int")
        assert (flips["required"], flips["default"], flips["min"], flips["max"]) == (True, None, 1, 52)
        (suit,) = found["include-suit"]["options"]
        assert suit["choices"] == ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"]
        by_game = (await nobody.data("{ games { id constraints { id } } }"))["games"]
        assert {one["id"]: {each["id"] for each in one["constraints"]} for one in by_game} == {
            id: {one.id for one in registry.constraints.values() if id in one.games} for id in registry.games
        }


async def test_whatever_the_catalogue_lets_one_choose_makes_a_challenge(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as ann:
        for one in (await ann.data(CATALOGUE))["constraints"]:
            given = {
                option["name"]: option["choices"][-1] if option["choices"] else 3 for option in one["options"]
            }
            wanted = {"title": one["name"], "constraints": [{one["input"]: given}]}
            answer = (await ann.data(MAKE, i=wanted))["createChallenge"]
            (made,) = answer["challenge"]["constraints"]
            assert made["constraint"] == one["id"]
            assert {option["name"]: option["value"] for option in made["options"]} == given
            # And so it can be changed a little, and made again.
            assert made["input"] == {one["input"]: given}
            again = {"title": "Again", "constraints": [made["input"]]}
            assert (await ann.data(MAKE, i=again))["createChallenge"]["challenge"]["constraints"] == [made]
            for option in made["options"]:
                assert option["title"] and option["text"]


async def test_values_can_be_read(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as ann:
        chosen = [{"maxFlips": {"flips": 6}}, {"includeSuit": {"suit": "HEARTS"}}]
        answer = await ann.data(MAKE, i={"title": "Two", "constraints": chosen})
        flips, suit = answer["createChallenge"]["challenge"]["constraints"]
        assert [(one["title"], one["text"]) for one in flips["options"]] == [("Flips", "6")]
        assert flips["options"][0]["option"] == {"type": "Int", "min": 1, "max": 52}
        assert [(one["title"], one["text"]) for one in suit["options"]] == [("Suit", "hearts")]
