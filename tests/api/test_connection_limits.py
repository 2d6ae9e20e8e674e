"""How many WebSockets and streams somebody may have open; and whoever is gone, however, counts no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import Caller, Closed, Server, caller, eventually, metric, raw_socket, socket
from websockets.exceptions import InvalidStatus

from fliptable.plugins import Registry
from fliptable_api.app import app_of
from fliptable_api.connections import Connections
from fliptable_api.errors import CodedError
from fliptable_api.ratelimits import BURST
from fliptable_api.wsprotocol import TRY_AGAIN

pytestmark = pytest.mark.anyio

FOLLOW = "subscription ($t: ID!) { tableUpdates(tableId: $t) { version } }"
EVENTS = "text/event-stream"
PARTS = 'multipart/mixed;subscriptionSpec="1.0"'


def open_at(server: Local) -> int:
    return len(server.parts._public.connections)


def port_of(server: Local) -> int:
    return int(server.base.rpartition(":")[2])


def refused(answer: Any) -> tuple[str, Any]:
    """The code and the limit that an answer of the status 429 tells."""
    assert answer.status_code == 429
    assert answer.headers["content-type"].startswith("application/json")
    body = answer.body if hasattr(answer, "body") else answer.content
    (error,) = json.loads(body)["errors"]
    assert error["message"]
    return error["extensions"]["code"], error["extensions"].get("limit")


async def turned_away(url: str, **options: Any) -> Any:
    """The answer to a handshake that is refused."""
    with pytest.raises(InvalidStatus) as told:
        async with raw_socket(url, **options):
            pass
    return told.value.response


@asynccontextmanager
async def stream(
    server: Local,
    table: str,
    accept: str = EVENTS,
    headers: dict[str, str] | None = None,
    query: str = FOLLOW,
) -> AsyncIterator[httpx.Response]:
    """An answer in parts, at its beginning."""
    sent = {"query": query, "variables": {"t": table}}
    async with (
        httpx.AsyncClient(timeout=60) as http,
        http.stream("POST", server.url, json=sent, headers={**(headers or {}), "accept": accept}) as answer,
    ):
        yield answer


async def of_stream(server: Local, table: str, headers: dict[str, str] | None = None) -> httpx.Response:
    async with stream(server, table, headers=headers) as answer:
        await answer.aread()
        return answer


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


async def test_handshakes_count_as_requests_of_their_address(registry: Registry) -> None:
    async with local(registry, rate_per_address=2) as server, httpx.AsyncClient() as http:
        answer: Any = None
        for _ in range(2 * BURST + 5):
            try:
                async with raw_socket(server.socket_url):
                    pass
            except InvalidStatus as told:
                answer = told.response
        assert answer is not None
        assert refused(answer) == ("RATE_LIMITED", None)
        assert int(answer.headers["retry-after"]) >= 1
        # They are the same: neither goes past the other.
        assert (await http.post(server.url, json={"query": "{ __typename }"})).status_code == 429


async def test_a_handshake_of_a_foreign_page_is_told_why(registry: Registry) -> None:
    async with local(registry) as server:
        answer = await turned_away(server.socket_url, origin="https://evil.example")
        assert answer.status_code == 403
        assert json.loads(answer.body)["errors"][0]["extensions"]["code"] == "FORBIDDEN"
        answer = await turned_away(server.base.replace("http", "ws") + "/elsewhere")
        assert answer.status_code == 404
        assert json.loads(answer.body)["errors"][0]["extensions"]["code"] == "BAD_REQUEST"


@pytest.mark.parametrize(
    ("path", "origin", "closed"),
    [
        ("/graphql", None, 1013),
        ("/graphql", b"https://evil.example", 1008),
        ("/elsewhere", None, 1008),
    ],
)
async def test_a_web_server_that_cannot_answer_a_handshake_closes_it(
    registry: Registry, path: str, origin: bytes | None, closed: int
) -> None:
    """Some ASGI servers have no `websocket.http.response`."""
    async with local(registry, connections_per_address=1) as server, socket(server.socket_url):
        app = app_of(server.parts)
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"x"), *([(b"origin", origin)] if origin else [])]
        scope = {"type": "websocket", "path": path, "client": ("127.0.0.1", 5), "headers": headers}
        await app(scope, receive, send)
        assert [(one["type"], one["code"]) for one in sent] == [("websocket.close", closed)]


HANDSHAKE = (
    b"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)


class Scene:
    """A server, a player with a table, and ways to come and go."""

    def __init__(self, server: Local, ann: Caller, table: str) -> None:
        self.server, self.ann, self.table = server, ann, table

    @property
    def init(self) -> dict[str, Any]:
        return {"type": "connection_init", "payload": {"authorization": f"Bearer {self.ann.token}"}}

    def following(self, query: str = FOLLOW) -> bytes:
        content = json.dumps({"query": query, "variables": {"t": self.table}}).encode()
        return (
            b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer %s\r\nAccept: text/event-stream\r\nContent-Length: %d\r\n\r\n%s"
        ) % (str(self.ann.token).encode(), len(content), content)

    async def drop(self, sent: bytes, until: bytes = b"") -> None:
        """Send, wait for something perhaps, and hang up without a word."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(self.server))
        writer.write(sent)
        await writer.drain()
        if until:
            await reader.readuntil(until)
        writer.transport.abort()


async def handshake_cut(scene: Scene) -> None:
    await scene.drop(HANDSHAKE)


async def accepted_cut(scene: Scene) -> None:
    await scene.drop(HANDSHAKE, b"101 Switching")


async def no_subprotocol(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with raw_socket(scene.server.socket_url, subprotocols=None) as one:
            await one.receive()


async def bad_token(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with raw_socket(scene.server.socket_url) as one:
            await one.send({"type": "connection_init", "payload": {"authorization": "Bearer ft_0"}})
            await one.receive()


async def two_inits(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with socket(scene.server.socket_url, scene.ann.token) as one:
            await one.send(scene.init)
            await one.receive()


async def nonsense(scene: Scene) -> None:
    with pytest.raises(Closed):
        async with socket(scene.server.socket_url, scene.ann.token) as one:
            await one.connection.send("{")
            await one.receive()


async def init_cut(scene: Scene) -> None:
    async with raw_socket(scene.server.socket_url) as one:
        await one.send(scene.init)
        one.connection.transport.abort()


async def following_cut(scene: Scene) -> None:
    async with socket(scene.server.socket_url, scene.ann.token) as one:
        await anext(one.follow(scene.table))
        one.connection.transport.abort()


async def standing_still(scene: Scene) -> None:
    """The pings find out."""
    async with socket(scene.server.socket_url, scene.ann.token) as one:
        await anext(one.follow(scene.table))
        one.connection.transport.pause_reading()
        await eventually(lambda: open_at(scene.server) == 0, "the server to notice")
        one.connection.transport.abort()


async def closed_well(scene: Scene) -> None:
    async with socket(scene.server.socket_url, scene.ann.token) as one:
        await anext(one.follow(scene.table))


async def stream_cut_at_once(scene: Scene) -> None:
    await scene.drop(scene.following())


async def stream_cut(scene: Scene) -> None:
    await scene.drop(scene.following(), b'"version":')


async def stream_of_nothing(scene: Scene) -> None:
    await scene.drop(scene.following("subscription { nothing }"), b"GRAPHQL_VALIDATION_FAILED")


async def stream_of_no_table(scene: Scene) -> None:
    query = 'subscription { tableUpdates(tableId: "x") { version } }'
    await scene.drop(scene.following(query), b"NOT_FOUND")


async def stream_of_a_query(scene: Scene) -> None:
    await scene.drop(scene.following("{ me { id } }"), b"event: complete")


async def stream_with_nonsense(scene: Scene) -> None:
    await scene.drop(scene.following() + b"\0\0\0\r\n\r\n")


WAYS: list[Callable[[Scene], Awaitable[None]]] = [
    handshake_cut,
    accepted_cut,
    no_subprotocol,
    bad_token,
    two_inits,
    nonsense,
    init_cut,
    following_cut,
    standing_still,
    closed_well,
    stream_cut_at_once,
    stream_cut,
    stream_of_nothing,
    stream_of_no_table,
    stream_of_a_query,
    stream_with_nonsense,
]


@pytest.fixture(scope="module")
async def scene(registry: Registry) -> AsyncIterator[Scene]:
    limits = {"connections_per_address": 2, "connections_per_player": 2}
    pings = {"ping_frame_interval": 0.2, "ping_frame_timeout": 0.3}
    async with local(registry, **limits, **pings) as server, caller(server.url) as ann:
        yield Scene(server, ann, (await ann.open())["id"])


@pytest.mark.parametrize("way", WAYS, ids=[one.__name__ for one in WAYS])
async def test_whoever_is_gone_counts_no_more(
    scene: Scene, way: Callable[[Scene], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    server, ann = scene.server, scene.ann
    for _ in range(3):
        await way(scene)
        await eventually(lambda: open_at(server) == 0, "nothing to be open")
    async with socket(server.socket_url, ann.token), stream(server, scene.table, headers=ann.headers):
        assert open_at(server) == 2
    await eventually(lambda: open_at(server) == 0, "nothing to be open")
    assert "Traceback" not in caplog.text, caplog.text


async def test_a_subscription_that_is_over_counts_no_more_though_its_client_stays(registry: Registry) -> None:
    async with local(registry, connections_per_address=1) as server, caller(server.url) as ann:
        for _ in range(3):
            table = (await ann.open())["id"]
            sent = {"query": FOLLOW, "variables": {"t": table}}
            headers = {**ann.headers, "accept": EVENTS}
            async with ann.http.stream("POST", server.url, json=sent, headers=headers) as answer:
                leave = "mutation ($i: ID!) { leaveTable(input: {tableId: $i}) { __typename } }"
                await ann.data(leave, i=table)
                assert "event: complete" in [line async for line in answer.aiter_lines()]
            await eventually(lambda: open_at(server) == 0, "nothing to be open")


async def test_an_error_of_the_servers_own_leaves_nothing_open(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with local(registry, connections_per_address=1) as server, caller(server.url) as ann:
        table = (await ann.open())["id"]

        async def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("nobody has thought of it")

        monkeypatch.setattr("fliptable_api.http.View.on_ws_connect", broken)
        monkeypatch.setattr("fliptable_api.schema.Schema.stream", broken)
        for _ in range(2):
            with pytest.raises(Closed):
                async with raw_socket(server.socket_url) as one:
                    await one.send({"type": "connection_init"})
                    await one.receive()
            await eventually(lambda: open_at(server) == 0, "the socket to count no more")
            answer = await of_stream(server, table)
            assert answer.status_code == 500
            assert answer.json()["errors"][0]["extensions"]["code"] == "INTERNAL"
            assert open_at(server) == 0


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
