"""How many WebSockets and streams somebody may have open."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import pytest
from connectionkit import EVENTS, PARTS, of_stream, open_at, refused, stream, turned_away
from inprocess import local
from serverkit import Closed, Server, caller, eventually, metric, raw_socket, socket

from fliptable.plugins import Registry
from fliptable_api.connections import Connections
from fliptable_api.errors import CodedError
from fliptable_api.wsprotocol import TRY_AGAIN

pytestmark = pytest.mark.anyio


def count(connections: Connections, address: str, player: str | None = None) -> int:
    """How many can be opened until one is refused."""
    made = 0
    while True:
        try:
            connections.open(address, player)
        except CodedError as error:
            assert error.extensions is not None and error.extensions["code"] == "CONNECTION_LIMIT"
            return made
        made += 1


def test_an_address_and_a_player_each_have_their_number() -> None:
    connections = Connections(5, 3)
    assert count(connections, "a", "Ann") == 3
    # What was refused for the player does not count for the address.
    assert count(connections, "a") == 2
    assert count(connections, "b", "Ann") == 0
    assert count(connections, "b", "Bob") == 3
    assert len(connections) == 8


def test_one_that_is_closed_makes_room_for_one_however_often_it_is_closed() -> None:
    connections = Connections(2, 2)
    first, _ = connections.open("a", "Ann"), connections.open("a", "Ann")
    for _ in range(3):
        first.close()
    assert len(connections) == 1
    assert count(connections, "a", "Ann") == 1


async def test_an_address_has_so_many_of_all_kinds_together(registry: Registry) -> None:
    async with (
        local(registry, connections_per_address=3) as server,
        caller(server.url) as ann,
        AsyncExitStack() as stack,
    ):
        table = (await ann.open())["id"]
        first = await stack.enter_async_context(socket(server.socket_url))
        await anext(first.follow(table))
        for accept in (EVENTS, PARTS):
            answer = await stack.enter_async_context(stream(server, table, accept))
            assert answer.status_code == 200
        assert open_at(server) == 3
        assert refused(await turned_away(server.socket_url)) == ("CONNECTION_LIMIT", 3)
        assert refused(await of_stream(server, table)) == ("CONNECTION_LIMIT", 3)
        # Who is refused a stream can still ask, over a socket that is open too.
        assert (await ann.table(table))["version"] == 1
        assert [one async for one in first.run("{ __typename }")]
        await first.connection.close()
        await eventually(lambda: open_at(server) == 2, "the one that was closed to count no more")
        async with socket(server.socket_url):
            pass


async def test_another_address_is_not_in_the_way(registry: Registry) -> None:
    async with local(registry, connections_per_address=1) as server:
        elsewhere = {"x-forwarded-for": "203.0.113.7"}
        async with socket(server.socket_url), socket(server.socket_url, additional_headers=elsewhere):
            assert refused(await turned_away(server.socket_url)) == ("CONNECTION_LIMIT", 1)
            answer = await turned_away(server.socket_url, additional_headers=elsewhere)
            assert refused(answer) == ("CONNECTION_LIMIT", 1)


async def test_a_player_has_so_many_wherever_they_are(registry: Registry) -> None:
    async with (
        local(registry, connections_per_player=2) as server,
        caller(server.url) as ann,
        caller(server.url, "Bob") as bob,
    ):
        table = (await ann.open())["id"]
        elsewhere = {"x-forwarded-for": "203.0.113.7"}
        async with (
            socket(server.socket_url, ann.token, additional_headers=elsewhere) as one,
            stream(server, table, headers=ann.headers),
        ):
            with pytest.raises(Closed) as closed:
                async with raw_socket(server.socket_url) as more:
                    payload = {"authorization": f"Bearer {ann.token}"}
                    await more.send({"type": "connection_init", "payload": payload})
                    await more.receive()
            assert closed.value.code == TRY_AGAIN
            assert closed.value.reason.startswith("CONNECTION_LIMIT: A player may have 2 ")
            assert refused(await of_stream(server, table, ann.headers)) == ("CONNECTION_LIMIT", 2)
            async with socket(server.socket_url, bob.token), socket(server.socket_url):
                pass
            await one.connection.close()
            await eventually(lambda: open_at(server) == 1, "the one that was closed to count no more")
            async with socket(server.socket_url, ann.token):
                pass


async def test_the_worker_publishes_how_many_are_open(tmp_path: Any) -> None:
    with Server(tmp_path, "--memory") as server:
        assert metric(server.base, "fliptable_connections") == 0
        async with socket(server.socket_url), socket(server.socket_url):
            assert metric(server.base, "fliptable_connections") == 2
        await eventually(lambda: metric(server.base, "fliptable_connections") == 0, "nothing to be open")


async def test_whoever_runs_the_server_is_told_which_setting_it_is(
    registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    async with local(registry, connections_per_address=1) as server, socket(server.socket_url):
        for _ in range(3):
            await turned_away(server.socket_url)
    (line,) = [one for one in caplog.messages if "FLIPTABLE_CONNECTIONS_PER_ADDRESS" in one]
    assert line.startswith("127.0.0.1 has 1 ")
