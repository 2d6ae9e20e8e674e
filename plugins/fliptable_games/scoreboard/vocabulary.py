"""The words of the scoreboard: its options, moves, events and what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from fliptable import Between, check_limits
from fliptable_games.flip7.scoring import REFUSALS as LINE_REFUSALS
from fliptable_games.flip7.scoring import Flip7LineScore

MOST_POINTS = 1000
"""The most points that can be entered for one round, whatever is played."""


class Rules(Enum):
    """How the match ends (flip7 F29, F30)."""

    OFFICIAL = "OFFICIAL"
    """With the threshold reached and a single leader."""
    HOSTED = "HOSTED"
    """With the threshold passed; all who share the highest total win."""


@dataclass(frozen=True, slots=True)
class ScoreboardOptions:
    """What the people at the table play to."""

    threshold: Annotated[int, Between(50, 1000), "The total that ends the match (flip7 F29)."] = 200
    rules: Annotated[
        Rules,
        "OFFICIAL: the threshold has to be reached, and a tie is played on. HOSTED: it has to be passed,"
        " and all who are tied win.",
    ] = Rules.OFFICIAL

    def __post_init__(self) -> None:
        """Keep the limits."""
        check_limits(self)


_ROUND = "The round, from 1; null for the one that is being entered. One that has an entry is corrected."


@dataclass(frozen=True, slots=True)
class EnterLine:
    """Enter the seat's line of a round, as it lies on the real table."""

    numbers: Annotated[
        tuple[int, ...], "The number cards, 0 to 12, in any order; of a bust line also the second copy."
    ] = ()
    modifiers: Annotated[tuple[str, ...], "The modifiers: +2 +4 +6 +8 +10 x2."] = ()
    second_chance: Annotated[bool, "Whether a Second Chance lies there unused."] = False
    bust: Annotated[bool, "Whether the line is bust."] = False
    round: Annotated[int | None, _ROUND] = None

    def label(self) -> str:
        """What to call it on a button."""
        if self.round is None:
            return "Enter a bust line" if self.bust else "Enter a line"
        return f"Enter or correct the line of round {self.round}{', as bust' if self.bust else ''}"


@dataclass(frozen=True, slots=True)
class EnterPoints:
    """Enter just the seat's points of a round."""

    points: Annotated[int, "The points, from 0."]
    round: Annotated[int | None, _ROUND] = None

    def label(self) -> str:
        """What to call it on a button."""
        return "Enter points" if self.round is None else f"Enter or correct the points of round {self.round}"


@dataclass(frozen=True, slots=True)
class DeleteEntry:
    """Take back what was entered for the seat in a round."""

    round: Annotated[int, "The round, from 1."]

    def label(self) -> str:
        """What to call it on a button."""
        return f"Take back the entry of round {self.round}"


@dataclass(frozen=True, slots=True)
class Finish:
    """Close the scoreboard, the match being decided: nothing can be corrected afterwards."""


Move = EnterLine | EnterPoints | DeleteEntry | Finish


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """A line as it was entered."""

    numbers: Annotated[tuple[int, ...], "The numbers."]
    modifiers: Annotated[tuple[str, ...], "The modifiers."]
    second_chance: Annotated[bool, "Whether a Second Chance lies there unused."]
    bust: Annotated[bool, "Whether the line is bust."]


@dataclass(frozen=True, slots=True)
class LineEntered:
    """A line was entered for a seat, or put in the place of an earlier entry."""

    seat: Annotated[int, "Whose line it is."]
    round: Annotated[int, "The round, from 1."]
    line: Annotated[EnteredLine, "The line."]
    points: Annotated[int, "What it scores."]
    corrects: Annotated[bool, "Whether it takes the place of an earlier entry."] = False

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        cards = " ".join([*map(str, self.line.numbers), *self.line.modifiers]) or "no cards"
        bust = ", bust" if self.line.bust else ""
        return (
            f"{_entered(names[self.seat], self.round, self.corrects)}: {cards}{bust}, {self.points} points."
        )


@dataclass(frozen=True, slots=True)
class PointsEntered:
    """Points were entered for a seat, or put in the place of an earlier entry."""

    seat: Annotated[int, "Whose points they are."]
    round: Annotated[int, "The round, from 1."]
    points: Annotated[int, "The points."]
    corrects: Annotated[bool, "Whether they take the place of an earlier entry."] = False

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{_entered(names[self.seat], self.round, self.corrects)}: {self.points} points."


def _entered(name: str, number: int, corrects: bool) -> str:
    return f"{name}'s round {number} is {'corrected' if corrects else 'entered'}"


@dataclass(frozen=True, slots=True)
class EntryDeleted:
    """What was entered for a seat in a round was taken back."""

    seat: Annotated[int, "Whose entry it was."]
    round: Annotated[int, "The round, from 1."]
    points: Annotated[int, "The points that it had."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]}'s round {self.round} is taken back."


@dataclass(frozen=True, slots=True)
class SeatGone:
    """Somebody stopped playing: rounds no longer wait for their entry."""

    seat: Annotated[int, "Who stopped."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is no longer scored."


@dataclass(frozen=True, slots=True)
class Finished:
    """The scoreboard was closed."""

    seat: Annotated[int, "Who closed it."]
    winners: Annotated[tuple[int, ...], "Who has won; several after a tie."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        won = " and ".join([names[seat] for seat in self.winners])
        return f"The match is over: {won} {'wins' if len(self.winners) == 1 else 'win'}."


EVENTS: tuple[type, ...] = (LineEntered, PointsEntered, EntryDeleted, SeatGone, Finished)
"""The events of the scoreboard."""


@dataclass(frozen=True, slots=True)
class ScoreView(Flip7LineScore):
    """How the points of a line come about."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """What a seat has for a round."""

    seat: Annotated[int, "Whose entry it is."]
    points: Annotated[int, "The points."]
    line: Annotated[EnteredLine | None, "The line; null where just points were entered."]
    score: Annotated[ScoreView | None, "How the line's points come about."]
    changes: Annotated[int, "How often the entry was corrected."]


@dataclass(frozen=True, slots=True)
class BoardRoundView:
    """A round on the scoreboard."""

    number: Annotated[int, "The number of the round, from 1."]
    complete: Annotated[bool, "Whether everybody who still plays has an entry."]
    entries: Annotated[tuple[EntryView, ...], "The entries, in seat order."]
    missing: Annotated[tuple[int, ...], "The seats whose entry is awaited."]
    totals: Annotated[tuple[int, ...], "The totals after the round, in seat order."]


@dataclass(frozen=True, slots=True)
class ScoreboardView:
    """The scoreboard, the same for everybody."""

    threshold: Annotated[int, "The total that ends the match."]
    rules: Annotated[Rules, "How the match ends."]
    current: Annotated[int, "The round that is being entered; the last one when the match is decided."]
    rounds: Annotated[tuple[BoardRoundView, ...], "The rounds so far."]
    totals: Annotated[tuple[int, ...], "The totals of all entries, in seat order."]
    leaders: Annotated[tuple[int, ...], "The seats with the highest total; none before the first entry."]
    passed: Annotated[tuple[int, ...], "The seats whose total is past the threshold."]
    winners: Annotated[tuple[int, ...], "Who has won as the entries stand; they can still be corrected."]
    closed: Annotated[bool, "Whether the scoreboard is closed."]


REFUSALS = {
    **LINE_REFUSALS,
    "ALREADY_ENTERED": "The seat has an entry for the round; it can be corrected by naming the round.",
    "NO_ENTRY": "The seat has no entry for the round that was named.",
    "MATCH_DECIDED": "Somebody has won, so no further round is entered.",
    "NOT_DECIDED": "Nobody has won yet, so the scoreboard stays open.",
}
"""The refusal codes of the scoreboard, that of a line included."""
