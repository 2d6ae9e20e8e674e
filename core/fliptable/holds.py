"""What is open in the name of tokens: each connection is told when its token is over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from fliptable.tokens import Token, TokenExpired, TokenOver

logger: logging.Logger = logging.getLogger("fliptable.accounts")

_LONGEST = 3600.0
"""Seconds after which a timer looks at the clock again, which may have been put right since."""


class Hold:
    """One connection that is open in the name of a token, until it is released or the token is over."""

    __slots__ = ("_holds", "_tell", "_timer", "over", "token")

    def __init__(self, holds: Holds, token: Token, tell: Callable[[TokenOver], None]) -> None:
        """Use :meth:`Holds.add`."""
        self.token: Token = token
        self.over: TokenOver | None = None
        """Why the token is over; None as long as it is good."""
        self._holds = holds
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None

    def good(self) -> bool:
        """Whether the token is good at this moment; if it has expired, the connection is told."""
        expires_at = self.token.expires_at
        if expires_at is not None and self.over is None and expires_at <= self._holds.clock():
            self.end(TokenExpired(expires_at))
        return self.over is None

    def wait(self) -> None:
        """See to it that the connection is told when the token expires."""
        expires_at = self.token.expires_at
        if expires_at is not None and self.good():
            left = (expires_at - self._holds.clock()).total_seconds()
            self._timer = asyncio.get_running_loop().call_later(min(left, _LONGEST), self.wait)

    def end(self, why: TokenOver) -> None:
        """The token is over: tell the connection, once."""
        if self.over is None:
            self.over = why
            self.release()
            try:
                self._tell(why)
            except Exception:
                # The others that are open with the token are to be told, too.
                logger.exception("a connection of player %s could not be ended", self.token.player)

    def release(self) -> None:
        """The connection is closed, and need not be told of anything."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._holds.forget(self)


class Holds:
    """All connections of one worker that are open in the name of a token."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """Nothing is open yet."""
        self.clock = clock
        self._open: dict[bytes, set[Hold]] = {}

    def add(self, token: Token, tell: Callable[[TokenOver], None]) -> Hold:
        """A connection that was opened with a token; ``tell`` is called when the token is over."""
        hold = Hold(self, token, tell)
        self._open.setdefault(token.hash, set()).add(hold)
        hold.wait()
        return hold

    def end(self, hash: bytes, why: TokenOver) -> None:
        """Tell all connections of a token that it is over."""
        for hold in tuple(self._open.get(hash, ())):
            hold.end(why)

    def forget(self, hold: Hold) -> None:
        """Leave a connection out from now on."""
        found = self._open.get(hold.token.hash)
        if found is not None:
            found.discard(hold)
            if not found:
                del self._open[hold.token.hash]

    def hashes(self) -> list[bytes]:
        """The hashes of all tokens in whose name something is open."""
        return list(self._open)
