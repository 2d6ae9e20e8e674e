"""What is open in the name of a token ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from serverkit import CALL_31, Caller, Closed, Failed, caller, eventually, socket
from strawberry.types import ExecutionResult
from tokenkit import DAYS, LIFETIME, MULTIPART, RENEW, STREAMS, accounts_of, closing, holding, stream, timed

from fliptable.tokens import TokenExpired
from fliptable_api.scalars import write_time
from fliptable_api.streams import while_good

pytestmark = pytest.mark.anyio


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
