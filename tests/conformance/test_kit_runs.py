"""Scripts of sessions without a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from fliptable import Mode, Outcome, Refusal, Result, SeatOutcome, Session
from fliptable.testing import START, RunScript
from fliptable.testing.toys import TurnUp


@dataclass(frozen=True, slots=True)
class Run:
    """A session of two rounds."""

    points: tuple[int, ...]
    moves: int = 0
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A move, or a round with its points."""

    points: tuple[int, ...] = ()

    def text(self, names: Sequence[str]) -> str:
        return "It counts."


class Twice(Mode[Run]):
    """Two rounds; moves are counted, and the third one is refused."""

    id, name, graphql, summary = "twice", "Twice", "Twice", "Two rounds."
    Run, View, events = Run, Run, (Counted,)

    def begin(self, session: Session) -> Run:
        return Run((0,) * session.seats)

    def moved(self, run: Run, seat: int, move: Any, now: Any) -> Sequence[Any] | Refusal:
        return Refusal("ILLEGAL_MOVE", "Enough.") if run.moves == 2 else [Counted()]

    def round_over(self, run: Run, outcome: Outcome, now: Any) -> Sequence[Any]:
        return [Counted(tuple([one.points for one in outcome.seats]))]

    def over(self, run: Run) -> str | None:
        return "PLAYED" if run.rounds == 2 else None

    def evolve(self, run: Run, event: Counted) -> Run:
        if not event.points:
            return replace(run, moves=run.moves + 1)
        points = tuple([sum(pair) for pair in zip(run.points, event.points, strict=True)])
        return replace(run, points=points, rounds=run.rounds + 1)

    def view(self, run: Run, viewer: Any) -> Run:
        return replace(run, moves=run.moves if viewer else -1)


def test_a_session_goes_from_round_to_round() -> None:
    script = RunScript(Twice(), seats=2, game="one-card")
    assert (script.session.seats, script.session.game, script.session.now) == (2, "one-card", START)
    assert script.rounds((3, 0)).over is None
    script.rounds([SeatOutcome(Result.WON, 1), SeatOutcome(Result.LOST)])
    assert script.over == "PLAYED" and script.run.points == (4, 0)
    assert script.events == [Counted((3, 0)), Counted((1, 0))]
    with pytest.raises(AssertionError, match="the session is over before round 1: PLAYED"):
        script.rounds((0, 0))


def test_a_mode_hears_of_moves() -> None:
    script = RunScript(Twice())
    assert list(script.moved(0, TurnUp())) == [Counted()]
    script.moved(0, TurnUp())
    assert (script.view(0).moves, script.view().moves) == (2, -1)
    with pytest.raises(AssertionError, match="ILLEGAL_MOVE: Enough"):
        script.moved(0, TurnUp())
