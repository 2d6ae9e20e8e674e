"""One contract for every store: what a store promises, in memory and in a real MongoDB."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from servicekit import until
from storekit import AT, Anything, Opener, commit, follow, opened

from fliptable import Outcome, Private, Result, SeatOutcome, Shuffled
from fliptable.codec import EventCodec
from fliptable.events import RoundOver
from fliptable.log import (
    ClaimTaken,
    CodeTaken,
    KeyTaken,
    Snapshot,
    Unavailable,
    VersionTaken,
)
from fliptable.migrations import UnreadableLog


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
