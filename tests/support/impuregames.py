"""Games that go by more than they are told, or keep what cannot be kept, for the tests of the kit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from highcard import HighCard, HighState, Keep, Kept

from fliptable import CARD
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState


class ChangesTheState(HighCard):
    """The legal moves cannot be asked for without consequences."""

    def legal_moves(self, state: HighState, seat: int) -> Sequence[Any]:
        object.__setattr__(state, "turn", state.turn + 1)
        return super().legal_moves(state, seat)


class ImpureDecide(OneCard):
    """The deck is drawn from while it is decided, and not when it is applied."""

    id = "impure-decide"

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        object.__setattr__(state, "drawn", state.drawn + 1)
        return events


class ClockUse(OneCard):
    """Every other millisecond the top card is another one."""

    id = "clock-use"

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        late = round(time.time() * 1000) % 2
        return super().decide(replace(state, drawn=state.drawn + late), seat, move, ctx)


class StateOfLists(HighCard):
    """Its state gets a list where it says that it has a tuple."""

    def evolve(self, state: HighState, event: Any) -> HighState:
        after = super().evolve(state, event)
        return replace(after, hands=list(after.hands)) if isinstance(event, Kept) else after  # type: ignore[arg-type]


class UnserialisableState(OneCard):
    """The same, in the smallest game."""

    id = "unserialisable-state"

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        after = super().evolve(state, event)
        return replace(after, cards=list(after.cards)) if after.drawn else after  # type: ignore[arg-type]


class EvolvesByItself(HighCard):
    """It counts how often it was asked, and the state goes by it."""

    count = 0

    def evolve(self, state: HighState, event: Any) -> HighState:
        after = super().evolve(state, event)
        if isinstance(event, Kept):
            self.count += 1
            return replace(after, turn=after.turn + self.count)
        return after


class Restless(HighCard):
    """What happens goes by how often the legal moves were asked for."""

    asked = 0

    def legal_moves(self, state: HighState, seat: int) -> Sequence[Any]:
        self.asked += 1
        return super().legal_moves(state, seat)

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Keep):
            return [Kept(seat, self.asked)]
        return super().decide(state, seat, move, ctx)

    def evolve(self, state: HighState, event: Any) -> HighState:
        after = super().evolve(state, event)
        return replace(after, turn=event.bonus) if isinstance(event, Kept) else after


class GoesOverASet(OneCard):
    """The cards go through a set before they are shuffled, so their order is another in each process."""

    def deal(self, state: OneCardState, ctx: Any) -> Any:
        return [ctx.chance.shuffle(list({card.value for card in CARD.values()}))]
