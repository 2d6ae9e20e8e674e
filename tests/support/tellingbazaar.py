"""Bazaar, and what it may tell by mistake, for the tests of the kit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from honestgame import Bazaar, BazaarState, Deed, Did, Do

from fliptable import Private, Refusal, Shuffled


class _Adding(Bazaar):
    """After each move something more is told."""

    def decide(self, state: BazaarState, seat: int, move: Do, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        if isinstance(events, Refusal):
            return events
        return self.told(state, seat, move, list(events))

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        raise NotImplementedError

    def done(self, state: BazaarState, event: Any) -> BazaarState:
        # What is told beside the rules has no deed, and changes nothing.
        return state if event.seat < 0 else super().done(state, event)


def mutter(what: str) -> Did:
    return Did(-1, Deed.PEEK, what)


class TellsTheMover(_Adding):
    """Who moves is told what the next seat holds, and nobody else is."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        held = " ".join(state.hands[self.other(state, seat)])
        return [*events, Private(mutter(held), frozenset({seat}))]


class TellsTheMoverOfASeven(_Adding):
    """Who moves is told that the next seat holds a seven, where it does."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        if not any(card.startswith("7") for card in state.hands[self.other(state, seat)]):
            return events
        return [*events, Private(mutter("they have a seven"), frozenset({seat}))]


class TellsTheNext(_Adding):
    """Who draws is told of the card below, too."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        if move.deed is not Deed.DRAW or len(state.deck) < 2:
            return events
        return [*events, Private(mutter(state.deck[1]), frozenset({seat}))]


class ShowsMixed(_Adding):
    """A card from a pile that is shuffled in the same move is shown to all."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        if move.deed is not Deed.MIX:
            return events
        return [event.event if isinstance(event, Private) else event for event in events]


class TellsTheOrder(_Adding):
    """How a pile lies that was shuffled in the same move is told to whoever has moved."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        mixed = [event for event in events if isinstance(event, Shuffled)]
        return [*events, *[Private(mutter(event.order[-1]), frozenset({seat})) for event in mixed]]


class TellsWhileItShows(_Adding):
    """With a card that all see, the hand of another seat is told."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        held = state.hands[self.other(state, seat)]
        return [*events, mutter(" ".join(held))] if move.deed is Deed.OPEN else events


class TellsAtTheDeal(Bazaar):
    """The last card of the deck is told with the deal."""

    def deal(self, state: BazaarState, ctx: Any) -> Any:
        (shuffled,) = super().deal(state, ctx)
        return [shuffled, mutter(shuffled.order[-1])]

    def done(self, state: BazaarState, event: Any) -> BazaarState:
        return state if event.seat < 0 else super().done(state, event)


@dataclass(frozen=True, slots=True)
class NumberedState(BazaarState):
    """With the number of the round."""

    number: int = 0


class TellsAtTheNextDeal(TellsAtTheDeal):
    """The first round is dealt as it should be."""

    State = NumberedState

    def begin(self, setup: Any) -> NumberedState:
        return NumberedState(((),) * setup.seats, (0,) * setup.seats, setup.gone, number=setup.number)

    def deal(self, state: BazaarState, ctx: Any) -> Any:
        events = super().deal(state, ctx)
        return events if cast("NumberedState", state).number > 1 else events[:1]


class TellsSeldom(_Adding):
    """In one turn of the round, if one card lies open, whoever holds another one is told."""

    def told(self, state: BazaarState, seat: int, move: Do, events: list[Any]) -> list[Any]:
        holds = "1C" in state.hands[self.other(state, seat)]
        return [*events, mutter("there it is")] if state.turn == 7 and state.open and holds else events


class ViewTellsSeldom(Bazaar):
    """In one turn of the round the open card is seen as a hand's first."""

    def view(self, state: BazaarState, viewer: frozenset[int]) -> Any:
        seen = super().view(state, viewer)
        last = state.hands[-1]
        return replace(seen, open=last[0]) if state.turn == 7 and len(last) == 4 else seen
