"""What happens at a table apart from the game itself, and the commit that stores events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from fliptable.challenges import Challenge
from fliptable.house import HouseRules, Visibility
from fliptable.rules import Outcome, Result, SeatOutcome


@dataclass(frozen=True, slots=True)
class TableCreated:
    """The table was opened."""

    code: Annotated[str, "The short code of the table, to be read out."]
    game: Annotated[str, "The id of the game."]
    mode: Annotated[str, "The id of the mode."]
    game_version: str
    mode_version: str
    game_options: dict[str, Any]
    mode_options: dict[str, Any]
    seats: Annotated[int, "How many seats the table has."]
    visibility: Annotated[Visibility, "Who finds the table."]
    host: str
    host_name: str
    secret: bytes = field(repr=False)
    challenge: Challenge | None = None
    house: Annotated[HouseRules, "How the table is run."] = field(default_factory=HouseRules)
    game_source: str = ""
    """Who brought the game, plugin and distribution: to say what is missing when it is not there."""
    mode_source: str = ""

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"Table {self.code} is open."


@dataclass(frozen=True, slots=True)
class TableUpgraded:
    """From here on the table is played with other versions of its game or mode; older ones refuse it."""

    game: Annotated[str, "The id of the game."]
    game_version: Annotated[str, "The version of the game."]
    mode: Annotated[str, "The id of the mode."]
    mode_version: Annotated[str, "The version of the mode."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        versions = f"{self.game} {self.game_version} and {self.mode} {self.mode_version}"
        return f"The table goes on with {versions}."


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: Annotated[int, "The seat that was taken."]
    name: Annotated[str, "The name at the seat."]
    player: str | None = None

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{self.name} sits down."


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody left the table for good."""

    seat: Annotated[int, "The seat that was left."]
    name: Annotated[str, "The name at the seat."]
    kicked: Annotated[bool, "Whether the host sent them away."] = False

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{self.name} is sent away." if self.kicked else f"{self.name} leaves the table."


@dataclass(frozen=True, slots=True)
class SeatReady:
    """A player said whether they are ready for the start."""

    seat: Annotated[int, "Whose seat it is."]
    ready: Annotated[bool, "Whether they are ready."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is {'' if self.ready else 'not '}ready."


@dataclass(frozen=True, slots=True)
class SeatDisconnected:
    """A player has not followed the table for longer than the grace period."""

    seat: Annotated[int, "Whose seat it is."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is not there any more."


@dataclass(frozen=True, slots=True)
class SeatReconnected:
    """A player follows the table again."""

    seat: Annotated[int, "Whose seat it is."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is back."


@dataclass(frozen=True, slots=True)
class TurnExpired:
    """A seat took longer than the table allows."""

    seat: Annotated[int, "Whose time is up."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The time of {names[self.seat]} is up."


@dataclass(frozen=True, slots=True)
class TablePaused:
    """The table waits, since too few players are there."""

    until: Annotated[datetime, "When the table ends if nobody comes back."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "The table waits for players to come back."


@dataclass(frozen=True, slots=True)
class TableResumed:
    """Enough players are there again."""

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "The table goes on."


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """The same people have a new table for another session."""

    table: Annotated[str, "The id of the new table."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "There is a new table for a rematch."


@dataclass(frozen=True, slots=True)
class HostChanged:
    """The table has another host."""

    seat: Annotated[int | None, "The seat of the new host, if they have one."]
    host: str
    """The id of the player who is host now."""

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        who = names[self.seat] if self.seat is not None else "Somebody else"
        return f"{who} is the host now."


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The session began; nobody is seated any more."""

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "The table starts."


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round was set up: ahead of its first move, or at once."""

    number: Annotated[int, "The number of the round, from 1."]
    terms: dict[str, Any]
    """What the mode asks of the round, as the table has stored it."""
    ahead: Annotated[bool, "Whether the round waits for its first move, the last one still on view."] = False

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"Round {self.number} is dealt."


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round that was dealt ahead began with its first move."""

    number: Annotated[int, "The number of the round, from 1."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"Round {self.number} begins."


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round ended."""

    number: Annotated[int, "The number of the round, from 1."]
    outcome: Annotated[Outcome, "How it ended for each seat."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        if all(one.result is Result.DRAWN for one in self.outcome.seats):
            return f"Round {self.number} is over: it is a draw."
        ends = [f"{name} {_end(one)}" for name, one in zip(names, self.outcome.seats, strict=False)]
        return f"Round {self.number} is over: {', '.join(ends)}."


_ENDS = {
    Result.WON: "wins",
    Result.LOST: "loses",
    Result.BUST: "is bust",
    Result.DRAWN: "gets a draw",
}


def _end(one: SeatOutcome) -> str:
    if one.result is Result.SCORED:
        return f"scores {one.points}"
    # Who has left lost nothing by their cards, in that round and in those after it.
    left = one.result is Result.BUST and one.reason == "ABANDONED"
    return "is out" if left else _ENDS[one.result]


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The seed of a shuffle was revealed, so that anybody can check it."""

    shuffle: Annotated[int, "The number of the shuffle at its table, from 1."]
    seed: Annotated[str, "The seed, in hex."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The seed of shuffle {self.shuffle} is revealed."


@dataclass(frozen=True, slots=True)
class TableOver:
    """The session ended; what ends with it follows in the same update, and a rematch may in one more."""

    reason: Annotated[str, "Why, as a code, for example PLAYED or ABANDONED."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The table is over ({self.reason.lower().replace('_', ' ')})."


TABLE_EVENTS: tuple[type, ...] = (
    TableCreated,
    TableUpgraded,
    SeatTaken,
    SeatLeft,
    SeatReady,
    SeatDisconnected,
    SeatReconnected,
    HostChanged,
    TableStarted,
    TablePaused,
    TableResumed,
    TurnExpired,
    RematchOpened,
    RoundDealt,
    RoundBegan,
    RoundOver,
    SeedRevealed,
    TableOver,
)
"""The events that a table has whatever is played at it (besides the shuffle's)."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The events of one accepted move or clock tick, stored together as one document."""

    table: str
    """The id of the table."""
    version: int
    """The number of the commit at its table: 1, 2, 3 …, without gaps."""
    at: datetime
    """When it was made, in UTC."""
    events: tuple[Any, ...]
    """What has happened, in order: events of the table, the game and the mode. Some are :class:`Private`."""
    actor: str | None = None
    """The id of the player who asked for it; None for the clock."""
    key: str | None = None
    """The idempotency key of the request."""
    digest: str | None = None
    """What was asked for under the key, hashed."""
    claim: str | None = None
    """What the table takes for itself alone; only its first commit can."""
    counts: bool = False
    """Whether it adds to the records."""
