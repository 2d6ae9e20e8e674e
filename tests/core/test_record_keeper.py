"""The records follow the log: at once, after a crash, and from the log alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from servicekit import opening

from fliptable import recordkeeper
from fliptable.decide import Decision, play
from fliptable.log import Unavailable
from fliptable.memory import MemoryStore
from fliptable.migrations import UnreadableLog
from fliptable.mongo import MongoStore
from fliptable.recordkeeper import RecordKeeper
from fliptable.records import ALL_TIME, Board, Tally
from fliptable.requests import Request
from fliptable.service import TableService

START = datetime(2026, 11, 29, 12, tzinfo=UTC)
FEWEST = Board("call-it", "speedrun", "flips")


@pytest.fixture(params=["memory", "mongo"])
async def service(
    request: pytest.FixtureRequest, registry: Any, mongo_database: str
) -> AsyncIterator[TableService]:
    store: Any
    if request.param == "memory":
        store = MemoryStore(registry.codec)
    else:
        store = MongoStore(request.getfixturevalue("mongo_url"), registry.codec, mongo_database)
        await store.open()
    ticks = iter(range(10**9))
    made = TableService(
        registry, store, clock=lambda: START + timedelta(milliseconds=next(ticks)), shared_secret=b"shared"
    )
    yield made
    await made.stop()
    await store.close()


async def run(service: TableService, player: str, mode: str, rounds: int) -> str:
    """Play rounds at a new table with fair cards; says which table it was."""
    registry = service.registry
    table = (
        await service.open(opening(registry, "call-it", mode, host=player, secret=player.encode()))
    ).table
    call, flip = registry.game("call-it").moves

    async def move(one: Any) -> Any:
        def command(decision: Decision) -> Any:
            return play(decision, 0, one)

        update = await service.act(table.id, Request(player), command)
        return update.table

    for _ in range(rounds):
        table = await move(call(50))
        while table.round.outcome is None:
            table = await move(flip())
    return table.id


async def play_some(service: TableService) -> None:
    for player in ("ply_ann", "ply_bob", "ply_cid"):
        await run(service, player, "speedrun", 8)
        await run(service, player, "survival", 2)
        await run(service, player, "practice", 2)


async def all_of(service: TableService) -> list[Any]:
    records = await service.store.records()
    found: list[Any] = []
    for mode, metric in (("speedrun", "flips"), ("survival", "wins"), ("practice", "flips")):
        board = Board("call-it", mode, metric)
        found += [
            await records.top(board, ALL_TIME),
            await records.spread(board, ALL_TIME),
            await records.tally("call-it", mode),
        ]
    return found


async def test_records_follow_what_is_played(service: TableService) -> None:
    keeper = RecordKeeper(service)
    await keeper.start()
    await play_some(service)
    await keeper.flush()
    records = await service.store.records()
    assert (await records.tally("call-it", "speedrun")).attempts == 24
    assert (await records.tally("call-it", "survival")).attempts == 6
    assert await records.tally("call-it", "practice") == Tally()
    standings = await records.top(FEWEST, ALL_TIME)
    wins = (await records.tally("call-it", "speedrun")).wins
    assert wins > 0 and standings and min(one.value for one in standings) == standings[0].value
    assert await keeper.catch_up() == 0
    await keeper.stop()


async def test_what_a_worker_did_not_apply_before_it_died_is_found_in_the_log(service: TableService) -> None:
    await play_some(service)
    before = await all_of(service)
    keeper = RecordKeeper(service)
    found = await keeper.catch_up()
    # Eight rounds at a table begin and end in at least nine commits, two in at least three.
    assert found >= 3 * 9 + 3 * 3
    assert await all_of(service) != before
    assert await keeper.catch_up() == 0


async def test_a_keeper_that_starts_catches_up_by_itself(service: TableService) -> None:
    await play_some(service)
    keeper = RecordKeeper(service)
    await keeper.start()
    for _ in range(200):
        if (await (await service.store.records()).tally("call-it", "survival")).attempts == 6:
            break
        await asyncio.sleep(0.02)
    await keeper.stop()
    assert (await (await service.store.records()).tally("call-it", "speedrun")).attempts == 24


async def test_records_that_are_made_again_from_the_log_alone_are_the_same(service: TableService) -> None:
    keeper = RecordKeeper(service)
    await keeper.start()
    await play_some(service)
    await keeper.flush()
    before = await all_of(service)
    await keeper.rebuild()
    assert await all_of(service) == before
    # And they go on from there.
    await run(service, "ply_dee", "speedrun", 1)
    await keeper.flush()
    assert (await (await service.store.records()).tally("call-it", "speedrun")).attempts == 25
    await keeper.stop()


async def test_while_records_are_made_again_nothing_that_is_played_is_lost(service: TableService) -> None:
    keeper = RecordKeeper(service)
    await keeper.start()
    await run(service, "ply_ann", "speedrun", 3)
    played = [run(service, player, "speedrun", 3) for player in ("ply_bob", "ply_cid")]
    await asyncio.gather(keeper.rebuild(), *played)
    await keeper.stop()
    await keeper.catch_up()
    assert (await (await service.store.records()).tally("call-it", "speedrun")).attempts == 9
    before = await all_of(service)
    await keeper.rebuild()
    assert await all_of(service) == before


async def test_records_wait_while_the_database_is_away(service: TableService, monkeypatch: Any) -> None:
    keeper = RecordKeeper(service)
    await keeper.start()
    records = service.store.records

    async def away() -> Any:
        raise Unavailable("nobody there")

    await run(service, "ply_ann", "speedrun", 1)
    monkeypatch.setattr(service.store, "records", away)
    await keeper.flush()
    monkeypatch.setattr(service.store, "records", records)
    await keeper.stop()
    assert (await (await records()).tally("call-it", "speedrun")).attempts == 1


async def test_a_table_that_cannot_be_read_here_does_not_keep_the_others_out(
    service: TableService, monkeypatch: Any
) -> None:
    bad = await run(service, "ply_ann", "speedrun", 1)
    await run(service, "ply_bob", "speedrun", 1)
    read = service.store.read

    async def reading(table: str, after: int = 0, limit: int | None = None) -> Any:
        if table == bad:
            raise UnreadableLog("from the future")
        return await read(table, after, limit)

    monkeypatch.setattr(service.store, "read", reading)
    keeper = RecordKeeper(service)
    await keeper.catch_up()
    await keeper.rebuild()
    assert (await (await service.store.records()).tally("call-it", "speedrun")).attempts == 1


async def test_rounds_are_listed_in_the_order_in_which_they_were_stored(service: TableService) -> None:
    tables = [await run(service, f"ply_{number}", "speedrun", 2) for number in range(3)]
    stored = await service.store.counting_commits("", 1000)
    assert [place for place, _, _ in stored] == sorted(place for place, _, _ in stored)
    assert list(dict.fromkeys(table for _, table, _ in stored)) == tables
    for table in tables:
        versions = [version for _, of, version in stored if of == table]
        assert versions[0] == 1 and versions == sorted(versions)
    pages, after = [], ""
    while page := await service.store.counting_commits(after, 2):
        pages += page
        after = page[-1][0]
    assert pages == stored
    if isinstance(service.store, MongoStore):
        assert await service.store.counting_commits("", 1000, settled=3600) == []


async def test_every_table_is_listed_once(service: TableService) -> None:
    tables = {await run(service, f"ply_{number}", "practice", 0) for number in range(5)}
    found, after = [], ""
    while page := await service.store.list_tables(after, 2):
        found += page
        after = page[-1][0]
    assert {table for _, table in found} == tables and len(found) == 5
    assert [code for code, _ in found] == sorted(code for code, _ in found)


async def test_an_observer_that_fails_stops_nothing(service: TableService, caplog: Any) -> None:
    def broken(before: Any, update: Any) -> None:
        raise RuntimeError("out of order")

    service.observe(broken)
    await run(service, "ply_ann", "practice", 0)
    assert "could not be observed" in caplog.text
    service.unobserve(broken)


async def test_a_backlog_is_applied_in_pieces(service: TableService, monkeypatch: Any) -> None:
    sizes = []
    records = await service.store.records()
    apply = type(records).apply

    async def counting(self: Any, found: Any) -> None:
        sizes.append(len(found))
        await apply(self, found)

    monkeypatch.setattr(type(records), "apply", counting)
    monkeypatch.setattr(recordkeeper, "_PAGE", 4)
    await run(service, "ply_ann", "speedrun", 8)
    keeper = RecordKeeper(service)
    await keeper.catch_up()
    await keeper.rebuild()
    assert max(sizes) == 4
    assert (await (await service.store.records()).tally("call-it", "speedrun")).attempts == 8
