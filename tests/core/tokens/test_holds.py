"""What is open in the name of a token is told when that is over."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from accountkit import A_DAY, DAYS, LIFETIME
from servicekit import until

from fliptable import holds
from fliptable.holds import Holds
from fliptable.testing import FakeClock
from fliptable.tokens import SignedOut, Token, TokenExpired, TokenOver


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
