"""Tokens end because the player signs out, here or on another worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import Any

import pytest
from accountkit import A_DAY, DAYS, id_of
from servicekit import until

from fliptable import accounts
from fliptable.accounts import Accounts
from fliptable.log import Unavailable
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.testing import FakeClock
from fliptable.tokens import MemoryTokens, SignedOut, Token, TokenOver, hash_of, new_token


async def sign_out(players: Accounts, text: str) -> None:
    found = await players.find_token(text)
    assert found is not None
    await players.sign_out(found.token)


async def test_signing_out_ends_one_token_at_once(players: Accounts) -> None:
    account, first, _ = await players.sign_in_as_guest("Ann")
    second = (await players.renew(account)).token
    _, bobs, _ = await players.sign_in_as_guest("Bob")
    await sign_out(players, first)
    assert await id_of(players, first) is None
    assert await id_of(players, second) == account.id
    assert await id_of(players, bobs) is not None
    assert await players.find(account.id) == account


async def test_a_token_that_was_signed_out_has_not_expired_later(players: Accounts, clock: FakeClock) -> None:
    _, token, _ = await players.sign_in_as_guest("Ann")
    await sign_out(players, token)
    clock.advance(DAYS * A_DAY)
    assert await id_of(players, token) is None


@pytest.fixture(params=["memory", "mongo"])
async def workers(
    request: pytest.FixtureRequest, registry: Registry, mongo_database: str
) -> AsyncIterator[list[Accounts]]:
    """Two workers on one store, which hear of each other."""
    if request.param == "memory":
        memory = MemoryStore(registry.codec)
        stores: list[Any] = [memory, memory]
    else:
        url = request.getfixturevalue("mongo_url")
        stores = [MongoStore(url, registry.codec, mongo_database) for _ in range(2)]
        for store in stores:
            await store.open()
    clock = FakeClock()
    found = [Accounts(store, clock, shared_store=True) for store in stores]
    for worker in found:
        await worker.start()
    await until(lambda: all(worker._gaps for worker in found))
    yield found
    for worker in found:
        await worker.stop()
    for store in stores:
        await store.close()


async def test_the_other_workers_hear_of_it(workers: list[Accounts]) -> None:
    one, other = workers
    account, first, _ = await one.sign_in_as_guest("Ann")
    second = (await one.renew(account)).token
    told: list[TokenOver] = []
    for text in (first, second):
        found = await other.find_token(text)
        assert found is not None and found.account.id == account.id
        await other.hold(found.token, told.append)
    await sign_out(one, first)
    await until(lambda: told)
    assert type(told[0]) is SignedOut
    assert await id_of(other, first) is None
    assert await id_of(other, second) == account.id and len(told) == 1


async def test_what_was_missed_is_found_out(workers: list[Accounts], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose line to the others broke knows nothing for sure, and asks."""
    one, other = workers
    told: dict[str, list[TokenOver]] = {}
    texts = []
    for name in ("Ann", "Bob", "Cyd"):
        _, text, _ = await one.sign_in_as_guest(name)
        found = await other.find_token(text)
        assert found is not None
        await other.hold(found.token, told.setdefault(text, []).append)
        texts.append(text)
    ann, bob, cyd = texts
    _, dan, _ = await one.sign_in_as_guest("Dan")
    assert await id_of(other, dan) is not None
    await other.stop()
    await sign_out(one, dan)
    await sign_out(one, ann)
    await sign_out(one, bob)
    assert await id_of(other, ann) is not None  # It cannot know.
    failed: list[int] = []
    ended = other._store.tokens.ended

    async def fails_at_first(hashes: Collection[bytes]) -> set[bytes]:
        if not failed:
            failed.append(len(hashes))
            raise Unavailable("not now")
        return await ended(hashes)

    monkeypatch.setattr(other._store.tokens, "ended", fails_at_first)
    monkeypatch.setattr(accounts, "_AGAIN", 0.01)
    await other.start()
    await until(lambda: told[ann] and told[bob])
    assert failed == [3] and not told[cyd]
    for text in (ann, bob, dan):
        assert await id_of(other, text) is None
    assert await id_of(other, cyd) is not None


class SlowTokens(MemoryTokens):
    """The answer of one look-up is on its way until ``arrive`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = False
        self.asked, self.arrive = asyncio.Event(), asyncio.Event()

    async def find(self, hash: bytes) -> Token | None:
        found = await super().find(hash)
        if self.slow:
            self.slow = False
            self.asked.set()
            await self.arrive.wait()
        return found


@pytest.mark.parametrize("unheard", [False, True], ids=["heard of", "in a gap"])
async def test_an_answer_from_before_a_sign_out_is_not_believed(
    store: MemoryStore, clock: FakeClock, unheard: bool
) -> None:
    store.tokens = tokens = SlowTokens()
    one, other = Accounts(store, clock), Accounts(store, clock, shared_store=True)
    _, text, _ = await one.sign_in_as_guest("Ann")
    found = await one.find_token(text)
    assert found is not None
    if not unheard:
        await other.start()
        await until(lambda: other._gaps)
    tokens.slow = True
    looking = asyncio.create_task(other.find_token(text))
    await tokens.asked.wait()
    await one.sign_out(found.token)
    if unheard:
        # Its watch begins only now, so it has to look again.
        await other.start()
        await until(lambda: other._gaps)
    else:
        await until(lambda: other._ended_since)
    tokens.arrive.set()
    assert await looking is None
    assert await other.find_token(text) is None
    assert not other._ended_since
    await other.stop()


async def test_a_token_that_is_over_before_it_is_held_is_told_of(players: Accounts) -> None:
    _, text, _ = await players.sign_in_as_guest("Ann")
    found = await players.find_token(text)
    assert found is not None
    await players.sign_out(found.token)
    told: list[TokenOver] = []
    hold = await players.hold(found.token, told.append)
    assert hold.over is told[0] and type(told[0]) is SignedOut
    assert players._holds.hashes() == []


async def test_nothing_is_held_when_nobody_can_say_whether_it_is_good(
    players: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(hash: bytes) -> None:
        raise Unavailable("not now")

    monkeypatch.setattr(players._store.tokens, "find", away)
    with pytest.raises(Unavailable):
        await players.hold(Token(hash_of(new_token()), "ply_ann"), lambda why: None)
    assert players._holds.hashes() == [] and not players._looking
