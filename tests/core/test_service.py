"""The table service, alone and as one of several workers, with stores that work and stores that fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import Refusal, Visibility, decide, hookimpl, lobby
from fliptable.decide import Decision
from fliptable.events import SeedRevealed, TableOver
from fliptable.evolve import fold
from fliptable.feed import TooSlow, Update
from fliptable.heads import head_of
from fliptable.log import CodeTaken, HeadFilter, Unavailable, UnreadableLog
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.opening import Opening
from fliptable.plugins import PluginMissing, Registry, load_plugins
from fliptable.requests import Interrupted, Refused, Request, TableNotFound, UnknownVersion
from fliptable.service import TableService
from fliptable.snapshot import to_snapshot
from fliptable.table import Status
from fliptable.tablewriter import SNAPSHOT_EVERY
from fliptable.testing import FakeClock

numbers = count(1)
ANN, BOB = "ply_ann", "ply_bob"


def opening(registry: Registry, game: str = "high-card", mode: str = "timed", **changes: Any) -> Opening:
    number = next(numbers)
    values: dict[str, Any] = {
        "id": f"tbl_{number}",
        "code": f"CODE{number}",
        "secret": bytes(32),
        "game": game,
        "mode": mode,
        "game_options": registry.game(game).Options(),
        "mode_options": registry.mode(mode).Options(),
        "seats": 1,
        "local_seats": (),
        "visibility": Visibility.PUBLIC,
        "host": ANN,
        "host_name": "Ann",
    }
    return Opening(**{**values, **changes})


def play(move: Any, seat: int = 0) -> Callable[[Decision], Refusal | None]:
    return lambda decision: decide.play(decision, seat, move)


def asks(key: str | None = None, digest: str = "d", version: int | None = None, player: str = ANN) -> Request:
    return Request(player, key, digest if key else None, version)


class Workers:
    """Makes services, each on a store of its own that shares the data with the others'."""

    def __init__(self, kind: str, registry: Registry, url: Callable[[], str], database: str) -> None:
        self.kind, self.registry = kind, registry
        self._url, self._database = url, database
        self._stores: list[Any] = []
        self._services: list[TableService] = []

    async def store(self) -> Any:
        if self.kind == "memory":
            store: Any = self._stores[0] if self._stores else MemoryStore(self.registry.codec)
        else:
            store = MongoStore(self._url(), self.registry.codec, self._database)
            await store.open()
        self._stores.append(store)
        return store

    async def service(self, store: Any = None, registry: Registry | None = None, **settings: Any) -> Any:
        store = await self.store() if store is None else store
        settings.setdefault("clock", FakeClock())
        service = TableService(registry or self.registry, store, **settings)
        await service.start()
        self._services.append(service)
        return service

    async def close(self) -> None:
        for service in self._services:
            await service.stop()
        for store in self._stores:
            await store.close()


@pytest.fixture(params=["memory", "mongo"])
async def workers(
    request: pytest.FixtureRequest, plugins: Registry, mongo_database: str
) -> AsyncIterator[Workers]:
    made = Workers(request.param, plugins, lambda: request.getfixturevalue("mongo_url"), mongo_database)
    if request.param == "mongo":
        request.getfixturevalue("mongo_url")
    yield made
    await made.close()


class Troubled:
    """A store that fails when it is told to, before or after it has done what was asked."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.failing: dict[str, str] = {}
        self.delays: dict[str, asyncio.Event] = {}
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name == "watch" or not asyncio.iscoroutinefunction(method):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            how = self.failing.get(name)
            if name in self.delays:
                await self.delays[name].wait()
            if how == "before":
                raise Unavailable("the database is away")
            result = await method(*args, **kwargs)
            if how == "after":
                raise Unavailable("the answer was lost")
            return result

        return call


async def follow(service: Any, table: str, after: int | None, into: list[Update]) -> None:
    async with aclosing(service.subscribe(table, after)) as updates:
        async for update in updates:
            into.append(update)  # noqa: PERF401


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def versions(updates: list[Update]) -> list[int]:
    return [update.commit.version for update in updates]


async def kept_table(service: Any, registry: Registry, **changes: Any) -> str:
    update = await service.open(opening(registry, **changes))
    return str(update.table.id)


# Opening, acting, refusing


async def test_a_table_is_opened_played_and_over(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    opened = await service.open(opening(workers.registry))
    assert opened.commit.version == opened.table.version == 1
    table = opened.table.id
    played = await service.act(table, asks(), play(high.Keep()))
    assert isinstance(played, Update) and played.table.scores == (int(played.table.round.state.hands[0]),)
    assert await service.get(table) == played.table
    assert await service.find_code(opened.table.code) == table
    refused = await service.act(table, asks(), play(high.Keep()))
    assert isinstance(refused, Refused) and refused.refusal.code == "ROUND_OVER"
    assert refused.table.version == 2


async def test_tables_that_are_not_there(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    with pytest.raises(TableNotFound):
        await service.get("tbl_nobody")
    with pytest.raises(TableNotFound):
        await service.act("tbl_nobody", asks(), play(high.Keep()))
    with pytest.raises(TableNotFound):
        await anext(service.subscribe("tbl_nobody"))
    with pytest.raises(PluginMissing, match="chess"):
        await service.open(replace(opening(workers.registry), game="chess"))


async def test_a_code_is_used_once(workers: Workers) -> None:
    service = await workers.service()
    first = opening(workers.registry)
    await service.open(first)
    with pytest.raises(CodeTaken):
        await service.open(opening(workers.registry, code=first.code))


async def test_what_changes_nothing_is_not_stored(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    answer = await service.act(table, asks(), lambda decision: None)
    assert answer.commit.version == 1 and answer.commit.events == ()
    assert len(await service.store.read(table)) == 1


# Idempotency and expected versions


async def test_the_same_key_many_times_at_once_is_one_move(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    request = asks("key-1")
    answers = await asyncio.gather(*[service.act(table, request, play(high.Swap())) for _ in range(20)])
    assert [answer.commit.version for answer in answers] == [2] * 20
    assert all(answer == answers[0] for answer in answers)
    assert len(await service.store.read(table)) == 2


async def test_a_key_answers_the_same_later_on_and_elsewhere(workers: Workers, high: SimpleNamespace) -> None:
    store = await workers.store()
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    first = await service.act(table, asks("key-1"), play(high.Swap()))
    for _ in range(3):
        await service.act(table, asks(), play(high.Swap()))
    again = await service.act(table, asks("key-1"), play(high.Swap()))
    assert again == first and again.table.version == 2
    # A worker that has nothing in memory finds the key in the log.
    other = await workers.service()
    assert to_snapshot((await other.act(table, asks("key-1"), play(high.Swap()))).table) == to_snapshot(
        first.table
    )
    assert (await service.get(table)).version == 5


async def test_a_key_is_found_after_a_snapshot_too(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    first = await service.act(table, asks("key-1"), play(high.Swap()))
    while (await service.get(table)).version < SNAPSHOT_EVERY + 5:
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    other = await workers.service()
    assert (await other.get(table)).version == SNAPSHOT_EVERY + 5
    assert (await other.act(table, asks("key-1"), play(high.Swap()))).commit == first.commit


async def test_a_key_cannot_be_used_for_something_else(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    await service.act(table, asks("key-1", "one"), play(high.Swap()))
    refused = await service.act(table, asks("key-1", "two"), play(high.Keep()))
    assert isinstance(refused, Refused) and refused.refusal.code == "KEY_REUSED"
    assert (await service.get(table)).version == 2
    # Another player has keys of their own.
    other = await service.act(table, asks("key-1", "two", player=BOB), play(high.Swap()))
    assert other.commit.version == 3


async def test_a_refused_request_does_not_use_its_key_up(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    refused = await service.act(table, asks("key-1"), play(high.Keep(99)))
    assert isinstance(refused, Refused)
    assert (await service.act(table, asks("key-1"), play(high.Keep(1)))).commit.version == 2


async def test_of_many_who_expect_a_version_one_gets_it(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    answers = await asyncio.gather(
        *[service.act(table, asks(version=1), play(high.Swap())) for _ in range(20)]
    )
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(refused) == 19 and {answer.refusal.code for answer in refused} == {"STALE_VERSION"}
    assert {answer.refusal.field for answer in refused} == {"expectedVersion"}
    assert len(await service.store.read(table)) == 2
    ahead = await service.act(table, asks(version=9), play(high.Swap()))
    assert isinstance(ahead, Refused) and "not at the expected 9" in ahead.refusal.message


# Several workers


async def test_two_workers_race_on_one_table(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    seen: tuple[list[Update], list[Update]] = ([], [])
    followers = [
        asyncio.create_task(follow(worker, table, 0, into))
        for worker, into in zip((one, other), seen, strict=True)
    ]
    answers = await asyncio.gather(
        *[worker.act(table, asks(), play(high.Swap())) for _ in range(15) for worker in (one, other)]
    )
    # Every move got a version of its own, and nobody's was lost.
    assert sorted(answer.commit.version for answer in answers) == list(range(2, 32))
    stored = await one.store.read(table)
    assert [commit.version for commit in stored] == list(range(1, 32))
    await until(lambda: min(len(seen[0]), len(seen[1])) == 31)
    assert versions(seen[0]) == versions(seen[1]) == list(range(1, 32))
    assert [update.commit for update in seen[0]] == [update.commit for update in seen[1]] == stored
    assert to_snapshot(await one.get(table)) == to_snapshot(await other.get(table))
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_a_key_is_one_move_across_workers(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    answers = await asyncio.gather(
        *[worker.act(table, asks("key-1"), play(high.Swap())) for _ in range(10) for worker in (one, other)]
    )
    assert {answer.commit.version for answer in answers} == {2}
    assert len({tuple(answer.commit.events) for answer in answers}) == 1
    assert len(await one.store.read(table)) == 2


async def test_an_expected_version_holds_across_workers(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    answers = await asyncio.gather(
        *[worker.act(table, asks(version=1), play(high.Swap())) for _ in range(10) for worker in (one, other)]
    )
    assert sum(isinstance(answer, Update) for answer in answers) == 1


async def test_a_worker_sees_what_another_did(workers: Workers, high: SimpleNamespace) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await other.get(table)
    await one.act(table, asks(), play(high.Swap()))
    assert (await other.get(table)).version == 2


async def test_what_was_stored_before_the_watch_began_is_told(
    workers: Workers, high: SimpleNamespace
) -> None:
    one = await workers.service(shared_store=True)
    table = await kept_table(one, workers.registry)
    other = TableService(workers.registry, await workers.store(), clock=FakeClock(), shared_store=True)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(other, table, 0, seen))
    await until(lambda: len(seen) == 1)
    # The other worker follows nothing yet, so it cannot hear of this by itself.
    await one.act(table, asks(), play(high.Swap()))
    await other.start()
    await until(lambda: len(seen) == 2)
    await other.stop()
    with pytest.raises(Interrupted):
        await follower


# Subscribing


async def test_backlog_and_live_follow_without_gap_or_repeat(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    seen: dict[int | None, list[Update]] = {}
    followers = []

    async def many_moves() -> None:
        for _ in range(60):
            await service.act(table, asks(), play(high.Swap()))

    async def join_in() -> None:
        for number in range(12):
            into = seen.setdefault(number, [])
            followers.append(asyncio.create_task(follow(service, table, 0, into)))
            await asyncio.sleep(0.002)

    await asyncio.gather(many_moves(), join_in())
    await until(lambda: all(len(into) == 61 for into in seen.values()))
    for into in seen.values():
        assert versions(into) == list(range(1, 62))
        assert [update.table.version for update in into] == versions(into)
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_where_a_subscription_begins(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    for _ in range(4):
        await service.act(table, asks(), play(high.Swap()))
    for after, expected in ((0, 1), (3, 4), (None, 5)):
        async with aclosing(service.subscribe(table, after)) as updates:
            update = await anext(updates)
            assert update.commit.version == update.table.version == expected
    for after in (-1, 6):
        with pytest.raises(UnknownVersion, match="the table is at version 5"):
            await anext(service.subscribe(table, after))
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 5, seen))
    await asyncio.sleep(0.05)
    assert seen == []
    await service.act(table, asks(), play(high.Swap()))
    await until(lambda: versions(seen) == [6])
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


async def test_a_subscription_ends_with_the_table(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry, mode="classic")
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await service.act(table, asks(), play(high.Keep()))
    await asyncio.wait_for(follower, 10)
    assert versions(seen) == [1, 2] and seen[-1].table.status is Status.OVER
    assert any(isinstance(event, SeedRevealed) for event in seen[-1].commit.events)
    # One that begins afterwards gets what is stored and ends.
    late: list[Update] = []
    await asyncio.wait_for(follow(service, table, 0, late), 10)
    assert [update.commit for update in late] == [update.commit for update in seen]
    nothing: list[Update] = []
    await asyncio.wait_for(follow(service, table, 2, nothing), 10)
    assert nothing == []


async def test_who_is_too_slow_is_cut_off_and_can_resume(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(queue=4)
    table = await kept_table(service, workers.registry)
    updates = service.subscribe(table, 0)
    assert (await anext(updates)).commit.version == 1
    waiting = asyncio.create_task(anext(updates))
    await asyncio.sleep(0)
    await service.act(table, asks(), play(high.Swap()))
    assert (await waiting).commit.version == 2
    for _ in range(5):
        await service.act(table, asks(), play(high.Swap()))
    with pytest.raises(TooSlow):
        await anext(updates)
    assert service.numbers().subscriptions == 0
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 2, seen))
    await until(lambda: len(seen) == 5)
    assert versions(seen) == [3, 4, 5, 6, 7]
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


async def test_a_slow_one_holds_nobody_up(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(queue=2)
    table = await kept_table(service, workers.registry)
    slow = service.subscribe(table, 0)
    await anext(slow)
    seen: list[Update] = []
    quick = asyncio.create_task(follow(service, table, 0, seen))
    for number in range(10):
        await service.act(table, asks(), play(high.Swap()))
        await until(lambda number=number: len(seen) == number + 2)
    assert versions(seen) == list(range(1, 12))
    await slow.aclose()
    quick.cancel()
    await asyncio.gather(quick, return_exceptions=True)


async def test_stopping_interrupts_subscriptions(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    await service.stop()
    with pytest.raises(Interrupted):
        await asyncio.wait_for(follower, 10)
    # Who comes after that is told at once, not left waiting.
    with pytest.raises(Interrupted):
        await asyncio.wait_for(anext(service.subscribe(table, 1)), 10)


async def test_a_subscription_that_is_given_up_is_forgotten(workers: Workers) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    async with aclosing(service.subscribe(table)) as updates:
        await anext(updates)
        assert service.numbers().subscriptions == 1
    assert service.numbers().subscriptions == 0


async def test_who_follows_is_known(workers: Workers) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    updates = service.subscribe(table, None, ANN)
    await anext(updates)
    assert service.follows(table, ANN) and not service.follows(table, BOB)
    await updates.aclose()
    assert not service.follows(table, ANN) and not service.follows("tbl_nobody", ANN)


# Callers who go away


async def test_what_was_begun_is_finished_without_its_caller(workers: Workers, high: SimpleNamespace) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    store.delays["append"] = asyncio.Event()
    caller = asyncio.create_task(service.act(table, asks("key-1"), play(high.Swap())))
    await until(lambda: store.calls.count("append") == 2)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    stopping = asyncio.create_task(service.stop())
    await asyncio.sleep(0.01)
    assert not stopping.done()
    store.delays["append"].set()
    await stopping
    assert len(await store.read(table)) == 2
    assert (await service.get(table)).version == 2


async def test_a_deadline_is_told_even_if_who_touched_the_table_is_gone(workers: Workers) -> None:
    store = Troubled(await workers.store())
    clock = FakeClock()
    service = await workers.service(store, clock=clock)
    table = await kept_table(service, workers.registry)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    clock.advance(60)
    store.delays["append"] = asyncio.Event()
    caller = asyncio.create_task(service.get(table))
    await until(lambda: store.calls.count("append") == 2)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    store.delays["append"].set()
    await asyncio.wait_for(follower, 10)
    assert versions(seen) == [1, 2]


# A database that fails


@pytest.mark.parametrize("how", ["before", "after"])
async def test_a_failed_write_leaves_no_wrong_state(
    workers: Workers, high: SimpleNamespace, how: str
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    store.failing["append"] = how
    with pytest.raises(Unavailable):
        await service.act(table, asks("key-1"), play(high.Swap()))
    del store.failing["append"]
    # Whether it was stored is what the log says, and asking again with the key tells.
    answer = await service.act(table, asks("key-1"), play(high.Swap()))
    assert answer.commit.version == 2
    stored = await store.read(table)
    assert [commit.version for commit in stored] == [1, 2] and stored[1] == answer.commit
    await service.act(table, asks(), play(high.Swap()))
    await until(lambda: len(seen) == 3)
    assert versions(seen) == [1, 2, 3]
    assert [update.commit for update in seen] == await store.read(table)
    assert to_snapshot(await service.get(table)) == to_snapshot(seen[-1].table)
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


@pytest.mark.parametrize("how", ["before", "after"])
async def test_requests_that_waited_for_a_failed_write_go_by_the_log(
    workers: Workers, high: SimpleNamespace, how: str
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    gate = store.delays["append"] = asyncio.Event()
    store.failing["append"] = how
    moves = [asyncio.create_task(service.act(table, asks(), play(high.Swap()))) for _ in range(5)]
    await until(lambda: store.calls.count("append") == 2)
    # The first write fails, while the other four wait for their turn.
    gate.set()
    await until(lambda: any(move.done() for move in moves))
    del store.failing["append"]
    results = await asyncio.gather(*moves, return_exceptions=True)
    failed = [result for result in results if isinstance(result, Unavailable)]
    fine = [result for result in results if isinstance(result, Update)]
    assert len(failed) + len(fine) == 5 and failed
    assert await service.act(table, asks(), play(high.Swap()))
    stored = await store.read(table)
    assert [commit.version for commit in stored] == list(range(1, len(stored) + 1))
    assert {result.commit.version for result in fine} <= {commit.version for commit in stored}
    # What is in memory is what is stored, and followers have all of it.
    assert (await service.get(table)).version == len(stored)
    await until(lambda: len(seen) == len(stored))
    assert [update.commit for update in seen] == stored
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


async def test_a_database_that_is_away_is_named_and_comes_back(
    workers: Workers, high: SimpleNamespace
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    other = await workers.service(store)
    store.failing = {"read": "before", "load_snapshot": "before"}
    with pytest.raises(Unavailable):
        await other.get(table)
    store.failing = {}
    assert (await other.get(table)).version == 1


async def test_lists_catch_up_when_the_database_is_back(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("fliptable.heads._AGAIN", 0.01)
    store = Troubled(await workers.store())
    service = await workers.service(store)
    store.failing["save_heads"] = "before"
    # A move is not lost because a list could not be written.
    table = await kept_table(service, workers.registry)
    assert await store.list_heads(HeadFilter(), 10) == []
    assert "the lists of tables are behind" in caplog.text
    store.failing = {}
    for _ in range(500):
        if found := await store.list_heads(HeadFilter(), 10):
            break
        await asyncio.sleep(0.01)
    assert found == [head_of(await service.get(table))]


async def test_a_snapshot_that_cannot_be_kept_costs_nothing(
    workers: Workers, high: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    store.failing["save_snapshot"] = "before"
    for _ in range(SNAPSHOT_EVERY):
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    assert f"no snapshot of table {table}" in caplog.text
    assert (await service.get(table)).version == SNAPSHOT_EVERY + 1


# Memory and snapshots


async def test_idle_tables_are_let_go_of_and_come_back(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(cached_tables=5)
    tables = [await kept_table(service, workers.registry) for _ in range(20)]
    assert service.numbers().tables <= 5
    for table in tables:
        await service.act(table, asks(), play(high.Swap()))
    assert service.numbers().tables <= 5
    assert [(await service.get(table)).version for table in tables] == [2] * 20


async def test_tables_that_are_followed_stay(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service(cached_tables=2)
    followed = [await kept_table(service, workers.registry) for _ in range(2)]
    seen: dict[str, list[Update]] = {table: [] for table in followed}
    followers = [asyncio.create_task(follow(service, table, 0, seen[table])) for table in followed]
    await until(lambda: all(len(into) == 1 for into in seen.values()))
    for _ in range(30):
        await kept_table(service, workers.registry)
    for table in followed:
        await service.act(table, asks(), play(high.Swap()))
    await until(lambda: all(len(into) == 2 for into in seen.values()))
    assert service.numbers().tables <= 2 + 2
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_letting_go_while_requests_wait_loses_nothing(workers: Workers, high: SimpleNamespace) -> None:
    """A table may be let go of between a request and its turn: nobody then works on a second copy."""
    service = await workers.service(cached_tables=1)
    tables = [await kept_table(service, workers.registry) for _ in range(4)]
    seen: dict[str, list[Update]] = {table: [] for table in tables}
    followers = []
    for turn in range(6):
        moves = [service.act(table, asks(), play(high.Swap())) for table in tables for _ in range(3)]
        if turn == 3:
            followers = [asyncio.create_task(follow(service, table, 0, seen[table])) for table in tables]
        await asyncio.gather(*moves)
    for table in tables:
        assert (await service.get(table)).version == 19
        await until(lambda table=table: len(seen[table]) == 19)
        assert versions(seen[table]) == list(range(1, 20))
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)


async def test_a_stale_copy_is_never_worked_on(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    stale = service._cache.peek(table)
    assert stale is not None
    await stale.lock.acquire()
    waiting = asyncio.create_task(service.act(table, asks(), play(high.Swap())))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    service._cache.drop(stale)
    # Somebody else loads it anew and follows it.
    seen: list[Update] = []
    follower = asyncio.create_task(follow(service, table, 0, seen))
    await until(lambda: len(seen) == 1)
    stale.lock.release()
    await waiting
    await until(lambda: len(seen) == 2)
    assert (await service.get(table)).version == 2
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


async def test_snapshots_are_used_and_may_be_deleted(workers: Workers, high: SimpleNamespace) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry)
    for _ in range(SNAPSHOT_EVERY + 3):
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    expected = to_snapshot(await service.get(table))
    snapshot = await store.load_snapshot(table)
    assert snapshot.version == SNAPSHOT_EVERY

    reads: list[int] = []
    read = store._store.read

    async def spying_read(table: str, after: int = 0, limit: int | None = None) -> Any:
        reads.append(after)
        return await read(table, after, limit)

    store._store.read = spying_read
    assert to_snapshot(await (await workers.service(store)).get(table)) == expected
    assert reads == [SNAPSHOT_EVERY]
    # Of no use, of another form, or gone: the log is read from the start.
    for state in (
        {"form": 0},
        {**snapshot.state, "plugins": ["high-card 0.1"]},
        {**snapshot.state, "run": 3},
    ):
        await store.save_snapshot(type(snapshot)(table, SNAPSHOT_EVERY, state))
        reads.clear()
        assert to_snapshot(await (await workers.service(store)).get(table)) == expected
        assert reads == [0]
    del store._store.read


async def test_a_snapshot_is_no_shortcut_past_a_subscribers_version(
    workers: Workers, high: SimpleNamespace
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    for _ in range(SNAPSHOT_EVERY + 3):
        await service.act(table, asks(), play(high.Swap()))
    await service._errands.done()
    total = SNAPSHOT_EVERY + 4
    for after in (0, 10, SNAPSHOT_EVERY - 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 1):
        got = [update async for update in service.updates(table, after, total)]
        assert versions(got) == list(range(after + 1, total + 1))
        assert [update.table.version for update in got] == versions(got)


# Plugins that are missing or broken


async def test_a_table_of_a_missing_plugin_is_named_and_undamaged(
    workers: Workers, high: SimpleNamespace
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    await service.act(table, asks(), play(high.Swap()))
    without = load_plugins()
    poor_store: Any
    if workers.kind == "memory":
        poor_store = await workers.store()
        codec, poor_store._codec = poor_store._codec, without.codec
    else:
        poor_store = MongoStore(workers._url(), without.codec, workers._database)
        await poor_store.open()
    poor = TableService(without, poor_store, clock=FakeClock())
    for _ in range(2):
        with pytest.raises((PluginMissing, UnreadableLog), match="high-card"):
            await poor.get(table)
        with pytest.raises((PluginMissing, UnreadableLog), match="high-card"):
            await poor.act(table, asks(), play(high.Swap()))
    # Other tables of the same worker are fine.
    assert (await poor.open(opening(without, "call-it", "classic"))).table.version == 1
    await poor.stop()
    if workers.kind == "memory":
        poor_store._codec = codec
    else:
        await poor_store.close()
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 3


async def test_a_plugin_that_raises_hurts_only_its_request(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await workers.service()
    table, neighbour = [await kept_table(service, workers.registry) for _ in range(2)]
    game = workers.registry.game("high-card")

    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("a bug in the rules")

    for part, name in (
        (game, "decide"),
        (game, "evolve"),
        (game, "outcome"),
        (workers.registry.mode("timed"), "moved"),
    ):
        monkeypatch.setattr(type(part), name, broken)
        with pytest.raises(ZeroDivisionError):
            await service.act(table, asks(), play(high.Swap()))
        monkeypatch.undo()
        assert (await service.get(table)).version == 1
    assert (await service.act(neighbour, asks(), play(high.Swap()))).commit.version == 2
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 2


async def test_an_event_that_cannot_be_stored_hurts_only_its_request(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    undeclared = type("Undeclared", (high.Gone,), {})
    monkeypatch.setattr(type(workers.registry.game("high-card")), "decide", lambda *_: [undeclared(0)])
    with pytest.raises(ValueError, match="declared by no plugin"):
        await service.act(table, asks(), play(high.Swap()))
    monkeypatch.undo()
    assert (await service.get(table)).version == 1
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 2


# Deadlines


async def test_a_deadline_is_applied_as_of_its_own_time(workers: Workers, high: SimpleNamespace) -> None:
    clock = FakeClock()
    store = await workers.store()
    service = await workers.service(store, clock=clock)
    table = await kept_table(service, workers.registry)
    began = clock.now
    # Everything is down for an hour; the next worker that touches the table lets it happen.
    clock.advance(3600)
    other = TableService(workers.registry, store, clock=clock)
    over = await other.get(table)
    assert over.status is Status.OVER and over.updated_at == began + timedelta(seconds=60)
    stored = await store.read(table)
    assert stored[-1].at == began + timedelta(seconds=60) and stored[-1].actor is None
    refused = await other.act(table, asks(), play(high.Swap()))
    assert isinstance(refused, Refused) and refused.refusal.code == "TABLE_OVER"
    await other.stop()


async def test_nothing_is_accepted_at_or_after_a_deadline(workers: Workers, high: SimpleNamespace) -> None:
    """The clock goes on while a move is looked at; its time is that of the first look."""
    start = FakeClock().now
    times = iter([start + timedelta(seconds=60) - timedelta(milliseconds=1)] * 2)

    def clock() -> datetime:
        return next(times, start + timedelta(seconds=60))

    opener = await workers.service()
    table = await kept_table(opener, workers.registry)
    late = TableService(workers.registry, opener.store, clock=clock)
    answers = [await late.act(table, asks(), play(high.Swap())) for _ in range(4)]
    for commit in await opener.store.read(table):
        if not any(isinstance(event, TableOver) for event in commit.events):
            assert commit.at < start + timedelta(seconds=60)
    assert isinstance(answers[-1], Refused) and answers[-1].refusal.code == "TABLE_OVER"
    await late.stop()


async def test_two_workers_apply_a_deadline_once(workers: Workers, high: SimpleNamespace) -> None:
    clock = FakeClock()
    one, other = [await workers.service(shared_store=True, clock=clock) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await other.get(table)
    clock.advance(61)
    await asyncio.gather(*[worker.get(table) for worker in (one, other) for _ in range(3)])
    commits = await one.store.read(table)
    assert [commit.version for commit in commits] == [1, 2]


async def test_time_does_not_go_back_at_a_table(workers: Workers, high: SimpleNamespace) -> None:
    clock = FakeClock()
    service = await workers.service(clock=clock)
    table = await kept_table(service, workers.registry)
    clock.advance(-30)
    played = await service.act(table, asks(), play(high.Swap()))
    assert played.commit.at == played.table.created_at


# Lists


async def test_lists_are_right_after_every_change(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()

    async def listed() -> list[Any]:
        return list(await service.store.list_heads(HeadFilter(), 10))

    table = await kept_table(service, workers.registry, seats=2)
    assert await listed() == [head_of(await service.get(table))]
    assert (await listed())[0].free_seats == 1
    await service.act(table, asks(player=BOB), lambda d: lobby.join(d, BOB, "Bob"))
    assert (await listed())[0].players == (ANN, BOB) and (await listed())[0].free_seats == 0
    await service.act(table, asks(), lambda d: lobby.start(d, ANN))
    head = (await listed())[0]
    assert (head.status, head.deadline) == ("PLAYING", (await service.get(table)).deadline())
    # A move changes nothing that lists show.
    await service.act(table, asks(), play(high.Swap()))
    assert (await listed())[0] == head
    await service.act(table, asks(player=BOB), lambda d: lobby.leave(d, BOB))
    assert (await listed())[0].players == (ANN,)
    await service.act(table, asks(), lambda d: lobby.leave(d, ANN))
    await service.stop()
    head = (await listed())[0]
    assert (head.status, head.deadline, head.players) == ("OVER", None, ())


async def test_lists_recover_after_a_crash(workers: Workers, high: SimpleNamespace) -> None:
    store = Troubled(await workers.store())
    service = await workers.service(store)
    table = await kept_table(service, workers.registry, mode="classic")
    # The worker dies right after the last commit, before the list was written.
    store.failing["save_heads"] = "before"
    await service.act(table, asks(), play(high.Keep()))
    store.failing = {}
    service._heads._changed.clear()
    (head,) = await store.list_heads(HeadFilter(), 10)
    assert head.status == "PLAYING"
    other = await workers.service(store)
    await other.get(table)
    await other.stop()
    (head,) = await store.list_heads(HeadFilter(), 10)
    assert (head.status, head.version) == ("OVER", 2)


# Observers


async def test_observers_hear_of_every_commit_once(workers: Workers, high: SimpleNamespace) -> None:
    heard: list[tuple[str, int]] = []

    class Observer:
        @hookimpl
        def fliptable_committed(self, commit: Any) -> None:
            heard.append((commit.table, commit.version))
            raise ZeroDivisionError("observers may fail")

    workers.registry.register(Observer(), "observer")
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await asyncio.gather(
        *[worker.act(table, asks(), play(high.Swap())) for _ in range(5) for worker in (one, other)]
    )
    assert sorted(heard) == [(table, version) for version in range(1, 12)]


# Everything at once


class Flaky(Troubled):
    """A store on which anything may fail now and then, done or not."""

    def __init__(self, store: Any, random: Random) -> None:
        super().__init__(store)
        self.random = random
        self.share = 0.0

    def __getattr__(self, name: str) -> Any:
        method = super().__getattr__(name)
        if name not in {"append", "read", "save_heads", "save_snapshot", "load_snapshot", "find_key"}:
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            await asyncio.sleep(0 if self.random.random() < 0.5 else 0.001)
            fails = self.random.random() < self.share
            if fails and (self.random.random() < 0.5 or name != "append"):
                raise Unavailable("the database is away")
            result = await method(*args, **kwargs)
            if fails:
                raise Unavailable("the answer was lost")
            return result

        return call


@pytest.mark.parametrize("seed", range(2))
async def test_two_workers_on_a_flaky_database(workers: Workers, high: SimpleNamespace, seed: int) -> None:
    """Moves with keys, retried until they are answered, from two workers that forget tables all the time."""
    random = Random(seed)
    stores = [Flaky(await workers.store(), random) for _ in range(2)]
    services = [
        await workers.service(store, shared_store=True, cached_tables=random.choice([1, 2, 50]))
        for store in stores
    ]
    options = high.TimedOptions(rounds=10**6, seconds=10**6)
    tables = [await kept_table(services[0], workers.registry, mode_options=options) for _ in range(3)]
    for store in stores:
        store.share = 0.15
    seen: list[tuple[str, list[Update]]] = []

    async def follower(service: Any, table: str) -> None:
        into: list[Update] = []
        seen.append((table, into))
        while True:
            try:
                await follow(service, table, into[-1].commit.version if into else 0, into)
            except (Unavailable, TooSlow):
                await asyncio.sleep(0)

    answers: dict[str, list[Update]] = {table: [] for table in tables}

    async def player(number: int) -> None:
        for turn in range(12):
            table = random.choice(tables)
            request = asks(f"{number}-{turn}", player=f"ply_{number}")
            while True:
                try:
                    answer = await random.choice(services).act(table, request, play(high.Swap()))
                except Unavailable:
                    continue
                assert isinstance(answer, Update)
                answers[table].append(answer)
                break

    followers = [asyncio.create_task(follower(service, table)) for service in services for table in tables]
    await asyncio.gather(*[player(number) for number in range(5)])
    for store in stores:
        store.share = 0.0
    for table in tables:
        # Every request was carried out exactly once, whatever went wrong on the way.
        stored = await stores[0]._store.read(table)
        assert [commit.version for commit in stored] == list(range(1, len(stored) + 1))
        assert len(stored) == 1 + len(answers[table])
        assert sorted(versions(answers[table])) == list(range(2, len(stored) + 1))
        folded = to_snapshot(fold(workers.registry, stored))  # type: ignore[arg-type]
        for service in services:
            assert to_snapshot(await service.get(table)) == folded
        for _, into in [one for one in seen if one[0] == table]:
            await until(lambda into=into, stored=stored: len(into) >= len(stored))
            assert [update.commit for update in into] == stored
            assert [update.table.version for update in into] == versions(into)
    for task in followers:
        task.cancel()
    await asyncio.gather(*followers, return_exceptions=True)
