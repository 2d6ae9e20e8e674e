"""Signing out: the token is nobody's, here and on every worker, and what it has opened is closed."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from inprocess import local
from serverkit import CALL_31, PLAY, Caller, caller, eventually, raw_socket, socket
from tokenkit import MULTIPART, RENEW, SIGN_OUT, STREAMS, closing, holding, payloads, stream, timed

pytestmark = pytest.mark.anyio


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
                "UNAUTHENTICATED: The token is not known, or was signed out; sign in again, without the "
                "Authorization header.",
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
