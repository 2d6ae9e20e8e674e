"""Records, days and challenges in the schema."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

import strawberry

from fliptable.scores import Better
from fliptable_api.cataloguetypes import Game, Mode, OptionValue
from fliptable_api.challengenodes import ChallengeNode
from fliptable_api.scalars import JSON
from fliptable_api.types import Node, PageInfo, Player

strawberry.enum(Better, name="Better", description="Which values are better.")


@strawberry.type(description="Something that players are compared by.")
class Metric:
    """Something that players are compared by."""

    name: strawberry.ID = strawberry.field(description="Its name in code, for example flips.")
    title: str = strawberry.field(description="Its name for people.")
    unit: str = strawberry.field(description="What it counts, in the plural.")
    better: Better = strawberry.field(description="Which values are better.")


@strawberry.type(
    description="Where a player stands. Players who are equal share a rank, the earlier one first."
)
class RecordEntry:
    """Where a player stands."""

    rank: int = strawberry.field(description="From 1; one more than the players who are better.")
    player: Player = strawberry.field(description="Who.")
    value: int = strawberry.field(description="Their best value.")
    at: datetime = strawberry.field(description="When they reached it.")
    table_id: strawberry.ID = strawberry.field(description="The table where they did.")


@strawberry.type(description="A record and its place in the list.")
class RecordEdge:
    """A record and its place in the list."""

    cursor: str = strawberry.field(description="What `after` takes to go on from here.")
    node: RecordEntry = strawberry.field(description="The record.")


@strawberry.type(description="A page of records, the best first.")
class RecordConnection:
    """A page of records, the best first."""

    edges: list[RecordEdge] = strawberry.field(description="The records with their cursors.")
    nodes: list[RecordEntry] = strawberry.field(description="The records.")
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")


@strawberry.type(description="Where a player stands on one list, with those next to them.")
class PlayerRecord:
    """Where a player stands on one list."""

    game: Game = strawberry.field(description="The game.")
    mode: Mode = strawberry.field(description="The mode.")
    metric: Metric = strawberry.field(description="What is compared.")
    mine: RecordEntry = strawberry.field(description="The player's own place.")
    around: list[RecordEntry] = strawberry.field(
        description="The players just above and below, them included."
    )


@strawberry.type(description="How often something was played and won.")
class PlayCounts:
    """How often something was played and won."""

    attempts: int = strawberry.field(description="Rounds that were begun.")
    finished: int = strawberry.field(description="Rounds that are over.")
    wins: int = strawberry.field(description="Rounds that were won.")
    flips: list[FlipCount] = strawberry.field(
        description="How many players have won with how many flips as their best."
    )


@strawberry.type(description="How many players needed so many flips at best.")
class FlipCount:
    """How many players needed so many flips at best."""

    flips: int = strawberry.field(description="The flips.")
    players: int = strawberry.field(description="The players.")


@strawberry.type(description="The caller's days in a row at the daily.")
class DayStreaks:
    """The caller's days in a row."""

    played: int = strawberry.field(description="Days in a row that were played, up to today or yesterday.")
    won: int = strawberry.field(description="Days in a row that were won, up to today or yesterday.")
    longest_played: int = strawberry.field(description="The most days in a row ever that were played.")
    longest_won: int = strawberry.field(description="The most days in a row ever that were won.")


@strawberry.type(description="What everybody plays on one UTC date.")
class Daily:
    """What everybody plays on one UTC date."""

    date: str = strawberry.field(description="The UTC date, for example 2030-01-31.")
    game: Game = strawberry.field(description="The game.")
    target: int | None = strawberry.field(description="The target of the date, where the game has one.")
    commitment: str = strawberry.field(description="The SHA-256 of the deck's seed.")
    seed: str | None = strawberry.field(description="The deck's seed in hex, once the date is over.")
    ends_at: datetime | None = strawberry.field(description="When the date is over.")
    counts: PlayCounts = strawberry.field(description="How it was played by everybody.")
    my_table: strawberry.ID | None = strawberry.field(
        description="The table of the caller's attempt at today's deck; null before it, and for other dates."
    )
    my_days: DayStreaks | None = strawberry.field(description="The caller's days in a row; null for nobody.")


@strawberry.type(description="A constraint of a challenge.")
class ChallengeConstraint:
    """A constraint of a challenge."""

    constraint: strawberry.ID = strawberry.field(
        description="The id of the constraint, for example exact-flips."
    )
    text: str = strawberry.field(description="What it asks, in a few words.")
    options: list[OptionValue] = strawberry.field(description="Its options with their values.")
    input: JSON = strawberry.field(
        description="What may be sent back as an entry of `constraints` of createChallenge, as it is."
    )


@strawberry.type(description="What a player made for others to play. It never changes.")
class Challenge(Node):
    """What a player made for others to play."""

    id: strawberry.ID = strawberry.field(description="The id; `node` finds it, and `challenge` by its code.")
    code: str = strawberry.field(description="Its short code: the mode custom takes it.")
    title: str = strawberry.field(description="What its maker called it.")
    game: Game = strawberry.field(description="The game.")
    target: int | None = strawberry.field(description="The target; null when whoever plays calls it.")
    constraints: list[ChallengeConstraint] = strawberry.field(
        description="What has to hold at the hit, besides."
    )
    author: Player = strawberry.field(description="Who made it.")
    created_at: datetime = strawberry.field(description="When.")

    @strawberry.field(graphql_type=PlayCounts, description="How it was played.")
    async def counts(self: Any, info: strawberry.Info) -> Any:
        """How often, and with how many flips it was won."""
        from fliptable_api.recordqueries import counts_of_challenge

        return await counts_of_challenge(info.context, self.made)

    @strawberry.field(graphql_type=int | None, description="The fewest flips of a win.")
    async def best_flips(self: Any, info: strawberry.Info) -> Any:
        """The best value of all players."""
        from fliptable_api.recordqueries import best_flips_of

        return await best_flips_of(info.context, self.made)

    is_type_of: ClassVar[Any] = classmethod(lambda cls, obj, info: isinstance(obj, ChallengeNode))


@strawberry.type(description="A challenge and its place in the list.")
class ChallengeEdge:
    """A challenge and its place in the list."""

    cursor: str = strawberry.field(description="What `after` takes to go on from here.")
    # Null, and not the whole list, when one of its constraints is of a plugin that is not loaded.
    node: Challenge | None = strawberry.field(
        description="The challenge; null only when a field of it failed, which `errors` tells with its path."
    )


@strawberry.type(description="A page of challenges, the newest first.")
class ChallengeConnection:
    """A page of challenges, the newest first."""

    edges: list[ChallengeEdge] = strawberry.field(description="The challenges with their cursors.")
    nodes: list[Challenge | None] = strawberry.field(
        description="The challenges; null only in place of one of which a field failed, as `errors` tells."
    )
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")


@strawberry.type(description="The challenge is made.")
class ChallengeCreated:
    """The challenge is made."""

    challenge: Challenge = strawberry.field(description="The challenge.")


def metric_node(metric: Any) -> Metric:
    """A metric of a mode as clients see it."""
    return Metric(name=strawberry.ID(metric.name), title=metric.title, unit=metric.unit, better=metric.better)
