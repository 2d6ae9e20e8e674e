"""Games that tell what they hide, for the tests of the kit: One Card and High Card with a leak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from highcard import HighCard, HighState, HighView, Keep, Swap

from fliptable import CARD, Private, Refusal
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState, OneCardView


class ShowsHands(HighCard):
    """Everybody sees the hand of the first seat."""

    def view(self, state: HighState, viewer: frozenset[int]) -> HighView:
        return super().view(state, viewer | {0})


class DealsOpenly(HighCard):
    """All hear which card each gets when the round is dealt, and no view shows it."""

    def deal(self, state: HighState, ctx: Any) -> Sequence[Any]:
        return [one.event if isinstance(one, Private) else one for one in super().deal(state, ctx)]


class LeakingView(OneCard):
    """The view shows the next card to whoever has none yet."""

    id = "leaking-view"

    def view(self, state: OneCardState, viewer: Any) -> OneCardView:
        seen = [CARD[code] if code else CARD[state.deck[state.drawn]] for code in state.cards]
        return OneCardView(tuple(seen))


class AskingTells(OneCard):
    """What is asked next tells of the card that comes."""

    def ask(self, state: OneCardState, seat: int, names: Sequence[str]) -> str:
        return f"{names[seat]}: turn up the {CARD[state.deck[state.drawn]]}."


class ForgetsHands(HighCard):
    """It says that the pile is unknown, and nothing of the hands."""

    def shuffle_unknown(self, state: HighState, viewer: Any, chance: Any) -> HighState:
        return replace(state, pile=chance.shuffle(state.pile).order)


@dataclass(frozen=True, slots=True)
class Peek:
    """Look at the ace."""


class MovesTell(HighCard):
    """Only who holds a high card may peek, and everybody is told what may be done."""

    moves = (Swap, Keep, Peek)

    def legal_moves(self, state: HighState, seat: int) -> Sequence[Any]:
        peek = [Peek()] if int(state.hands[seat]) > 5 else []
        return [*super().legal_moves(state, seat), *peek]

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Peek):
            return [] if int(state.hands[seat]) > 5 else Refusal("ILLEGAL_MOVE", "You cannot.")
        return super().decide(state, seat, move, ctx)


class ShowsDraws(HighCard):
    """Everybody is told of the cards that one gets."""

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        if isinstance(events, Refusal):
            return events
        return [event.event if isinstance(event, Private) else event for event in events]


class UnsaidSecrets(OneCard):
    """It shuffles, and says that nothing is unknown."""

    def shuffle_unknown(self, state: OneCardState, viewer: Any, chance: Any) -> OneCardState:
        return state
