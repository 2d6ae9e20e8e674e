"""A game whose state keeps a few of the cards that were shuffled, and what it may tell at the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fliptable import CARD, STANDARD_DECK, PlayingCard, Private, Shuffled
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState

SPARE = 2
"""So many cards are kept that nobody turns up."""


@dataclass(frozen=True, slots=True)
class Glimpsed:
    """A card was shown at the deal."""

    card: Annotated[PlayingCard | None, "The card; null for whoever may not see it."]

    def text(self, names: Sequence[str]) -> str:
        return f"{self.card or 'A card'} is shown."


class FewCards(OneCard):
    """The card on top is shown to all, and is out of the game; the next ones are kept, no others."""

    events = (*OneCard.events, Glimpsed)

    def deal(self, state: OneCardState, ctx: Any) -> Any:
        shuffled = ctx.chance.shuffle(STANDARD_DECK)
        return [shuffled, *self.told([CARD[code] for code in shuffled.order])]

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Glimpsed(cards[0])]

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        if isinstance(event, Glimpsed):
            return state
        if isinstance(event, Shuffled):
            return replace(state, deck=event.order[1 : len(state.cards) + SPARE + 1])
        return super().evolve(state, event)

    def shuffle_unknown(self, state: OneCardState, viewer: Any, chance: Any) -> OneCardState:
        seen = state.deck[: state.drawn]
        others = chance.shuffle(sorted(set(STANDARD_DECK) - set(seen))).order
        return replace(state, deck=(*seen, *others[: len(state.deck) - state.drawn]))

    def all_cards(self, state: OneCardState) -> Any:
        return None


class TellsAKeptCard(FewCards):
    """The card that the first seat will turn up is shown to all."""

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Glimpsed(cards[1])]


class TellsAKeptCardToOne(FewCards):
    """It is shown to the first seat alone."""

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Private(Glimpsed(cards[1]), frozenset({0}), Glimpsed(None))]
