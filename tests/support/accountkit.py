"""Tokens that last thirty days, and whose they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from fliptable.accounts import Accounts

DAYS = 30
LIFETIME = timedelta(days=DAYS)
A_DAY = 86_400


async def until(check: Callable[[], Any]) -> None:
    async with asyncio.timeout(30):
        while not check():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def id_of(players: Accounts, token: str) -> str | None:
    found = await players.find_token(token)
    return None if found is None else found.account.id
