"""Presence between workers: a player who is nowhere is told of once, in the end, whoever dies meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from motor.motor_asyncio import AsyncIOMotorClient
from servicekit import until

from fliptable import presence
from fliptable.log import Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.mongo.roster import MongoRoster
from fliptable.presence import Presence
from fliptable.table import Status

pytestmark = pytest.mark.anyio

GRACE = 0.4
STALE = 1.5
"""Seconds: what a busy machine holds a worker up for is less."""


@dataclass
class Seat:
    player: str
    connected: bool = True


def table_of(grace: float = GRACE, connected: bool = True) -> Any:
    """As much of a table as presence looks at."""
    seats = (Seat("ann", connected), Seat("bob"))
    house = SimpleNamespace(grace_seconds=grace)
    seat_of = {"ann": 0, "bob": 1}.get
    return SimpleNamespace(
        id="t1", seats=seats, status=Status.PLAYING, opening=SimpleNamespace(house=house), seat_of=seat_of
    )


@dataclass
class Worker:
    presence: Presence
    roster: Any
    told: list[tuple[str, bool]] = field(default_factory=list)

    async def die(self) -> None:
        """Stop as at a crash: nothing is written any more."""
        tasks = [
            task for task in (self.presence._beating, *self.presence._errands._tasks) if task is not None
        ]
        for grace in self.presence._graces.values():
            grace.cancel()
        self.presence._closed = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Away:
    """A roster whose database may be away."""

    def __init__(self, roster: MongoRoster) -> None:
        self._roster = roster
        self.away = False

    def __getattr__(self, name: str) -> Any:
        async def call(*arguments: Any) -> Any:
            if self.away:
                raise Unavailable("away")
            return await getattr(self._roster, name)(*arguments)

        return call


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "BEAT", 0.3)
    monkeypatch.setattr(presence, "STALE", STALE)
    monkeypatch.setattr(presence, "_PAUSE", 0.02)
    monkeypatch.setattr(presence, "_AGAIN", 0.1)
    monkeypatch.setattr(presence, "_LATER", 0.1)


Start = Callable[..., Any]


@pytest.fixture
async def start(mongo_url: str, mongo_database: str) -> AsyncIterator[Start]:
    """Starts workers that share a roster."""
    async with AsyncExitStack() as stack:
        client: AsyncIOMotorClient[Any] = AsyncIOMotorClient(mongo_url)
        stack.callback(client.close)

        @asynccontextmanager
        async def running(name: str, grace: Callable[[], float]) -> AsyncIterator[Worker]:
            roster = Away(MongoRoster(client[mongo_database]["workers"]))
            told: list[tuple[str, bool]] = []

            async def tell(table: str, player: str, there: Callable[[], bool]) -> None:
                told.append((player, there()))

            async def grace_of(table: str) -> float:
                return grace()

            one = Worker(Presence(name, roster, tell, shared=True), roster, told)
            await one.presence.start(grace_of)
            yield one
            if not one.presence._closed:
                await one.presence.close()

        async def begin(name: str, grace: Callable[[], float] = lambda: GRACE) -> Worker:
            return await stack.enter_async_context(running(name, grace))

        yield begin


async def listed(*workers: Worker) -> None:
    """Wait until the lists say what is so."""
    for one in workers:
        await until(
            lambda one=one: (  # type: ignore[misc]
                one.presence._listed[0] == frozenset(one.presence._served)
                and set(one.presence._listed[1]) == set(one.presence._graces)
            )
        )


async def test_of_two_workers_that_lose_a_player_at_once_one_tells(start: Start) -> None:
    table = table_of()
    workers = [await start(name) for name in ("a", "b")]
    for one in workers:
        one.presence.enter(table, "ann")
    await listed(*workers)
    for one in workers:
        one.presence.leave(table, "ann")
    await until(lambda: not any(one.presence._graces for one in workers))
    assert sorted(told for one in workers for told in one.told) == [("ann", False)]


async def test_the_worker_that_lost_the_player_last_tells_at_its_time(start: Start) -> None:
    table = table_of()
    first, last = await start("b"), await start("a")
    for one in (first, last):
        one.presence.enter(table, "ann")
    await listed(first, last)
    first.presence.leave(table, "ann")
    await asyncio.sleep(GRACE / 2)
    last.presence.leave(table, "ann")
    await listed(last)
    await until(lambda: not first.presence._graces)
    assert not last.told
    await until(lambda: not last.presence._graces)
    assert (first.told, last.told) == ([], [("ann", False)])


async def test_nobody_is_told_of_a_player_whom_another_worker_serves(start: Start) -> None:
    table = table_of()
    first, other = await start("a"), await start("b")
    first.presence.enter(table, "ann")
    await listed(first)
    first.presence.leave(table, "ann")
    other.presence.enter(table, "ann")
    await listed(other)
    await until(lambda: not first.presence._graces)
    assert not first.told and not other.told


async def test_a_table_that_takes_a_served_player_for_gone_is_put_right(start: Start) -> None:
    one = await start("a")
    one.presence.enter(table_of(), "ann")
    one.presence.told(table_of(connected=False), 0)
    await until(lambda: bool(one.told))
    assert one.told == [("ann", True)]
    one.presence.told(table_of(), 1)
    await asyncio.sleep(0.05)
    assert one.told == [("ann", True)]


async def test_who_came_back_while_the_table_was_being_told_is_there(start: Start) -> None:
    table = table_of(grace=0)
    one = await start("a")
    one.presence.enter(table, "ann")
    one.presence.leave(table, "ann")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    one.presence.enter(table, "ann")
    await until(lambda: bool(one.told))
    assert one.told == [("ann", True)]


@pytest.mark.parametrize("waiting", [False, True], ids=["served", "in their grace period"])
async def test_the_players_of_a_worker_that_died_are_told_of(start: Start, waiting: bool) -> None:
    table = table_of()
    dead, other = await start("a"), await start("b")
    dead.presence.enter(table, "ann")
    if waiting:
        dead.presence.leave(table, "ann")
    await listed(dead)
    await dead.die()
    await until(lambda: bool(other.told))
    assert other.told == [("ann", False)]
    assert not dead.told


@pytest.mark.parametrize("error", [Unavailable("away"), UnreadableLog("of a newer version")])
async def test_a_table_that_cannot_be_read_when_a_list_is_taken_over_is_not_forgotten(
    start: Start, error: Exception
) -> None:
    tries = []

    def grace() -> float:
        tries.append(1)
        if len(tries) < 3:
            raise error
        return GRACE

    dead, other = await start("a"), await start("b", grace)
    dead.presence.enter(table_of(), "ann")
    await listed(dead)
    await dead.die()
    await until(lambda: bool(other.told))
    assert other.told == [("ann", False)]


async def test_a_player_of_a_table_that_a_worker_cannot_read_goes_over_to_the_next_one(start: Start) -> None:
    """As at a table that a newer version has moved: the older worker keeps it in its list, in peace."""

    def newer() -> float:
        raise UnreadableLog("of a newer version")

    dead, older = await start("a"), await start("b", newer)
    dead.presence.enter(table_of(), "ann")
    await listed(dead)
    await dead.die()
    await until(lambda: ("t1", "ann") in older.presence._listed[1])
    await older.presence.close()
    new = await start("c")
    await until(lambda: bool(new.told))
    assert new.told == [("ann", False)] and not older.told


async def test_after_the_database_was_away_nobody_is_taken_for_gone_too_soon(start: Start) -> None:
    table = table_of(grace=0)
    workers = [await start(name, lambda: 0.0) for name in ("a", "b")]
    for number, one in enumerate(workers):
        one.presence.enter(table, ["ann", "bob"][number])
    await listed(*workers)
    await asyncio.sleep(STALE + 0.5)
    for one in workers:
        one.roster.away = True
    await asyncio.sleep(STALE + 0.5)
    workers[0].roster.away = False
    await asyncio.sleep(STALE / 2)
    workers[1].roster.away = False
    await asyncio.sleep(STALE + 0.5)
    assert not workers[0].told and not workers[1].told
