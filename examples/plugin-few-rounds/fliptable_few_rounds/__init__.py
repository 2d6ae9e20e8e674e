"""Few Rounds: a number of rounds, in which points add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fliptable import Between, Mode, Outcome, Session, Viewer, check_limits, hookimpl


@dataclass(frozen=True, slots=True)
class FewRoundsOptions:
    """How long Few Rounds goes on."""

    rounds: Annotated[int, Between(1, 50), "How many rounds are played."] = 3

    def __post_init__(self) -> None:
        """Keep the limits."""
        check_limits(self)


@dataclass(frozen=True, slots=True)
class FewRoundsRun:
    """The session so far. It is stored, so it has plain values only."""

    rounds: int
    points: tuple[int, ...]
    played: int = 0


@dataclass(frozen=True, slots=True)
class FewRoundsView:
    """A session of Few Rounds as anybody sees it."""

    rounds: Annotated[int, "How many rounds are played."]
    played: Annotated[int, "How many of them are over."]
    leaders: Annotated[tuple[int, ...], "The seats with the most points."]


@dataclass(frozen=True, slots=True)
class RoundCounted:
    """A round was added up."""

    points: Annotated[tuple[int, ...], "The points of the round, seat by seat."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        told = [f"{name} {points}" for name, points in zip(names, self.points, strict=False)]
        return f"The round counts: {', '.join(told)}."


class FewRoundsMode(Mode[FewRoundsRun]):
    """A number of rounds of any game."""

    # Points add up here, as an example: `round_over` says what a round means, and `over` when it ends.

    id = "few-rounds"
    name = "Few Rounds"
    graphql = "FewRounds"
    summary = "A number of rounds; the points add up."
    Options = FewRoundsOptions
    Run = FewRoundsRun
    View = FewRoundsView
    events = (RoundCounted,)

    def begin(self, session: Session) -> FewRoundsRun:
        """Nobody has points yet."""
        return FewRoundsRun(session.options.rounds, (0,) * session.seats)

    def round_over(self, run: FewRoundsRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        """Every round counts."""
        return [RoundCounted(tuple([seat.points for seat in outcome.seats]))]

    def over(self, run: FewRoundsRun) -> str | None:
        """Over when all rounds were played."""
        return "PLAYED" if run.played == run.rounds else None

    def evolve(self, run: FewRoundsRun, event: Any) -> FewRoundsRun:
        """The run after an event. It decides nothing."""
        points = [sum(each) for each in zip(run.points, event.points, strict=True)]
        return replace(run, points=tuple(points), played=run.played + 1)

    def view(self, run: FewRoundsRun, viewer: Viewer) -> FewRoundsView:
        """The same for everybody."""
        best = max(run.points)
        leaders = [seat for seat, points in enumerate(run.points) if points == best]
        return FewRoundsView(run.rounds, run.played, tuple(leaders))


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """What the plugin brings."""
    return [FewRoundsMode()]
