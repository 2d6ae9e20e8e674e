"""The table in the schema: its rounds, runs, updates, and everything that hangs on it."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

import strawberry

from fliptable import Result, Visibility
from fliptable.house import HouseRules as CoreHouseRules
from fliptable.rules import Outcome as CoreOutcome
from fliptable.rules import SeatOutcome as CoreSeatOutcome
from fliptable.table import Status
from fliptable_api import paging
from fliptable_api.cataloguetypes import Game, Mode, OptionValue
from fliptable_api.nodes import TableNode, UpdateNode
from fliptable_api.scalars import JSON
from fliptable_api.types import (
    Fairness,
    HouseRules,
    LegalMove,
    Node,
    PageInfo,
    Player,
    Prompt,
    RoundStatus,
    Seat,
    TableEvent,
)
from fliptable_api.values import NamedNumber

strawberry.enum(Result, name="SeatResult", description="How a round ended for a seat.")


_RECORD_TYPES = strawberry.lazy("fliptable_api.recordtypes")


def _measures(root: CoreSeatOutcome) -> Any:
    return [NamedNumber(name=name, value=value) for name, value in root.measures.items()]


@strawberry.type(description="How a round ended for one seat.")
class SeatOutcome:
    """How a round ended for one seat."""

    result: Result = strawberry.field(description="Won, lost, bust, drawn, or scored.")
    points: int = strawberry.field(description="The points that the seat gets for the round.")
    reason: str | None = strawberry.field(
        description="Why, as a code: one of the `reasons` of the game, or of the mode."
    )
    measures: list[NamedNumber] = strawberry.field(
        resolver=_measures,
        graphql_type=list[NamedNumber],
        description="Other numbers of the round, for example flips.",
    )


@strawberry.type(description="How a round ended.")
class Outcome:
    """How a round ended."""

    seats: list[SeatOutcome] = strawberry.field(description="One outcome a seat, in seat order.")


KNOWN_OUTPUTS: dict[Any, Any] = {
    CoreHouseRules: HouseRules,
    CoreOutcome: Outcome,
    CoreSeatOutcome: SeatOutcome,
    Result: Result,
}
"""Core classes whose types are written out here."""


def _by_type(cls: type, obj: Any, info: Any, abstract: Any) -> str:
    name: str = obj.graphql_type
    return name


@strawberry.interface(description="One deal, from its shuffle to its outcome. One type per game.")
class Round:
    """One deal, from its shuffle to its outcome."""

    number: int = strawberry.field(description="From 1.")
    status: RoundStatus = strawberry.field(description="Whether it still runs.")
    to_act: list[int] = strawberry.field(description="The seats that are to act in it.")
    outcome: Outcome | None = strawberry.field(description="How it ended; null while it runs.")

    resolve_type: ClassVar[Any] = classmethod(_by_type)


@strawberry.interface(description="A session as its mode sees it. One type per mode.")
class Run:
    """A session as its mode sees it."""

    over_reason: str | None = strawberry.field(
        description="Why it is over, as a code, like `overReason` of the table; null while it goes on."
    )

    resolve_type: ClassVar[Any] = classmethod(_by_type)


@strawberry.type(description="An update and its place in the list.")
class TableUpdateEdge:
    """An update and its place in the list."""

    cursor: str = strawberry.field(description="What `after` takes to go on from here.")
    node: TableUpdate = strawberry.field(description="The update.")


@strawberry.type(description="A page of a table's updates.")
class TableUpdateConnection:
    """A page of a table's updates."""

    edges: list[TableUpdateEdge] = strawberry.field(description="The updates with their cursors.")
    nodes: list[TableUpdate] = strawberry.field(description="The updates.")
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")


@strawberry.type(description="One session: a game under a mode, with seats and a version.")
class Table(Node):
    """One session: a game under a mode, with seats and a version."""

    code: str = strawberry.field(description="A short code that a person can read out.")
    version: int = strawberry.field(description="The number of the last commit: 1, 2, 3 …, without gaps.")
    status: Status = strawberry.field(description="Where the table is in its life.")
    visibility: Visibility = strawberry.field(description="Who finds the table.")
    created_at: datetime = strawberry.field(description="When it was opened.")
    updated_at: datetime = strawberry.field(description="When something last happened.")
    over_reason: str | None = strawberry.field(
        description="Why it is over, as a code: ABANDONED or NOT_ENOUGH_PLAYERS, or one of the `reasons` of "
        "the mode; null while it goes on."
    )
    house: HouseRules = strawberry.field(description="How it is run.")
    paused_until: datetime | None = strawberry.field(
        description="When it ends if nobody comes back; null unless it is paused."
    )
    turn_ends_at: datetime | None = strawberry.field(
        description="When the next time of a seat is up, where turns have a time limit."
    )
    rematch: strawberry.ID | None = strawberry.field(description="The table of the rematch, if there is one.")
    game: Game = strawberry.field(description="What is played.")
    mode: Mode = strawberry.field(description="How rounds make up the session.")
    game_options: list[OptionValue] = strawberry.field(
        description="The options of the game as they are here, those that nobody chose too."
    )
    mode_options: list[OptionValue] = strawberry.field(
        description="The options of the mode as they are here, those that nobody chose too."
    )
    input: JSON = strawberry.field(
        description="What may be sent back as the `input` of createTable, as it is, for another table like "
        "this one: game and mode with all their options, seats, local seats, house rules and visibility."
    )
    challenge: Annotated[Challenge, _RECORD_TYPES] | None = strawberry.field(  # type: ignore[name-defined]  # noqa: F821
        description="The challenge that is played; null where the mode has none."
    )
    seats: list[Seat] = strawberry.field(description="All seats, clockwise.")
    host: Player | None = strawberry.field(description="Who runs the table.")
    my_seat: int | None = strawberry.field(description="The seat that the caller holds.")
    round: Round | None = strawberry.field(description="The running round, or the last one.")
    run: Run | None = strawberry.field(description="The session as its mode sees it; null before the start.")
    to_act: list[int] = strawberry.field(description="The seats that may move now, from 0.")
    legal_moves: list[LegalMove] = strawberry.field(
        description="What the caller's seat, or the host's local seats, may play now; first what takes the "
        "round on, of the seat that `prompt` asks."
    )
    prompt: Prompt | None = strawberry.field(description="What to ask next; null when nothing is asked.")
    fairness: Fairness = strawberry.field(description="What there is to check of the shuffles.")

    is_type_of: ClassVar[Any] = classmethod(lambda cls, obj, info: isinstance(obj, TableNode))

    @strawberry.field(
        graphql_type=TableUpdateConnection,
        description="Everything that happened, in order: the replay, as far as the caller may see it.",
    )
    async def updates(
        self: Any,
        first: Annotated[
            int | None, strawberry.argument(description="How many, 1 to 100; 20 if left out.")
        ] = None,
        after: Annotated[str | None, strawberry.argument(description="The cursor to go on from.")] = None,
        last: Annotated[
            int | None,
            strawberry.argument(description="How many from the end, 1 to 100, instead of `first`."),
        ] = None,
        before: Annotated[str | None, strawberry.argument(description="The cursor to end before.")] = None,
    ) -> Any:
        """A page of the replay."""
        node: TableNode = self
        window = paging.window(first, after, last, before)
        size = window.size
        kind = paging.list_of("update", node.id)
        start = 0 if after is None else paging.from_cursor(kind, after, node.version_of)
        end = node.table.version
        if before is not None:
            end = paging.from_cursor(kind, before, node.version_of, "before") - 1
        bounded = start > 0
        if window.backward:
            bounded = before is not None
            start = max(start, end - size - 1)
        open_rounds = node.table.open_rounds()
        entries = []
        upto = min(end, start + size + 1)
        async for update in node.shared.service.updates(node.id, start, upto):
            cursor = paging.to_cursor(kind, str(update.commit.version))
            entries.append((cursor, UpdateNode(node.shared, update, node.player_id, open_rounds)))
        return paging.page(entries, size, bounded, window.backward)


@strawberry.type(description="A commit: what happened at once, and the table as it left it.")
class TableUpdate:
    """A commit: what happened at once, and the table as it left it."""

    version: int = strawberry.field(description="The table's version after it.")
    at: datetime = strawberry.field(description="When it happened.")
    events: list[TableEvent] = strawberry.field(description="What happened, in order, as the caller sees it.")
    table: Table = strawberry.field(description="The table at that version, as the caller sees it.")


@strawberry.type(description="A table and its place in the list.")
class TableEdge:
    """A table and its place in the list."""

    cursor: str = strawberry.field(description="What `after` takes to go on from here.")
    # Null, and not the whole list, when one of its fields fails by the fault of its plugin.
    node: Table | None = strawberry.field(
        description="The table; null only when a field of it failed, which `errors` tells with its path."
    )


@strawberry.type(description="A page of tables, the newest first.")
class TableConnection:
    """A page of tables, the newest first."""

    edges: list[TableEdge] = strawberry.field(description="The tables with their cursors.")
    nodes: list[Table | None] = strawberry.field(
        description="The tables; null only in place of one of which a field failed, as `errors` tells."
    )
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")
