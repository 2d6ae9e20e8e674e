"""Bazaar with a pot that all see, and One Card with a hint that all see, for the tests of the kit.

What the pot or the hint goes by may be known to all, or be hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from honestgame import Bazaar, BazaarState, BazaarView, Deed, Did, Do

from fliptable import Refusal, Shuffled
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState, OneCardView


@dataclass(frozen=True, slots=True)
class PotState(BazaarState):
    """With a pot."""

    pot: int = 0


@dataclass(frozen=True, slots=True)
class PotView(BazaarView):
    """With the pot."""

    pot: Annotated[int, "What is in the pot."]


class PotOfShown(Bazaar):
    """The pot has the ranks of all cards that were thrown, burnt or opened, and all numbers told."""

    State = PotState
    View = PotView

    def begin(self, setup: Any) -> PotState:
        before = super().begin(setup)
        return PotState(before.hands, before.bids, before.gone)

    def evolve(self, state: Any, event: Any) -> Any:
        return replace(super().evolve(state, event), pot=state.pot + self.grows(state, event))

    def grows(self, state: PotState, event: Any) -> int:
        if isinstance(event, Did) and event.deed in (Deed.THROW, Deed.BURN, Deed.OPEN):
            return int(event.card[0])
        return event.number if isinstance(event, Did) and event.deed is Deed.TELL else 0

    def view(self, state: Any, viewer: Any) -> PotView:
        seen = super().view(state, viewer)
        return PotView(seen.hands, seen.bids, seen.open, seen.turn, state.pot)


def drawn(event: Any) -> bool:
    """Whether a card has gone into a hand, for its owner to see."""
    return isinstance(event, Did) and event.deed in (Deed.DRAW, Deed.MIX)


class PotOfDraws(PotOfShown):
    """It grows when a low card is drawn."""

    def grows(self, state: PotState, event: Any) -> int:
        return int(drawn(event) and event.card[0] in "1234")


class PotOfNumbers(PotOfShown):
    """It grows when a three is bid in secret."""

    def grows(self, state: PotState, event: Any) -> int:
        return int(isinstance(event, Did) and event.deed is Deed.BID and event.number == 3)


class PotOfTheDeal(PotOfShown):
    """It begins with how many cards of a suit were dealt."""

    def grows(self, state: PotState, event: Any) -> int:
        if not isinstance(event, Shuffled) or event.name != "start":
            return 0
        return sum(card.endswith("A") for card in event.order[: 2 * len(state.hands)])


class PotOnLeaving(PotOfShown):
    """It grows when somebody leaves who holds a low card, and the hand stays where it is."""

    def evolve(self, state: Any, event: Any) -> Any:
        after = super().evolve(state, event)
        if after.gone == state.gone:
            return after
        (seat,) = after.gone - state.gone
        return replace(after, pot=state.pot + any(card[0] in "1234" for card in state.hands[seat]))


class SkipsAfterDraws(Bazaar):
    """After a low card was drawn the next seat is passed over."""

    def evolve(self, state: Any, event: Any) -> Any:
        after = super().evolve(state, event)
        return replace(after, turn=after.turn + 1) if drawn(event) and event.card[0] in "1234" else after


@dataclass(frozen=True, slots=True)
class Added:
    """Something was added to the pot."""

    how_much: Annotated[int, "How much."]

    def text(self, names: Any) -> str:
        return f"The pot grows by {self.how_much}."


class AddsAfterDraws(PotOfShown):
    """One event more comes after a low card, and the pot grows by it."""

    events = (*Bazaar.events, Added)

    def decide(self, state: BazaarState, seat: int, move: Do, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        if isinstance(events, Refusal) or move.deed is not Deed.DRAW or state.deck[0][0] not in "1234":
            return events
        return [*events, Added(2)]

    def evolve(self, state: Any, event: Any) -> Any:
        return replace(state, pot=state.pot + 2) if isinstance(event, Added) else super().evolve(state, event)

    def grows(self, state: PotState, event: Any) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class HintState(OneCardState):
    """With the suit of the card on top, as the round began."""

    suit: str = ""


@dataclass(frozen=True, slots=True)
class HintView(OneCardView):
    """With the hint."""

    suit: Annotated[str, "The suit of the card that is turned up first."]


class ShowsAHint(OneCard):
    """Everybody sees the suit of the card that comes first; ``shuffle_unknown`` leaves such a card there."""

    State = HintState
    View = HintView

    def begin(self, setup: Any) -> HintState:
        before = super().begin(setup)
        return HintState(**{one.name: getattr(before, one.name) for one in fields(before)})

    def evolve(self, state: Any, event: Any) -> Any:
        after = super().evolve(state, event)
        return replace(after, suit=event.order[0][-1]) if isinstance(event, Shuffled) else after

    def view(self, state: Any, viewer: Any) -> HintView:
        return HintView(super().view(state, viewer).cards, state.suit)

    def shuffle_unknown(self, state: Any, viewer: Any, chance: Any) -> Any:
        while True:
            other = super().shuffle_unknown(state, viewer, chance)
            if other.deck[0][-1] == state.suit:
                return other


class ShowsAndForgets(ShowsAHint):
    """And ``shuffle_unknown`` does not mind what they see."""

    def shuffle_unknown(self, state: Any, viewer: Any, chance: Any) -> Any:
        return OneCard.shuffle_unknown(self, state, viewer, chance)
