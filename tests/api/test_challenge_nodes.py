"""A challenge has an id: it is found by it, told by the table that plays it, and listed for its maker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from inprocess import local
from serverkit import Caller, Server, caller

from fliptable.plugins import load_plugins

pytestmark = pytest.mark.anyio

MAKE = """mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) {
  ... on ChallengeCreated { challenge { __typename id code title } } ... on Refusal { code message } } }"""
BY_ID = "query ($i: ID!) { node(id: $i) { __typename id ... on Challenge { code title target } } }"
BY_CODE = "query ($c: String!) { challenge(code: $c) { __typename id code title target } }"
PAGE = "nodes { id } edges { cursor node { id } } "
PAGE += "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
MINE = (
    "query ($first: Int, $after: String, $last: Int, $before: String) { "
    f"myChallenges(first: $first, after: $after, last: $last, before: $before) {{ {PAGE} }} }}"
)
OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { id challenge { id title constraints { text } counts { attempts } } } }
  ... on Refusal { code message } } }"""


@pytest.fixture(params=["mongo", "memory"])
async def url(request: pytest.FixtureRequest) -> AsyncIterator[str]:
    if request.param == "mongo":
        server: Server = request.getfixturevalue("server")
        yield server.url
    else:
        async with local() as here:
            yield here.url


async def made(player: Caller, title: str, **more: Any) -> dict[str, Any]:
    answer = await player.data(MAKE, i={"title": title, **more})
    challenge: dict[str, Any] = answer["createChallenge"]["challenge"]
    return challenge


async def test_it_is_found_by_its_id_wherever_that_came_from(url: str) -> None:
    async with caller(url, "Ann") as ann, Caller(url) as nobody:
        mine = await made(ann, "Mine", target=42)
        assert mine["__typename"] == "Challenge" and "_" in mine["id"]
        whole = {**mine, "target": 42}
        assert (await nobody.data(BY_ID, i=mine["id"]))["node"] == whole
        typed = f" {mine['code'][:3].lower()}-{mine['code'][3:]}"
        assert (await nobody.data(BY_CODE, c=typed))["challenge"] == whole
        ids = [mine["id"], mine["id"][:-1], "chl_", "chl_222222", mine["id"].lower(), mine["code"]]
        several = await nobody.data("query ($i: [ID!]!) { nodes(ids: $i) { id } }", i=ids)
        assert several["nodes"] == [{"id": mine["id"]}, None, None, None, None, None]


async def test_a_table_says_which_one_it_plays_before_its_first_round(url: str) -> None:
    async with caller(url, "Ann") as ann, caller(url, "Bob") as bob:
        mine = await made(ann, "Six", constraints=[{"maxFlips": {"flips": 6}}])
        wanted = {"game": {"callIt": {}}, "mode": {"custom": {"challenge": mine["code"]}}}
        table = (await bob.data(OPEN, i=wanted))["createTable"]["table"]
        told = table["challenge"]
        assert (told["id"], told["title"]) == (mine["id"], "Six")
        assert told["constraints"] == [{"text": "in at most 6 flips"}]
        other = (await bob.data(OPEN, i={"game": {"callIt": {}}}))["createTable"]["table"]
        assert other["challenge"] is None


async def test_a_constraint_that_is_not_loaded_spoils_no_list(mongo_url: str, mongo_database: str) -> None:
    database = {"mongo_url": mongo_url, "mongo_database": mongo_database}
    async with local(load_plugins(builtin_only=True), **database) as server, caller(server.url) as ann:
        bad = await made(ann, "Six", constraints=[{"maxFlips": {"flips": 6}}])
        good = await made(ann, "Any", constraints=[{"noAce": {}}])
        token = ann.token
    fewer = load_plugins(builtin_only=True, deny=["max-flips"])
    async with local(fewer, **database) as server, Caller(server.url, token) as again:
        answer = await again.ask("{ myChallenges { nodes { id constraints { constraint } } } }")
        whole = {"id": good["id"], "constraints": [{"constraint": "no-ace"}]}
        assert [one for one in answer["data"]["myChallenges"]["nodes"] if one is not None] == [whole]
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == "PLUGIN_MISSING"
        assert error["path"][:2] == ["myChallenges", "nodes"] and error["path"][3:] == ["constraints"]
        # All else is told of it.
        found = (await again.data(BY_ID, i=bad["id"]))["node"]
        assert found["title"] == "Six"


async def page(player: Caller, **window: Any) -> tuple[list[str], dict[str, Any]]:
    found = (await player.data(MINE, **window))["myChallenges"]
    ids = [one["id"] for one in found["nodes"]]
    assert [one["node"]["id"] for one in found["edges"]] == ids
    return ids, found["pageInfo"]


async def test_who_made_some_finds_them_again_and_nobody_else_does(url: str) -> None:
    async with caller(url, "Ann") as ann, caller(url, "Bob") as bob, Caller(url) as nobody:
        assert (await page(ann))[0] == []
        mine = {(await made(ann, f"Number {number}"))["id"] for number in range(7)}
        others = [(await made(bob, "Bob's"))["id"]]
        assert (await page(bob))[0] == others
        all, _ = await page(ann)
        assert len(all) == 7 and set(all) == mine
        times = (await ann.data("{ myChallenges { nodes { createdAt } } }"))["myChallenges"]["nodes"]
        assert [one["createdAt"] for one in times] == sorted([one["createdAt"] for one in times])[::-1]
        ids, about = await page(ann, first=3)
        assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[:3], True, False)
        ids, about = await page(ann, first=3, after=about["endCursor"])
        assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[3:6], True, True)
        middle = about
        ids, about = await page(ann, first=3, after=about["endCursor"])
        assert (ids, about["hasNextPage"]) == (all[6:], False)
        ids, about = await page(ann, last=2)
        assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[5:], False, True)
        ids, about = await page(ann, last=2, before=middle["startCursor"])
        assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[1:3], True, True)
        for window, code in (
            ({"first": 0}, "INVALID_ARGUMENT"),
            ({"last": 101}, "INVALID_ARGUMENT"),
            ({"after": "x"}, "INVALID_CURSOR"),
        ):
            (error,) = (await ann.ask(MINE, **window))["errors"]
            assert error["extensions"]["code"] == code
        (error,) = (await nobody.ask(MINE))["errors"]
        assert error["extensions"]["code"] == "UNAUTHENTICATED"
