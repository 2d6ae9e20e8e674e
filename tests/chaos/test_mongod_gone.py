"""A database that is gone for a while, frozen or dead: a clear answer in bounded time, nothing lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from serverkit import (
    CALL_31,
    FLIP,
    PLAY,
    READ,
    Caller,
    Closed,
    Failed,
    Server,
    answers,
    caller,
    eventually,
    raw_socket,
    socket,
)

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

BOUND = 30.0
"""Seconds within which every request has to be answered, whatever the database does."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("gone")
    with Server(folder, "--data", str(folder / "data")) as server:
        yield server
        # Also when a test failed while it was frozen, or it would not end.
        os.kill(mongod(server), signal.SIGCONT)
        assert "Traceback" not in server.log, server.log


def mongod(server: Server) -> int:
    return int((server.folder / "data" / "mongod.pid").read_text())


async def unavailable(player: Caller, document: str, **variables: Any) -> None:
    """The request is answered in time that the database is away and that it may be sent again."""
    began = time.monotonic()
    payload = await player.ask(document, **variables)
    assert time.monotonic() - began < BOUND
    (error,) = payload["errors"]
    assert error["extensions"]["code"] == "UNAVAILABLE", payload
    assert error["extensions"]["retryable"] is True
    assert "mongo" not in json.dumps(payload).lower() and "127.0.0.1" not in json.dumps(payload)


async def again(player: Caller, document: str, **variables: Any) -> dict[str, Any]:
    """Ask until the answer is not UNAVAILABLE."""

    async def ask() -> dict[str, Any] | None:
        payload = await player.ask(document, **variables)
        if "errors" in payload:
            assert payload["errors"][0]["extensions"]["code"] == "UNAVAILABLE", payload
            return None
        data: dict[str, Any] = payload["data"]
        return data

    found: dict[str, Any] = await eventually(ask, "an answer", 90)
    return found


async def stranger_is_asked_to_come_again(server: Server) -> None:
    """A token that is not in memory cannot be looked up, which does not mean that it is not known."""
    async with Caller(server.url, "ft_" + "x" * 43) as stranger:
        request = {"query": "{ me { id } }"}
        answer = await stranger.http.post(server.url, json=request, headers=stranger.headers)
        assert answer.status_code == 503
        assert answer.json()["errors"][0]["extensions"] == {"code": "UNAVAILABLE", "retryable": True}
        async with raw_socket(server.socket_url) as refused:
            payload = {"authorization": f"Bearer {stranger.token}"}
            await refused.send({"type": "connection_init", "payload": payload})
            with pytest.raises(Closed) as closed:
                await refused.receive()
        assert closed.value.code == 1013


@pytest.mark.parametrize("how", ["frozen", "killed"])
async def test_while_the_database_is_away_requests_are_answered_and_afterwards_nothing_is_lost(
    server: Server, how: str
) -> None:
    async with (
        caller(server.url) as player,
        Caller(server.url) as stranger,
        socket(server.socket_url) as watcher,
    ):
        table, other = [(await player.open())["id"] for _ in range(2)]
        played = await player.move(table, CALL_31, idempotencyKey="call")
        following = watcher.follow(table, 0)
        assert [(await anext(following))["version"] for _ in range(2)] == [1, 2]

        pid = mongod(server)
        os.kill(pid, signal.SIGSTOP if how == "frozen" else signal.SIGKILL)
        flip = {"tableId": table, "move": FLIP, "idempotencyKey": "flip"}
        if how == "frozen":
            # Twenty for one table, some for others, and readers: all at once.
            began = time.monotonic()
            callers = [Caller(server.url, player.token) for _ in range(20)]
            async with asyncio.TaskGroup() as group:
                for one in callers:
                    group.create_task(unavailable(one, PLAY, i=flip))
                group.create_task(unavailable(player, PLAY, i={"tableId": other, "move": CALL_31}))
                ready = group.create_task(stranger.http.get(server.base + "/readyz"))
                group.create_task(stranger_is_asked_to_come_again(server))
                alive = group.create_task(stranger.http.get(server.base + "/healthz"))
            for one in callers:
                await one.http.aclose()
            assert time.monotonic() - began < BOUND
            assert alive.result().status_code == 200
            assert ready.result().status_code == 503
            assert ready.result().json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
            os.kill(pid, signal.SIGCONT)

        data = await again(player, PLAY, i=flip)
        assert data["playMove"]["update"]["version"] == 3
        repeated = await again(player, PLAY, i=flip)
        assert repeated["playMove"]["update"] == data["playMove"]["update"]
        replay = await player.replay(table)
        assert [one["version"] for one in replay] == [1, 2, 3]
        assert replay[1]["events"] == played["update"]["events"]
        # The subscriber may have been told to come back; nothing is missing when it does.
        seen = []
        try:
            seen.append((await asyncio.wait_for(anext(following), BOUND))["version"])
        except (Failed, Closed):
            async with socket(server.socket_url) as back:
                seen.append((await anext(back.follow(table, 2)))["version"])
        assert seen == [3]
        await eventually(lambda: answers(server.base), "the server to be ready", 60)
        assert (await again(player, READ, i=other))["table"]["version"] in (1, 2)
