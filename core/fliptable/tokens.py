"""Bearer tokens: what is kept of them, until when they are good, and what ends them before."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Protocol

_PREFIX = "ft_"


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token: its hash, whose it is, and its end, which it was given with."""

    hash: bytes
    player: str
    expires_at: datetime | None = None
    """None for one that is good for ever."""

    def expired(self, now: datetime) -> bool:
        """Whether its time is over. At the very moment of its end it is."""
        return self.expires_at is not None and self.expires_at <= now


class TokenOver(Exception):
    """A token is good no more."""


class TokenExpired(TokenOver):
    """The time of a token is over; the one argument says since when."""


class SignedOut(TokenOver):
    """The player has signed out with the token."""


class TokenStore(Protocol):
    """The tokens of all players. The first one of a player is kept with their account."""

    async def add(self, token: Token) -> None:
        """Keep a further token of a player. Errors: Unavailable."""
        ...

    async def find(self, hash: bytes) -> Token | None:
        """The token of that hash, also when it has expired; None for one that was ended.

        Errors: Unavailable.
        """
        ...

    async def end(self, token: Token, now: datetime) -> None:
        """End a token for good, whether or not it has ended before. Errors: Unavailable."""
        ...

    async def ended(self, hashes: Collection[bytes]) -> set[bytes]:
        """The hashes among these whose tokens were ended. Errors: Unavailable."""
        ...

    def watch(self) -> AsyncIterator[bytes | None]:
        """The hash of every token that any worker ends.

        None comes first, once the watch has begun, and again whenever some may have been missed.
        """
        ...


class MemoryTokens:
    """A :class:`TokenStore` that forgets everything when it ends."""

    def __init__(self) -> None:
        """Without any token."""
        self._tokens: dict[bytes, Token] = {}
        self._ended: set[bytes] = set()
        self._watchers: set[asyncio.Queue[bytes]] = set()

    async def add(self, token: Token) -> None:
        """See :class:`TokenStore`."""
        self._tokens[token.hash] = token

    async def find(self, hash: bytes) -> Token | None:
        """See :class:`TokenStore`."""
        return self._tokens.get(hash)

    async def end(self, token: Token, now: datetime) -> None:
        """See :class:`TokenStore`."""
        self._tokens.pop(token.hash, None)
        self._ended.add(token.hash)
        for watcher in self._watchers:
            watcher.put_nowait(token.hash)

    async def ended(self, hashes: Collection[bytes]) -> set[bytes]:
        """See :class:`TokenStore`."""
        return self._ended.intersection(hashes)

    async def watch(self) -> AsyncIterator[bytes | None]:
        """See :class:`TokenStore`."""
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._watchers.add(queue)
        try:
            yield None
            while True:
                yield await queue.get()
        finally:
            self._watchers.discard(queue)


def new_token() -> str:
    """A random token, 256 bits."""
    return _PREFIX + secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """What is kept of a token in its place."""
    # A token has 256 random bits, so one round of a plain hash is enough.
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
