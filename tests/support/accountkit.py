"""Tokens that last thirty days, and whose they are."""

from __future__ import annotations

from datetime import timedelta

from fliptable.accounts import Accounts

DAYS = 30
LIFETIME = timedelta(days=DAYS)
A_DAY = 86_400


async def id_of(players: Accounts, token: str) -> str | None:
    found = await players.find_token(token)
    return None if found is None else found.account.id
