"""WebSockets: pings of the server's own, and operations that know nothing of one another."""

from __future__ import annotations

import asyncio
import json

import pytest
from inprocess import local
from serverkit import caller, raw_socket, socket

pytestmark = pytest.mark.anyio


async def test_the_server_pings_once_the_connection_is_acknowledged() -> None:
    async with local(ping_message_interval=1) as server, raw_socket(server.socket_url) as one:
        await one.send({"type": "connection_init"})
        kinds = [json.loads(await asyncio.wait_for(one.connection.recv(), 30))["type"] for _ in range(3)]
        assert kinds == ["connection_ack", "ping", "ping"]
        await one.send({"type": "pong"})
        await one.send({"id": "1", "type": "subscribe", "payload": {"query": "{ __typename }"}})
        while (await one.receive())["type"] == "ping":
            pass


async def test_one_operation_that_asks_for_its_cost_is_told_it_alone() -> None:
    text = "{ me { id } }"
    async with (
        local() as server,
        caller(server.url) as player,
        socket(server.socket_url, player.token) as one,
    ):
        for id, more in (("a", {"extensions": {"cost": True}}), ("b", {})):
            await one.send({"id": id, "type": "subscribe", "payload": {"query": text, **more}})
        answers = [await one.receive() for _ in range(4)]
        payloads = {each["id"]: each["payload"] for each in answers if each["type"] == "next"}
        assert payloads["a"]["extensions"]["cost"]["requested"] == 1
        assert "extensions" not in payloads["b"]
        assert payloads["a"]["data"] == payloads["b"]["data"] == {"me": {"id": player.player}}


async def test_the_cost_of_a_followed_table_is_told_with_each_update() -> None:
    text = "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }"
    async with local() as server, caller(server.url) as player, socket(server.socket_url) as one:
        table = (await player.open())["id"]
        asked = {"query": text, "variables": {"t": table}, "extensions": {"cost": True}}
        await one.send({"id": "1", "type": "subscribe", "payload": asked})
        answer = (await one.receive())["payload"]
        assert answer["data"]["tableUpdates"]["version"] == 1
        assert answer["extensions"]["cost"]["requested"] == 1


async def test_variables_that_are_not_declared_change_nothing() -> None:
    """However deep they are: JSON is read deeper than it is written."""
    text = "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }"
    more = json.loads("[" * 900 + "]" * 900)
    async with local() as server, caller(server.url) as player, socket(server.socket_url) as one:
        table = (await player.open())["id"]
        async for payload in one.run(text, t=table, more=more):
            assert payload == {"data": {"tableUpdates": {"version": 1}}}
            break
