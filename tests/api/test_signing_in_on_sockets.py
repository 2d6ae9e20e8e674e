"""What `connection_ack` says: who is signed in, and what looked like a token but is not looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import Caller, Closed, caller, raw_socket

from fliptable.log import Unavailable

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[Local]:
    async with local() as one:
        yield one


@pytest.fixture(scope="module")
async def ann(server: Local) -> AsyncIterator[Caller]:
    async with caller(server.url, "Ann") as one:
        yield one


async def told(server: Local, payload: Any = None, **options: Any) -> dict[str, Any]:
    """The payload of the acknowledgement."""
    async with raw_socket(server.socket_url, **options) as one:
        message = {"type": "connection_init"}
        await one.send(message if payload is None else {**message, "payload": payload})
        answer = await one.receive()
        assert answer["type"] == "connection_ack", answer
        found: dict[str, Any] = answer["payload"]
        return found


@pytest.mark.parametrize("key", ["authorization", "Authorization", "AUTHORIZATION"])
async def test_who_is_signed_in_is_told(server: Local, ann: Caller, key: str) -> None:
    assert await told(server, {key: f"Bearer {ann.token}"}) == {"player": {"id": ann.player, "name": "Ann"}}


async def test_who_is_signed_in_by_the_handshake_is_told_and_nothing_is_missed(
    server: Local, ann: Caller
) -> None:
    found = await told(server, {"token": "x"}, additional_headers={"authorization": f"Bearer {ann.token}"})
    assert found == {"player": {"id": ann.player, "name": "Ann"}}


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {},
        {"client": "web"},
        {"token": ""},
        {"token": None},
        {"authorization": ""},
        {"Authorization": " "},
    ],
)
async def test_a_spectator_is_told_that_nobody_is_signed_in(server: Local, payload: Any) -> None:
    assert await told(server, payload) == {"player": None}


async def test_what_is_empty_does_not_hide_what_the_handshake_says(server: Local, ann: Caller) -> None:
    headers = {"authorization": f"Bearer {ann.token}"}
    found = await told(server, {"authorization": ""}, additional_headers=headers)
    assert found == {"player": {"id": ann.player, "name": "Ann"}}


async def test_an_empty_header_of_a_request_is_none(server: Local) -> None:
    async with httpx.AsyncClient() as http:
        answer = await http.post(server.url, json={"query": "{ me { id } }"}, headers={"authorization": ""})
    assert (answer.status_code, answer.json()) == (200, {"data": {"me": None}})


@pytest.mark.parametrize(
    ("payload", "named"),
    [
        ({"token": "ft_x"}, "token"),
        ({"authToken": "ft_x"}, "authToken"),
        ({"access_token": "ft_x"}, "access_token"),
        ({"jwt": "x"}, "jwt"),
        ({"Bearer": "x"}, "Bearer"),
        ({"headers": {"Authorization": "Bearer ft_x"}}, "headers.Authorization"),
        ({"http": {"headers": {"authorization": "x"}}}, "http.headers.authorization"),
    ],
)
async def test_a_token_at_another_place_is_told_of(server: Local, payload: Any, named: str) -> None:
    found = await told(server, payload)
    assert found["player"] is None
    assert f" {named} is not looked at" in found["hint"]
    assert '{"authorization": "Bearer TOKEN"}' in found["hint"]
    assert "ft_x" not in found["hint"]


async def test_a_socket_is_told_by_a_code_that_the_database_is_away(
    server: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> Any:
        raise Unavailable("nobody is there")

    monkeypatch.setattr("fliptable_api.http.View.on_ws_connect", away)
    async with raw_socket(server.socket_url) as one:
        await one.send({"type": "connection_init"})
        with pytest.raises(Closed) as closed:
            await one.receive()
    assert closed.value.code == 1013
    assert closed.value.reason.startswith("UNAVAILABLE: ")
