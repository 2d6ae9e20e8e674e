"""Match: rounds until somebody's total reaches a threshold; the highest total wins (flip7 F29, F30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

from fliptable import (
    Between,
    Game,
    Mode,
    Outcome,
    Refusal,
    Result,
    Session,
    Viewer,
    check_limits,
    hookimpl,
)

USUAL = 200
"""The total that a match is played up to where nobody and no game says another."""


class Reach(Enum):
    """When a total counts as having passed the threshold (F29)."""

    AT_LEAST = "AT_LEAST"
    """A total of the threshold itself is enough."""
    MORE_THAN = "MORE_THAN"
    """A total has to be above the threshold."""


class Ties(Enum):
    """What happens when several share the highest total at the end (F30)."""

    PLAY_ON = "PLAY_ON"
    """Another round is played until one leads."""
    ALL_WIN = "ALL_WIN"
    """All who share it win."""


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How a match ends. What is left out is as the game has it."""

    threshold: Annotated[
        int | None,
        Between(1, 1000),
        "The total that ends the match; at Flip 7 50 to 1000, at FLIP 1 to 100 wins.",
    ] = None
    reach: Annotated[Reach | None, "Whether the threshold has to be reached or to be passed."] = None
    ties: Annotated[Ties | None, "Whether a tie for the highest total is played on or won by all."] = None

    def __post_init__(self) -> None:
        """Keep the limits of all games; :meth:`Match.check` keeps the game's own."""
        check_limits(self)


@dataclass(frozen=True, slots=True)
class MatchRun:
    """The rounds so far, each the points of every seat, and their sums."""

    threshold: int
    reach: Reach
    ties: Ties
    totals: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundTotalsView:
    """What a round brought."""

    number: Annotated[int, "The number of the round, from 1."]
    points: Annotated[tuple[int, ...], "The points of the round, in seat order."]
    totals: Annotated[tuple[int, ...], "The totals after the round, in seat order."]


@dataclass(frozen=True, slots=True)
class MatchView:
    """How a match stands."""

    threshold: Annotated[int, "The total that ends the match."]
    reach: Annotated[Reach, "Whether the threshold has to be reached or to be passed."]
    ties: Annotated[Ties, "Whether a tie for the highest total is played on or won by all."]
    rounds: Annotated[tuple[RoundTotalsView, ...], "The finished rounds."]
    totals: Annotated[tuple[int, ...], "The totals, in seat order."]
    leaders: Annotated[tuple[int, ...], "The seats with the highest total; none before the first round ends."]
    passed: Annotated[tuple[int, ...], "The seats whose total is past the threshold."]
    playing_on: Annotated[bool, "Whether the match goes on only because of a tie."]
    winners: Annotated[tuple[int, ...], "The seats that have won, once the match is over."]


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The points of a round were added to the totals."""

    number: Annotated[int, "The number of the round, from 1."]
    points: Annotated[tuple[int, ...], "The points of the round, in seat order."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        scores = [f"{name} {points}" for name, points in zip(names, self.points, strict=False)]
        return f"Round {self.number} brings {', '.join(scores)}."


@dataclass(frozen=True, slots=True)
class TiePlayedOn:
    """Several share the highest total, so the match goes on."""

    seats: Annotated[tuple[int, ...], "The seats that share it."]
    total: Annotated[int, "Their total."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{_and(names, self.seats)} are tied with {self.total}: another round is played."


@dataclass(frozen=True, slots=True)
class MatchWon:
    """The match is over."""

    seats: Annotated[tuple[int, ...], "Who has won; several after a tie."]
    total: Annotated[int, "Their total."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        verb = "wins" if len(self.seats) == 1 else "win"
        return f"{_and(names, self.seats)} {verb} with {self.total}."


def _and(names: Sequence[str], seats: Sequence[int]) -> str:
    *first, last = [names[seat] for seat in seats]
    return f"{', '.join(first)} and {last}" if first else last


REASONS = {
    "WON": "One player alone has the highest total at the end.",
    "SHARED": "Several share the highest total at the end, and all of them win.",
}
"""Why a session is over, and what that means."""


class Match(Mode[MatchRun]):
    """Rounds of any game that is played for points, up to a total."""

    id = "match"
    name = "Match"
    graphql = "Match"
    summary = "Rounds until somebody reaches the threshold; the highest total wins."
    Options = MatchOptions
    Run = MatchRun
    View = MatchView
    events = (RoundScored, TiePlayedOn, MatchWon)
    reasons = REASONS

    def supports(self, game: Game[Any, Any]) -> bool:
        """Of every game whose rounds are scored in points, or that says up to which totals."""
        return Result.SCORED in game.results or game.totals is not None

    def limits(self, game: Game[Any, Any]) -> Mapping[str, Between]:
        """The totals that the game may be played up to (F29)."""
        return {} if game.totals is None else {"threshold": Between(game.totals[0], game.totals[-1])}

    def check(self, session: Session, game: Game[Any, Any]) -> Refusal | None:
        """Keep the totals that the game may be played up to (F29)."""
        threshold, allowed = session.options.threshold, self.limits(game).get("threshold")
        if allowed is None or allowed.has(threshold):
            return None
        message = f"The threshold is {threshold}; a match of {game.name} takes one {allowed}."
        return Refusal("INVALID_VALUE", message, "threshold")

    def begin(self, session: Session) -> MatchRun:
        """Nobody has any points. What neither the table nor the game settles is as in F29 and F30."""
        options = session.options
        reach, ties = options.reach or Reach.AT_LEAST, options.ties or Ties.PLAY_ON
        return MatchRun(options.threshold or USUAL, reach, ties, (0,) * session.seats)

    def round_over(self, run: MatchRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        """Add the points; the match may be won (F29) or, with a tie, go on (F30)."""
        points = tuple([one.points for one in outcome.seats])
        scored = RoundScored(len(run.rounds) + 1, points)
        run = self.evolve(run, scored)
        if not past(run):
            return [scored]
        ahead = leaders(run)
        if len(ahead) > 1 and run.ties is Ties.PLAY_ON:
            return [scored, TiePlayedOn(ahead, max(run.totals))]
        return [scored, MatchWon(ahead, max(run.totals))]

    def over(self, run: MatchRun) -> str | None:
        """Over once somebody has won."""
        if not run.winners:
            return None
        return "WON" if len(run.winners) == 1 else "SHARED"

    def evolve(self, run: MatchRun, event: Any) -> MatchRun:
        """Add a round, or remember the winners."""
        totals, rounds, winners = run.totals, run.rounds, run.winners
        if type(event) is RoundScored:
            totals = tuple([total + points for total, points in zip(totals, event.points, strict=True)])
            rounds = (*rounds, event.points)
        elif type(event) is MatchWon:
            winners = event.seats
        return MatchRun(run.threshold, run.reach, run.ties, totals, rounds, winners)

    def view(self, run: MatchRun, viewer: Viewer) -> MatchView:
        """The same for everybody."""
        ahead = leaders(run)
        through = past(run)
        return MatchView(
            threshold=run.threshold,
            reach=run.reach,
            ties=run.ties,
            rounds=_rounds(run),
            totals=run.totals,
            leaders=ahead,
            passed=through,
            playing_on=bool(through) and not run.winners,
            winners=run.winners,
        )


def past(run: MatchRun) -> tuple[int, ...]:
    """The seats whose total is past the threshold (F29)."""
    least = run.threshold + (run.reach is Reach.MORE_THAN)
    return tuple([seat for seat, total in enumerate(run.totals) if total >= least])


def leaders(run: MatchRun) -> tuple[int, ...]:
    """The seats that share the highest total, or have it alone; none before the first round is over."""
    if not run.rounds:
        return ()
    most = max(run.totals)
    return tuple([seat for seat, total in enumerate(run.totals) if total == most])


def _rounds(run: MatchRun) -> tuple[RoundTotalsView, ...]:
    totals = (0,) * len(run.totals)
    shown = []
    for number, points in enumerate(run.rounds, start=1):
        totals = tuple([total + more for total, more in zip(totals, points, strict=True)])
        shown.append(RoundTotalsView(number, points, totals))
    return tuple(shown)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Match."""
    return [Match()]
