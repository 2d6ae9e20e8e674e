"""How long tokens are good: what is told with one, who comes with an expired one, another one in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from inprocess import local
from serverkit import CALL_31, FOLLOW, Caller, caller, raw_socket, socket
from tokenkit import DAYS, LIFETIME, MULTIPART, RENEW, SIGN_OUT, accounts_of, closing, timed

from fliptable.testing import FakeClock
from fliptable_api.scalars import read_time, write_time
from fliptable_api.settings import MOST_DAYS, BadSetting, from_environment

pytestmark = pytest.mark.anyio

SIGN_IN = 'mutation { signInAsGuest(input: {name: "Ann"}) { token expiresAt player { id } } }'


# What is told with a token


async def test_who_signs_in_is_told_until_when_the_token_is_good() -> None:
    async with timed() as (server, clock), Caller(server.url) as ann:
        answer = (await ann.data(SIGN_IN))["signInAsGuest"]
        assert answer["expiresAt"] == write_time(clock.now + LIFETIME)


async def test_tokens_are_good_for_ever_unless_the_server_is_told_otherwise() -> None:
    """A guest has nothing but the token, and a client that never heard of renewing loses nobody."""
    async with local() as server, Caller(server.url) as ann:
        answer = (await ann.data(SIGN_IN))["signInAsGuest"]
        assert answer["expiresAt"] is None
        ann.token = answer["token"]
        assert (await ann.data(RENEW))["renewToken"]["expiresAt"] is None
        clock = FakeClock()
        accounts_of(server).clock = clock
        clock.advance(500 * 365 * 86_400)
        assert (await ann.data("{ me { id } }"))["me"]["id"] == answer["player"]["id"]


@pytest.mark.parametrize(
    ("text", "days"), [("30", 30.0), ("0.5", 0.5), ("0", 0.0), ("36500", 36500.0), ("", 0.0)]
)
def test_how_long_a_token_lives_is_set_in_days(text: str, days: float) -> None:
    assert from_environment({"FLIPTABLE_TOKEN_DAYS": text}).token_days == days


@pytest.mark.parametrize("text", ["-1", "never", "36501", "inf", "nan", "1 week"])
def test_what_is_no_number_of_days_is_named(text: str) -> None:
    with pytest.raises(BadSetting, match=f"FLIPTABLE_TOKEN_DAYS is '{text}'; .* from 0 to {MOST_DAYS}"):
        from_environment({"FLIPTABLE_TOKEN_DAYS": text})


async def test_a_hundred_years_are_possible() -> None:
    async with (
        local(token_days=float(MOST_DAYS)) as server,
        caller(server.url) as ann,
        socket(server.socket_url, ann.token) as one,
    ):
        assert [each async for each in one.run("{ me { id } }")] == [{"data": {"me": {"id": ann.player}}}]


# An expired token is refused


REQUESTS: dict[str, Callable[[Caller, str], Any]] = {
    "POST": lambda ann, table: ann.http.post(
        ann._url(), json={"query": "{ me { id } }"}, headers=ann.headers
    ),
    "GET": lambda ann, table: ann.http.get(
        ann._url(), params={"query": "{ games { id } }"}, headers=ann.headers
    ),
    "a mutation": lambda ann, table: ann.http.post(ann._url(), json={"query": RENEW}, headers=ann.headers),
    **{
        accept: lambda ann, table, accept=accept: ann.http.post(
            ann._url(),
            json={"query": FOLLOW, "variables": {"i": table, "a": 0}},
            headers={**ann.headers, "accept": accept},
        )
        for accept in ("text/event-stream", MULTIPART, "application/graphql-response+json")
    },
}


@pytest.mark.parametrize("kind", REQUESTS)
async def test_a_request_with_an_expired_token_is_told_so(kind: str) -> None:
    async with timed() as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        expires_at = write_time(clock.now + LIFETIME)
        clock.advance(DAYS * 86_400)
        answer = await REQUESTS[kind](ann, table)
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
        (error,) = answer.json()["errors"]
        assert error["extensions"] == {"code": "TOKEN_EXPIRED", "expiredAt": expires_at}
        # It says what to do.
        assert expires_at in error["message"] and "sign in again" in error["message"]
        assert "data" not in answer.json()


@pytest.mark.parametrize("by", ["the first message", "the handshake"])
async def test_a_websocket_that_begins_with_an_expired_token_is_closed_with_4403(by: str) -> None:
    async with timed() as (server, clock), caller(server.url) as ann:
        clock.advance(DAYS * 86_400)
        more = {"additional_headers": ann.headers} if by == "the handshake" else {}
        async with raw_socket(server.socket_url, **more) as one:
            payload = ann.headers if by == "the first message" else {}
            await one.send({"type": "connection_init", "payload": payload})
            closed = await closing(one)
        assert closed.code == 4403
        assert closed.reason.startswith("TOKEN_EXPIRED: ") and "sign in again" in closed.reason


async def test_a_websocket_whose_token_nobody_has_is_told_something_else() -> None:
    """A frontend sees by the reason's code whether there was a player once."""
    async with local() as server, raw_socket(server.socket_url) as one:
        await one.send({"type": "connection_init", "payload": {"authorization": "Bearer ft_nobody"}})
        closed = await closing(one)
        assert closed.code == 4403 and closed.reason.startswith("UNAUTHENTICATED: ")


async def test_the_last_moment_still_counts() -> None:
    async with timed() as (server, clock), caller(server.url) as ann:
        clock.advance(DAYS * 86_400 - 0.001)
        assert (await ann.data("{ me { id } }"))["me"]["id"] == ann.player
        async with socket(server.socket_url, ann.token):
            pass


# Another token in time


async def test_a_renewed_token_is_the_same_player_with_the_same_tables(often: None) -> None:
    async with timed() as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        clock.advance(20 * 86_400)
        answer = (await ann.data(RENEW))["renewToken"]
        assert answer["player"] == {"id": ann.player, "name": "Ann"}
        assert read_time(answer["expiresAt"]) == clock.now + LIFETIME
        async with Caller(server.url, answer["token"]) as newer:
            # As long as it would have been, so that an answer that was lost costs nothing.
            assert (await ann.data("{ me { id } }"))["me"] == (await newer.data("{ me { id } }"))["me"]
            clock.advance(10 * 86_400)
            assert (await ann.ask("{ me { id } }"))["errors"][0]["extensions"]["code"] == "TOKEN_EXPIRED"
            assert (await newer.table(table))["mySeat"] == 0
            assert (await newer.move(table, CALL_31))["__typename"] == "MovePlayed"


async def test_nobody_has_no_token_to_renew_or_to_sign_out_with() -> None:
    async with local() as server, Caller(server.url) as nobody:
        for document in (RENEW, SIGN_OUT):
            answer = await nobody.ask(document)
            assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
