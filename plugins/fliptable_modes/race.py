"""Race: players against each other, round after round, up to a number of points (call-it R1-R7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fliptable import (
    Between,
    Game,
    Mode,
    Outcome,
    Result,
    RoundPlan,
    Seat,
    Session,
    Viewer,
    check_limits,
    hookimpl,
)
from fliptable_modes._solo import has_term

CALLER = "caller"
"""The term of a game that says whose call a round is."""

_UNCALLED = 3
"""After so many rounds in a row in which nobody made a call, nobody is playing any more."""


@dataclass(frozen=True, slots=True)
class RaceOptions:
    """How a race ends."""

    winning_score: Annotated[int, Between(3, 15), "Who first has so many points wins (R5)."] = 5

    def __post_init__(self) -> None:
        """Keep the limits."""
        check_limits(self)


@dataclass(frozen=True, slots=True)
class RaceRun:
    """The points so far, and whose call the last round was."""

    winning_score: int
    points: tuple[int, ...]
    rounds: int = 0
    caller: int | None = None
    called: bool = False
    uncalled: int = 0
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class RaceView:
    """How a race stands."""

    winning_score: Annotated[int, "Who first has so many points wins."]
    points: Annotated[tuple[int, ...], "The points, in seat order."]
    rounds: Annotated[int, "How many rounds are over."]
    caller: Annotated[int | None, "The seat that made the latest call; null before the first one."]
    leader: Annotated[int | None, "The seat that is ahead of all others; null while there is none."]
    winner: Annotated[int | None, "The seat that has won, once the race is over."]


@dataclass(frozen=True, slots=True)
class CallMade:
    """A caller has made the call of a round."""

    seat: Annotated[int, "Who called."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The round is {names[self.seat]}'s call."


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The points of a round were added."""

    number: Annotated[int, "The number of the round, from 1."]
    points: Annotated[tuple[int, ...], "The points of the round, in seat order."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        scores = [f"{name} scores {one}" for name, one in zip(names, self.points, strict=False) if one]
        return f"{', '.join(scores) or 'Nobody scores'} in round {self.number}."


@dataclass(frozen=True, slots=True)
class RaceWon:
    """Somebody has reached the winning score (R5)."""

    seat: Annotated[int, "Who has won."]
    points: Annotated[int, "Their points."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} wins the race with {self.points} points."


REASONS = {
    "WON": "Somebody has reached the winning score.",
    "NOT_PLAYED": "Three rounds in a row went by without a call.",
}
"""Why a session is over, and what that means."""


class Race(Mode[RaceRun]):
    """Two to eight seats, rounds of a game that has a caller, one point for each that is won."""

    id = "race"
    name = "Race"
    graphql = "Race"
    summary = "Everybody against everybody; the first to reach the winning score wins."
    Options = RaceOptions
    Run = RaceRun
    View = RaceView
    events = (CallMade, RoundScored, RaceWon)
    reasons = REASONS

    def supports(self, game: Game[Any, Any]) -> bool:
        """Of every game with a caller whose rounds can be won."""
        return max(game.seats) > 1 and has_term(game, CALLER) and Result.WON in game.results

    def seats(self, game: Game[Any, Any]) -> range:
        """Two to eight, as far as the game has them."""
        return range(max(2, min(game.seats)), min(8, max(game.seats)) + 1)

    def begin(self, session: Session) -> RaceRun:
        """Nobody has a point."""
        return RaceRun(session.options.winning_score, (0,) * session.seats)

    def quorum(self, run: RaceRun) -> int:
        """With fewer than two players there the race waits (R6)."""
        return 2

    def plan_for(self, run: RaceRun, now: datetime, present: frozenset[Seat]) -> RoundPlan:
        """The next seat clockwise after the last caller calls, of those that are there (R1).

        The host's seat, or the next one, calls in the first round.
        """
        count = len(run.points)
        last = count - 1 if run.caller is None else run.caller
        clockwise = [(last + step) % count for step in range(1, count + 1)]
        there = [seat for seat in clockwise if seat in present]
        return RoundPlan({CALLER: (there or clockwise)[0]})

    def moved(self, run: RaceRun, seat: Seat, move: Any, now: datetime) -> Sequence[Any]:
        """A move that only settles what the round is about is the call, whoever makes it in the end."""
        return [CallMade(seat)] if getattr(move, "prelude", False) else ()

    def round_over(self, run: RaceRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        """Add the points (R4); who has reached the winning score wins (R5)."""
        scored = RoundScored(run.rounds + 1, tuple([one.points for one in outcome.seats]))
        run = self.evolve(run, scored)
        ahead = leader(run)
        if ahead is None or run.points[ahead] < run.winning_score:
            return [scored]
        return [scored, RaceWon(ahead, run.points[ahead])]

    def over(self, run: RaceRun) -> str | None:
        """Over once somebody has won, or when nobody plays any more: calls are only waited for in vain."""
        if run.winner is not None:
            return "WON"
        return "NOT_PLAYED" if run.uncalled >= _UNCALLED else None

    def evolve(self, run: RaceRun, event: Any) -> RaceRun:
        """Remember the caller, the points or the winner."""
        if type(event) is CallMade:
            return replace(run, caller=event.seat, called=True)
        if type(event) is RaceWon:
            return replace(run, winner=event.seat)
        points = tuple([total + more for total, more in zip(run.points, event.points, strict=True)])
        uncalled = 0 if run.called else run.uncalled + 1
        return replace(run, points=points, rounds=run.rounds + 1, called=False, uncalled=uncalled)

    def view(self, run: RaceRun, viewer: Viewer) -> RaceView:
        """The same for everybody."""
        return RaceView(run.winning_score, run.points, run.rounds, run.caller, leader(run), run.winner)


def leader(run: RaceRun) -> Seat | None:
    """The seat with more points than any other."""
    most = max(run.points)
    ahead = [seat for seat, points in enumerate(run.points) if points == most]
    return ahead[0] if len(ahead) == 1 else None


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Race."""
    return [Race()]
