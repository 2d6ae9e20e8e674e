"""One round of a game without a table around it: scripted play with stacked decks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from fliptable.chance import Chance
from fliptable.projection import seen_events
from fliptable.rules import (
    SPECTATOR,
    Context,
    Game,
    MoveRange,
    Outcome,
    Refusal,
    Seat,
    Setup,
    Viewer,
)
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play, Return
from fliptable.testing.clock import FakeClock
from fliptable.testing.decks import shuffled
from fliptable.testing.evolving import evolved
from fliptable.testing.following import MOST_MOVES, Following, Policy, any_move
from fliptable.testing.storage import storable
from fliptable.testing.wording import each_move, write_move

ORDINARY_REFUSAL = "NOT_YOUR_TURN"
"""What a table answers for a seat that is not to act, before the game is asked."""


def _seats(game: Game[Any, Any], seats: int | None) -> int:
    if seats is None:
        return min(game.seats)
    if seats not in game.seats:
        there = ", ".join(map(str, sorted(game.seats)))
        raise ValueError(f"{game.id} is for {there} seats, and not for {seats}")
    return seats


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round: what was done (nothing: the deal), what happened, and the state that it led to."""

    action: Action | None
    """What was done; None: the first round was dealt."""
    said: str
    """The line of a test that it followed; empty if there was none."""
    events: tuple[Any, ...]
    """What happened, in order."""
    state: Any
    """The state that it led to."""


class RoundScript(Following):
    """A round that a test plays move by move, as a table would.

    ``chance`` decides the shuffles: :func:`stacked` makes one that lays the cards down as told,
    :func:`shuffled` one that goes by a seed. ``events`` has everything that happened, hidden things
    included, and ``steps`` has it step by step. ``invariant`` is held against the state after every step.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        chance: Chance | None = None,
        *,
        seats: int | None = None,
        options: Any = None,
        terms: Any = None,
        number: int = 1,
        carry: Any = None,
        gone: Collection[Seat] = (),
        away: Collection[Seat] = (),
        clock: FakeClock | None = None,
        invariant: Callable[[Any], None] | None = None,
        state: Any = None,
    ) -> None:
        """Deals the round; or begins with ``state``, a position that the test has laid out.

        Options and terms are the game's defaults where none are given, and there are as few seats as the
        game takes. Seats that are ``gone`` were left
        in an earlier round; those that are ``away`` are not there when the round is dealt.
        Errors: ValueError says how many seats the game takes.
        """
        self.game = game
        self.chance: Any = chance or shuffled()
        self.clock: FakeClock = clock or FakeClock()
        self._events: list[Any] = []
        self.steps: list[Step] = []
        self._invariant = invariant
        self._said = ""
        self._left: frozenset[Seat] = frozenset()
        self.setup: Setup = Setup(
            game.Options() if options is None else options,
            game.Terms() if terms is None else terms,
            _seats(game, seats),
            number,
            carry,
            frozenset(gone),
            frozenset(away),
        )
        self.state: Any = state
        if state is None:
            self._deal()
        else:
            self._apply(None, ())

    @property
    def events(self) -> list[Any]:
        """Everything that happened in the round, in order, hidden things included."""
        return self._events

    @property
    def played(self) -> Game[Any, Any]:
        """The game that is played."""
        return self.game

    def play(self, seat: Seat, *moves: Any) -> Sequence[Any]:
        """Play moves of a seat, one after the other; the events of the last one.

        Errors: AssertionError says why a move was refused.
        """
        events: Sequence[Any] = ()
        for move in moves:
            result = self._decide(seat, move)
            assert not isinstance(result, Refusal), f"seat {seat}, {move}: {result.code}: {result.message}"
            events = self._apply(Play(seat, move), result)
        return events

    def refused(self, seat: Seat, move: Any) -> Refusal:
        """The refusal of a move, which changes nothing.

        Errors: AssertionError when it is accepted, changes something or is among the legal moves.
        """
        before = storable(self.state)
        result = self._decide(seat, move)
        assert isinstance(result, Refusal), f"seat {seat}, {move} was accepted: {list(result)}"
        assert storable(self.state) == before, f"seat {seat}, {move} is refused, and changes the state"
        listed = move in each_move(self.legal_moves(seat))
        assert not listed, f"seat {seat}, {move} is among the legal moves, and is refused: {result.message}"
        return result

    def leave(self, seat: Seat) -> Sequence[Any]:
        """Let a seat leave for good; the events."""
        self._left |= {seat}
        return self._happens(Leave(seat), self.game.leave)

    def disconnect(self, seat: Seat) -> Sequence[Any]:
        """Let a seat's player be gone; the events."""
        return self._happens(Drop(seat), self.game.absent)

    def reconnect(self, seat: Seat) -> Sequence[Any]:
        """Let a seat's player be there again; the events."""
        return self._happens(Return(seat), self.game.present)

    def expire(self, seat: Seat) -> Sequence[Any]:
        """Let the time of a seat be up; the events. Errors: AssertionError when it is not to act."""
        assert seat in self.to_act, f"seat {seat} is not to act, {self.to_act} are"
        return self._happens(Expire(seat), self.game.expired)

    def next_round(self, *, gone: Collection[Seat] = (), away: Collection[Seat] = ()) -> Sequence[Any]:
        """Deal the next round with what this one leaves; ``events`` and ``steps`` begin anew.

        Whoever has left is gone from it, and so are those who are ``gone``. Errors: AssertionError while
        this round runs.
        """
        assert self.outcome is not None, f"round {self.setup.number} is not over"
        self.setup = replace(
            self.setup,
            number=self.setup.number + 1,
            carry=self.game.carry(self.state),
            gone=self.setup.gone | self._left | frozenset(gone),
            away=frozenset(away),
        )
        self._events, self.steps = [], []
        return self._deal()

    def take(self, action: Action, said: str = "") -> Sequence[Any]:
        """Let an action happen, ``said`` in these words; its events.

        Errors: AssertionError when it is refused.
        """
        self._said = said
        if isinstance(action, Play):
            return self.play(action.seat, action.move)
        if isinstance(action, NextRound):
            return self.next_round()
        ways = {
            Leave: self.leave,
            Drop: self.disconnect,
            Return: self.reconnect,
            Expire: self.expire,
        }
        return ways[type(action)](action.seat)

    def refused_action(self, action: Action) -> Refusal:
        """The refusal of an action, which has to be a move."""
        assert isinstance(action, Play), f"{action} is not a move, so nobody is asked"
        return self.refused(action.seat, action.move)

    def play_on(
        self, random: Random, policy: Policy = any_move, *, moves: int = MOST_MOVES
    ) -> Outcome | None:
        """Play legal moves until the round is over, or so many of them; how the round ended, if it has.

        Errors: AssertionError when a move is refused or nobody can move.
        """
        while self.outcome is None and moves:
            seats = [seat for seat in self.to_act if self.legal_moves(seat)]
            assert seats, "the round runs, and nobody has a legal move"
            seat = random.choice(seats)
            self.play(seat, policy(self.view(seat), seat, self.legal_moves(seat), random))
            moves -= 1
        return self.outcome

    def branch(self) -> RoundScript:
        """The round as it stands, to be played on in another way than this one."""
        other = copy(self)
        other._events, other.steps = list(self._events), list(self.steps)
        other.chance, other.clock = deepcopy(self.chance), FakeClock(self.clock())
        return other

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

    @property
    def legal(self) -> list[str]:
        """What could be played now in words, as :meth:`follow` takes it; a wide range once, with "…"."""
        seats = self.to_act
        whose = "{}: " if len(seats) > 1 else ""
        return [
            whose.format(seat) + write_move(self.game, move)
            for seat in seats
            for move in each_move(self.legal_moves(seat))
        ]

    def view(self, *seats: Seat) -> Any:
        """The round as somebody at these seats sees it; as a spectator does without any."""
        viewer: Viewer = frozenset(seats) or SPECTATOR
        return self.game.view(self.state, viewer)

    def seen(self, *seats: Seat) -> list[Any]:
        """What somebody at these seats, or a spectator, is told of what happened, while the round runs."""
        return seen_events(self.events, frozenset(seats), frozenset())

    def _context(self) -> Context:
        return Context(self.clock(), self.chance)

    def _deal(self) -> Sequence[Any]:
        self.state = self.game.begin(self.setup)
        return self._apply(None, self.game.deal(self.state, self._context()))

    def _happens(self, action: Leave | Drop | Return | Expire, what: Any) -> Sequence[Any]:
        events: Sequence[Any] = what(self.state, action.seat, self._context())
        return self._apply(action, events)

    def _decide(self, seat: Seat, move: Any) -> Sequence[Any] | Refusal:
        if seat not in self.game.to_act(self.state):
            return Refusal(ORDINARY_REFUSAL, f"Seat {seat} is not to act.")
        return self.game.decide(self.state, seat, move, self._context())

    def _apply(self, action: Action | None, events: Sequence[Any]) -> Sequence[Any]:
        for event in events:
            self._events.append(event)
            self.state = evolved(self.game, self.state, event)
        self.steps.append(Step(action, self._said, tuple(events), self.state))
        self._said = ""
        if self._invariant is not None:
            self._invariant(self.state)
        return events
