"""A game as small as a game can be, to try modes with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from fliptable.cards import CARD, STANDARD_DECK, PlayingCard
from fliptable.chance import Chance, Shuffled
from fliptable.rules import (
    Context,
    Events,
    Game,
    Outcome,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Viewer,
)


@dataclass(frozen=True, slots=True)
class OneCardState:
    """The round: the deck, how much of it was turned up, each seat's card, and who has left."""

    cards: tuple[str, ...]
    gone: frozenset[int] = frozenset()
    deck: tuple[str, ...] = ()
    drawn: int = 0

    @property
    def waiting(self) -> list[Seat]:
        """The seats that have no card yet."""
        return [seat for seat, card in enumerate(self.cards) if not card and seat not in self.gone]


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Turn a card up."""


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card was turned up."""

    seat: Annotated[int, "Whose card it is."]
    card: Annotated[PlayingCard, "The card."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} turns up {self.card}."


@dataclass(frozen=True, slots=True)
class WalkedOff:
    """A seat has left the round."""

    seat: Annotated[int, "Who left."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} has left the round."


@dataclass(frozen=True, slots=True)
class OneCardView:
    """The card that each seat turned up."""

    cards: Annotated[tuple[PlayingCard | None, ...], "A card a seat; null for one that has none yet."]


class OneCard(Game[OneCardState, TurnUp]):
    """Everybody turns up one card. A red one wins, a black one loses."""

    id = "one-card"
    name = "One Card"
    graphql = "OneCard"
    summary = "Everybody turns up one card; red wins."
    rules = "Everybody turns up one card. A red one wins a point, a black one loses."
    seats: ClassVar[range] = range(1, 7)
    State = OneCardState
    View = OneCardView
    moves: ClassVar[tuple[type, ...]] = (TurnUp,)
    events: ClassVar[tuple[type, ...]] = (TurnedUp, WalkedOff)

    def begin(self, setup: Setup) -> OneCardState:
        """An empty table."""
        return OneCardState(("",) * setup.seats, setup.gone)

    def deal(self, state: OneCardState, ctx: Context) -> Events:
        """The shuffle alone."""
        return [ctx.chance.shuffle(STANDARD_DECK)]

    def to_act(self, state: OneCardState) -> Sequence[Seat]:
        """The first seat that has no card."""
        return state.waiting[:1]

    def legal_moves(self, state: OneCardState, seat: Seat) -> Sequence[TurnUp]:
        """There is nothing else to do."""
        return [TurnUp()]

    def decide(self, state: OneCardState, seat: Seat, move: TurnUp, ctx: Context) -> Events | Refusal:
        """The top card."""
        return [TurnedUp(seat, CARD[state.deck[state.drawn]])]

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        """The state after an event."""
        if isinstance(event, Shuffled):
            return replace(state, deck=event.order)
        if isinstance(event, TurnedUp):
            cards = (*state.cards[: event.seat], event.card.value, *state.cards[event.seat + 1 :])
            return replace(state, cards=cards, drawn=state.drawn + 1)
        return replace(state, gone=state.gone | {event.seat})

    def view(self, state: OneCardState, viewer: Viewer) -> OneCardView:
        """All that lies open."""
        return OneCardView(tuple([CARD[code] if code else None for code in state.cards]))

    def outcome(self, state: OneCardState) -> Outcome | None:
        """Red cards win; who has left has lost."""
        if state.waiting:
            return None
        won = [card[-1:] in ("H", "D") and seat not in state.gone for seat, card in enumerate(state.cards)]
        return Outcome(
            tuple([SeatOutcome(Result.WON, 1) if one else SeatOutcome(Result.LOST) for one in won])
        )

    def leave(self, state: OneCardState, seat: Seat, ctx: Context) -> Events:
        """The round goes on without the seat."""
        return [] if seat in state.gone else [WalkedOff(seat)]

    def shuffle_unknown(self, state: OneCardState, viewer: Viewer, chance: Chance) -> OneCardState:
        """What is still to come, in another order."""
        rest = chance.shuffle(state.deck[state.drawn :]).order
        return replace(state, deck=(*state.deck[: state.drawn], *rest))

    def all_cards(self, state: OneCardState) -> Sequence[str]:
        """The deck, of which nothing ever goes away."""
        return state.deck
