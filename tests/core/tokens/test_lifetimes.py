"""Tokens end by their time, and there is another one before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from accountkit import A_DAY, DAYS, LIFETIME, id_of

from fliptable import accounts
from fliptable.accounts import Accounts
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.testing import FakeClock
from fliptable.tokens import TokenExpired

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
