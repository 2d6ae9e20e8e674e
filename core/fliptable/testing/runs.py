"""A session of a mode without a table around it: rounds that are only how they ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fliptable.challenges import Challenge
from fliptable.modes import Mode, Session
from fliptable.rules import Outcome, Refusal, Result, Seat, SeatOutcome
from fliptable.testing.clock import FakeClock


class RunScript:
    """A session that a test takes from round to round. ``run`` is its state, ``events`` what happened."""

    def __init__(
        self,
        mode: Mode[Any],
        options: Any = None,
        *,
        seats: int = 1,
        game: str = "",
        challenge: Challenge | None = None,
        clock: FakeClock | None = None,
    ) -> None:
        """Begins it. Options are the mode's defaults where none are given."""
        self.mode = mode
        self.clock: FakeClock = clock or FakeClock()
        chosen = mode.Options() if options is None else options
        self.session: Session = Session(chosen, seats, self.clock(), game, challenge)
        self.run: Any = mode.begin(self.session)
        self.events: list[Any] = []

    def rounds(self, *ends: Iterable[SeatOutcome | int]) -> RunScript:
        """Let rounds be over, each with an outcome a seat, or only its points. It gives itself.

        Points alone are those of a round whose result is ``Result.SCORED`` at that seat, so that nobody has
        won or lost; where that matters to the mode, give a ``SeatOutcome`` a seat.

        Errors: AssertionError when the session is over before them.
        """
        for number, end in enumerate(ends, start=1):
            assert self.over is None, f"the session is over before round {number}: {self.over}"
            seats = [SeatOutcome(Result.SCORED, one) if isinstance(one, int) else one for one in end]
            self._apply(self.mode.round_over(self.run, Outcome(tuple(seats)), self.clock()))
        return self

    def moved(self, seat: Seat, move: Any) -> Iterable[Any]:
        """Let the mode hear of a move that the game accepts; its events.

        Errors: AssertionError when the mode refuses it.
        """
        answer = self.mode.moved(self.run, seat, move, self.clock())
        assert not isinstance(answer, Refusal), f"{move}: {answer.code}: {answer.message}"
        return self._apply(answer)

    @property
    def over(self) -> str | None:
        """Why the session is over; None while it goes on."""
        return self.mode.over(self.run)

    def view(self, *seats: Seat) -> Any:
        """The run as somebody at these seats sees it; as a spectator does without any."""
        return self.mode.view(self.run, frozenset(seats))

    def _apply(self, events: Iterable[Any]) -> Iterable[Any]:
        for event in events:
            self.events.append(event)
            self.run = self.mode.evolve(self.run, event)
        return events
