"""What a client that asked for something impossible is told: the value, what would be right, and where."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from serverkit import CREATE, PLAY, SIGN_IN

from fliptable_api.app import Server, app_of
from fliptable_api.settings import Settings

pytestmark = pytest.mark.anyio

CHALLENGE = (
    "mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) { ... on ChallengeCreated "
    "{ challenge { code } } } }"
)
DAILY = "query ($g: ID!, $d: String, $m: ID!) { daily(game: $g, date: $d, mode: $m) { target } }"
RECORDS = (
    "query ($g: ID!, $m: ID!, $k: ID!, $s: String!) "
    "{ records(game: $g, mode: $m, metric: $k, scope: $s) { nodes { rank } } }"
)
CALL_IT: dict[str, Any] = {"callIt": {}}

NO_GAME = 'There is no game "nope"; there is call-it, flip, flip7 and scoreboard.'
NO_MODE = (
    'There is no mode "nope"; there is classic, custom, daily, match, practice, race, speedrun, streak, '
    "survival and time-attack."
)


class Client:
    """A player at a server in this process."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        answer = await self.http.post("/graphql", json={"query": document, "variables": variables})
        asked: dict[str, Any] = answer.json()
        return asked

    async def data(self, document: str, **variables: Any) -> Any:
        answer = await self.ask(document, **variables)
        assert "errors" not in answer, answer
        (data,) = answer["data"].values()
        return data

    async def error(self, document: str, **variables: Any) -> str:
        (error,) = (await self.ask(document, **variables))["errors"]
        assert error["extensions"]["code"] == "INVALID_ARGUMENT", error
        message: str = error["message"]
        return message


@pytest.fixture(scope="module")
async def client() -> AsyncIterator[Client]:
    server = Server(Settings(memory=True))
    async with (
        server.running(),
        httpx.AsyncClient(transport=httpx.ASGITransport(app_of(server)), base_url="http://here") as http,
    ):
        client = Client(http)
        http.headers["authorization"] = f"Bearer {(await client.data(SIGN_IN, n='Ann'))['token']}"
        yield client


@pytest.mark.parametrize(
    ("game", "day", "mode", "message"),
    [
        ("flip", None, "daily", "FLIP cannot be played in the mode daily."),
        ("nope", None, "daily", NO_GAME),
        ("call-it", None, "nope", NO_MODE),
        ("call-it", None, "streak", "The mode streak has no deck of a date."),
        ("call-it", "2026-02-30", "daily", "There is no day 2026-02-30."),
        ("call-it", "9999-12-31", "daily", "The date 9999-12-31 has not come yet."),
        ("call-it", "tomorrow", "daily", 'The date is "tomorrow"; it has to be like 2030-01-31.'),
    ],
)
async def test_a_day_that_there_is_not(
    client: Client, game: str, day: str | None, mode: str, message: str
) -> None:
    assert await client.error(DAILY, g=game, d=day, m=mode) == message


async def test_a_day_that_there_is(client: Client) -> None:
    assert 30 <= (await client.data(DAILY, g="call-it", d="2026-01-31", m="daily"))["target"] <= 60


@pytest.mark.parametrize(
    ("game", "mode", "metric", "scope", "words"),
    [
        ("call-it", "daily", "flips", "", "so scope has to be one like 2030-01-31."),
        ("call-it", "daily", "flips", "2026-02-30", "The mode daily has a list for each date"),
        ("call-it", "custom", "flips", "", "The mode custom needs the code of a challenge as scope."),
        ("call-it", "streak", "streak", "x", "The mode streak has only one list"),
        ("call-it", "survival", "wins", "x", "from 1 to 10, with a scope like 9-lives"),
        ("flip", "daily", "flips", "2026-11-29", "FLIP cannot be played in the mode daily."),
        ("nope", "daily", "flips", "", NO_GAME),
        ("call-it", "daily", "wins", "2026-11-29", 'The mode daily keeps flips, not "wins".'),
    ],
)
async def test_records_that_there_cannot_be(
    client: Client, game: str, mode: str, metric: str, scope: str, words: str
) -> None:
    message = await client.error(RECORDS, g=game, m=mode, k=metric, s=scope)
    assert words in message


async def test_the_records_of_a_challenge_are_found_by_its_code_as_it_was_typed(client: Client) -> None:
    wanted = {"game": "call-it", "title": "Thirty", "target": 30, "constraints": []}
    code = (await client.data(CHALLENGE, i=wanted))["challenge"]["code"]
    typed = f"{code[:3].lower()} {code[3:].lower()}"
    table = await client.data(CREATE, i={"game": CALL_IT, "mode": {"custom": {"challenge": typed}}})
    flip = {"tableId": table["table"]["id"], "move": {"callIt": {"flip": True}}}
    while not (await client.data(RECORDS, g="call-it", m="custom", k="flips", s=code))["nodes"]:
        # Until a round is won: about one in seven is.
        await client.data(PLAY, i=flip)
    found = [
        (await client.data(RECORDS, g="call-it", m="custom", k="flips", s=s))["nodes"] for s in (code, typed)
    ]
    assert found[0] == found[1] != []


@pytest.mark.parametrize(
    ("opening", "field", "message"),
    [
        (
            {"game": CALL_IT, "mode": {"custom": {"challenge": ""}}},
            "mode.custom.challenge",
            "The mode custom needs the code of a challenge.",
        ),
        (
            {"game": CALL_IT, "mode": {"custom": {"challenge": "XYZ"}}},
            "mode.custom.challenge",
            'There is no challenge with the code "XYZ".',
        ),
        (
            {"game": CALL_IT, "mode": {"streak": {}}, "seats": 2},
            "seats",
            "Call It and Flip in the mode streak is for 1 seat, not for 2.",
        ),
        (
            {"game": CALL_IT, "mode": {"race": {}}, "seats": 9},
            "seats",
            "Call It and Flip in the mode race is for 2 to 8 seats, not for 9.",
        ),
        (
            {"game": CALL_IT, "seats": 1, "localSeats": ["Ann", "Bob"]},
            "localSeats",
            "The table has 1 seat, too few for 2 local seats: give 2 as seats, or leave it out; or name "
            "fewer local seats.",
        ),
        (
            {"game": CALL_IT, "seats": 1, "localSeats": ["Lea"], "hostPlays": True},
            "hostPlays",
            "The table has 1 seat, too few for 1 local seat and the host: give 2 as seats, or leave it out; "
            "or leave hostPlays out, and the host has no seat.",
        ),
        (
            {"game": CALL_IT, "mode": {"streak": {}}, "localSeats": ["Lea"], "hostPlays": True},
            "hostPlays",
            "Call It and Flip in the mode streak is for 1 seat, too few for 1 local seat and the host: leave "
            "hostPlays out, and the host has no seat.",
        ),
        (
            {"game": CALL_IT, "mode": {"streak": {}}, "localSeats": ["Lea", "Max"]},
            "localSeats",
            "Call It and Flip in the mode streak is for 1 seat, too few for 2 local seats: name fewer local "
            "seats.",
        ),
    ],
)
async def test_a_table_that_cannot_be_opened(
    client: Client, opening: dict[str, Any], field: str, message: str
) -> None:
    refused = await client.data(CREATE, i=opening)
    assert (refused["field"], refused["message"]) == (field, message)


@pytest.mark.parametrize(
    ("asked", "field", "message"),
    [
        (
            {"move": {"callIt": {"flip": False}}},
            "move.callIt.flip",
            "The move flip has no values, so it has to be true, not false.",
        ),
        (
            {"move": {"nextRound": False}},
            "move.nextRound",
            "The move nextRound has no values, so it has to be true, not false.",
        ),
        (
            {"move": {"callIt": {"flip": True}}, "seat": 1},
            "seat",
            "There is no seat 1; the table has the seat 0 only.",
        ),
    ],
)
async def test_a_move_that_cannot_be_made(
    client: Client, asked: dict[str, Any], field: str, message: str
) -> None:
    table = (await client.data(CREATE, i={"game": CALL_IT}))["table"]["id"]
    refused = await client.data(PLAY, i={"tableId": table, **asked})
    assert (refused["field"], refused["message"]) == (field, message)


HOSTILE = "a\0b\u202e'\"" + "x" * 5000


@pytest.mark.parametrize(
    "document",
    [
        "query ($t: ID!) { tables(filter: {game: $t}) { nodes { id } } }",
        "query ($t: ID!) { tables(filter: {mode: $t}) { nodes { id } } }",
        "query ($t: String!) { tables(after: $t) { nodes { id } } }",
        'query ($t: ID!) { records(mode: "daily", metric: $t) { nodes { rank } } }',
        "query ($t: String!) { daily(date: $t) { target } }",
        "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { ... on Refusal { message } } }",
    ],
)
async def test_what_somebody_sent_is_told_back_as_json_and_not_at_length(
    client: Client, document: str
) -> None:
    answer = await client.ask(document, t=HOSTILE)
    if "errors" in answer:
        (failed,) = answer["errors"]
    else:
        (failed,) = answer["data"].values()
    assert '"a\\u0000b\\u202e\'\\"xxx' in failed["message"]
    assert failed["message"].isprintable()
    assert len(failed["message"]) < 500


async def test_the_name_of_an_operation_is_told_back_as_json_and_not_at_length(client: Client) -> None:
    answer = await client.http.post("/graphql", json={"query": "{ __typename }", "operationName": HOSTILE})
    (failed,) = answer.json()["errors"]
    assert '"a\\u0000b\\u202e\'\\"xxx' in failed["message"]
    assert len(failed["message"]) < 500
