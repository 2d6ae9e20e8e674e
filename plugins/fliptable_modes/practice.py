"""Practice: the player sees the next three cards, and nothing counts for records (call-it M5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fliptable import Game, Mode, Outcome, RoundPlan, Session, Viewer, hookimpl
from fliptable_modes._solo import Solo, has_term, won

PEEK = 3
"""How many of the next cards the player sees."""


@dataclass(frozen=True, slots=True)
class PracticeRun:
    """The rounds so far."""

    rounds: int = 0
    wins: int = 0


@dataclass(frozen=True, slots=True)
class PracticeView:
    """Rounds with the next cards on view for the player. Nothing of it counts for records."""

    rounds: Annotated[int, "How many rounds are over."]
    wins: Annotated[int, "How many of them were won."]


@dataclass(frozen=True, slots=True)
class RoundPractised:
    """A round of practice is over."""

    won: Annotated[bool, "Whether it was won."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "The practice round was won." if self.won else "The practice round was not won."


class Practice(Solo[PracticeRun]):
    """Rounds without end, with a look at the next cards."""

    id = "practice"
    name = "Practice"
    graphql = "Practice"
    summary = "See the next three cards before you flip. Nothing counts for records."
    Run = PracticeRun
    View = PracticeView
    events = (RoundPractised,)

    def supports(self, game: Game[Any, Any]) -> bool:
        return super().supports(game) and has_term(game, "peek")

    def begin(self, session: Session) -> PracticeRun:
        return PracticeRun()

    def plan(self, run: PracticeRun, now: datetime) -> RoundPlan:
        return RoundPlan({"peek": PEEK})

    def round_over(self, run: PracticeRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [RoundPractised(won(outcome))]

    def over(self, run: PracticeRun) -> str | None:
        return None

    def evolve(self, run: PracticeRun, event: Any) -> PracticeRun:
        return PracticeRun(run.rounds + 1, run.wins + event.won)

    def view(self, run: PracticeRun, viewer: Viewer) -> PracticeView:
        return PracticeView(run.rounds, run.wins)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Practice."""
    return [Practice()]
