"""Players: guests who are known by a bearer token."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

from fliptable.ids import new_id
from fliptable.log import Account, Store

_CACHED = 10_000
_TOKEN_PREFIX = "ft_"
MAX_NAME = 40
"""The most characters that a player's name may have."""


class InvalidName(ValueError):
    """A player cannot be called that."""


def clean_name(name: str) -> str:
    """A name as it is kept: white space folded. Errors: InvalidName says what is wrong with it."""
    cleaned = " ".join(name.split())
    if not cleaned:
        raise InvalidName("a name needs at least one visible character")
    if len(cleaned) > MAX_NAME:
        raise InvalidName(f"a name may have {MAX_NAME} characters, and this one has {len(cleaned)}")
    if not cleaned.isprintable():
        raise InvalidName("a name may only have printable characters")
    return cleaned


class Accounts:
    """Sign-in, and who holds a token. Of a token only the hash is kept."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        """Accounts are kept in the store."""
        self._store = store
        self._clock = clock
        self._cache: OrderedDict[bytes, Account] = OrderedDict()

    async def sign_in_as_guest(self, name: str) -> tuple[Account, str]:
        """A new player and their token, which is never shown again. Errors: InvalidName, Unavailable."""
        token = _TOKEN_PREFIX + secrets.token_urlsafe(32)
        account = Account(new_id("player"), clean_name(name), _hash(token), self._clock())
        await self._store.add_account(account)
        self._remember(account)
        return account, token

    async def find_token(self, token: str) -> Account | None:
        """The player who holds the token; None when nobody does. Errors: Unavailable."""
        hashed = _hash(token)
        account = self._cache.get(hashed)
        if account is not None:
            self._cache.move_to_end(hashed)
            return account
        account = await self._store.find_token(hashed)
        if account is not None:
            self._remember(account)
        return account

    async def find(self, id: str) -> Account | None:
        """The player of that id. Errors: Unavailable."""
        return await self._store.find_account(id)

    def _remember(self, account: Account) -> None:
        self._cache[account.token_hash] = account
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)


def _hash(token: str) -> bytes:
    # A token has 256 random bits, so one round of a plain hash is enough.
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
