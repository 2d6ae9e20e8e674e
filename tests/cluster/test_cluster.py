"""What several workers on a replica set promise, with real processes that are really killed."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from clusterkit import (
    CALL,
    FOLLOW,
    GRACE,
    LEAVE,
    LOBBY,
    MINE,
    REMATCH,
    Heard,
    Racer,
    followed,
    http,
    insist,
    lines,
    node_racer,
    people,
    race_table,
    ws,
)
from pymongo import MongoClient
from serverkit import FLIP, JOIN, PLAY, START, Caller, eventually, socket

from deploy.cluster import Cluster
from fliptable.presence import BEAT
from fliptable.roster import STALE

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]


async def test_of_two_winning_flips_that_arrive_at_once_on_two_workers_one_wins(cluster: Cluster) -> None:
    """R4: with identical decks both flips would win; the order of arrival decides, for everybody."""
    first, second = cluster.workers
    async with (
        people(http(first), http(second)) as (ann, bob),
        socket(ws(first), ann.token) as at_first,
        socket(ws(second), bob.token) as at_second,
    ):
        table = await race_table(ann, [bob], 2)
        feeds = [at_first.run(FOLLOW, i=table, a=0), at_second.run(FOLLOW, i=table, a=0)]
        assert (await ann.data(START, i={"tableId": table}))["startTable"]["__typename"] == "SessionStarted"
        # A win is certain by the last card (call-it C6 and its targets).
        await ann.move(table, {"callIt": {"call": {"target": 340}}})
        won: list[dict[str, Any]] = []
        while not won:
            answers = await asyncio.gather(ann.move(table, FLIP), bob.move(table, FLIP))
            played = [one["update"] for one in answers if one["__typename"] == "MovePlayed"]
            assert len({one["version"] for one in played}) == len(played)
            won = [event for one in played for event in one["events"] if event["__typename"] == "CallItWon"]
        assert len(won) == 1
        (refused,) = [one for one in answers if one["__typename"] == "Refusal"]
        assert refused["code"] in ("ILLEGAL_MOVE", "NOT_YOUR_TURN"), refused
        last = played[0]["version"]
        for feed in feeds:
            seen = [(await anext(feed))["data"]["tableUpdates"] for _ in range(last)]
            assert [one["version"] for one in seen] == list(range(1, last + 1))
            winners = [e["seat"] for one in seen for e in one["events"] if e["__typename"] == "CallItWon"]
            assert winners == [won[0]["seat"]]
            assert sorted(seat["score"] for seat in seen[-1]["table"]["seats"]) == [0, 1]


async def test_a_race_of_four_clients_survives_a_drop_a_leaving_host_and_a_killed_worker(
    cluster: Cluster,
) -> None:
    async with people(*[cluster.url] * 4) as players:
        host, quick, dropping, steady = players
        # So long that nobody has won before whoever drops is back.
        table = await race_table(host, players[1:], 4, score=8)
        racers = [Racer(host, cluster.socket_url, table, 0.05), Racer(quick, cluster.socket_url, table)]
        tasks = [asyncio.create_task(one.race()) for one in racers]
        nodes = [
            await node_racer(cluster.url, dropping.token, table, 50, 12, GRACE + 1.5),
            await node_racer(cluster.url, steady.token, table, 50),
        ]
        outputs = [asyncio.create_task(lines(one)) for one in nodes]
        await insist(host, START, i={"tableId": table})
        watching = racers[1]
        await watching.until(30)
        await cluster.workers[0].kill()
        await watching.until(45)
        await insist(host, LEAVE, i=table)
        await cluster.start_worker(cluster.workers[0])
        await asyncio.gather(*tasks)
        node_lines = await asyncio.gather(*outputs)

        seen = [one.seen for one in racers]
        played = Counter({version: 1 for one in racers for version in one.played})
        for told in node_lines:
            assert told[-1] == {"completed": True}
            seen.append([line for line in told if "version" in line])
            played.update(line["played"] for line in told if "played" in line)
        last = seen[0][-1]["version"]
        kinds = [event["__typename"] for one in seen[0] for event in one["events"]]
        for updates in seen:
            assert [one["version"] for one in updates] == list(range(1, last + 1))
            assert {**updates[-1]["table"], "mySeat": 0} == {**seen[0][-1]["table"], "mySeat": 0}
        # Nobody was told of a move that is not in the log, and nothing in the log was played twice.
        assert set(played.values()) == {1} and max(played) <= last
        replay = await host.replay(table)
        assert [one["version"] for one in replay] == list(range(1, last + 1))
        end = seen[0][-1]["table"]
        assert (end["status"], end["overReason"]) == ("OVER", "WON")
        assert max(seat["score"] for seat in end["seats"]) == 8
        assert end["host"]["name"] != "Ann"
        assert {"SeatDisconnected", "SeatReconnected", "SeatLeft", "HostChanged"} <= set(kinds)


async def test_when_the_primary_is_killed_moves_wait_and_nothing_is_lost(cluster: Cluster) -> None:
    first, second = cluster.workers
    async with people(http(first), http(second)) as (ann, watcher):
        table = (await ann.open())["id"]
        bob = Caller(http(second), ann.token)  # The same player at the other worker.
        async with bob:
            feeds: list[list[int]] = [[], []]

            async def watch(url: str, into: list[int]) -> None:
                async for update in followed(url, watcher.token, table):
                    into.append(update["version"])  # noqa: PERF401

            watching = [
                asyncio.create_task(watch(ws(worker), feed))
                for worker, feed in zip(cluster.workers, feeds, strict=True)
            ]
            await insist(ann, PLAY, i={"tableId": table, "move": {"callIt": {"call": {"target": 380}}}})
            played = {2: ""}
            answer: dict[str, Any] = {"table": {"status": "PLAYING"}}
            number = 0
            while answer["table"]["status"] != "OVER":
                number += 1
                if number == 8:
                    primary = await cluster.mongo.primary()
                    await primary.kill()
                asked = {"tableId": table, "move": FLIP, "idempotencyKey": str(number)}
                answer = await insist((ann, bob)[number % 2], PLAY, i=asked)
                assert answer["__typename"] == "MovePlayed", answer
                assert answer["update"]["version"] == number + 2
                played[number + 2] = str(number)
            assert number > 20
            replay = await ann.replay(table)
            assert [one["version"] for one in replay] == [1, *played]
            await asyncio.wait_for(asyncio.gather(*watching), 60)
            assert feeds == [[1, *played]] * 2


async def test_who_was_served_by_a_worker_that_died_is_told_of_in_time_and_is_host_no_more(
    cluster: Cluster,
) -> None:
    first, second = cluster.workers
    loop = asyncio.get_running_loop()
    async with (
        people(http(second), http(first)) as (host, other),
        socket(ws(first), other.token) as staying,
        socket(ws(second), host.token) as going,
    ):
        table = await race_table(host, [other], 2)
        feed = staying.run(FOLLOW, i=table, a=None)
        await anext(feed)
        await anext(going.run(FOLLOW, i=table, a=None))
        await asyncio.sleep(0.5)  # until the worker's list is written
        began = loop.time()
        await second.kill()
        events: list[str] = []
        async with asyncio.timeout(GRACE + 5 + 4):  # four more for a machine that is busy
            while "SeatDisconnected" not in events:
                update = (await anext(feed))["data"]["tableUpdates"]
                events += [event["__typename"] for event in update["events"]]
        assert loop.time() - began >= GRACE
        assert STALE + BEAT < 5
        assert events == ["SeatDisconnected", "HostChanged"]
        assert update["table"]["host"]["name"] == "Bob"


async def test_the_time_of_a_seat_is_up_although_the_only_worker_that_knew_of_it_is_dead(
    cluster: Cluster,
) -> None:
    _, second = cluster.workers
    async with people(http(second)) as (ann,):
        opened = await ann.open(house={"turnSeconds": 5})
        table, version = opened["id"], opened["version"]
        await second.kill()

        def stored() -> int:
            # Whoever asks a server makes it look at the table, so the database itself is asked.
            with MongoClient[dict[str, Any]](cluster.mongo.url) as client:
                return client["fliptable"]["commits"].count_documents({"_id.t": table})

        assert await asyncio.to_thread(stored) == version

        async def ended() -> bool:
            return await asyncio.to_thread(stored) > version

        await eventually(ended, "the table to go on by itself", 30)


async def test_of_eight_who_join_at_once_four_get_seats_and_nobody_does_after_the_start(
    cluster: Cluster,
) -> None:
    first, second = cluster.workers
    async with people(*[http(first), http(second)] * 4, http(first)) as everybody:
        *crowd, host = everybody
        table = await race_table(host, [], 5)
        answers = await asyncio.gather(*[one.data(JOIN, i={"tableId": table}) for one in crowd])
        results = Counter(one["joinTable"].get("code", "seat") for one in answers)
        assert results == {"seat": 4, "TABLE_FULL": 4}
        seats = (await host.table(table))["seats"]
        assert len({seat["player"]["id"] for seat in seats}) == 5

        other = await race_table(host, crowd[:1], 5)
        joining = [one.data(JOIN, i={"tableId": other}) for one in crowd[1:4]]
        started, *late = await asyncio.gather(host.data(START, i={"tableId": other}), *joining)
        assert started["startTable"]["__typename"] == "SessionStarted"
        again = await asyncio.gather(*[one.data(JOIN, i={"tableId": other}) for one in crowd[4:]])
        assert {one["joinTable"]["code"] for one in again} == {"TABLE_STARTED"}
        in_time = [one for one in late if one["joinTable"]["__typename"] == "TableJoined"]
        for one in crowd[:2]:
            seats = (await one.table(other))["seats"]
            assert len(seats) == 2 + len(in_time) and all(seat["player"] for seat in seats)


async def test_lists_are_followed_and_a_rematch_is_heard_of_across_workers(cluster: Cluster) -> None:
    first, second = cluster.workers
    async with (
        people(http(first), http(second)) as (ann, bob),
        socket(ws(second), bob.token) as lobby_socket,
        socket(ws(second), bob.token) as bobs,
        socket(ws(first), ann.token) as anns,
    ):
        lobby = Heard(lobby_socket, LOBBY, "lobbyUpdates")
        mine = [Heard(one, MINE, "myTables") for one in (anns, bobs)]
        await asyncio.sleep(0.2)
        table = (await ann.open(seats=2, visibility="PUBLIC", house={"graceSeconds": 60}))["id"]
        update = await lobby.next(lambda one: one["tableId"] == table)
        assert update["table"]["status"] == "OPEN"
        assert [seat["taken"] for seat in update["table"]["seats"]] == [True, False]
        await bob.data(JOIN, i={"tableId": table})
        await lobby.next(lambda one: all(seat["taken"] for seat in one["table"]["seats"]))
        for one in mine:
            await one.next(lambda update: update["id"] == table and len(update["seats"]) == 2)
        started = (await ann.data(START, i={"tableId": table}))["startTable"]
        assert started["__typename"] == "SessionStarted", started
        await ann.move(table, CALL)
        answer: dict[str, Any] = {}
        while answer.get("table", {}).get("status") != "OVER":
            for one in (ann, bob):
                answer = await one.move(table, FLIP)
                if answer.get("table", {}).get("status") == "OVER":
                    break
        for one in mine:
            await one.next(lambda update: update["id"] == table and update["status"] == "OVER")
        asked = await asyncio.gather(*[one.data(REMATCH, i=table) for one in (ann, bob, ann, bob)])
        (fresh,) = {one["rematch"]["table"]["id"] for one in asked}
        assert fresh != table
        for one in mine:
            told = await one.next(lambda update: update["id"] == fresh)
            assert sorted(seat["name"] for seat in told["seats"]) == ["Ann", "Bob"]
        for one in (lobby, *mine):
            await one.stop()


async def test_workers_end_with_the_process_that_started_them(cluster: Cluster, tmp_path: Path) -> None:
    import psutil
    from serverkit import Server, free_port

    server = Server(tmp_path, "--mongo-url", cluster.mongo.url, "--workers", "2")
    server.port = free_port()
    with server:
        assert server.process is not None
        parent = psutil.Process(server.process.pid)
        workers = await eventually(lambda: len(parent.children()) == 2 and parent.children(), "two workers")
        server.kill()
        await eventually(lambda: not any(one.is_running() for one in workers), "the workers to end", 30)
