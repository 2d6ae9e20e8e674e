"""The law: a token is good from when it is given until it expires or is signed out, whoever is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any

import pytest
from accountkit import A_DAY, LIFETIME
from hypothesis import given, settings
from hypothesis import strategies as st

from fliptable import accounts
from fliptable.accounts import Accounts
from fliptable.holds import Hold
from fliptable.memory import MemoryStore
from fliptable.plugins import Registry
from fliptable.testing import FakeClock
from fliptable.tokens import TokenExpired, TokenOver

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
