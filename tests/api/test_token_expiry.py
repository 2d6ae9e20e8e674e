"""Tokens that expire: what whoever comes with one is told, and what happens to what is open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import (
    CALL_31,
    FOLLOW,
    PLAY,
    Caller,
    Closed,
    Failed,
    Socket,
    caller,
    eventually,
    raw_socket,
    socket,
)
from strawberry.types import ExecutionResult

from fliptable import holds
from fliptable.accounts import Accounts
from fliptable.testing import FakeClock
from fliptable.tokens import TokenExpired
from fliptable_api.scalars import read_time, write_time
from fliptable_api.settings import MOST_DAYS, BadSetting, from_environment
from fliptable_api.streams import while_good

pytestmark = pytest.mark.anyio

DAYS = 30
LIFETIME = timedelta(days=DAYS)
SIGN_IN = 'mutation { signInAsGuest(input: {name: "Ann"}) { token expiresAt player { id } } }'
RENEW = "mutation { renewToken { token expiresAt player { id name } } }"
SIGN_OUT = "mutation { signOut { player { id } } }"
MULTIPART = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"
STREAMS = pytest.mark.parametrize("accept", ["text/event-stream", MULTIPART], ids=["sse", "multipart"])


def accounts_of(server: Local) -> Accounts:
    assert server.parts.view is not None
    return server.parts.view.shared.accounts


def holding(server: Local) -> int:
    """How many connections are open in the name of a token."""
    return sum(len(found) for found in accounts_of(server)._holds._open.values())


@asynccontextmanager
async def timed(**settings: Any) -> AsyncIterator[tuple[Local, FakeClock]]:
    """A server whose tokens are good for thirty days, by a clock that a test sets."""
    async with local(token_days=DAYS, **settings) as server:
        accounts_of(server).clock = clock = FakeClock()
        yield server, clock


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers look at the clock all the time, since it is not the loop's."""
    monkeypatch.setattr(holds, "_LONGEST", 0.01)


def payloads(text: str) -> list[dict[str, Any]]:
    """What a stream of events or parts has brought."""
    lines = [line.removeprefix("data: ") for line in text.splitlines()]
    found = [json.loads(line) for line in lines if line.startswith("{") and line != "{}"]
    return [one.get("payload", one) for one in found]


class Stream:
    """A subscription over plain HTTP."""

    def __init__(self, answer: httpx.Response) -> None:
        self._answer = answer
        self._pieces = answer.aiter_text()
        self.text = ""

    async def until(self, check: Callable[[list[dict[str, Any]]], bool]) -> None:
        async with asyncio.timeout(30):
            while not check(payloads(self.text)):
                self.text += await anext(self._pieces)

    async def end(self) -> list[dict[str, Any]]:
        """Everything, once the server has ended it."""
        async with asyncio.timeout(30):
            async for piece in self._pieces:
                self.text += piece
        return payloads(self.text)


@asynccontextmanager
async def stream(player: Caller, table: str, accept: str) -> AsyncIterator[Stream]:
    asked = {"query": FOLLOW, "variables": {"i": table, "a": 0}}
    headers = {**player.headers, "accept": accept}
    async with player.http.stream("POST", player._url(), json=asked, headers=headers) as answer:
        assert answer.status_code == 200
        yield Stream(answer)


async def closing(one: Socket) -> Closed:
    """How the server closes a WebSocket, whatever it sends before."""
    with pytest.raises(Closed) as closed:
        async with asyncio.timeout(30):
            while True:
                await one.receive()
    return closed.value


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


# What is open ends with its token


async def test_a_websocket_is_closed_when_its_token_expires(often: None) -> None:
    async with (
        timed() as (server, clock),
        caller(server.url) as ann,
        caller(server.url, "Bob") as bob,
        socket(server.socket_url, ann.token) as one,
        socket(server.socket_url) as nobodys,
    ):
        table = (await ann.open())["id"]
        updates = one.follow(table, 0)
        assert (await anext(updates))["version"] == 1
        clock.advance(DAYS * 86_400 - 1)
        renewed = (await bob.data(RENEW))["renewToken"]["token"]
        async with socket(server.socket_url, renewed) as other:
            clock.advance(1)
            with pytest.raises(Closed) as closed:
                await anext(updates)
            assert closed.value.code == 4403
            assert closed.value.reason.startswith("TOKEN_EXPIRED: The token expired at 2026-")
            # Others stay: who has a newer token, and who came without one.
            for still in (other, nobodys):
                assert [each async for each in still.run("{ __typename }")]
        await eventually(lambda: not holding(server), "everything is let go of")


async def test_what_is_asked_after_the_end_is_refused_even_if_nobody_has_looked_at_the_clock() -> None:
    async with (
        timed() as (server, clock),
        caller(server.url) as ann,
        socket(server.socket_url, ann.token) as one,
    ):
        clock.advance(DAYS * 86_400)
        with pytest.raises(Failed) as failed:
            await anext(one.run("{ me { id } }"))
        assert failed.value.code == "TOKEN_EXPIRED"
        assert (await closing(one)).code == 4403


@STREAMS
async def test_a_stream_ends_with_an_error_when_its_token_expires(often: None, accept: str) -> None:
    async with timed() as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        expires_at = write_time(clock.now + LIFETIME)
        async with stream(ann, table, accept) as followed:
            await followed.until(lambda told: len(told) == 1)
            clock.advance(DAYS * 86_400)
            first, last = await followed.end()
        assert first["data"]["tableUpdates"]["version"] == 1 and "errors" not in first
        (error,) = last["errors"]
        assert error["extensions"] == {"code": "TOKEN_EXPIRED", "expiredAt": expires_at}
        assert not last.get("data")
        ending = "event: complete\ndata: \n\n" if accept == "text/event-stream" else "--graphql--\r\n"
        assert followed.text.endswith(ending)
        assert not holding(server)


@STREAMS
async def test_a_stream_without_a_token_goes_on(often: None, accept: str) -> None:
    async with timed() as (server, clock), caller(server.url) as ann, Caller(server.url) as nobody:
        table = (await ann.open())["id"]
        async with stream(nobody, table, accept) as followed:
            await followed.until(lambda told: len(told) == 1)
            assert not holding(server)
            clock.advance(DAYS * 86_400 - 1)
            await ann.move(table, CALL_31)
            clock.advance(1)
            await followed.until(lambda told: len(told) == 2)


async def test_a_token_that_expires_while_the_reader_is_busy_ends_the_stream_when_it_reads_on() -> None:
    async def results() -> AsyncIterator[ExecutionResult]:
        for number in range(3):
            yield ExecutionResult(data={"number": number}, errors=None)

    async with timed() as (server, clock):
        accounts = accounts_of(server)
        _, text, expires_at = await accounts.sign_in_as_guest("Ann")
        found = await accounts.find_token(text)
        assert found is not None and expires_at is not None
        read = while_good(results(), accounts, found.token)  # type: ignore[arg-type]
        assert (await anext(read)).data == {"number": 0}
        clock.set(expires_at)
        accounts._holds.end(found.token.hash, TokenExpired(expires_at))
        with pytest.raises(TokenExpired):
            await anext(read)
        assert not holding(server)


async def test_who_goes_away_is_not_kept(often: None) -> None:
    async with timed() as (server, _), caller(server.url) as ann:
        table = (await ann.open())["id"]
        for accept in ("text/event-stream", MULTIPART):
            async with stream(ann, table, accept) as followed:
                await followed.until(lambda told: len(told) == 1)
                assert holding(server) == 1
            await eventually(lambda: not holding(server), "the stream is let go of")
        for _ in range(3):
            async with socket(server.socket_url, ann.token):
                await eventually(lambda: holding(server) == 1, "the socket is held")
            await eventually(lambda: not holding(server), "the socket is let go of")


async def test_a_client_that_does_not_close_its_side_is_cut_off(
    often: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fliptable_api.wsprotocol.LAST_WORDS", 0.05)
    async with timed() as (server, clock), caller(server.url) as ann:
        host, port = server.base.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        lines = (
            "GET /graphql HTTP/1.1",
            f"Host: {host}:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: graphql-transport-ws",
            f"Authorization: Bearer {ann.token}",
            "\r\n",
        )
        writer.write("\r\n".join(lines).encode())
        await reader.readuntil(b"\r\n\r\n")
        text = b'{"type":"connection_init"}'
        writer.write(b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text)
        await reader.readuntil(b"connection_ack")
        await eventually(lambda: holding(server) == 1, "the socket is held")
        clock.advance(DAYS * 86_400)
        async with asyncio.timeout(30):
            rest = await reader.read()  # to the end, which comes though nothing was answered
        assert b"TOKEN_EXPIRED" in rest
        writer.close()


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


# Signing out


async def test_a_token_that_was_signed_out_is_nobodys() -> None:
    async with timed() as (server, _), caller(server.url) as ann:
        other = (await ann.data(RENEW))["renewToken"]["token"]
        assert (await ann.data(SIGN_OUT))["signOut"]["player"]["id"] == ann.player
        again = await ann.http.post(server.url, json={"query": "{ me { id } }"}, headers=ann.headers)
        assert again.status_code == 401
        (error,) = again.json()["errors"]
        assert error["extensions"]["code"] == "UNAUTHENTICATED" and "sign in again" in error["message"]
        async with raw_socket(server.socket_url) as one:
            await one.send({"type": "connection_init", "payload": ann.headers})
            assert (await closing(one)).code == 4403
        async with Caller(server.url, other) as same:
            assert (await same.data("{ me { id } }"))["me"]["id"] == ann.player


async def test_after_the_sign_out_nobody_asks_for_the_rest_of_the_operation() -> None:
    async with local() as server, caller(server.url) as ann:
        answer = await ann.ask("mutation { signOut { player { id } } renewToken { token } }")
        (error,) = answer["errors"]
        assert error["path"] == ["renewToken"] and error["extensions"]["code"] == "UNAUTHENTICATED"


async def test_signing_out_closes_what_was_opened_with_the_token() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(local())
        ann = await stack.enter_async_context(caller(server.url))
        table = (await ann.open())["id"]
        newer = Caller(server.url, (await ann.data(RENEW))["renewToken"]["token"])
        await stack.enter_async_context(newer)
        sockets = [await stack.enter_async_context(socket(server.socket_url, ann.token)) for _ in range(2)]
        staying = await stack.enter_async_context(socket(server.socket_url, newer.token))
        followed = [
            await stack.enter_async_context(stream(ann, table, accept))
            for accept in ("text/event-stream", MULTIPART)
        ]
        going_on = await stack.enter_async_context(stream(newer, table, "text/event-stream"))
        for one in (*followed, going_on):
            await one.until(lambda told: len(told) == 1)
        await eventually(lambda: holding(server) == 6, "all are held")
        await ann.data(SIGN_OUT)
        for each in sockets:
            closed = await closing(each)
            assert (closed.code, closed.reason) == (
                4403,
                "UNAUTHENTICATED: The token was signed out; sign in again, without it.",
            )
        for one in followed:
            (error,) = (await one.end())[-1]["errors"]
            assert error["extensions"]["code"] == "UNAUTHENTICATED"
        assert holding(server) == 2
        await newer.move(table, CALL_31)
        await going_on.until(lambda told: len(told) == 2)
        assert [each async for each in staying.run("{ __typename }")]


async def test_a_sign_out_over_a_websocket_is_answered_before_that_is_closed() -> None:
    async with (
        local() as server,
        caller(server.url) as ann,
        socket(server.socket_url, ann.token) as one,
        socket(server.socket_url, ann.token) as other,
    ):
        payload = {"query": SIGN_OUT}
        await one.send({"id": "bye", "type": "subscribe", "payload": payload})
        answer = await one.receive()
        assert answer["type"] == "next"
        assert answer["payload"] == {"data": {"signOut": {"player": {"id": ann.player}}}}
        assert await one.receive() == {"id": "bye", "type": "complete"}
        for each in (one, other):
            assert (await closing(each)).code == 4403


@STREAMS
async def test_a_sign_out_over_a_stream_is_answered(accept: str) -> None:
    async with local() as server, caller(server.url) as ann:
        headers = {**ann.headers, "accept": accept}
        answer = await ann.http.post(server.url, json={"query": SIGN_OUT}, headers=headers)
        assert payloads(answer.text) == [{"data": {"signOut": {"player": {"id": ann.player}}}}]
        assert (await ann.ask("{ me { id } }"))["errors"]


async def test_a_move_that_is_under_way_when_the_token_ends_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with (
        local() as server,
        caller(server.url) as ann,
        socket(server.socket_url, ann.token) as one,
    ):
        table = (await ann.open())["id"]
        begun, go_on = asyncio.Event(), asyncio.Event()
        append = server.store.append

        async def slow(commit: Any) -> None:
            begun.set()
            await go_on.wait()
            await append(commit)

        monkeypatch.setattr(server.store, "append", slow)
        variables = {"i": {"tableId": table, "move": CALL_31}}
        payload = {"query": PLAY, "variables": variables}
        await one.send({"id": "move", "type": "subscribe", "payload": payload})
        await begun.wait()
        await ann.data(SIGN_OUT)
        # What comes now comes too late, and is told so.
        await one.send({"id": "late", "type": "subscribe", "payload": {"query": "{ me { id } }"}})
        late = await one.receive()
        assert (late["id"], late["type"]) == ("late", "error")
        assert late["payload"][0]["extensions"]["code"] == "UNAUTHENTICATED"
        go_on.set()
        answer = await one.receive()
        assert (answer["id"], answer["type"]) == ("move", "next")
        assert answer["payload"]["data"]["playMove"]["__typename"] == "MovePlayed"
        assert (await closing(one)).code == 4403


async def test_signing_out_counts_on_every_worker(mongo_url: str, mongo_database: str) -> None:
    settings = {"mongo_url": mongo_url, "mongo_database": mongo_database}
    async with (
        local(**settings) as first,
        local(**settings) as second,
        caller(first.url) as ann,
        Caller(second.url, ann.token) as there,
    ):
        newer = (await there.data(RENEW))["renewToken"]["token"]
        table = (await ann.open())["id"]
        async with (
            socket(second.socket_url, ann.token) as one,
            socket(second.socket_url, newer) as staying,
            stream(there, table, "text/event-stream") as followed,
        ):
            await followed.until(lambda told: len(told) == 1)
            await ann.data(SIGN_OUT)
            assert (await closing(one)).code == 4403
            assert (await followed.end())[-1]["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
            assert (await there.ask("{ me { id } }"))["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
            assert [each async for each in staying.run("{ __typename }")]
        # A renewed token ends in the same way, at a worker that did not give it.
        async with Caller(first.url, newer) as here, socket(second.socket_url, newer) as one:
            await here.data(SIGN_OUT)
            assert (await closing(one)).code == 4403
