"""A game whose state keeps a few of the cards that were shuffled, and what it may tell at the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from fliptable import CARD, STANDARD_DECK, PlayingCard, Private, Rank, Shuffled, Suit
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


@dataclass(frozen=True, slots=True)
class Hinted:
    """Something was said of a card, or of several."""

    what: Annotated[str, "What was said."]

    def text(self, names: Sequence[str]) -> str:
        return f"There is a hint: {self.what}."


class FewCards(OneCard):
    """The card on top is shown to all, and is out of the game; the next ones are kept, no others."""

    events = (*OneCard.events, Glimpsed, Hinted)

    def deal(self, state: OneCardState, ctx: Any) -> Any:
        shuffled = ctx.chance.shuffle(STANDARD_DECK)
        return [shuffled, *self.told([CARD[code] for code in shuffled.order])]

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Glimpsed(cards[0])]

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        if isinstance(event, Glimpsed | Hinted):
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


def worth(card: PlayingCard) -> int:
    return list(Rank).index(card.rank)


def colour(card: PlayingCard) -> str:
    return "red" if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else "black"


class HintsAtABurntCard(FewCards):
    """Of the card that is out of the game the colour is told, and the card itself where it is an ace.

    The sum of three others is told that are out of the game as well.
    """

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        ace = [Glimpsed(cards[0])] if cards[0].rank is Rank.ACE else []
        return [Hinted(colour(cards[0])), Hinted(str(sum(worth(card) for card in cards[-3:]))), *ace]


@dataclass(frozen=True, slots=True)
class HintedState(OneCardState):
    """With the suit of the first card that is kept, which all were told."""

    suit: str = ""


class HintsAndRemembers(FewCards):
    """The suit of the first card that is kept is told by the rules, and the state notes it."""

    State = HintedState

    def begin(self, setup: Any) -> HintedState:
        before = super().begin(setup)
        return HintedState(**{one.name: getattr(before, one.name) for one in fields(before)})

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Hinted(cards[1].suit.value)]

    def evolve(self, state: Any, event: Any) -> Any:
        return replace(state, suit=event.what) if isinstance(event, Hinted) else super().evolve(state, event)

    def shuffle_unknown(self, state: Any, viewer: Any, chance: Any) -> Any:
        if state.drawn:
            return super().shuffle_unknown(state, viewer, chance)
        others = list(chance.shuffle(STANDARD_DECK).order)
        first = next(card for card in others if card[-1] == state.suit)
        others.remove(first)
        return replace(state, deck=(first, *others[: len(state.deck) - 1]))


class TellsAColour(FewCards):
    """The colour of the card that the first seat will turn up is told."""

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Hinted(colour(cards[1]))]


class TellsARank(FewCards):
    """Its rank is told, beside the card that is shown by the rules."""

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Hinted(cards[1].rank.value), Glimpsed(cards[0])]


class TellsASum(FewCards):
    """The sum of the ranks of all cards that are kept is told."""

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Hinted(str(sum(worth(card) for card in cards[1 : 2 + SPARE])))]


class TellsAnAce(FewCards):
    """That the card is an ace is told, to a seat alone, where it is one."""

    def told(self, cards: Sequence[PlayingCard]) -> list[Any]:
        return [Private(Hinted("an ace"), frozenset({0}))] if cards[1].rank is Rank.ACE else []
