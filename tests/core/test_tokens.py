"""Tokens that end: by their time, or because the player signs out, here or on another worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fliptable import accounts, holds
from fliptable.accounts import Accounts
from fliptable.holds import Hold, Holds
from fliptable.log import Unavailable
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.testing import FakeClock
from fliptable.tokens import MemoryTokens, SignedOut, Token, TokenExpired, TokenOver, hash_of, new_token

DAYS = 30
LIFETIME = timedelta(days=DAYS)
A_DAY = 86_400


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(registry: Registry) -> MemoryStore:
    return MemoryStore(registry.codec)


@pytest.fixture
def players(store: MemoryStore, clock: FakeClock) -> Accounts:
    return Accounts(store, clock, lifetime=LIFETIME)


async def until(check: Callable[[], Any]) -> None:
    async with asyncio.timeout(30):
        while not check():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def id_of(players: Accounts, token: str) -> str | None:
    found = await players.find_token(token)
    return None if found is None else found.account.id


# Their time


async def test_a_token_is_good_until_its_end_and_not_at_it(players: Accounts, clock: FakeClock) -> None:
    account, token, expires_at = await players.sign_in_as_guest("Ann")
    assert expires_at == clock.now + LIFETIME
    clock.set(expires_at - timedelta(milliseconds=1))
    assert await id_of(players, token) == account.id
    clock.set(expires_at)
    with pytest.raises(TokenExpired) as expired:
        await players.find_token(token)
    assert expired.value.args == (expires_at,)


@pytest.mark.parametrize("cached", [10_000, 0])
async def test_who_has_it_in_memory_and_who_looks_it_up_agree(
    store: MemoryStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, cached: int
) -> None:
    monkeypatch.setattr(accounts, "_CACHED", cached)
    one, other = [Accounts(store, clock, lifetime=LIFETIME) for _ in range(2)]
    account, token, _ = await one.sign_in_as_guest("Ann")
    assert await id_of(other, token) == account.id
    clock.advance(DAYS * A_DAY)
    for worker in (one, other, Accounts(store, clock)):
        with pytest.raises(TokenExpired):
            await worker.find_token(token)


async def test_without_a_lifetime_tokens_are_good_for_ever(store: MemoryStore, clock: FakeClock) -> None:
    players = Accounts(store, clock)
    account, token, expires_at = await players.sign_in_as_guest("Ann")
    assert expires_at is None
    renewed = await players.renew(account)
    assert renewed.expires_at is None
    clock.advance(1000 * 365 * A_DAY)
    assert await id_of(players, token) == await id_of(players, renewed.token) == account.id


async def test_a_token_keeps_the_end_that_it_was_given(store: MemoryStore, clock: FakeClock) -> None:
    """Whoever runs the server may set another lifetime meanwhile."""
    before, after = Accounts(store, clock), Accounts(store, clock, lifetime=LIFETIME)
    _, eternal, _ = await before.sign_in_as_guest("Ann")
    _, brief, _ = await after.sign_in_as_guest("Bob")
    clock.advance(DAYS * A_DAY)
    assert await id_of(after, eternal) is not None
    with pytest.raises(TokenExpired):
        await Accounts(store, clock).find_token(brief)


async def test_the_end_is_kept_as_it_is_told(mongo_url: str, mongo_database: str, registry: Registry) -> None:
    store = MongoStore(mongo_url, registry.codec, mongo_database)
    await store.open()
    clock = FakeClock()
    one = Accounts(store, clock, lifetime=timedelta(days=1, microseconds=123_456))
    account, token, expires_at = await one.sign_in_as_guest("Ann")
    for granted in ((account, token, expires_at), await one.renew(account)):
        found = await Accounts(store, clock).find_token(granted[1])
        assert found is not None and found.token.expires_at == granted[2] and found.account == account
    await store.close()


# Another one


async def test_a_renewed_token_is_the_same_players(players: Accounts, clock: FakeClock) -> None:
    account, old, _ = await players.sign_in_as_guest("Ann")
    clock.advance(20 * A_DAY)
    same, new, expires_at = await players.renew(account)
    assert same == account and new != old and expires_at == clock.now + LIFETIME
    # An answer that was lost has cost nothing: the old one is as good as it was.
    assert await id_of(players, old) == await id_of(players, new) == account.id
    clock.advance(10 * A_DAY)
    assert await id_of(players, new) == account.id
    with pytest.raises(TokenExpired):
        await players.find_token(old)


# Signing out


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


# What is open in their name


async def test_what_is_open_is_told_when_the_time_is_over(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often the timer has to look at the clock before: it may have been put right."""
    monkeypatch.setattr(holds, "_LONGEST", 0.005)
    open_ones = Holds(clock)
    expires_at = clock.now + LIFETIME
    told: list[TokenOver] = []
    hold = open_ones.add(Token(b"1", "ply_ann", expires_at), told.append)
    clock.set(expires_at - timedelta(seconds=1))
    looks = hold._timer
    await until(lambda: hold._timer is not looks)
    assert hold.good() and not told
    clock.set(expires_at)
    await until(lambda: told)
    assert type(told[0]) is TokenExpired and told[0].args == (expires_at,)
    assert not hold.good() and hold.over is told[0] and hold._timer is None


async def test_who_looks_before_the_timer_does_ends_it(clock: FakeClock) -> None:
    told: list[TokenOver] = []
    hold = Holds(clock).add(Token(b"1", "ply_ann", clock.now + LIFETIME), told.append)
    clock.advance(DAYS * A_DAY)
    assert hold._timer is not None and not told
    assert not hold.good() and not hold.good() and len(told) == 1 and hold._timer is None


async def test_a_hundred_years_are_no_time_for_the_loop(clock: FakeClock) -> None:
    open_ones = Holds(clock)
    hold = open_ones.add(Token(b"1", "ply_ann", clock.now + timedelta(days=36_500)), lambda why: None)
    assert hold._timer is not None
    assert hold._timer.when() - asyncio.get_running_loop().time() <= holds._LONGEST
    hold.release()
    eternal = open_ones.add(Token(b"1", "ply_ann"), lambda why: None)
    assert eternal._timer is None and eternal.good()


async def test_one_that_cannot_be_told_keeps_it_from_no_other(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    open_ones = Holds(clock)
    told: list[TokenOver] = []

    def fails(why: TokenOver) -> None:
        raise RuntimeError("no")

    for tell in (fails, told.append, fails):
        open_ones.add(Token(b"1", "ply_ann"), tell)
    open_ones.end(b"1", SignedOut())
    assert len(told) == 1 and open_ones.hashes() == []
    assert caplog.text.count("a connection of player ply_ann could not be ended") == 2


async def test_what_was_released_is_told_of_nothing(clock: FakeClock) -> None:
    open_ones = Holds(clock)
    told: list[TokenOver] = []
    token = Token(b"1", "ply_ann", clock.now + LIFETIME)
    first, second = open_ones.add(token, told.append), open_ones.add(token, told.append)
    first.release()
    first.release()
    open_ones.end(token.hash, SignedOut())
    assert len(told) == 1 and second.over is told[0] and first.over is None
    assert first._timer is second._timer is None and open_ones.hashes() == []


# The law: a token is good from when it is given until it expires or is signed out, whoever is asked.

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["sign in", "renew", "sign out", "hold", "release", "wait", "miss", "set"]),
        st.integers(0, 1),
        st.integers(0, 30),
    ),
    max_size=25,
)


@settings(max_examples=150, deadline=None, database=None)
@given(steps=STEPS, cached=st.sampled_from([1, 3, 10_000]))
def test_a_token_is_good_from_its_beginning_to_its_end_at_every_worker(
    registry: Registry, steps: list[tuple[str, int, int]], cached: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_CACHED", cached)
        asyncio.run(_keep_the_law(registry, steps))


async def _keep_the_law(registry: Registry, steps: list[tuple[str, int, int]]) -> None:
    clock, store = FakeClock(), MemoryStore(registry.codec)
    workers = [Accounts(store, clock, lifetime=LIFETIME, shared_store=True) for _ in range(2)]
    for worker in workers:
        await worker.start()
    tokens: list[tuple[str, str]] = []
    ended: set[str] = set()
    held: list[tuple[str, Hold, list[TokenOver]]] = []
    ends: dict[str, Any] = {}

    async def settled() -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    def keep(granted: accounts.Granted) -> None:
        tokens.append((granted.token, granted.account.id))
        ends[granted.token] = granted.expires_at

    def good(text: str) -> bool:
        return text not in ended and (ends[text] is None or clock.now < ends[text])

    await settled()
    for step, at, number in steps:
        worker = workers[at]
        text = tokens[number % len(tokens)][0] if tokens else ""
        match step:
            case "sign in":
                keep(await worker.sign_in_as_guest("Ann"))
            case "wait":
                clock.advance(number * A_DAY)
            case "set":
                worker._lifetime = timedelta(days=number) if number else None
            case "release" if held:
                held.pop(number % len(held))[1].release()
            case "renew" | "sign out" | "miss" | "hold" if tokens and good(text):
                found = await worker.find_token(text)
                assert found is not None
                if step == "renew":
                    keep(await worker.renew(found.account))
                elif step in ("sign out", "miss"):
                    deaf = workers[1 - at]
                    if step == "miss":
                        await deaf.stop()
                    await worker.sign_out(found.token)
                    ended.add(text)
                    assert await worker.find_token(text) is None
                    if step == "miss":
                        await deaf.start()
                else:
                    told: list[TokenOver] = []
                    held.append((text, await worker.hold(found.token, told.append), told))
        await settled()
        for text, player in tokens:
            for worker in workers:
                assert await _answer(worker.find_token(text)) == (
                    None if text in ended else player if good(text) else TokenExpired
                )
        for text, hold, told in held:
            assert hold.good() == good(text) == (not told)
            assert len(told) <= 1
    for worker in workers:
        await worker.stop()


async def _answer(asked: Awaitable[Any]) -> Any:
    try:
        found = await asked
    except TokenExpired:
        return TokenExpired
    return None if found is None else found.account.id
