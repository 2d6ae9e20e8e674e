"""A small mode with everything that a mode may have, for the engine's tests: rounds until a deadline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

from highcard import HighCard, Style, Swap

from fliptable import (
    Mode,
    Outcome,
    Refusal,
    RoundPlan,
    Seat,
    Session,
    Viewer,
    hookimpl,
)


@dataclass(frozen=True)
class TimedOptions:
    """Options."""

    rounds: int = 2
    seconds: int = 60
    swaps: bool = True
    deck: str = ""


@dataclass(frozen=True)
class TimedRun:
    """A session."""

    options: TimedOptions
    ends_at: datetime
    played: int = 0
    moves: int = 0
    time_up: bool = False
    best: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class TimedView:
    """A session."""

    played: int
    ends_at: datetime


@dataclass(frozen=True)
class Moved:
    """Somebody moved."""

    seat: int
    at: datetime

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} moves."


@dataclass(frozen=True)
class Counted:
    """A round counts."""

    points: int

    def text(self, names: Sequence[str]) -> str:
        return "The round counts."


@dataclass(frozen=True)
class TimeUp:
    """The time is up."""

    def text(self, names: Sequence[str]) -> str:
        return "The time is up."


class Timed(Mode[TimedRun]):
    """A few rounds before a deadline."""

    id = "timed"
    name = "Timed"
    graphql = "Timed"
    summary = "A few rounds before a deadline."
    Options = TimedOptions
    Run = TimedRun
    View = TimedView
    events = (Moved, Counted, TimeUp)
    refusals: ClassVar[Mapping[str, str]] = {"NO_SWAPS": "Nobody may swap."}

    def begin(self, session: Session) -> TimedRun:
        return TimedRun(session.options, session.now + timedelta(seconds=session.options.seconds))

    def plan(self, run: TimedRun, now: datetime) -> RoundPlan:
        terms = {"style": Style.BOLD, "sizes": (1, 2), "what_no_game_has": 1}
        return RoundPlan(terms, run.options.deck or None)

    def moved(self, run: TimedRun, seat: Seat, move: Any, now: datetime) -> Sequence[Any] | Refusal:
        if isinstance(move, Swap) and not run.options.swaps:
            return Refusal("NO_SWAPS", "Nobody may swap.")
        return [Moved(seat, now)]

    def round_over(self, run: TimedRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [Counted(sum(one.points for one in outcome.seats))]

    def over(self, run: TimedRun) -> str | None:
        if run.time_up:
            return "TIME_UP"
        return "PLAYED" if run.played >= run.options.rounds else None

    def evolve(self, run: TimedRun, event: Any) -> TimedRun:
        if isinstance(event, Counted):
            return replace(run, played=run.played + 1, best={**run.best, str(run.played): event.points})
        if isinstance(event, TimeUp):
            return replace(run, time_up=True)
        return replace(run, moves=run.moves + 1)

    def deadline(self, run: TimedRun) -> datetime:
        return run.ends_at

    def at_deadline(self, run: TimedRun, at: datetime) -> Sequence[Any]:
        return [TimeUp()]

    def view(self, run: TimedRun, viewer: Viewer) -> TimedView:
        return TimedView(run.played, run.ends_at)


class Plugin:
    """Both of them."""

    @hookimpl
    def fliptable_games(self) -> list[Any]:
        return [HighCard()]

    @hookimpl
    def fliptable_modes(self) -> list[Any]:
        return [Timed()]
