"""The schema's own types, independent of any plugin. The objects behind them are in nodes.py."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Annotated, Any, ClassVar

import strawberry

from fliptable.house import Visibility
from fliptable.records import Period
from fliptable.table import Status
from fliptable_api.scalars import JSON

strawberry.enum(Status, name="TableStatus", description="Where a table is in its life.")
strawberry.enum(
    Visibility,
    name="TableVisibility",
    description="Who finds a table: everybody in the lobby, or whoever has its code.",
)
strawberry.enum(
    Period,
    name="RecordPeriod",
    description="The span of time of a list of records; weeks begin on Monday, all in UTC.",
)


@strawberry.enum(description="Whether a round still runs.")
class RoundStatus(Enum):
    """Whether a round still runs."""

    RUNNING = "RUNNING"
    """Somebody has still to act, or time to pass."""
    OVER = "OVER"
    """It has its outcome."""


def _by_type(cls: type, obj: Any, info: Any, abstract: Any) -> str:
    name: str = obj.graphql_type
    return name


@strawberry.interface(description="Anything that has an id of its own.")
class Node:
    """Anything that has an id of its own."""

    id: strawberry.ID = strawberry.field(description="The id; it stays the same for ever.")

    resolve_type: ClassVar[Any] = classmethod(_by_type)


def _certain(cls: type, obj: Any, info: Any) -> bool:
    return True


_RECORD_TYPES = strawberry.lazy("fliptable_api.recordtypes")


@strawberry.type(description="Somebody who plays, known by a bearer token.")
class Player(Node):
    """Somebody who plays."""

    name: str = strawberry.field(description="What they call themself.")

    @strawberry.field(
        graphql_type=list[Annotated["PlayerRecord", _RECORD_TYPES]],  # type: ignore[name-defined]  # noqa: F821
        description="Where they stand on every list of records, with those next to them.",
    )
    async def records(
        self: Any,
        info: strawberry.Info,
        period: Annotated[Period, strawberry.argument(description="The span of time.")] = Period.ALL_TIME,
    ) -> Any:
        """Their places."""
        from fliptable_api.recordqueries import records_of_player

        return await records_of_player(info.context, self.id, period)

    is_type_of: ClassVar[Any] = classmethod(_certain)


@strawberry.type(description="A place at a table.")
class Seat:
    """A place at a table."""

    index: int = strawberry.field(description="From 0, clockwise.")
    name: str = strawberry.field(description="The name at the seat.")
    taken: bool = strawberry.field(description="Whether somebody sits here, or the host acts for it.")
    player: Player | None = strawberry.field(description="Who holds it; null for a free or local seat.")
    local: bool = strawberry.field(description="Whether the host acts for it.")
    ready: bool = strawberry.field(description="Whether its player is ready for the start.")
    turn_ends_at: datetime | None = strawberry.field(
        description="When its time is up, if it is to act and turns have a time limit."
    )
    connected: bool = strawberry.field(
        description="Whether its player is there: follows the table, or asked for something just now."
    )
    score: int = strawberry.field(description="The points of all rounds so far.")


@strawberry.type(description="How a table is run, whatever is played at it.")
class HouseRules:
    """How a table is run, whatever is played at it."""

    turn_seconds: int | None = strawberry.field(description="How long a seat may think; null for ever.")
    grace_seconds: int = strawberry.field(
        description="How long a player may be gone before the table is told."
    )
    wait_seconds: int = strawberry.field(description="How long the table waits for players before it ends.")
    spectators: bool = strawberry.field(description="Whether others than those seated may look on.")


@strawberry.type(description="A field of a legal move that has to be filled in.")
class MoveField:
    """A field of a legal move that has to be filled in."""

    name: str = strawberry.field(description="Its name in the move.")
    title: str = strawberry.field(description="Its name for people, for example `Second chance`.")
    path: str = strawberry.field(description="Where it is in `input`, with dots.")
    type: str = strawberry.field(
        description="Int, Float, Boolean, String, DateTime, Enum or Object; of a list, that of each value."
    )
    description: str = strawberry.field(description="What it means.")
    min: int | None = strawberry.field(description="The smallest value, of an Int.")
    max: int | None = strawberry.field(
        description="The largest value, of an Int; 2147483647, the largest Int, where the rules have no "
        "limit: that is for a field to type in, not for a slider."
    )
    choices: list[JSON] | None = strawberry.field(description="The values that it can have, if listed.")
    several: bool = strawberry.field(
        name="list",
        description="Whether it takes a list of different values; the limits above are then those of each.",
    )
    min_items: int | None = strawberry.field(description="How many values there must be at least, of a list.")
    max_items: int | None = strawberry.field(description="How many values there may be at most, of a list.")


@strawberry.type(description="A move that the caller could play now.")
class LegalMove:
    """A move that the caller could play now."""

    seat: int | None = strawberry.field(description="The seat that would play it.")
    name: str = strawberry.field(description="The move's name.")
    label: str = strawberry.field(description="What to call it on a button.")
    input: JSON = strawberry.field(description="What may be sent back as `move`, as it is.")
    fields: list[MoveField] = strawberry.field(description="The fields whose values may be changed.")


@strawberry.type(description="What whoever runs a table should ask next.")
class Prompt:
    """What whoever runs a table should ask next."""

    seat: int | None = strawberry.field(
        description="Whom to ask; null between rounds. Where several may act and the game asks nobody in "
        "particular, the first of them, and `text` names them all."
    )
    name: str | None = strawberry.field(description="The name at that seat.")
    round: int | None = strawberry.field(description="The number of the round, from 1.")
    cycle: int | None = strawberry.field(
        description="From 1, one more each time the turn passes the round's first seat, where turns go round."
    )
    cards_left: int | None = strawberry.field(description="How many cards are left to draw.")
    text: str = strawberry.field(description="The question, as a sentence.")


@strawberry.type(description="What there is to check of one shuffle.")
class FairShuffle:
    """What there is to check of one shuffle."""

    number: int = strawberry.field(description="Its number at the table, from 1.")
    name: str = strawberry.field(description="What was shuffled.")
    round: int = strawberry.field(description="The round it was for.")
    size: int = strawberry.field(description="How many cards.")
    label: str = strawberry.field(description="What the seed was derived for.")
    commitment: str = strawberry.field(description="The SHA-256 of the seed, published before play.")
    seed: str | None = strawberry.field(description="The seed in hex, once it is revealed.")
    cards: list[str] | None = strawberry.field(
        description="The cards before the shuffle, once the seed is revealed."
    )


@strawberry.type(
    description="Where the cards of a shuffled pile come out in the replay: each event of that type turns up "
    "the next card of the latest shuffle of one of those names."
)
class CardTrail:
    """Where the cards of a shuffled pile come out in the replay."""

    event: str = strawberry.field(description="The type of the event, for example CallItFlipped.")
    card: str = strawberry.field(description="Its field with the card: a PlayingCard or a card's code.")
    piles: list[str] = strawberry.field(description="The names of the shuffles.")
    seat: int | None = strawberry.field(description="Count the events of this seat only; null for all.")
    skip: int = strawberry.field(description="How many cards on top of the pile no event shows.")


@strawberry.type(description="What there is to check of a table's shuffles.")
class Fairness:
    """What there is to check of a table's shuffles."""

    algorithm: str = strawberry.field(description="The name of the derivation from seed to order.")
    shuffles: list[FairShuffle] = strawberry.field(description="Every shuffle so far, in order.")
    trails: list[CardTrail] = strawberry.field(
        description="Which events turn up the cards of which shuffles; others are not seen in order."
    )


@strawberry.interface(description="Something that happened at a table.")
class TableEvent:
    """Something that happened at a table."""

    seat: int | None = strawberry.field(description="The seat that it is about, if it is about one.")
    text: str = strawberry.field(description="A sentence for a log.")

    resolve_type: ClassVar[Any] = classmethod(_by_type)


@strawberry.type(description="Where a page begins and ends.")
class PageInfo:
    """Where a page begins and ends."""

    has_next_page: bool = strawberry.field(description="Whether there is more after this page.")
    has_previous_page: bool = strawberry.field(description="Whether there is something before this page.")
    start_cursor: str | None = strawberry.field(description="The cursor of the first entry.")
    end_cursor: str | None = strawberry.field(description="The cursor of the last entry.")
