"""The catalogue in the schema: what can be played, and how. The objects behind it are in catalogue.py."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import strawberry

from fliptable_api.catalogue import ConstraintNode, GameNode, ModeNode, OptionNode
from fliptable_api.scalars import JSON
from fliptable_api.types import Node

_RECORD_TYPES = strawberry.lazy("fliptable_api.recordtypes")


@strawberry.type(description="An option of a game, a mode or a constraint.")
class Option:
    """An option of a game, a mode or a constraint."""

    name: str = strawberry.field(description="Its name in the input.")
    title: str = strawberry.field(description="Its name for people, for example `Winning score`.")
    type: str = strawberry.field(
        description="Int, Float, Boolean, String, DateTime, Enum (one of `choices`) or Object (of `fields`); "
        "of a list, that of each value. JSON is anything else: see the input's type in the schema."
    )
    several: bool = strawberry.field(name="list", description="Whether it takes a list of values.")
    description: str = strawberry.field(description="What it does.")
    required: bool = strawberry.field(description="Whether it has to be given.")
    default: JSON | None = strawberry.field(
        description="What it is when it is left out; null where the game or mode chooses for itself."
    )
    min: int | None = strawberry.field(description="The smallest value, of an Int; null where none is set.")
    max: int | None = strawberry.field(
        description="The largest value, of an Int; null where none is set. Of a list, both are those of each."
    )
    min_items: int | None = strawberry.field(
        description="How many values there must be at least, of a list; null where that is open."
    )
    max_items: int | None = strawberry.field(
        description="How many values there may be at most, of a list; null where that is open."
    )
    choices: list[str] | None = strawberry.field(description="The values that it can have, if listed.")
    fields: list[Option] | None = strawberry.field(description="What stands in it, of an Object.")

    is_type_of: ClassVar[Any] = classmethod(lambda cls, obj, info: isinstance(obj, OptionNode))


@strawberry.type(description="An option with the value that was chosen for it, or that it has by default.")
class OptionValue:
    """An option with its value."""

    name: str = strawberry.field(description="The name of the option in the input.")
    title: str = strawberry.field(description="The name of the option for people.")
    value: JSON | None = strawberry.field(
        description="The value as in the input; null where whoever chose left it to the rules."
    )
    text: str = strawberry.field(description="The value for people: `yes`, `very wild`, `10♥`, `not set`.")
    option: Option = strawberry.field(description="What the catalogue says of the option.")


@strawberry.type(description="A code for why something is over, and what it means.")
class Reason:
    """A code for why something is over."""

    code: str = strawberry.field(description="The code, for example DECK_EMPTY.")
    meaning: str = strawberry.field(description="What it means, as a sentence.")


@strawberry.type(description="How rounds make up a session.")
class Mode(Node):
    """How rounds make up a session."""

    metrics: list[Annotated[Metric, _RECORD_TYPES]] = strawberry.field(  # type: ignore[name-defined]  # noqa: F821
        description="What its records compare players by; empty when it keeps none."
    )
    id: strawberry.ID = strawberry.field(description="The id, which is its name in code: time-attack.")
    name: str = strawberry.field(description="Its name for people.")
    summary: str = strawberry.field(description="What it is, in one line.")
    input: str = strawberry.field(description="The field of ModeInput that chooses it.")
    options: list[Option] = strawberry.field(description="What can be chosen.")
    reasons: list[Reason] = strawberry.field(
        description="What `overReason` of its tables can be, as far as it declares that, besides ABANDONED "
        "and NOT_ENOUGH_PLAYERS; and the `reason` of a seat, where the mode itself has a word in that."
    )

    is_type_of: ClassVar[Any] = classmethod(lambda cls, obj, info: isinstance(obj, ModeNode))


# It has no id, and a mode has none of this: caches would take the mode of one game for that of another.
@strawberry.type(
    description="The seats of tables of a game in one of its modes, and the options of the mode there."
)
class Seating:
    """The seats of tables of a game in one of its modes, and the options of the mode there."""

    mode: Mode = strawberry.field(description="The mode.")
    min_seats: int = strawberry.field(description="The smallest number of seats of a table of the two.")
    max_seats: int = strawberry.field(description="The largest number of seats of a table of the two.")
    seat_counts: list[int] = strawberry.field(
        description="Every number of seats that such a table can have, the smallest first."
    )
    options: list[Option] = strawberry.field(
        description="The options of the mode, with the limits and defaults that they have at this game. "
        "A default that goes by an option of the game is told as it is with that option's own."
    )


@strawberry.type(description="A condition on a round that a challenge can have.")
class Constraint(Node):
    """A condition on a round that a challenge can have."""

    id: strawberry.ID = strawberry.field(description="The id, which is its name in code: exact-flips.")
    name: str = strawberry.field(description="Its name for people.")
    summary: str = strawberry.field(description="What it asks, in one line.")
    input: str = strawberry.field(description="The field of ConstraintInput that chooses it.")
    games: list[Game] = strawberry.field(description="The games at whose rounds it can look.")
    options: list[Option] = strawberry.field(description="What can be chosen.")

    is_type_of: ClassVar[Any] = classmethod(lambda cls, obj, info: isinstance(obj, ConstraintNode))


@strawberry.type(description="The rules of one round.")
class Game(Node):
    """The rules of one round."""

    id: strawberry.ID = strawberry.field(description="The id, which is its name in code: call-it.")
    name: str = strawberry.field(description="Its name for people.")
    summary: str = strawberry.field(description="What it is, in one line.")
    rules: str = strawberry.field(description="The rules for a player, as Markdown.")
    input: str = strawberry.field(description="The field of GameInput and MoveInput that is the game's.")
    min_seats: int = strawberry.field(
        description="The smallest number of seats, whatever the mode; `seating` has those in each."
    )
    max_seats: int = strawberry.field(description="The largest number of seats, whatever the mode.")
    options: list[Option] = strawberry.field(description="What can be chosen for a table.")
    modes: list[Mode] = strawberry.field(description="The modes it can be played in, the default first.")
    constraints: list[Constraint] = strawberry.field(
        description="What challenges at it can ask for besides winning."
    )
    default_mode: Mode | None = strawberry.field(description="The mode when none is chosen.")
    seating: list[Seating] = strawberry.field(
        description="The seats of its tables in each of these modes, in the same order."
    )
    reasons: list[Reason] = strawberry.field(
        description="What the `reason` of a seat's outcome can be, as far as the game declares that."
    )

    is_type_of: ClassVar[Any] = classmethod(lambda cls, obj, info: isinstance(obj, GameNode))
