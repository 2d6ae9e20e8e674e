"""Streak: rounds in a row until the first bust (call-it M2). It works for every game that can be won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fliptable import Metric, Mode, Outcome, Result, Seat, SeatOutcome, Session, Viewer, hookimpl
from fliptable_modes._solo import Solo, lost, won

MILESTONES = (3, 5, 10)
"""The numbers of wins in a row that are worth a cheer."""


@dataclass(frozen=True, slots=True)
class StreakRun:
    """The wins in a row, and whether they have come to an end."""

    wins: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class StreakView:
    """Rounds in a row until the first bust."""

    current: Annotated[int, "The wins in a row as they stand now; 0 once a bust has ended them."]
    best: Annotated[int, "The most wins in a row that this run came to."]
    next_milestone: Annotated[int | None, "The number of wins at which the next milestone is reached."]


@dataclass(frozen=True, slots=True)
class StreakGrew:
    """One more round in a row was won."""

    wins: Annotated[int, "The wins in a row."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} has a streak of {self.wins}."


@dataclass(frozen=True, slots=True)
class MilestoneReached:
    """The streak came to one of the numbers that are worth a cheer."""

    wins: Annotated[int, "The wins in a row: 3, 5 or 10."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} reaches the milestone of {self.wins} wins in a row!"


@dataclass(frozen=True, slots=True)
class StreakEnded:
    """A bust ended the streak."""

    wins: Annotated[int, "How many rounds in a row were won."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The streak of {names[0]} ends at {self.wins}."


REASONS = {"BUST": "A bust ended the streak."}
"""Why a session is over, and what that means."""


class Streak(Solo[StreakRun]):
    """Wins in a row, up to the first bust."""

    id = "streak"
    name = "Streak"
    graphql = "Streak"
    summary = "Win round after round; the first bust ends the run."
    Run = StreakRun
    View = StreakView
    events = (StreakGrew, MilestoneReached, StreakEnded)
    reasons = REASONS
    metrics = (Metric("streak", "Longest streak", "wins"),)

    def begin(self, session: Session) -> StreakRun:
        return StreakRun()

    def round_over(self, run: StreakRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        if lost(outcome):
            return [StreakEnded(run.wins)]
        if not won(outcome):
            return ()
        grown = StreakGrew(run.wins + 1)
        return [grown, MilestoneReached(grown.wins)] if grown.wins in MILESTONES else [grown]

    def over(self, run: StreakRun) -> str | None:
        return "BUST" if run.ended else None

    def evolve(self, run: StreakRun, event: Any) -> StreakRun:
        if isinstance(event, StreakGrew):
            return StreakRun(event.wins)
        return StreakRun(run.wins, ended=isinstance(event, StreakEnded))

    def scores(self, run: StreakRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return {"streak": run.wins} if outcome.result is Result.WON else {}

    def view(self, run: StreakRun, viewer: Viewer) -> StreakView:
        ahead = [milestone for milestone in MILESTONES if milestone > run.wins and not run.ended]
        return StreakView(0 if run.ended else run.wins, run.wins, ahead[0] if ahead else None)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Streak."""
    return [Streak()]
