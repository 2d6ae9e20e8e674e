"""Tables and their updates, as resolvers hand them to GraphQL: thin objects, read when selected."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from fliptable import projection
from fliptable.feed import Update
from fliptable.table import Status, Table
from fliptable_api.challengenodes import ChallengeNode
from fliptable_api.chosen import OptionValueNode, input_of, values_of
from fliptable_api.fairnodes import FairnessNode
from fliptable_api.faults import AtTable, by_plugins_of
from fliptable_api.playnodes import EventNode, RoundNode, RunNode, event_nodes
from fliptable_api.seatnodes import PlayerNode, SeatNode

if TYPE_CHECKING:
    from fliptable_api.context import Shared


class TableNode(AtTable):
    """A table at one of its versions, as somebody sees it."""

    graphql_type = "Table"

    def __init__(self, shared: Shared, table: Table, player: str | None) -> None:
        """``player`` is whose eyes it is for; None for somebody who is not signed in."""
        self.shared = shared
        self.table = table
        self.player_id = player
        self.viewer = table.viewer(player)

    def of_table(self) -> Table:
        """The table itself."""
        return self.table

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
    def game_options(self) -> list[OptionValueNode]:
        """The options of the game as they are here."""
        return values_of(self.game.options, self.table.game_options)

    @property
    def mode_options(self) -> list[OptionValueNode]:
        """The options of the mode as they are here."""
        return values_of(self.game.options_of_mode(self.mode), self.table.mode_options)

    @property
    def input(self) -> dict[str, Any]:
        """What opens another table like this one."""
        return input_of(self.table)

    @property
    def challenge(self) -> ChallengeNode | None:
        """The challenge that is played."""
        made = self.table.opening.challenge
        return None if made is None else ChallengeNode(self.shared, made)

    @property
    def seats(self) -> list[SeatNode]:
        """All seats in order."""
        return [
            SeatNode(self.shared, self.table, index, place, self.player_id)
            for index, place in enumerate(self.table.seats)
        ]

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
        with by_plugins_of(self.table):
            return projection.to_act(self.table)

    @property
    def legal_moves(self) -> list[Any]:
        """What the caller's seats may play now."""
        with by_plugins_of(self.table):
            return self.shared.moves.legal(self.table, self.viewer, self.player_id == self.table.host)

    @property
    def prompt(self) -> projection.Prompt | None:
        """What whoever runs the table should ask next."""
        with by_plugins_of(self.table):
            return projection.prompt(self.table)

    @property
    def fairness(self) -> FairnessNode:
        """What there is to check of the table's shuffles."""
        return FairnessNode(self.table, self.shared)


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
