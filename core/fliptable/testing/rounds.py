"""One round of a game without a table around it: scripted play with stacked decks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fliptable.chance import Chance, StackedChance
from fliptable.rules import (
    SPECTATOR,
    Context,
    Game,
    MoveRange,
    Outcome,
    Private,
    Refusal,
    Seat,
    Setup,
    Viewer,
)
from fliptable.testing.clock import FakeClock

ORDINARY_REFUSAL = "NOT_YOUR_TURN"
"""What a table answers for a seat that is not to act, before the game is asked."""


class RoundScript:
    """A round that a test plays move by move, as a table would.

    ``chance`` decides the shuffles; :func:`stacked` makes one that lays the cards down as told.
    ``events`` has everything that happened, hidden things included.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        chance: Chance,
        *,
        seats: int = 1,
        options: Any = None,
        terms: Any = None,
        number: int = 1,
        carry: Any = None,
        clock: FakeClock | None = None,
    ) -> None:
        """Deals the round. Options and terms are the game's defaults where none are given."""
        self.game = game
        self.chance = chance
        self.clock = clock or FakeClock()
        self.events: list[Any] = []
        self.state: Any = game.begin(
            Setup(
                game.Options() if options is None else options,
                game.Terms() if terms is None else terms,
                seats,
                number,
                carry,
            )
        )
        self._apply(game.deal(self.state, self._context()))

    def play(self, seat: Seat, *moves: Any) -> Sequence[Any]:
        """Play moves of a seat, one after the other; the events of the last one.

        Errors: AssertionError says why a move was refused.
        """
        events: Sequence[Any] = ()
        for move in moves:
            result = self._decide(seat, move)
            assert not isinstance(result, Refusal), f"seat {seat}, {move}: {result.code}: {result.message}"
            events = self._apply(result)
        return events

    def refused(self, seat: Seat, move: Any) -> Refusal:
        """The refusal of a move. Errors: AssertionError when it is accepted."""
        result = self._decide(seat, move)
        assert isinstance(result, Refusal), f"seat {seat}, {move} was accepted: {list(result)}"
        return result

    def leave(self, seat: Seat) -> Sequence[Any]:
        """Let a seat leave for good; the events."""
        return self._apply(self.game.leave(self.state, seat, self._context()))

    @property
    def to_act(self) -> list[Seat]:
        """The seats that may move now, in order."""
        return sorted(self.game.to_act(self.state))

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended; None while it runs."""
        return self.game.outcome(self.state)

    def legal_moves(self, seat: Seat) -> Sequence[Any | MoveRange]:
        """What the seat could play now."""
        return self.game.legal_moves(self.state, seat) if seat in self.to_act else []

    def view(self, *seats: Seat) -> Any:
        """The round as somebody at these seats sees it; as a spectator does without any."""
        viewer: Viewer = frozenset(seats) or SPECTATOR
        return self.game.view(self.state, viewer)

    def _context(self) -> Context:
        return Context(self.clock(), self.chance)

    def _decide(self, seat: Seat, move: Any) -> Sequence[Any] | Refusal:
        if seat not in self.game.to_act(self.state):
            return Refusal(ORDINARY_REFUSAL, f"Seat {seat} is not to act.")
        return self.game.decide(self.state, seat, move, self._context())

    def _apply(self, events: Sequence[Any]) -> Sequence[Any]:
        for event in events:
            self.events.append(event)
            plain = event.event if isinstance(event, Private) else event
            self.state = self.game.evolve(self.state, plain)
        return events


def stacked(*stacks: str | Iterable[str]) -> StackedChance:
    """Chance that lays these cards on top, one stack a shuffle, written ``"10H AS 2C"`` or as codes."""
    return StackedChance(*[stack.split() if isinstance(stack, str) else stack for stack in stacks])
