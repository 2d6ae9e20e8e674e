"""What there is to check of a table's shuffles, as resolvers hand it to GraphQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fliptable import CardTrail
from fliptable.shuffle import ALGORITHM
from fliptable.table import Shuffle, Table
from fliptable_api.faults import by_plugins_of
from fliptable_api.naming import camel

if TYPE_CHECKING:
    from fliptable_api.context import Shared


class FairnessNode:
    """The shuffles of a table, as far as they are public."""

    def __init__(self, table: Table, shared: Shared) -> None:
        """At the table's version."""
        self.algorithm = ALGORITHM
        self.shuffles = [ShuffleNode(one, shared.service.seed_of(one)) for one in table.shuffles]
        self._table = table
        self._names = shared.names.events

    @property
    def trails(self) -> list[TrailNode]:
        """Which events turn up the cards of which shuffles."""
        with by_plugins_of(self._table):
            trails = self._table.game.trails(self._table.game_options, len(self._table.seats))
        return [TrailNode(trail, self._names[trail.event]) for trail in trails]


class TrailNode:
    """Where the cards of a shuffled pile come out in the replay."""

    def __init__(self, trail: CardTrail, event: str) -> None:
        """``event`` is the GraphQL type of the event."""
        self.event = event
        self.card = camel(trail.card)
        self.piles = list(trail.piles)
        self.seat = trail.seat
        self.skip = trail.skip


class ShuffleNode:
    """One shuffle, as far as it is public."""

    def __init__(self, shuffle: Shuffle, seed: str | None) -> None:
        """``cards`` stay hidden until the seed is known."""
        self.number = shuffle.number
        self.name = shuffle.name
        self.round = shuffle.round
        self.commitment = shuffle.commitment
        self.size = len(shuffle.cards)
        self.label = shuffle.label
        self.seed = seed
        self.cards = list(shuffle.cards) if seed is not None else None
