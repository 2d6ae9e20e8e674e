"""What the resolvers hand to GraphQL: thin objects over the core's values, read when selected."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fliptable import CardTrail, projection
from fliptable.events import Commit
from fliptable.feed import Update
from fliptable.presence import watched
from fliptable.rules import Viewer
from fliptable.shuffle import ALGORITHM
from fliptable.table import Place, Round, Shuffle, Status, Table
from fliptable_api.naming import camel

if TYPE_CHECKING:
    from fliptable_api.context import Shared


class EventNode:
    """An event as a viewer sees it."""

    __slots__ = ("_event", "_names", "graphql_type")

    def __init__(self, event: Any, names: tuple[str, ...], graphql_type: str) -> None:
        """``names`` are those at the seats, for the sentence."""
        self._event = event
        self._names = names
        self.graphql_type = graphql_type

    def __getattr__(self, name: str) -> Any:
        """The event's own fields."""
        return getattr(self._event, name)

    @property
    def seat(self) -> int | None:
        """The seat that the event is about."""
        return getattr(self._event, "seat", None)

    @property
    def text(self) -> str:
        """A sentence for a log."""
        sentence: str = self._event.text(self._names)
        return sentence


class ViewNode:
    """A round or a run as a viewer sees it: the plugin's view, with what the table knows besides."""

    def __init__(self, graphql_type: str, **more: Any) -> None:
        """``more`` are fields besides the view's."""
        self.graphql_type = graphql_type
        self.__dict__.update(more)

    def __getattr__(self, name: str) -> Any:
        """The view's fields; the view is made when the first of them is asked for."""
        if name == "view":
            raise AttributeError(name)
        return getattr(self.view, name)


class RoundNode(ViewNode):
    """A round as a viewer sees it."""

    def __init__(self, table: Table, round: Round, viewer: Viewer, graphql_type: str) -> None:
        """``graphql_type`` is the type of the game's view."""
        super().__init__(graphql_type, number=round.number, outcome=round.outcome)
        self._of = (table, round, viewer)

    @cached_property
    def view(self) -> Any:
        """The game's view of the round."""
        table, round, viewer = self._of
        return projection.view_round(table, round, viewer)

    @property
    def status(self) -> str:
        """RUNNING or OVER."""
        return "RUNNING" if self.outcome is None else "OVER"

    @property
    def to_act(self) -> list[int]:
        """The seats that are to act in this round."""
        table, round, _ = self._of
        return [] if self.outcome is not None else sorted(table.game.to_act(round.state))


class RunNode(ViewNode):
    """A run as a viewer sees it."""

    def __init__(self, table: Table, viewer: Viewer, graphql_type: str) -> None:
        """``graphql_type`` is the type of the mode's view."""
        super().__init__(graphql_type, over_reason=table.over_reason)
        self._of = (table, viewer)

    @cached_property
    def view(self) -> Any:
        """The mode's view of the run."""
        return projection.view_run(*self._of)


class SeatNode:
    """A seat at a table."""

    __slots__ = ("_place", "_table", "index", "shared")

    def __init__(self, shared: Shared, table: Table, index: int, place: Place) -> None:
        """The seat of that index."""
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
        """Whether somebody follows the table from this seat."""
        if watched(self._table):
            return self._place.held and self._place.connected
        acting = self._table.host if self._place.local else self._place.player
        return acting is not None and self.shared.service.follows(self._table.id, acting)


class PlayerNode:
    """A player."""

    __slots__ = ("id", "name")
    graphql_type = "Player"

    def __init__(self, id: str, name: str) -> None:
        """Who is known by that id and name."""
        self.id = id
        self.name = name


class TableNode:
    """A table at one of its versions, as somebody sees it."""

    graphql_type = "Table"

    def __init__(self, shared: Shared, table: Table, player: str | None) -> None:
        """``player`` is whose eyes it is for; None for somebody who is not signed in."""
        self.shared = shared
        self.table = table
        self.player_id = player
        self.viewer = table.viewer(player)

    @property
    def id(self) -> str:
        """The table's id."""
        return self.table.id

    @property
    def code(self) -> str:
        """The short code."""
        return self.table.code

    @property
    def version(self) -> int:
        """The number of the last commit."""
        return self.table.version

    def version_of(self, text: str) -> int:
        """A version that the table has had, from its digits. Errors: ValueError."""
        version = int(text)
        if not 1 <= version <= self.table.version:
            raise ValueError(text)
        return version

    @property
    def status(self) -> Status:
        """Where the table is in its life."""
        return self.table.status

    @property
    def visibility(self) -> Any:
        """Who finds the table."""
        return self.table.visibility

    @property
    def created_at(self) -> Any:
        """When it was opened."""
        return self.table.created_at

    @property
    def updated_at(self) -> Any:
        """When something last happened."""
        return self.table.updated_at

    @property
    def over_reason(self) -> str | None:
        """Why it is over."""
        return self.table.over_reason

    @property
    def house(self) -> Any:
        """How it is run."""
        return self.table.opening.house

    @property
    def paused_until(self) -> Any:
        """When it ends if nobody comes back."""
        return self.table.paused_until

    @property
    def turn_ends_at(self) -> Any:
        """When the first time of a seat is up."""
        return min([ends for _, ends in self.table.turn_ends()], default=None)

    @property
    def rematch(self) -> str | None:
        """The table of the rematch."""
        return self.table.rematch

    @property
    def game(self) -> Any:
        """The game in the catalogue."""
        return self.shared.catalogue.games[self.table.game.id]

    @property
    def mode(self) -> Any:
        """The mode in the catalogue."""
        return self.shared.catalogue.modes[self.table.mode.id]

    @property
    def seats(self) -> list[SeatNode]:
        """All seats in order."""
        return [SeatNode(self.shared, self.table, i, place) for i, place in enumerate(self.table.seats)]

    @property
    def host(self) -> PlayerNode | None:
        """Who runs the table."""
        for place in self.table.seats:
            if place.player == self.table.host:
                return PlayerNode(place.player, place.name)
        return PlayerNode(self.table.host, self.table.opening.host_name)

    @property
    def my_seat(self) -> int | None:
        """The seat that the caller holds."""
        return self.table.seat_of(self.player_id)

    @property
    def round(self) -> RoundNode | None:
        """The running round, or the last one."""
        round = self.table.round
        if round is None:
            return None
        return RoundNode(self.table, round, self.viewer, self.shared.names.rounds[self.table.game.id])

    @property
    def run(self) -> RunNode | None:
        """The session as the mode sees it."""
        if self.table.status is Status.OPEN:
            return None
        return RunNode(self.table, self.viewer, self.shared.names.runs[self.table.mode.id])

    @property
    def to_act(self) -> list[int]:
        """The seats that may move now."""
        return projection.to_act(self.table)

    @property
    def legal_moves(self) -> list[Any]:
        """What the caller's seats may play now."""
        return self.shared.moves.legal(self.table, self.viewer, self.player_id == self.table.host)

    @property
    def prompt(self) -> projection.Prompt | None:
        """What whoever runs the table should ask next."""
        return projection.prompt(self.table)

    @property
    def fairness(self) -> FairnessNode:
        """What there is to check of the table's shuffles."""
        return FairnessNode(self.table, self.shared)


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


class UpdateNode:
    """A commit as somebody sees it, with the table as it left it."""

    def __init__(
        self, shared: Shared, update: Update, player: str | None, open_rounds: frozenset[int] | None = None
    ) -> None:
        """``open_rounds`` are those with nothing private; by default those open at the update's table."""
        self.shared = shared
        self._update = update
        self._player = player
        self._open = open_rounds

    @property
    def version(self) -> int:
        """The commit's number."""
        return self._update.commit.version

    @property
    def at(self) -> Any:
        """When it happened."""
        return self._update.commit.at

    @property
    def events(self) -> list[EventNode]:
        """What happened, as the viewer sees it."""
        table, commit = self._update.table, self._update.commit
        open_rounds = table.open_rounds() if self._open is None else self._open
        return event_nodes(commit, table, table.viewer(self._player), open_rounds, self.shared.names.events)

    @cached_property
    def table(self) -> TableNode:
        """The table as the commit left it."""
        return TableNode(self.shared, self._update.table, self._player)


def event_nodes(
    commit: Commit,
    table: Table,
    viewer: Viewer,
    open_rounds: frozenset[int],
    names: Mapping[type, str],
) -> list[EventNode]:
    """The events of a commit as the viewer sees them."""
    seats = table.names
    shown = projection.seen_events(commit.events, viewer, open_rounds)
    return [EventNode(event, seats, names[type(event)]) for event in shown]
