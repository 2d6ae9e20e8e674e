"""A small game with a secret choice, to try modes with: what it hides, a mode must not tell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from fliptable.chance import Chance
from fliptable.limits import Between
from fliptable.rules import (
    Context,
    Events,
    Game,
    MoveRange,
    Outcome,
    Private,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Viewer,
)

_MOST = 3


@dataclass(frozen=True, slots=True)
class SealedState:
    """The numbers that the seats have written down, 0 for none yet, and who has left."""

    numbers: tuple[int, ...]
    gone: frozenset[int] = frozenset()

    @property
    def waiting(self) -> list[Seat]:
        """The seats that have not written anything down."""
        return [seat for seat, number in enumerate(self.numbers) if not number and seat not in self.gone]


@dataclass(frozen=True, slots=True)
class WriteDown:
    """Write a number down."""

    number: Annotated[int, "The number, from 1 to 3."] = 1


@dataclass(frozen=True, slots=True)
class WroteDown:
    """A number was written down."""

    seat: Annotated[int, "Who wrote it."]
    number: Annotated[int, "The number."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} writes {self.number} down."


@dataclass(frozen=True, slots=True)
class WroteSomething:
    """Some number was written down."""

    seat: Annotated[int, "Who wrote it."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} writes a number down."


@dataclass(frozen=True, slots=True)
class GaveUp:
    """A seat has left the round."""

    seat: Annotated[int, "Who left."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} has left the round."


@dataclass(frozen=True, slots=True)
class SealedView:
    """What each seat has written down."""

    wrote: Annotated[tuple[bool, ...], "Whether each seat has written a number down."]
    numbers: Annotated[tuple[int | None, ...], "The numbers; null for those that are not to be seen yet."]


class Sealed(Game[SealedState, WriteDown]):
    """Everybody writes a number down, unseen. The highest number wins as many points."""

    id = "sealed"
    name = "Sealed Numbers"
    graphql = "Sealed"
    summary = "Everybody writes a number down; the highest one wins."
    rules = "Everybody writes a number from 1 to 3 down, unseen. The highest one wins as many points."
    seats: ClassVar[range] = range(1, 7)
    State = SealedState
    View = SealedView
    moves: ClassVar[tuple[type, ...]] = (WriteDown,)
    events: ClassVar[tuple[type, ...]] = (WroteDown, WroteSomething, GaveUp)

    def begin(self, setup: Setup) -> SealedState:
        """Nothing is written."""
        return SealedState((0,) * setup.seats, setup.gone)

    def deal(self, state: SealedState, ctx: Context) -> Events:
        """There is nothing to deal."""
        return []

    def to_act(self, state: SealedState) -> Collection[Seat]:
        """Everybody who has not written, at once."""
        return state.waiting

    def legal_moves(self, state: SealedState, seat: Seat) -> Sequence[MoveRange]:
        """Any of the numbers."""
        return [MoveRange(WriteDown(), {"number": Between(1, _MOST)})]

    def decide(self, state: SealedState, seat: Seat, move: WriteDown, ctx: Context) -> Events | Refusal:
        """The number, which only its seat sees."""
        if not 1 <= move.number <= _MOST:
            return Refusal("INVALID_VALUE", f"The number is from 1 to {_MOST}, not {move.number}.", "number")
        return [Private(WroteDown(seat, move.number), frozenset({seat}), WroteSomething(seat))]

    def evolve(self, state: SealedState, event: Any) -> SealedState:
        """The state after an event."""
        if isinstance(event, WroteDown):
            numbers = (*state.numbers[: event.seat], event.number, *state.numbers[event.seat + 1 :])
            return replace(state, numbers=numbers)
        return replace(state, gone=state.gone | {event.seat})

    def view(self, state: SealedState, viewer: Viewer) -> SealedView:
        """One's own number; everybody's once all have written."""
        over = not state.waiting
        shown = [
            number if number and (over or seat in viewer) else None
            for seat, number in enumerate(state.numbers)
        ]
        return SealedView(tuple([number > 0 for number in state.numbers]), tuple(shown))

    def outcome(self, state: SealedState) -> Outcome | None:
        """The highest numbers win; who has left has lost."""
        if state.waiting:
            return None
        values = [0 if seat in state.gone else number for seat, number in enumerate(state.numbers)]
        best = max(values)
        return Outcome(
            tuple(
                [
                    SeatOutcome(Result.WON, value) if value == best and value else SeatOutcome(Result.LOST)
                    for value in values
                ]
            )
        )

    def leave(self, state: SealedState, seat: Seat, ctx: Context) -> Events:
        """The round goes on without the seat."""
        return [] if seat in state.gone else [GaveUp(seat)]

    def shuffle_unknown(self, state: SealedState, viewer: Viewer, chance: Chance) -> SealedState:
        """Other numbers for those that the viewer has not seen."""
        if not state.waiting:
            return state
        numbers = list(state.numbers)
        for seat, number in enumerate(numbers):
            if number and seat not in viewer:
                numbers[seat] = 1 + chance.number(f"unseen {seat}", range(_MOST))
        return replace(state, numbers=tuple(numbers))
