"""Survival: a bust costs a life, a win scores one, without lives the run is over (call-it M4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fliptable import (
    Between,
    Metric,
    Mode,
    Outcome,
    Result,
    Seat,
    SeatOutcome,
    Session,
    Viewer,
    check_limits,
    hookimpl,
)
from fliptable_modes._solo import Solo, lost, won

LIVES = range(1, 11)
"""How many lives a run may start with."""


@dataclass(frozen=True, slots=True)
class SurvivalOptions:
    """How a run of survival is played."""

    lives: Annotated[int, Between(LIVES[0], LIVES[-1]), "How many lives the run starts with."] = 3

    def __post_init__(self) -> None:
        """Keep the limits."""
        check_limits(self)


@dataclass(frozen=True, slots=True)
class SurvivalRun:
    """What is left of the lives, the wins so far, and how many lives there were."""

    lives: int
    wins: int = 0
    given: int = 3


@dataclass(frozen=True, slots=True)
class SurvivalView:
    """Rounds until the last life is lost."""

    lives: Annotated[int, "How many lives are left."]
    wins: Annotated[int, "How many rounds were won."]


@dataclass(frozen=True, slots=True)
class WinScored:
    """A round was won."""

    wins: Annotated[int, "How many rounds were won so far."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} has won {self.wins} {'round' if self.wins == 1 else 'rounds'}."


@dataclass(frozen=True, slots=True)
class LifeLost:
    """A bust cost a life."""

    lives: Annotated[int, "How many lives are left."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} loses a life and has {self.lives or 'none'} left."


REASONS = {"NO_LIVES": "A bust cost the last life."}
"""Why a session is over, and what that means."""


class Survival(Solo[SurvivalRun]):
    """As many wins as possible before the lives are gone."""

    id = "survival"
    name = "Survival"
    graphql = "Survival"
    summary = "Every bust costs a life; how many rounds can you win before the last is gone?"
    Options = SurvivalOptions
    Run = SurvivalRun
    View = SurvivalView
    events = (WinScored, LifeLost)
    reasons = REASONS
    metrics = (Metric("wins", "Most wins", "wins"),)

    def begin(self, session: Session) -> SurvivalRun:
        lives = session.options.lives
        return SurvivalRun(lives, given=lives)

    def round_over(self, run: SurvivalRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        if won(outcome):
            return [WinScored(run.wins + 1)]
        return [LifeLost(run.lives - 1)] if lost(outcome) else ()

    def over(self, run: SurvivalRun) -> str | None:
        return "NO_LIVES" if run.lives == 0 else None

    def evolve(self, run: SurvivalRun, event: Any) -> SurvivalRun:
        if isinstance(event, WinScored):
            return replace(run, wins=event.wins)
        return replace(run, lives=event.lives)

    def scores(self, run: SurvivalRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return {"wins": run.wins} if outcome.result is Result.WON else {}

    def scope(self, run: SurvivalRun) -> str:
        # Wins with another number of lives than usual compare only with their like.
        return "" if run.given == SurvivalOptions().lives else f"{run.given}-lives"

    def check_scope(self, scope: str) -> str:
        usual, allowed = SurvivalOptions().lives, [f"{lives}-lives" for lives in LIVES]
        if scope and scope not in allowed:
            raise ValueError(
                f"the mode {self.id} has a list for {usual} lives, without a scope, and one for each other "
                f"number from {LIVES[0]} to {LIVES[-1]}, with a scope like {allowed[-2]}"
            )
        return "" if scope == f"{usual}-lives" else scope

    def view(self, run: SurvivalRun, viewer: Viewer) -> SurvivalView:
        return SurvivalView(run.lives, run.wins)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Survival."""
    return [Survival()]
