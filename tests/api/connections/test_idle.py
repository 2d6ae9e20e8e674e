"""How many connections an address may have, also where nothing is asked on them; a proxy may have more."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import struct
from contextlib import closing

import httpx
import pytest
from inprocess import Local, local
from serverkit import eventually, raw_socket, socket
from websockets.exceptions import InvalidStatus

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio

MOST = 3


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxies are at another address than the clients of the tests."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")


def idle(server: Local) -> sockets.socket:
    """A connection that says nothing, and is not waited for long."""
    return sockets.create_connection(("127.0.0.1", int(server.base.rpartition(":")[2])), timeout=30)


async def told(connection: sockets.socket) -> bytes:
    """What a connection is told until its end."""

    def read() -> bytes:
        found = b""
        while some := connection.recv(65_536):
            found += some
        return found

    return await asyncio.to_thread(read)


async def one_more_is_refused(server: Local) -> None:
    with closing(idle(server)) as more:
        head, _, content = (await told(more)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 429 ") and b"content-type: application/json" in head
    (error,) = json.loads(content)["errors"]
    assert (error["extensions"]["code"], error["extensions"]["limit"]) == ("CONNECTION_LIMIT", MOST)
    assert f"{MOST} connections" in error["message"]


async def asked(server: Local) -> int:
    """The status of a request on a connection of its own; a reset is an error."""
    async with httpx.AsyncClient() as http:
        return (await http.post(server.url, json={"query": "{ __typename }"})).status_code


@pytest.mark.usefixtures("elsewhere")
async def test_an_address_has_so_many_connections_though_nothing_is_asked_on_them(registry: Registry) -> None:
    async with local(registry, connections_per_address=MOST) as server:
        held = [idle(server) for _ in range(MOST)]
        await one_more_is_refused(server)
        assert await asked(server) == 429
        with pytest.raises(InvalidStatus) as refused:
            async with raw_socket(server.socket_url):
                pass
        assert refused.value.response.status_code == 429
        # However one of them ends, there is room for another.
        held.pop().close()
        await eventually(lambda: asked_well(server), "room for one")
        dropped = held.pop()
        dropped.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
        dropped.close()
        await eventually(lambda: asked_well(server), "room for one")
        for one in held:
            one.close()


async def asked_well(server: Local) -> bool:
    return await asked(server) == 200


@pytest.mark.usefixtures("elsewhere")
async def test_a_websocket_is_one_of_them_until_it_is_closed(registry: Registry) -> None:
    async with local(registry, connections_per_address=MOST) as server:
        held = [idle(server) for _ in range(MOST - 1)]
        async with socket(server.socket_url):
            await one_more_is_refused(server)
        await eventually(lambda: asked_well(server), "room for one")
        for _ in range(MOST):
            # A handshake that is refused is none that stays.
            with pytest.raises(InvalidStatus):
                async with raw_socket(server.socket_url, origin="https://foreign.example"):
                    pass
            await eventually(lambda: asked_well(server), "room for one")
        for one in held:
            one.close()


@pytest.mark.parametrize("proxies", ["127.0.0.1", "127.0.0.0/8", "*"])
async def test_a_proxy_may_have_any_number(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, proxies: str
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    async with local(registry, connections_per_address=MOST) as server:
        held = [idle(server) for _ in range(MOST * 3)]
        assert await asked(server) == 200
        for one in held:
            one.close()
