"""Daily: the same deck and target for everybody on the same UTC date (call-it M3).

It works for every game that can be won; one without a target has only the deck in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any

from fliptable import Claim, Mode, Outcome, Refusal, RoundPlan, Seat, SeatOutcome, Session, Viewer, hookimpl
from fliptable_modes._solo import FEWEST_FLIPS, Solo, flips_of, flips_scored, won

TARGETS = range(30, 61)
"""The targets that a date may have."""

FIRST_DAY = date(2026, 1, 1)
"""The date whose daily has the number 1."""

REFUSALS = {"DAILY_PLAYED": "The player has already used their attempt at the daily deck of the date."}


@dataclass(frozen=True, slots=True)
class DailyRun:
    """The game and the date, and how the one round of the attempt ended."""

    game: str
    date: str
    won: bool | None = None
    flips: int | None = None


@dataclass(frozen=True, slots=True)
class DailyView:
    """A player's one attempt at the deck of a date."""

    date: Annotated[str, "The UTC date of the deck, for example 2026-11-29."]
    number: Annotated[int, "The number of the day, one more each day."]
    ends_at: Annotated[datetime, "When the date is over and the seed of its deck becomes known."]
    attempt_used: Annotated[bool, "Whether the attempt at this date is over."]
    won: Annotated[bool | None, "Whether it was won; null while it runs."]
    flips: Annotated[int | None, "How many flips the win took."]


@dataclass(frozen=True, slots=True)
class DailyPlayed:
    """The attempt is over."""

    date: Annotated[str, "The UTC date of the deck."]
    won: Annotated[bool, "Whether it was won."]
    flips: Annotated[int | None, "How many flips the win took."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} {'wins' if self.won else 'does not win'} the daily of {self.date}."


REASONS = {"PLAYED": "The one attempt at the deck of the date is over."}
"""Why a session is over, and what that means."""


class Daily(Solo[DailyRun]):
    """One attempt at the deck of the day."""

    id = "daily"
    name = "Daily Target"
    graphql = "Daily"
    summary = "The same deck and target for everybody on the same date. One attempt."
    Run = DailyRun
    View = DailyView
    events = (DailyPlayed,)
    reasons = REASONS
    refusals = REFUSALS
    metrics = (FEWEST_FLIPS,)

    def claim(self, session: Session, player: str) -> Claim:
        day = _day_of(session)
        message = f"You have already used your attempt at the daily of {day}."
        return Claim(f"daily/{session.game}/{day}/{player}", Refusal("DAILY_PLAYED", message))

    def begin(self, session: Session) -> DailyRun:
        return DailyRun(session.game, _day_of(session))

    def plan(self, run: DailyRun, now: datetime) -> RoundPlan:
        deck = f"daily/{run.game}/{run.date}"
        return RoundPlan(deck=deck, draws={"target": TARGETS}, until=_end_of(run.date))

    def round_over(self, run: DailyRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [DailyPlayed(run.date, won(outcome), flips_of(outcome) if won(outcome) else None)]

    def over(self, run: DailyRun) -> str | None:
        return None if run.won is None else "PLAYED"

    def evolve(self, run: DailyRun, event: Any) -> DailyRun:
        return replace(run, won=event.won, flips=event.flips)

    def scores(self, run: DailyRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return flips_scored(outcome)

    def scope(self, run: DailyRun) -> str:
        return run.date

    def check_scope(self, scope: str) -> str:
        try:
            day = date.fromisoformat(scope)
        except ValueError:
            day = None
        if day is None or day.isoformat() != scope:
            raise ValueError(
                f"the mode {self.id} has a list for each date, so scope has to be one like 2030-01-31"
            )
        return scope

    def day(self, run: DailyRun) -> str:
        return run.date

    def view(self, run: DailyRun, viewer: Viewer) -> DailyView:
        number = (date.fromisoformat(run.date) - FIRST_DAY).days + 1
        return DailyView(run.date, number, _end_of(run.date), run.won is not None, run.won, run.flips)


def _day_of(session: Session) -> str:
    """The UTC date of a session that begins, to which it belongs to its end."""
    return session.now.astimezone(UTC).date().isoformat()


def _end_of(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(tzinfo=UTC))


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Daily."""
    return [Daily()]
