"""What MongoDB alone can do wrong, and what it is asked for."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from servicekit import until
from storekit import AT, LATER, follow, opened

from fliptable import PlayingCard
from fliptable.codec import EventCodec
from fliptable.log import (
    Account,
    Unavailable,
)
from fliptable.mongo import MongoStore
from fliptable.tokens import Token


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
