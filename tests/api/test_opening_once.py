"""Opening a table under an idempotency key, and by a host who does not play."""

from __future__ import annotations

import asyncio

import httpx
import pytest

CREATE = """mutation ($input: CreateTableInput!) { createTable(input: $input) { __typename
  ... on TableOpened { update { version } table { id mySeat seats { name taken local } status } }
  ... on Refusal { code field message table { id } } } }"""


async def ask(client: httpx.AsyncClient, url: str, query: str, token: str | None = None, **variables: object):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = await client.post(
        f"{url}/graphql", json={"query": query, "variables": variables}, headers=headers
    )
    body = answer.json()
    assert "errors" not in body, body
    return body["data"]


async def sign_in(client: httpx.AsyncClient, url: str, name: str) -> str:
    query = "mutation ($name: String!) { signInAsGuest(input: {name: $name}) { token } }"
    return (await ask(client, url, query, name=name))["signInAsGuest"]["token"]


async def test_the_same_key_opens_one_table(address: str) -> None:
    async with httpx.AsyncClient(timeout=30) as client:
        ann, bob = [await sign_in(client, address, name) for name in ("Ann", "Bob")]
        wanted = {"game": {"callIt": {}}, "mode": {"streak": {}}, "idempotencyKey": "once"}
        answers = await asyncio.gather(*[ask(client, address, CREATE, ann, input=wanted) for _ in range(8)])
        opened = [answer["createTable"] for answer in answers]
        assert {one["__typename"] for one in opened} == {"TableOpened"}
        assert len({one["table"]["id"] for one in opened}) == 1
        assert opened[0]["update"]["version"] == 1
        other = (await ask(client, address, CREATE, bob, input=wanted))["createTable"]
        assert other["table"]["id"] != opened[0]["table"]["id"], "each player has keys of their own"
        another = {"game": {"flip7": {}}, "idempotencyKey": "once"}
        refused = (await ask(client, address, CREATE, ann, input=another))["createTable"]
        assert (refused["code"], refused["field"]) == ("KEY_REUSED", "idempotencyKey")
        empty = await ask(client, address, CREATE, ann, input={**wanted, "idempotencyKey": ""})
        assert empty["createTable"]["code"] == "INVALID_VALUE"


@pytest.mark.parametrize(
    "other",
    [
        {"mode": {"match": {"threshold": 300}}},
        {"mode": {"classic": {}}},
        {"game": {"flip7": {"rules": "HOSTED"}}},
        {"seats": 4, "localSeats": ["Cyd", "Dot"]},
        {"localSeats": ["Cyd"]},
        {"localSeats": ["Dot", "Cyd"]},
        {"hostPlays": False},
        {"visibility": "PUBLIC"},
        {"house": {"turnSeconds": 60}},
    ],
    ids=str,
)
async def test_a_key_is_for_one_table_in_every_respect(address: str, other: dict[str, object]) -> None:
    """Who gets an answer for another table than the one asked for would play what they did not want."""
    async with httpx.AsyncClient(timeout=30) as client:
        ann = await sign_in(client, address, "Ann")
        wanted = {
            "game": {"flip7": {}},
            "mode": {"match": {"threshold": 200}},
            "seats": 3,
            "localSeats": ["Cyd", "Dot"],
            "house": {"graceSeconds": 20},
            "idempotencyKey": "once",
        }
        first, again, refused = [
            (await ask(client, address, CREATE, ann, input=given))["createTable"]
            for given in (wanted, wanted, {**wanted, **other})
        ]
        assert first["__typename"] == again["__typename"] == "TableOpened"
        assert first["table"]["id"] == again["table"]["id"]
        assert (refused["code"], refused["field"]) == ("KEY_REUSED", "idempotencyKey")
        assert refused["table"]["id"] == first["table"]["id"]


async def test_the_same_key_claims_a_day_once(address: str) -> None:
    async with httpx.AsyncClient(timeout=30) as client:
        ann = await sign_in(client, address, "Ann")
        wanted = {"game": {"callIt": {}}, "mode": {"daily": {}}, "idempotencyKey": "today"}
        first, second = [
            (await ask(client, address, CREATE, ann, input=wanted))["createTable"] for _ in range(2)
        ]
        assert first["__typename"] == second["__typename"] == "TableOpened"
        assert first["table"]["id"] == second["table"]["id"]


async def test_a_host_who_does_not_play_leaves_the_seats_to_others(address: str) -> None:
    async with httpx.AsyncClient(timeout=30) as client:
        ann, bob = [await sign_in(client, address, name) for name in ("Ann", "Bob")]
        wanted = {"game": {"flip7": {}}, "seats": 3, "localSeats": ["Cyd", "Dot"], "hostPlays": False}
        table = (await ask(client, address, CREATE, ann, input=wanted))["createTable"]["table"]
        assert table["mySeat"] is None and table["status"] == "OPEN"
        assert [seat["taken"] for seat in table["seats"]] == [False, True, True]
        join = """mutation ($table: ID!) { joinTable(input: {tableId: $table}) {
          ... on TableJoined { table { mySeat } } } }"""
        joined = await ask(client, address, join, bob, table=table["id"])
        assert joined["joinTable"]["table"]["mySeat"] == 0
        start = """mutation ($table: ID!) { startTable(input: {tableId: $table}) {
          ... on SessionStarted { table { status seats { name } } } ... on Refusal { code } } }"""
        started = await ask(client, address, start, ann, table=table["id"])
        assert [seat["name"] for seat in started["startTable"]["table"]["seats"]] == ["Bob", "Cyd", "Dot"]
