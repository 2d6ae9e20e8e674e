"""Time attack: as many wins as possible in five minutes from the first flip (call-it M6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any

from fliptable import (
    Metric,
    Mode,
    Outcome,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Session,
    Viewer,
    hookimpl,
)
from fliptable_modes._solo import Solo, won

TIME = timedelta(minutes=5)
"""How long a run lasts."""

REFUSALS = {"TIME_UP": "The time of the run is over; nothing more can be played in it."}


@dataclass(frozen=True, slots=True)
class TimeAttackRun:
    """When the time is up, once it runs, and the wins so far."""

    ends_at: datetime | None = None
    wins: int = 0
    rounds: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class TimeAttackView:
    """As many wins as possible in five minutes."""

    ends_at: Annotated[datetime | None, "When the time is up; null before the first flip."]
    wins: Annotated[int, "How many rounds were won in time."]
    rounds: Annotated[int, "How many rounds were finished in time."]


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """The first flip of the run was made: the time runs from here, between rounds too."""

    ends_at: Annotated[datetime, "When the time is up."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The clock runs: {TIME.seconds // 60} minutes."


@dataclass(frozen=True, slots=True)
class RoundTimed:
    """A round was finished in time."""

    won: Annotated[bool, "Whether it was won."]
    wins: Annotated[int, "How many rounds were won so far."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} has won {self.wins} {'round' if self.wins == 1 else 'rounds'}."


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The five minutes are over. A round that was not finished does not count."""

    wins: Annotated[int, "How many rounds were won in time."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"Time is up: {self.wins} {'win' if self.wins == 1 else 'wins'} for {names[0]}."


REASONS = {"TIME_UP": "The time of the run is over."}
"""Why a session is over, and what that means."""


class TimeAttack(Solo[TimeAttackRun]):
    """Wins against the server's clock."""

    id = "time-attack"
    name = "Time Attack"
    graphql = "TimeAttack"
    summary = "Five minutes from your first flip. Most wins."
    Run = TimeAttackRun
    View = TimeAttackView
    events = (ClockStarted, RoundTimed, TimeUp)
    reasons = REASONS
    refusals = REFUSALS
    metrics = (Metric("wins", "Most wins in five minutes", "wins"),)

    def begin(self, session: Session) -> TimeAttackRun:
        return TimeAttackRun()

    def moved(self, run: TimeAttackRun, seat: Seat, move: Any, now: datetime) -> Sequence[Any] | Refusal:
        if run.ends_at is None:
            return () if getattr(move, "prelude", False) else [ClockStarted(now + TIME)]
        if now >= run.ends_at:
            return Refusal("TIME_UP", "The five minutes are over.")
        return ()

    def round_over(self, run: TimeAttackRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        if run.ends_at is not None and now >= run.ends_at:
            return ()
        return [RoundTimed(won(outcome), run.wins + won(outcome))]

    def over(self, run: TimeAttackRun) -> str | None:
        return "TIME_UP" if run.ended else None

    def evolve(self, run: TimeAttackRun, event: Any) -> TimeAttackRun:
        if isinstance(event, ClockStarted):
            return replace(run, ends_at=event.ends_at)
        if isinstance(event, RoundTimed):
            return replace(run, wins=event.wins, rounds=run.rounds + 1)
        return replace(run, ended=True)

    def deadline(self, run: TimeAttackRun) -> datetime | None:
        return run.ends_at

    def at_deadline(self, run: TimeAttackRun, at: datetime) -> Sequence[Any]:
        return [TimeUp(run.wins)]

    def scores(self, run: TimeAttackRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return {"wins": run.wins} if outcome.result is Result.WON and run.wins else {}

    def view(self, run: TimeAttackRun, viewer: Viewer) -> TimeAttackView:
        return TimeAttackView(run.ends_at, run.wins, run.rounds)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Time attack."""
    return [TimeAttack()]
