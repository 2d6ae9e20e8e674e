"""Seats and players, as resolvers hand them to GraphQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fliptable.table import Place, Table

if TYPE_CHECKING:
    from fliptable_api.context import Shared


class SeatNode:
    """A seat at a table."""

    __slots__ = ("_place", "_table", "_viewer", "index", "shared")

    def __init__(
        self, shared: Shared, table: Table, index: int, place: Place, viewer: str | None = None
    ) -> None:
        """The seat of that index, as a player sees it."""
        self._viewer = viewer
        self.shared = shared
        self._table = table
        self._place = place
        self.index = index

    @property
    def name(self) -> str:
        """The name at the seat."""
        return self._table.names[self.index]

    @property
    def taken(self) -> bool:
        """Whether somebody sits here, or the host acts for it."""
        return self._place.held

    @property
    def ready(self) -> bool:
        """Whether its player is ready for the start."""
        return self._place.ready or self._place.local

    @property
    def turn_ends_at(self) -> Any:
        """When its time is up, if it is to act and turns have a time limit."""
        return dict(self._table.turn_ends()).get(self.index)

    @property
    def local(self) -> bool:
        """Whether the host acts for the seat."""
        return self._place.local

    @property
    def score(self) -> int:
        """The points of all rounds so far."""
        return self._table.scores[self.index]

    @property
    def player(self) -> PlayerNode | None:
        """Who holds the seat."""
        if self._place.player is None:
            return None
        return PlayerNode(self._place.player, self._place.name)

    @property
    def connected(self) -> bool:
        """Whether somebody is there who follows the table from this seat, or asks just now."""
        if len(self._table.seats) > 1:
            # The same on every worker: what the table was told.
            return self._place.held and self._place.connected
        acting = self._table.host if self._place.local else self._place.player
        if acting is not None and acting == self._viewer:
            # Who asks is there.
            return True
        return acting is not None and self.shared.service.follows(self._table.id, acting)


class PlayerNode:
    """A player."""

    __slots__ = ("id", "name")
    graphql_type = "Player"

    def __init__(self, id: str, name: str) -> None:
        """Who is known by that id and name."""
        self.id = id
        self.name = name
