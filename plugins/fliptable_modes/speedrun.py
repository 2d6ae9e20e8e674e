"""Speedrun: high targets in as few flips as possible (call-it M7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fliptable import Game, Mode, Outcome, RoundPlan, Seat, SeatOutcome, Session, Viewer, hookimpl
from fliptable_modes._solo import FEWEST_FLIPS, Solo, flips_of, flips_scored, has_term, won

LEAST_TARGET = 50
"""The smallest target that may be called."""


@dataclass(frozen=True, slots=True)
class SpeedrunRun:
    """The rounds so far, and the flips of the wins among them."""

    rounds: int = 0
    wins: int = 0
    last: int | None = None
    best: int | None = None


@dataclass(frozen=True, slots=True)
class SpeedrunView:
    """Rounds with targets of 50 or more, won in as few flips as possible."""

    rounds: Annotated[int, "How many rounds are over."]
    wins: Annotated[int, "How many of them were won."]
    last_flips: Annotated[int | None, "How many flips the last round took if it was won."]
    best_flips: Annotated[int | None, "The fewest flips of a win in this run."]


@dataclass(frozen=True, slots=True)
class RoundRun:
    """A round is over; only the flips of a win are a score."""

    flips: Annotated[int | None, "How many flips the win took; null for a bust."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} scores {self.flips} flips." if self.flips else f"{names[0]} scores nothing."


class Speedrun(Solo[SpeedrunRun]):
    """Wins in as few flips as possible."""

    id = "speedrun"
    name = "Speedrun"
    graphql = "Speedrun"
    summary = "Call 50 or more and win in as few flips as you can."
    Run = SpeedrunRun
    View = SpeedrunView
    events = (RoundRun,)
    metrics = (FEWEST_FLIPS,)

    def supports(self, game: Game[Any, Any]) -> bool:
        return super().supports(game) and has_term(game, "min_target")

    def begin(self, session: Session) -> SpeedrunRun:
        return SpeedrunRun()

    def plan(self, run: SpeedrunRun, now: datetime) -> RoundPlan:
        return RoundPlan({"min_target": LEAST_TARGET})

    def round_over(self, run: SpeedrunRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [RoundRun(flips_of(outcome) if won(outcome) else None)]

    def over(self, run: SpeedrunRun) -> str | None:
        return None

    def evolve(self, run: SpeedrunRun, event: Any) -> SpeedrunRun:
        if event.flips is None:
            return SpeedrunRun(run.rounds + 1, run.wins, None, run.best)
        best = event.flips if run.best is None else min(run.best, event.flips)
        return SpeedrunRun(run.rounds + 1, run.wins + 1, event.flips, best)

    def scores(self, run: SpeedrunRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return flips_scored(outcome)

    def view(self, run: SpeedrunRun, viewer: Viewer) -> SpeedrunView:
        return SpeedrunView(run.rounds, run.wins, run.last, run.best)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Speedrun."""
    return [Speedrun()]
