"""Handshakes that are refused are told why, and count as requests."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from connectionkit import refused, turned_away
from inprocess import local
from serverkit import raw_socket, socket
from websockets.exceptions import InvalidStatus

from fliptable.plugins import Registry
from fliptable_api.app import app_of
from fliptable_api.ratelimits import BURST

pytestmark = pytest.mark.anyio


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
