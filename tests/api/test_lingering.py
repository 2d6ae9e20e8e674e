"""Whoever sends all there is to send before they read gets their answer all the same.

A connection that is closed while its peer is sending is reset, and a reset takes the answer with it.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator

import pytest
from inprocess import Local, local
from serverkit import Server, eventually

from fliptable.plugins import Registry
from fliptable_api import httpprotocol, lingering

pytestmark = pytest.mark.anyio

HEAD = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CLOSE = HEAD + b"Connection: close\r\n"
SHAKE = (
    b"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
SIZES = [64_000, 200_000, 2_000_000, 20_000_000]
LATER = 30.0


def port_of(server: Local) -> int:
    return int(server.base.rpartition(":")[2])


def everything(port: int, *sent: bytes) -> bytes:
    """What comes back until the server closes, once all was sent; a reset is an error of the test's."""
    with socket.create_connection(("127.0.0.1", port), timeout=LATER) as client:
        for part in sent:
            client.sendall(part)
        found = b""
        while some := client.recv(1 << 16):
            found += some
        return found


def code_in(found: bytes) -> tuple[int, str]:
    """The status and the code of the answer."""
    head, _, content = found.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(content)["errors"][0]["extensions"]["code"]


def chunked(size: int) -> bytes:
    """A body of that size in pieces."""
    return b"".join([b"3e8\r\n" + b"a" * 1000 + b"\r\n"] * (size // 1000)) + b"0\r\n\r\n"


CASES: dict[str, tuple[Callable[[int], bytes], int, str]] = {
    "a long header": (
        lambda size: HEAD + b"X: " + b"a" * size + b"\r\n\r\n",
        431,
        "PAYLOAD_TOO_LARGE",
    ),
    "many headers": (lambda size: HEAD + b"X: abcdef\r\n" * (size // 11) + b"\r\n", 431, "PAYLOAD_TOO_LARGE"),
    "a long path": (
        lambda size: b"GET /" + b"a" * size + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        431,
        "PAYLOAD_TOO_LARGE",
    ),
    "what is not HTTP": (lambda size: b"\0" * size, 400, "BAD_REQUEST"),
    "a body": (lambda size: CLOSE + b"Content-Length: %d\r\n\r\n" % size + b"a" * size, 413, ""),
    "a body in chunks": (
        lambda size: CLOSE + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(size),
        413,
        "",
    ),
    "a chunk that is none": (
        lambda size: CLOSE + b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n" + b"a" * size,
        400,
        "BAD_REQUEST",
    ),
    "a body for nobody": (
        lambda size: (
            CLOSE.replace(b"/graphql", b"/nothing") + b"Content-Length: %d\r\n\r\n" % size + b"a" * size
        ),
        404,
        "BAD_REQUEST",
    ),
    "a handshake with a long header": (
        lambda size: SHAKE + b"X: " + b"a" * size + b"\r\n\r\n",
        431,
        "PAYLOAD_TOO_LARGE",
    ),
    "a handshake of another version, and messages": (
        lambda size: SHAKE.replace(b": 13", b": 8") + b"\r\n" + b"a" * size,
        400,
        "BAD_REQUEST",
    ),
    "a handshake of a foreign page, and messages": (
        lambda size: SHAKE + b"Origin: https://foreign.example\r\n\r\n" + b"a" * size,
        403,
        "FORBIDDEN",
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", CASES)
async def test_the_answer_arrives_though_all_was_sent_before(
    registry: Registry, case: str, size: int
) -> None:
    made, status, code = CASES[case]
    if status == 413:
        code = "PAYLOAD_TOO_LARGE" if size > 262_144 else "BAD_REQUEST"
        status = 413 if size > 262_144 else 400
    elif status == 431 and size < httpprotocol.MOST_HEAD and not case.startswith("a handshake"):
        size = httpprotocol.MOST_HEAD + 100
    async with local(registry) as server:
        found = await asyncio.to_thread(everything, port_of(server), made(size))
        assert code_in(found) == (status, code)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on the event loop that `fliptable serve` has, which is another than that of the tests."""
    with Server(tmp_path_factory.mktemp("lingering"), "--memory") as server:
        yield server
        assert "Traceback" not in server.log, server.log


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize(
    "case", ["a long header", "a body", "a body in chunks", "a handshake of a foreign page, and messages"]
)
def test_the_answer_arrives_from_a_server_of_its_own(shipped: Server, case: str, size: int) -> None:
    made, status, code = CASES[case]
    if status == 413 and size < 262_144:
        status, code = 400, "BAD_REQUEST"
    assert code_in(everything(shipped.port, made(size))) == (status, code or "PAYLOAD_TOO_LARGE")


def test_whoever_sends_too_long_a_message_is_told_why_they_are_closed(shipped: Server) -> None:
    """With the close code 1009 (RFC 6455, 7.4.1)."""
    size = 20_000_000
    frame = b"\x81\xff" + size.to_bytes(8, "big") + b"\0\0\0\0" + b"a" * size
    asked = b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
    with socket.create_connection(("127.0.0.1", shipped.port), timeout=LATER) as client:
        client.sendall(SHAKE + asked)
        found = client.recv(1 << 16)
        client.sendall(frame)
        while some := client.recv(1 << 16):
            found += some
    assert found.startswith(b"HTTP/1.1 101 ")
    assert (1009).to_bytes(2, "big") in found.partition(b"\r\n\r\n")[2]


async def flooded(server: Local, first: bytes) -> int:
    """How many bytes of a flood go out until the server has had enough of it."""
    _, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
    writer.write(first)
    sent = 0
    try:
        async with asyncio.timeout(LATER):
            while True:
                writer.write(b"a" * 65_536)
                await writer.drain()
                sent += 65_536
                await asyncio.sleep(0)
    except ConnectionError:
        return sent
    finally:
        writer.close()


FLOODS = {
    "a head": HEAD + b"X: ",
    "a body": CLOSE + b"Content-Length: 100000000000\r\n\r\n",
    "a body of a connection that could go on": HEAD + b"Content-Length: 100000000000\r\n\r\n",
    "what frames a body": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;x=",
    "messages behind a handshake": SHAKE.replace(b": 13", b": 8") + b"\r\n",
}


@pytest.mark.parametrize("kind", FLOODS)
async def test_nobody_is_read_on_without_an_end(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(lingering, "MOST_READ", 1_000_000)
    monkeypatch.setattr(httpprotocol, "MOST_WASTE", 1_000_000)
    async with local(registry) as server:
        # What lies in the buffers of both kernels comes on top.
        assert await flooded(server, FLOODS[kind]) < 40_000_000


async def test_nobody_is_waited_for_who_neither_sends_nor_closes(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lingering, "PATIENCE", 0.2)
    async with local(registry) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
        writer.write(HEAD + b"X: " + b"a" * 100_000)
        assert code_in(await reader.read()) == (431, "PAYLOAD_TOO_LARGE")
        # It is the server's end alone that has come until now.
        await asyncio.sleep(0.5)
        with pytest.raises(ConnectionError):
            for _ in range(1000):
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(0.001)
        writer.close()


async def test_a_server_that_stops_does_not_wait_for_such_a_connection(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lingering, "PATIENCE", 3600.0)
    async with asyncio.timeout(LATER):
        async with local(registry) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
            writer.write(HEAD + b"X: " + b"a" * 100_000)
            assert code_in(await reader.read()) == (431, "PAYLOAD_TOO_LARGE")
    writer.close()


async def test_whoever_waits_for_the_rest_of_a_request_waits_no_more_than_it_takes(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The application hears that nothing more will come, though the line is still there."""
    monkeypatch.setattr(lingering, "PATIENCE", 3600.0)

    def waiting() -> bool:
        return any("run_asgi" in repr(task) for task in asyncio.all_tasks())

    async with local(registry) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
        writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
        await eventually(waiting, "the request")
        writer.write(b"ZZZ\r\n")
        assert code_in(await reader.read()) == (400, "BAD_REQUEST")
        await eventually(lambda: not waiting(), "the end of the request")
        writer.close()
