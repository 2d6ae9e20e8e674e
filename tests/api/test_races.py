"""Requests that arrive at once: one card for one key, one card for one version, and order within a document.

The same laws hold for one worker and for two on one database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import psutil
import pytest
from serverkit import CALL_31, FLIP, UPDATE, Caller, Server, caller, finish, free_port, socket

pytestmark = pytest.mark.anyio

CLIENTS = 20

THREE = (
    "mutation ($i: PlayMoveInput!) { a: playMove(input: $i) { ...M } b: playMove(input: $i) { ...M } "
    "c: playMove(input: $i) { ...M } } "
    "fragment M on PlayMoveResult { ... on MovePlayed { update { ...U } } ... on Refusal { code } }" + UPDATE
)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, mongo_url: str) -> Iterator[Server]:
    """Two workers behind one port."""
    folder = tmp_path_factory.mktemp("pair")
    arguments = ["--mongo-url", mongo_url, "--workers", "2"]
    server = Server(folder, *arguments, FLIPTABLE_MONGO_DATABASE="pair")
    server.port = free_port()
    with server:
        yield server
        assert "Traceback" not in server.log, server.log


@pytest.fixture(params=["one worker", "two workers"])
def target(request: pytest.FixtureRequest) -> Server:
    name = "server" if request.param == "one worker" else "pair"
    found: Server = request.getfixturevalue(name)
    return found


@pytest.fixture
async def crowd(target: Server) -> AsyncIterator[list[Caller]]:
    """The same player at many connections of their own."""
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(caller(target.url))
        others = [Caller(target.url, first.token) for _ in range(CLIENTS - 1)]
        yield [first, *[await stack.enter_async_context(one) for one in others]]


async def called(player: Caller) -> str:
    """A table where 40 is called, at version 2: three cards can neither hit nor pass it."""
    table: str = (await player.open())["id"]
    await player.move(table, {"callIt": {"call": {"target": 40}}})
    return table


def cards(table: dict[str, Any]) -> list[str]:
    return [card["text"] for card in table["round"]["hands"][0]["cards"]]


async def test_the_same_key_at_once_makes_one_card(crowd: list[Caller]) -> None:
    table = await called(crowd[0])
    answers = await asyncio.gather(*[one.move(table, FLIP, idempotencyKey="once") for one in crowd])
    assert [one["__typename"] for one in answers] == ["MovePlayed"] * CLIENTS
    assert len({str(one["update"]) for one in answers}) == 1
    after = await crowd[0].table(table)
    assert after["version"] == 3 and len(cards(after)) == 1


async def test_the_same_expected_version_at_once_makes_one_card(crowd: list[Caller]) -> None:
    table = await called(crowd[0])
    answers = await asyncio.gather(
        *[
            one.move(table, FLIP, expectedVersion=2, idempotencyKey=f"key {index}")
            for index, one in enumerate(crowd)
        ]
    )
    outcomes = sorted(one.get("code", "played") for one in answers)
    assert outcomes == ["STALE_VERSION"] * (CLIENTS - 1) + ["played"]
    after = await crowd[0].table(table)
    assert after["version"] == 3 and len(cards(after)) == 1


async def test_moves_of_one_document_are_played_in_its_order(target: Server) -> None:
    async with caller(target.url) as player:
        table = await called(player)
        answer = await player.data(THREE, i={"tableId": table, "move": FLIP})
        updates = [answer[name]["update"] for name in "abc"]
        assert [one["version"] for one in updates] == [3, 4, 5]
        hands = [cards(one["table"]) for one in updates]
        assert [len(hand) for hand in hands] == [1, 2, 3]
        assert hands[0] == hands[2][:1] and hands[1] == hands[2][:2]
        assert cards(await player.table(table)) == hands[2]


async def test_a_key_is_only_good_for_the_request_it_was_used_for(target: Server) -> None:
    async with caller(target.url) as player:
        table = (await player.open())["id"]
        first = await player.move(table, CALL_31, idempotencyKey="k")
        again = await player.move(table, CALL_31, idempotencyKey="k")
        other = await player.move(table, FLIP, idempotencyKey="k")
        assert first["update"] == again["update"]
        assert other["code"] == "KEY_REUSED"
        assert (await player.table(table))["version"] == 2


async def test_every_subscriber_of_either_worker_sees_every_version_once(pair: Server) -> None:
    assert pair.process is not None
    workers = psutil.Process(pair.process.pid).children()
    assert len(workers) == 2

    def clients(worker: psutil.Process) -> int:
        connections = worker.net_connections("tcp")
        return sum(
            one.status == psutil.CONN_ESTABLISHED and one.laddr.port == pair.port for one in connections
        )

    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(caller(pair.url))
        table = (await player.open())["id"]
        watchers = []
        while len(watchers) < 10 or not all(clients(worker) > 1 for worker in workers):
            watchers.append(await stack.enter_async_context(socket(pair.socket_url)))
            assert len(watchers) < 200, "all connections went to one worker"

        async def versions(watcher: Any) -> list[int]:
            return [update["version"] async for update in watcher.follow(table, 0)]

        following = [asyncio.create_task(versions(watcher)) for watcher in watchers]
        await asyncio.sleep(0.2)
        last = (await finish(player, table))["table"]["version"]
        assert await asyncio.gather(*following) == [list(range(1, last + 1))] * len(watchers)


async def test_two_workers_take_turns_at_one_table(pair: Server) -> None:
    """Whoever answers, it is the table as the last move left it: a reader never sees the past."""
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(caller(pair.url))
        others = [Caller(pair.url, first.token) for _ in range(7)]
        players = [first, *[await stack.enter_async_context(one) for one in others]]
        table = await called(first)
        version, turn = 2, 0
        while True:
            turn += 1
            assert (await players[turn % 8].table(table))["version"] == version
            answer = await players[(turn + 3) % 8].move(table, FLIP, expectedVersion=version)
            assert answer["__typename"] == "MovePlayed", answer
            version += 1
            assert answer["table"]["version"] == version
            if answer["table"]["status"] == "OVER":
                break
