"""How many WebSockets and streams are open at a worker: of each address, and of each player.

Connections as such are counted in the same way, of each address: see :mod:`fliptable_api.httpprotocol`.
"""

from __future__ import annotations

import logging

from fliptable_api.errors import CodedError

logger = logging.getLogger("fliptable.connections")

CONNECTION_LIMIT = "CONNECTION_LIMIT"
"""The code of the error for one too many."""

SCOPE = "fliptable.connection"
"""Where the ASGI scope of a WebSocket or stream holds its :class:`Connection`."""

_TOLD = 1000
"""How many addresses and players are told of in the log, each once."""


class _Counts:
    """So many for each key."""

    def __init__(self, most: int, whose: str, what: str, setting: str) -> None:
        self._most = most
        self._whose = whose
        self._what = what
        self._setting = setting
        self._open: dict[str, int] = {}
        self._told: set[str] = set()

    def add(self, key: str) -> None:
        count = self._open.get(key, 0)
        if count >= self._most:
            self._tell(key)
            raise CodedError(
                CONNECTION_LIMIT,
                f"{self._whose} may have {self._most} {self._what} open at a time; close some, "
                "or use one for more.",
                limit=self._most,
            )
        self._open[key] = count + 1

    def remove(self, key: str) -> None:
        count = self._open.pop(key) - 1
        if count:
            self._open[key] = count

    def total(self) -> int:
        return sum(self._open.values())

    def _tell(self, key: str) -> None:
        # For an address it may well be a proxy's, which whoever runs the server has to name.
        if key not in self._told and len(self._told) < _TOLD:
            self._told.add(key)
            logger.warning("%s has %d connections and gets no more: %s", key, self._most, self._setting)


class Connection:
    """A WebSocket or stream, counted until it is closed."""

    def __init__(self, addresses: _Counts, players: _Counts) -> None:
        """Counted for nobody yet."""
        self._addresses = addresses
        self._players = players
        self._held: list[tuple[_Counts, str]] = []

    def at(self, address: str) -> None:
        """Count it for an address. Errors: CodedError CONNECTION_LIMIT."""
        self._hold(self._addresses, address)

    def of(self, player: str) -> None:
        """Count it for a player. Errors: CodedError CONNECTION_LIMIT."""
        self._hold(self._players, player)

    def _hold(self, counts: _Counts, key: str) -> None:
        counts.add(key)
        self._held.append((counts, key))

    def close(self) -> None:
        """It counts no more."""
        while self._held:
            counts, key = self._held.pop()
            counts.remove(key)


class Connections:
    """What is open at a worker."""

    def __init__(self, per_address: int, per_player: int, what: str = "WebSockets and streams") -> None:
        """The most that each may have; ``what`` is said to whoever wants more."""
        self._addresses = _Counts(per_address, "An address", what, "FLIPTABLE_CONNECTIONS_PER_ADDRESS")
        self._players = _Counts(per_player, "A player", what, "FLIPTABLE_CONNECTIONS_PER_PLAYER")

    def __len__(self) -> int:
        """How many are open."""
        return self._addresses.total()

    def open(self, address: str, player: str | None = None) -> Connection:
        """One more, to be closed at its end. Errors: CodedError CONNECTION_LIMIT."""
        connection = Connection(self._addresses, self._players)
        connection.at(address)
        if player is not None:
            try:
                connection.of(player)
            except CodedError:
                connection.close()
                raise
        return connection
