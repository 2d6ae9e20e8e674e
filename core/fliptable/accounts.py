"""Players: guests who are known by their bearer tokens."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from fliptable.holds import Hold, Holds
from fliptable.ids import new_id
from fliptable.lettering import is_legible, is_visible, settled
from fliptable.log import Account, Store, Unavailable
from fliptable.tokens import SignedOut, Token, TokenExpired, TokenOver, hash_of, new_token

logger: logging.Logger = logging.getLogger("fliptable.accounts")

_CACHED = 10_000
_AGAIN = 1.0
"""Seconds until another try when the database was away."""
MAX_NAME = 40
"""The most characters that a player's name may have."""


class InvalidName(ValueError):
    """A player cannot be called that."""


def clean_name(name: str) -> str:
    """A name as it is kept. Errors: InvalidName says what is wrong with it."""
    cleaned = settled(name)
    if not is_visible(cleaned) and is_legible(cleaned):
        raise InvalidName("a name needs at least one visible character")
    if len(cleaned) > MAX_NAME:
        raise InvalidName(f"a name may have {MAX_NAME} characters, and this one has {len(cleaned)}")
    if not is_legible(cleaned):
        raise InvalidName(
            "a name may only have printable characters, and joiners only where writing needs them"
        )
    return cleaned


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A player, and the token by which they are known."""

    account: Account
    token: Token


class Granted(NamedTuple):
    """A player's new token, which is never shown again, and its end; None for one that has none."""

    account: Account
    token: str
    expires_at: datetime | None


class Accounts:
    """Sign-in, and who holds a token. Of a token only the hash is kept."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        *,
        lifetime: timedelta | None = None,
        shared_store: bool = False,
    ) -> None:
        """Accounts are kept in the store; tokens are good for ``lifetime``, or for ever.

        ``shared_store`` says that other workers sign players out too; see :meth:`start`.
        """
        self.clock = clock
        self._store = store
        self._lifetime = lifetime
        self._shared_store = shared_store
        self._cache: OrderedDict[bytes, SignedIn] = OrderedDict()
        self._holds = Holds(lambda: self.clock())
        self._listening: asyncio.Task[None] | None = None
        # What is heard while something is looked up, since the answer may be from before.
        self._looking = 0
        self._ended_since: set[bytes] = set()
        self._gaps = 0

    async def start(self) -> None:
        """Follow the sign-outs of other workers, if there are any."""
        if self._shared_store:
            self._listening = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Follow nobody any more."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def sign_in_as_guest(self, name: str) -> Granted:
        """A new player and their first token. Errors: InvalidName, Unavailable."""
        account = Account(new_id("player"), clean_name(name), self.clock())
        text, token = self._new_token(account)
        await self._store.add_account(account, token)
        self._remember(SignedIn(account, token))
        return Granted(account, text, token.expires_at)

    async def renew(self, account: Account) -> Granted:
        """A further token of a player. Those they have stay as good as they were. Errors: Unavailable."""
        text, token = self._new_token(account)
        await self._store.tokens.add(token)
        self._remember(SignedIn(account, token))
        return Granted(account, text, token.expires_at)

    async def sign_out(self, token: Token) -> None:
        """End a token at once; what is open in its name is told. Errors: Unavailable."""
        await self._store.tokens.end(token, self.clock())
        self._end(token.hash)

    async def find_token(self, token: str) -> SignedIn | None:
        """Who holds the token; None when nobody does, also after it was signed out.

        Errors: TokenExpired, Unavailable.
        """
        hashed = hash_of(token)
        found = self._cache.get(hashed)
        if found is not None:
            self._cache.move_to_end(hashed)
        else:
            found = await self._look_up(hashed)
            if found is None:
                return None
        expires_at = found.token.expires_at
        if expires_at is not None and expires_at <= self.clock():
            raise TokenExpired(expires_at)
        return found

    async def hold(self, token: Token, tell: Callable[[TokenOver], None]) -> Hold:
        """Take note of a connection that is open in the name of a token.

        ``tell`` is called once when the token is over, at once if it is already. Release the hold when
        the connection is closed. Errors: Unavailable.
        """
        hold = self._holds.add(token, tell)
        try:
            # It may have been signed out since it was found.
            if token.hash not in self._cache and await self._look_up(token.hash) is None:
                hold.end(SignedOut())
        except BaseException:
            hold.release()
            raise
        return hold

    async def find(self, id: str) -> Account | None:
        """The player of that id. Errors: Unavailable."""
        return await self._store.find_account(id)

    def _new_token(self, account: Account) -> tuple[str, Token]:
        text, expires_at = new_token(), None
        if self._lifetime is not None:
            expires_at = self.clock() + self._lifetime
            # As the database keeps it.
            expires_at = expires_at.replace(microsecond=expires_at.microsecond // 1000 * 1000)
        return text, Token(hash_of(text), account.id, expires_at)

    def _remember(self, found: SignedIn) -> None:
        self._cache[found.token.hash] = found
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)

    async def _look_up(self, hashed: bytes) -> SignedIn | None:
        """What the store knows of a token; never what it knew before a sign-out that was heard of."""
        self._looking += 1
        try:
            while True:
                gaps = self._gaps
                token = await self._store.tokens.find(hashed)
                account = None if token is None else await self._store.find_account(token.player)
                if hashed in self._ended_since or token is None or account is None:
                    return None
                if gaps == self._gaps:
                    found = SignedIn(account, token)
                    self._remember(found)
                    return found
        finally:
            self._looking -= 1
            if not self._looking:
                self._ended_since.clear()

    def _end(self, hashed: bytes) -> None:
        self._cache.pop(hashed, None)
        if self._looking:
            self._ended_since.add(hashed)
        self._holds.end(hashed, SignedOut())

    async def _listen(self) -> None:
        """Hear of the tokens that other workers end."""
        async for hashed in self._store.tokens.watch():
            if hashed is not None:
                self._end(hashed)
                continue
            # Any may have been ended, so nothing that was known before is sure.
            self._gaps += 1
            self._cache.clear()
            await self._look_through()

    async def _look_through(self) -> None:
        """End what is open in the name of tokens that were ended unheard."""
        while held := self._holds.hashes():
            try:
                for hashed in await self._store.tokens.ended(held):
                    self._end(hashed)
            except Unavailable as error:
                logger.warning("who has signed out could not be looked up: %s", error)
                await asyncio.sleep(_AGAIN)
            else:
                return
