"""What happens in a round, as resolvers hand it to GraphQL: events, rounds and runs, read when selected."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from fliptable import projection
from fliptable.events import Commit
from fliptable.rules import Viewer
from fliptable.table import Round, Table
from fliptable_api.faults import AtTable, by_plugins_of


class EventNode(AtTable):
    """An event as a viewer sees it."""

    __slots__ = ("_event", "_names", "_table", "graphql_type")

    def __init__(self, event: Any, table: Table, names: tuple[str, ...], graphql_type: str) -> None:
        """``names`` are those at the seats of the table, for the sentence."""
        self._event = event
        self._table = table
        self._names = names
        self.graphql_type = graphql_type

    def of_table(self) -> Table:
        """The table that it happened at."""
        return self._table

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
        with by_plugins_of(self._table):
            sentence: str = self._event.text(self._names)
        return sentence


class ViewNode(AtTable):
    """A round or a run as a viewer sees it: the plugin's view, with what the table knows besides."""

    def __init__(self, table: Table, graphql_type: str, **more: Any) -> None:
        """``more`` are fields besides the view's."""
        self._at = table
        self.graphql_type = graphql_type
        self.__dict__.update(more)

    def of_table(self) -> Table:
        """The table that it is of."""
        return self._at

    def __getattr__(self, name: str) -> Any:
        """The view's fields; the view is made when the first of them is asked for."""
        if name == "view":
            raise AttributeError(name)
        return getattr(self.view, name)


class RoundNode(ViewNode):
    """A round as a viewer sees it."""

    def __init__(self, table: Table, round: Round, viewer: Viewer, graphql_type: str) -> None:
        """``graphql_type`` is the type of the game's view."""
        super().__init__(table, graphql_type, number=round.number, outcome=round.outcome)
        self._of = (table, round, viewer)

    @cached_property
    def view(self) -> Any:
        """The game's view of the round."""
        table, round, viewer = self._of
        with by_plugins_of(table):
            return projection.view_round(table, round, viewer)

    @property
    def status(self) -> str:
        """RUNNING or OVER."""
        return "RUNNING" if self.outcome is None else "OVER"

    @property
    def to_act(self) -> list[int]:
        """The seats that are to act in this round."""
        table, round, _ = self._of
        with by_plugins_of(table):
            return [] if self.outcome is not None else sorted(table.game.to_act(round.state))


class RunNode(ViewNode):
    """A run as a viewer sees it."""

    def __init__(self, table: Table, viewer: Viewer, graphql_type: str) -> None:
        """``graphql_type`` is the type of the mode's view."""
        super().__init__(table, graphql_type, over_reason=table.over_reason)
        self._of = (table, viewer)

    @cached_property
    def view(self) -> Any:
        """The mode's view of the run."""
        table, viewer = self._of
        with by_plugins_of(table):
            return projection.view_run(table, viewer)


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
    return [EventNode(event, table, seats, names[type(event)]) for event in shown]
