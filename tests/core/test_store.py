"""One contract for every store: what a store promises, in memory and in a real MongoDB."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from fliptable import Outcome, PlayingCard, Private, Result, SeatOutcome, Shuffled, Visibility
from fliptable.codec import EventCodec, Owner
from fliptable.events import Commit, RoundOver, SeatTaken, TableCreated, TableOver
from fliptable.log import (
    Account,
    ClaimTaken,
    CodeTaken,
    Head,
    HeadFilter,
    KeyTaken,
    Snapshot,
    Unavailable,
    UnreadableLog,
    VersionTaken,
)
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.tokens import Token

AT = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


@dataclass(frozen=True)
class Anything:
    """An event that can carry whatever a test wants to store."""

    value: Any = None
    when: datetime | None = None
    counts: dict[int, str] = field(default_factory=dict)

    def text(self, names: Any) -> str:
        return "Something happens."


@dataclass(frozen=True)
class Options:
    shared_deck: bool = True


@pytest.fixture
def codec(registry: Registry) -> EventCodec:
    codec = EventCodec()
    codec.register("table", Shuffled, TableCreated, SeatTaken, RoundOver, TableOver)
    codec.register("call-it", owner=Owner("game 'call-it'", Options=Options))
    codec.register("mode:classic")
    codec.register("test", Anything)
    return codec


@pytest.fixture(params=["memory", "mongo"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


Opener = Callable[[], Awaitable[Any]]


@pytest.fixture
async def opener(
    kind: str, codec: EventCodec, request: pytest.FixtureRequest, mongo_database: str
) -> AsyncIterator[Opener]:
    """Opens a store; every further one shares the data with the first, as another server would."""
    opened: list[Any] = []

    async def open_store() -> Any:
        if kind == "memory":
            store: Any = opened[0] if opened else MemoryStore(codec)
        else:
            store = MongoStore(request.getfixturevalue("mongo_url"), codec, mongo_database)
            await store.open()
        opened.append(store)
        return store

    yield open_store
    for store in opened:
        await store.close()


@pytest.fixture
async def store(opener: Opener) -> Any:
    return await opener()


def opened(table: str, code: str, **changes: Any) -> Commit:
    event = TableCreated(
        code=code,
        game="call-it",
        mode="classic",
        game_version="1.0",
        mode_version="1.0",
        game_options={"shared_deck": False},
        mode_options={},
        seats=2,
        visibility=Visibility.PUBLIC,
        host="ply_ann",
        host_name="Ann",
        secret=bytes(range(32)),
    )
    return Commit(table, 1, AT, (event, SeatTaken(0, "Ann", "ply_ann")), "ply_ann", **changes)


def commit(table: str, version: int, *events: Any, **changes: Any) -> Commit:
    return Commit(table, version, AT + timedelta(seconds=version), events or (Anything(version),), **changes)


# The log


async def test_a_commit_is_read_as_it_was_stored(store: Any) -> None:
    rich = commit(
        "t1",
        2,
        Private(Anything("card"), frozenset({1, 0}), Anything("unseen"), 3),
        Private(Anything("whisper"), frozenset({2})),
        Shuffled(1, "deck", "ab" * 32, ("AS", "2C"), ("2C", "AS"), "shuffle/1"),
        RoundOver(1, Outcome((SeatOutcome(Result.WON, 1, None, {"flips": 4}),))),
        Anything({"größe": [1, 2.5, None, True, {"deep": "er"}]}, AT, {1: "one", 20: "twenty"}),
        actor="ply_ann",
        key="k1",
        digest="d1",
    )
    first = opened("t1", "AAAAAA")
    await store.append(first)
    await store.append(rich)
    assert await store.read("t1") == [first, rich]
    stored = (await store.read("t1"))[1]
    assert stored.at.tzinfo is not None and stored.at.utcoffset() == timedelta(0)
    assert isinstance(stored.events[3].outcome.seats[0].result, Result)


async def test_times_are_kept_to_the_millisecond(store: Any) -> None:
    event = Anything(when=AT.replace(microsecond=7_000))
    await store.append(replace(opened("t1", "AAAAAA"), at=AT.replace(microsecond=999_000)))
    await store.append(commit("t1", 2, event))
    one, two = await store.read("t1")
    assert one.at == AT.replace(microsecond=999_000) and two.events == (event,)


@pytest.mark.parametrize("number", [0, -1, 2**31 - 1, 2**31, -(2**40), 2**53 + 1, 2**63 - 1])
async def test_integers_of_64_bits_are_kept(store: Any, number: int) -> None:
    await store.append(commit("t1", 1, Anything(number)))
    value = (await store.read("t1"))[0].events[0].value
    assert value == number and isinstance(value, int)


async def test_an_unknown_table_has_no_commits(store: Any) -> None:
    assert await store.read("nobody") == []
    assert await store.find_key("nobody", "ply_ann", "k") is None
    assert await store.find_code("NOCODE") is None
    assert await store.find_claim("nothing") is None
    assert await store.load_snapshot("nobody") is None


async def test_a_version_is_given_once(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    await store.append(commit("t1", 2, Anything("first")))
    with pytest.raises(VersionTaken):
        await store.append(commit("t1", 2, Anything("second")))
    with pytest.raises(VersionTaken):
        await store.append(opened("t1", "BBBBBB"))
    assert (await store.read("t1"))[1].events == (Anything("first"),)
    # The code of the commit that lost is not taken.
    assert await store.find_code("BBBBBB") is None


async def test_of_many_at_once_one_gets_the_version(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    results = await asyncio.gather(
        *[store.append(commit("t1", 2, Anything(number))) for number in range(20)], return_exceptions=True
    )
    assert sorted(map(type, results), key=str) == sorted([type(None), *[VersionTaken] * 19], key=str)
    winner = results.index(None)
    assert [one.events for one in await store.read("t1", 1)] == [(Anything(winner),)]


async def test_a_version_is_given_once_across_servers(opener: Opener) -> None:
    one, other = await opener(), await opener()
    await one.append(opened("t1", "AAAAAA"))
    results = await asyncio.gather(
        *[server.append(commit("t1", 2, Anything(n))) for n in range(4) for server in (one, other)],
        return_exceptions=True,
    )
    assert results.count(None) == 1
    assert await one.read("t1") == await other.read("t1")


async def test_a_gap_in_a_log_never_passes_for_a_whole(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    # Who appends goes by a state that the log gave, so this is a bug; it must not go unnoticed.
    try:
        await store.append(commit("t1", 3))
    except VersionTaken:
        assert len(await store.read("t1")) == 1
        return
    with pytest.raises(UnreadableLog, match="version 2 of table t1 is missing"):
        await store.read("t1")
    with pytest.raises(UnreadableLog, match="version 2 of table t1 is missing"):
        await store.read("t1", 1)
    assert [one.version for one in await store.read("t1", 2)] == [3]


async def test_ranges(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    for version in range(2, 12):
        await store.append(commit("t1", version))
    await store.append(opened("t10", "BBBBBB"))

    async def versions(*span: Any) -> list[int]:
        return [one.version for one in await store.read("t1", *span)]

    assert await versions() == list(range(1, 12))
    assert await versions(8) == [9, 10, 11]
    assert await versions(3, 2) == [4, 5]
    assert await versions(9, 100) == [10, 11]
    assert await versions(11) == await versions(99) == []
    assert len(await store.read("t10")) == 1


async def test_an_idempotency_key_is_used_once_by_a_player_at_a_table(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA", key="k", digest="d"))
    await store.append(opened("t2", "BBBBBB", key="k", digest="d"))
    await store.append(commit("t1", 2, actor="ply_bob", key="k", digest="e"))
    with pytest.raises(KeyTaken):
        await store.append(commit("t1", 3, actor="ply_ann", key="k", digest="other"))
    await store.append(commit("t1", 3, actor="ply_ann", key="k2", digest="d2"))
    found = await store.find_key("t1", "ply_bob", "k")
    assert found.version == 2 and (found.actor, found.key, found.digest) == ("ply_bob", "k", "e")
    assert (await store.find_key("t1", "ply_ann", "k2")).version == 3
    assert await store.find_key("t1", "ply_bob", "k2") is None


@pytest.mark.parametrize("key", ["a:b", ":", "ply_ann:k", "ключ 🔑", " ", "x" * 200, "$set.a.b"])
async def test_a_key_is_any_text(store: Any, key: str) -> None:
    await store.append(opened("t1", "AAAAAA", key=key, digest="d"))
    found = await store.find_key("t1", "ply_ann", key)
    assert found is not None and found.key == key


async def test_a_code_names_one_table(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    with pytest.raises(CodeTaken):
        await store.append(opened("t2", "AAAAAA"))
    assert await store.read("t2") == []
    await store.append(opened("t2", "BBBBBB"))
    assert (await store.find_code("AAAAAA"), await store.find_code("BBBBBB")) == ("t1", "t2")


async def test_a_claim_is_one_tables(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA", claim="daily/2026-03-01/ply_ann"))
    with pytest.raises(ClaimTaken):
        await store.append(opened("t2", "BBBBBB", claim="daily/2026-03-01/ply_ann"))
    await store.append(opened("t2", "BBBBBB", claim="daily/2026-03-01/ply_bob"))
    await store.append(opened("t3", "CCCCCC"))
    assert await store.find_claim("daily/2026-03-01/ply_ann") == "t1"
    assert (await store.read("t1"))[0].claim == "daily/2026-03-01/ply_ann"


async def test_many_tables_at_once(store: Any) -> None:
    """64 tables are written at the same time: each gets its own answer."""
    await asyncio.gather(*[store.append(opened(f"t{n}", f"CODE{n:02}")) for n in range(64)])
    again = await asyncio.gather(
        *[store.append(commit(f"t{n}", 1 if n % 4 == 0 else 2, Anything(n))) for n in range(64)],
        return_exceptions=True,
    )
    assert [type(one) for one in again] == [VersionTaken if n % 4 == 0 else type(None) for n in range(64)]
    for n in range(64):
        stored = await store.read(f"t{n}")
        assert [one.version for one in stored] == ([1] if n % 4 == 0 else [1, 2])
        assert n % 4 == 0 or stored[1].events == (Anything(n),)


async def test_what_cannot_be_packed_is_refused_at_once(store: Any, codec: EventCodec) -> None:
    @dataclass(frozen=True)
    class Undeclared:
        pass

    await store.append(opened("t1", "AAAAAA"))
    for event in (Undeclared(), Anything(object())):
        with pytest.raises((ValueError, TypeError)):
            await store.append(commit("t1", 2, event))
    await store.append(commit("t1", 2))
    assert len(await store.read("t1")) == 2


@pytest.mark.parametrize("kind", ["mongo"])
@pytest.mark.parametrize("value", [2**63, {"a\0b": 1}, "\ud800", "x" * (17 << 20)])
async def test_what_cannot_be_stored_hurts_only_its_own_commit(store: Any, value: Any) -> None:
    await asyncio.gather(*[store.append(opened(f"t{n}", f"CODE{n}")) for n in range(8)])
    results = await asyncio.gather(
        *[store.append(commit(f"t{n}", 2, Anything(value if n == 3 else n))) for n in range(8)],
        return_exceptions=True,
    )
    refused = results.pop(3)
    assert isinstance(refused, Exception) and not isinstance(refused, Unavailable), refused
    assert results == [None] * 7
    assert [len(await store.read(f"t{n}")) for n in range(8)] == [2, 2, 2, 1, 2, 2, 2, 2]
    await store.append(commit("t3", 2))


@pytest.mark.parametrize("kind", ["mongo"])
async def test_a_document_of_a_newer_server_is_not_guessed_at(store: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    await store._commits.update_one({"_id": {"t": "t1", "v": 1}}, {"$set": {"s": 2}})
    with pytest.raises(UnreadableLog, match="table t1: version 1 is stored in form 2"):
        await store.read("t1")


@pytest.mark.parametrize("kind", ["mongo"])
@pytest.mark.parametrize(
    "events",
    [
        [{"@": "gone/Event"}],
        [{"@": "table/SeatTaken", "seat": "one"}],
        [{"seat": 1}],
        [{"@": "table/SeatTaken"}],
        [3],
    ],
)
async def test_a_document_that_makes_no_sense_is_named(store: Any, events: Any) -> None:
    await store.append(opened("t1", "AAAAAA"))
    await store._commits.update_one({"_id": {"t": "t1", "v": 1}}, {"$set": {"e": events}})
    with pytest.raises(UnreadableLog, match="table t1: version 1 cannot be read"):
        await store.read("t1")


# Snapshots


async def test_a_snapshot_takes_the_place_of_the_one_before(store: Any) -> None:
    state = {"at": AT, "secret": b"\0\1", "n": 2**40, "deep": [{"1": ["AS"]}, None], "a.b": {"$c": 1}}
    await store.save_snapshot(Snapshot("t1", 64, {"old": True}))
    await store.save_snapshot(Snapshot("t1", 128, state))
    await store.save_snapshot(Snapshot("t2", 64, {}))
    assert await store.load_snapshot("t1") == Snapshot("t1", 128, state)


# Following


async def follow(store: Any, into: list[Any]) -> None:
    async for change in store.watch():
        into.append(change)  # noqa: PERF401


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_every_commit_is_announced_to_all_servers(opener: Opener) -> None:
    one, other = await opener(), await opener()
    seen: list[Any] = []
    follower = asyncio.create_task(follow(other, seen))
    # The first thing that comes says that the watch has begun, and that what was before is not told.
    await until(lambda: seen == [None])
    await one.append(opened("t1", "AAAAAA"))
    for version in range(2, 6):
        await asyncio.gather(one.append(commit("t1", version)), return_exceptions=True)
    await one.append(opened("t2", "BBBBBB"))
    expected = [None, *[("t1", version) for version in range(1, 6)], ("t2", 1)]
    await until(lambda: len(seen) >= len(expected))
    assert seen == expected
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


async def test_nothing_is_announced_that_was_not_stored(store: Any) -> None:
    seen: list[Any] = []
    follower = asyncio.create_task(follow(store, seen))
    await until(lambda: seen == [None])
    await store.append(opened("t1", "AAAAAA"))
    with pytest.raises(VersionTaken):
        await store.append(opened("t1", "BBBBBB"))
    await store.save_snapshot(Snapshot("t1", 1, {}))
    await store.append(commit("t1", 2))
    await until(lambda: len(seen) >= 3)
    assert seen == [None, ("t1", 1), ("t1", 2)]
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)


# Heads


def head(table: str, version: int = 1, minute: int = 0, **changes: Any) -> Head:
    values: dict[str, Any] = {
        "code": f"C{table}",
        "game": "call-it",
        "mode": "classic",
        "status": "OPEN",
        "visibility": "PUBLIC",
        "seats": 2,
        "free_seats": 1,
        "players": ("ply_ann",),
        "created_at": AT + timedelta(minutes=minute),
    }
    return Head(table, version, **{**values, **changes})


async def names(store: Any, limit: int = 10, before: Any = None, **where: Any) -> list[str]:
    return [one.table for one in await store.list_heads(HeadFilter(**where), limit, before)]


async def test_a_head_is_read_as_it_was_kept(store: Any) -> None:
    full = head("t1", 3, players=("ply_ann", "ply_bob"), deadline=AT + timedelta(hours=1))
    await store.save_heads([full, head("t2", players=())])
    assert await store.list_heads(HeadFilter(), 10) == [head("t2", players=()), full]
    await store.save_heads([])


async def test_a_head_is_never_replaced_by_an_older_one(store: Any) -> None:
    await store.save_heads([head("t1", 5, status="PLAYING"), head("t2", 1)])
    await store.save_heads([head("t1", 4, status="OPEN"), head("t2", 2, status="OVER"), head("t3")])
    heads = {one.table: (one.version, one.status) for one in await store.list_heads(HeadFilter(), 10)}
    assert heads == {"t1": (5, "PLAYING"), "t2": (2, "OVER"), "t3": (1, "OPEN")}
    # One of the same version was made from the same commits; a later form of it may replace it.
    await store.save_heads([head("t1", 5, status="OVER")])
    assert await names(store, status="OVER") == ["t2", "t1"]


async def test_of_heads_written_at_once_the_newest_stays(opener: Opener) -> None:
    one, other = await opener(), await opener()
    tables = [f"t{n}" for n in range(40)]
    await asyncio.gather(
        *[
            store.save_heads([head(table, version)])
            for table in tables
            for store, version in ((one, 1), (other, 3), (one, 2))
        ]
    )
    heads = await one.list_heads(HeadFilter(), 100)
    assert {one.table: one.version for one in heads} == dict.fromkeys(tables, 3)


async def test_heads_are_filtered(store: Any) -> None:
    await store.save_heads(
        [
            head("t1"),
            head("t2", game="flip"),
            head("t3", mode="streak"),
            head("t4", status="PLAYING", free_seats=0),
            head("t5", visibility="UNLISTED"),
            head("t6", players=("ply_bob", "ply_ann")),
            head("t7", players=()),
        ]
    )
    assert await names(store) == ["t7", "t6", "t5", "t4", "t3", "t2", "t1"]
    assert await names(store, game="flip") == ["t2"]
    assert await names(store, mode="streak") == ["t3"]
    assert await names(store, status="PLAYING") == ["t4"]
    assert await names(store, visibility="UNLISTED") == ["t5"]
    assert await names(store, player="ply_bob") == ["t6"]
    assert await names(store, has_free_seat=False) == ["t4"]
    assert "t4" not in await names(store, has_free_seat=True)
    assert await names(store, player="ply_ann", status="OPEN", game="flip") == ["t2"]
    assert await names(store, game="chess") == []


async def test_heads_come_in_pages_without_gap_or_repeat(store: Any) -> None:
    # Several tables of the same moment: the id decides.
    await store.save_heads([head(f"t{n:02}", minute=n // 3) for n in range(11)])
    pages, before = [], None
    while page := await store.list_heads(HeadFilter(), 4, before):
        pages.append([one.table for one in page])
        before = (page[-1].created_at, page[-1].table)
    assert pages == [
        ["t10", "t09", "t08", "t07"],
        ["t06", "t05", "t04", "t03"],
        ["t02", "t01", "t00"],
    ]


async def test_deadlines_are_found_when_they_are_due(store: Any) -> None:
    await store.save_heads(
        [
            head("t1", deadline=AT + timedelta(seconds=30)),
            head("t2", deadline=AT + timedelta(seconds=10)),
            head("t3"),
            head("t4", deadline=AT + timedelta(seconds=20)),
        ]
    )

    async def due(seconds: float, limit: int = 10) -> list[str]:
        found = await store.due_heads(AT + timedelta(seconds=seconds), limit)
        return [one.table for one in found]

    assert await due(9.999) == []
    assert await due(20) == ["t2", "t4"]
    assert await due(99) == ["t2", "t4", "t1"]
    assert await due(99, 1) == ["t2"]
    # A deadline that is gone is not due any more.
    await store.save_heads([head("t2", 2)])
    assert await due(99) == ["t4", "t1"]


# Players and the shared secret


LATER = AT + timedelta(days=30_000)


async def test_accounts_are_found_by_id_and_by_token(opener: Opener) -> None:
    one, other = await opener(), await opener()
    account, token = Account("ply_ann", "Ann Größe", AT), Token(b"\0\xff" * 16, "ply_ann")
    await one.add_account(account, token)
    await one.add_account(Account("ply_bob", "Ann Größe", AT), Token(b"\1" * 32, "ply_bob", LATER))
    assert await other.find_account("ply_ann") == account
    assert await other.tokens.find(b"\0\xff" * 16) == token
    assert await other.tokens.find(b"\1" * 32) == Token(b"\1" * 32, "ply_bob", LATER)
    assert await other.find_account("ply_cid") is None
    assert await other.tokens.find(b"\2" * 32) is None


async def test_a_player_has_as_many_tokens_as_they_are_given(opener: Opener) -> None:
    one, other = await opener(), await opener()
    tokens = [Token(bytes([n]) * 32, "ply_ann", LATER if n % 2 else None) for n in range(4)]
    await one.add_account(Account("ply_ann", "Ann", AT), tokens[0])
    for token in tokens[1:]:
        await one.tokens.add(token)
    for token in tokens:
        assert await other.tokens.find(token.hash) == token


async def test_a_token_that_was_ended_is_nobodys_for_good(opener: Opener) -> None:
    one, other = await opener(), await opener()
    first, second, third = [Token(bytes([n]) * 32, "ply_ann", LATER) for n in range(3)]
    await one.add_account(Account("ply_ann", "Ann", AT), first)
    await one.tokens.add(second)
    await one.tokens.add(third)
    hashes = [one.hash for one in (first, second, third)]
    assert await other.tokens.ended(hashes) == set()
    for token in (first, second, second):
        await one.tokens.end(token, AT)
        assert await other.tokens.find(token.hash) is None
    assert await other.tokens.find(third.hash) == third
    assert await other.tokens.ended(hashes) == {first.hash, second.hash}
    assert await other.tokens.ended([third.hash]) == await other.tokens.ended([]) == set()
    # Who they are is no matter of their tokens.
    assert await other.find_account("ply_ann") == Account("ply_ann", "Ann", AT)


async def test_all_hear_of_the_tokens_that_one_ends(opener: Opener) -> None:
    one, other = await opener(), await opener()
    first, second, third = [Token(bytes([n]) * 32, "ply_ann") for n in range(3)]
    await one.add_account(Account("ply_ann", "Ann", AT), first)
    heard: list[bytes | None] = []

    async def listen() -> None:
        async for hash in other.tokens.watch():
            heard.append(hash)  # noqa: PERF401

    listening = asyncio.create_task(listen())
    await until(lambda: heard == [None])
    await one.tokens.add(second)
    await one.tokens.add(third)
    for token in (first, third):
        await one.tokens.end(token, AT)
    await until(lambda: len(heard) == 3)
    assert heard == [None, first.hash, third.hash]
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


async def test_the_first_proposal_is_the_secret_of_all(opener: Opener) -> None:
    one, other = await opener(), await opener()
    results = await asyncio.gather(
        *[server.shared_secret(bytes([n]) * 32) for n in range(4) for server in (one, other)]
    )
    assert len(set(results)) == 1 and type(results[0]) is bytes and len(results[0]) == 32
    assert await other.shared_secret(b"late") == results[0]


async def test_a_store_that_answers_is_ready(store: Any) -> None:
    await store.ready()


# MongoDB alone


async def test_players_of_before_tokens_had_an_end_are_still_known(
    mongo_url: str, mongo_database: str, codec: EventCodec
) -> None:
    """Their document has the hash of their one token, and that is all there is."""
    store = MongoStore(mongo_url, codec, mongo_database)
    await store.open()
    old = {"_id": "ply_old", "name": "Olga", "token_hash": b"\7" * 32, "created_at": AT}
    await store._accounts.insert_one(old)
    token = Token(b"\7" * 32, "ply_old")
    assert await store.tokens.find(token.hash) == token
    assert await store.find_account("ply_old") == Account("ply_old", "Olga", AT)
    # A worker of before reads the players of today: what it needs is where it was.
    await store.add_account(Account("ply_new", "Nora", AT), Token(b"\x08" * 32, "ply_new", LATER))
    found = await store._accounts.find_one({"token_hash": b"\x08" * 32})
    assert found is not None and (found["_id"], found["name"], found["created_at"]) == ("ply_new", "Nora", AT)
    await store.tokens.end(token, AT)
    assert await store.tokens.find(token.hash) is None
    # The end outlives the next start.
    await store.open()
    assert await store.tokens.find(token.hash) is None
    await store.close()


async def test_tokens_that_nobody_can_use_any_more_are_thrown_away_in_time(
    mongo_url: str, mongo_database: str, codec: EventCodec
) -> None:
    store = MongoStore(mongo_url, codec, mongo_database)
    await store.open()
    index = (await store._base["tokens"].index_information())["expired"]
    # Not at once: who comes back with one is told that it has expired.
    assert (
        index["key"] == [("expires_at", 1)] and index["expireAfterSeconds"] == timedelta(30).total_seconds()
    )
    eternal, brief = Token(b"\1" * 32, "ply_ann"), Token(b"\2" * 32, "ply_ann", LATER)
    for token in (eternal, brief):
        await store.tokens.add(token)
        await store.tokens.end(token, AT)
    ends = {one["_id"]: one.get("expires_at") async for one in store._base["tokens"].find()}
    assert ends == {eternal.hash: None, brief.hash: LATER}
    await store.close()


async def test_a_server_that_is_not_there_is_named(codec: EventCodec) -> None:
    store = MongoStore("mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=50", codec)
    store._client = type(store._client)("mongodb://127.0.0.1:9", serverSelectionTimeoutMS=50)
    with pytest.raises(Unavailable, match="cannot be reached"):
        await store.open()
    await store.close()


async def test_opening_twice_is_harmless(mongo_url: str, mongo_database: str, codec: EventCodec) -> None:
    stores = [MongoStore(mongo_url, codec, mongo_database) for _ in range(2)]
    await asyncio.gather(*[store.open() for store in stores])
    await stores[0].open()
    for store in stores:
        await store.close()


async def test_the_watch_goes_on_after_its_place_in_the_log_was_lost(
    mongo_url: str, mongo_database: str, codec: EventCodec
) -> None:
    store = MongoStore(mongo_url, codec, mongo_database)
    await store.open()
    seen: list[Any] = []
    follower = asyncio.create_task(follow(store, seen))
    await until(lambda: seen == [None])
    await store.append(opened("t1", "AAAAAA"))
    await until(lambda: len(seen) == 2)
    # Dropping the collection invalidates the stream for good.
    await store._commits.drop()
    await until(lambda: len(seen) == 3)
    await store.append(opened("t2", "BBBBBB"))
    await until(lambda: len(seen) == 4)
    assert seen == [None, ("t1", 1), None, ("t2", 1)]
    follower.cancel()
    await asyncio.gather(follower, return_exceptions=True)
    await store.close()


async def test_moves_are_durable_and_caches_are_not_waited_for(
    mongo_url: str, mongo_database: str, codec: EventCodec
) -> None:
    store = MongoStore(mongo_url, codec, mongo_database)
    await store.open()
    assert store._commits.write_concern.document == {"w": "majority", "j": True}
    assert store._commits.read_concern.document == {"level": "majority"}
    assert store._snapshots.write_concern.document == {"w": 1}
    assert PlayingCard("AS").value == "AS"
    await store.close()
