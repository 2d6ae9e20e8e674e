"""Duel: two players with hidden hands. In each trick both play a card; the higher one wins, or the lower.

It has one of everything that a game may have: enums, dataclasses in dataclasses, tuples, options with
defaults, a hidden hand, a range of moves, a move without values and a refusal of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any, ClassVar

from fliptable import (
    Between,
    Chance,
    Choices,
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
    Shuffled,
    Viewer,
    hookimpl,
)

DECK = tuple(str(number) for number in range(1, 25))


class Stance(Enum):
    """What the one who leads makes the trick about."""

    HIGH = "HIGH"
    LOW = "LOW"


class Style(Enum):
    """How much the score tells."""

    PLAIN = "PLAIN"
    BRAGGING = "BRAGGING"


@dataclass(frozen=True)
class Fee:
    """What conceding costs."""

    points: Annotated[int, "The points that the other gets."] = 1
    doubled: Annotated[bool, "Whether they count twice."] = False
    ranks: Annotated[tuple[Stance, ...], "Nothing; it is there to have a default."] = (
        Stance.HIGH,
        Stance.LOW,
    )


@dataclass(frozen=True)
class DuelOptions:
    """How a duel is fought."""

    hand_size: Annotated[int, "How many cards each player gets."] = 3
    style: Annotated[Style, "Whether bids count."] = Style.PLAIN
    fee: Annotated[Fee, "What conceding costs."] = Fee()

    def __post_init__(self) -> None:
        if not 1 <= self.hand_size <= 12:
            raise ValueError(f"hand_size: {self.hand_size} is not from 1 to 12")


@dataclass(frozen=True)
class Lead:
    """Play a card."""

    card: Annotated[int, "A card of the hand."]
    bid: Annotated[int, "How sure of it the player is."] = 0
    stance: Annotated[Stance, "What the trick is about, if the player leads."] = Stance.HIGH


@dataclass(frozen=True)
class Concede:
    """Give up."""


@dataclass(frozen=True)
class Boast:
    """A card with a bid."""

    card: Annotated[int, "The card."]
    bid: Annotated[int, "The bid."]


@dataclass(frozen=True)
class Dealt:
    """A hand was dealt."""

    seat: Annotated[int, "Whose hand."]
    hand: Annotated[tuple[int, ...], "The cards."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} gets {', '.join(map(str, self.hand))}."


@dataclass(frozen=True)
class DealtUnseen:
    """A hand was dealt to somebody else."""

    seat: Annotated[int, "Whose hand."]
    count: Annotated[int, "How many cards."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} gets {self.count} cards."


@dataclass(frozen=True)
class Led:
    """A card was played."""

    seat: Annotated[int, "Who played it."]
    boast: Annotated[Boast, "The card and the bid."]
    stance: Annotated[Stance, "What the trick is about."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} plays {self.boast.card}."


@dataclass(frozen=True)
class TrickTaken:
    """A trick is over."""

    seat: Annotated[int, "Who took it."]
    cards: Annotated[tuple[int, ...], "Its cards, in seat order."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes the trick."


@dataclass(frozen=True)
class Conceded:
    """A player gave up."""

    seat: Annotated[int, "Who."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} gives up."


@dataclass(frozen=True)
class DuelState:
    """A round; hands included."""

    options: DuelOptions
    hands: tuple[tuple[int, ...], ...] = ((), ())
    played: tuple[Boast | None, ...] = (None, None)
    tricks: tuple[int, ...] = ()
    stance: Stance = Stance.HIGH
    turn: int = 0
    deck: tuple[str, ...] = ()
    conceded: int | None = None


@dataclass(frozen=True)
class HandView:
    """A hand; its cards are null for others."""

    seat: Annotated[int, "Whose hand."]
    size: Annotated[int, "How many cards."]
    cards: Annotated[tuple[int, ...] | None, "The cards."]


@dataclass(frozen=True)
class DuelView:
    """A duel as somebody sees it."""

    hands: Annotated[tuple[HandView, ...], "Both hands."]
    table: Annotated[tuple[Boast | None, ...], "What lies on the table, in seat order."]
    tricks: Annotated[tuple[int, ...], "Who took each trick."]
    stance: Annotated[Stance, "What the trick is about."]
    won: Annotated[dict[str, int], "Tricks by seat."]


class Duel(Game[DuelState, Any]):
    """See the module."""

    id = "duel"
    name = "Duel"
    graphql = "Duel"
    summary = "Play your cards right."
    rules = "# Duel\n\nThe higher card wins, or the lower."
    seats = range(2, 3)
    Options = DuelOptions
    State = DuelState
    View = DuelView
    moves = (Lead, Concede)
    events = (Dealt, DealtUnseen, Led, TrickTaken, Conceded)
    refusals: ClassVar[Mapping[str, str]] = {"NOT_IN_HAND": "The player does not have that card."}

    def begin(self, setup: Setup) -> DuelState:
        # Nobody duels alone: who has left has conceded.
        return DuelState(setup.options, conceded=min(setup.gone, default=None))

    def deal(self, state: DuelState, ctx: Context) -> Events:
        shuffled = ctx.chance.shuffle(DECK)
        size = state.options.hand_size
        events: list[Any] = [shuffled]
        for seat in (0, 1):
            hand = tuple(int(card) for card in shuffled.order[seat * size : (seat + 1) * size])
            events.append(Private(Dealt(seat, hand), frozenset({seat}), DealtUnseen(seat, size)))
        return events

    def to_act(self, state: DuelState) -> Collection[Seat]:
        return () if self._over(state) else (state.turn,)

    def _over(self, state: DuelState) -> bool:
        return state.conceded is not None or len(state.tricks) == state.options.hand_size

    def legal_moves(self, state: DuelState, seat: Seat) -> Sequence[Any]:
        hand = state.hands[seat]
        open_ones: dict[str, Between | Choices] = {"card": Choices(hand), "bid": Between(0, 5)}
        if state.played[1 - seat] is None:
            open_ones["stance"] = Choices(tuple(Stance))
        return [MoveRange(Lead(hand[0], 0, state.stance), open_ones), Concede()]

    def decide(self, state: DuelState, seat: Seat, move: Any, ctx: Context) -> Events | Refusal:
        if isinstance(move, Concede):
            return [Conceded(seat)]
        if move.card not in state.hands[seat]:
            return Refusal("NOT_IN_HAND", f"You do not have the {move.card}.", "card")
        if not 0 <= move.bid <= 5:
            return Refusal("INVALID_VALUE", f"{move.bid} is not from 0 to 5.", "bid")
        other = state.played[1 - seat]
        stance = move.stance if other is None else state.stance
        events: list[Any] = [Led(seat, Boast(move.card, move.bid), stance)]
        if other is not None:
            wins = (move.card > other.card) == (stance is Stance.HIGH)
            cards = (move.card, other.card) if seat == 0 else (other.card, move.card)
            events.append(TrickTaken(seat if wins else 1 - seat, cards))
        return events

    def evolve(self, state: DuelState, event: Any) -> DuelState:
        if isinstance(event, Shuffled):
            return replace(state, deck=event.order)
        if isinstance(event, Dealt):
            return replace(state, hands=_put(state.hands, event.seat, event.hand))
        if isinstance(event, Led):
            hand = tuple(card for card in state.hands[event.seat] if card != event.boast.card)
            return replace(
                state,
                hands=_put(state.hands, event.seat, hand),
                played=_put(state.played, event.seat, event.boast),
                stance=event.stance,
                turn=1 - event.seat,
            )
        if isinstance(event, TrickTaken):
            return replace(state, played=(None, None), tricks=(*state.tricks, event.seat), turn=event.seat)
        if isinstance(event, Conceded):
            return replace(state, conceded=event.seat)
        return state

    def view(self, state: DuelState, viewer: Viewer) -> DuelView:
        hands = tuple(
            HandView(seat, len(hand), hand if seat in viewer or self._over(state) else None)
            for seat, hand in enumerate(state.hands)
        )
        won = {str(seat): state.tricks.count(seat) for seat in (0, 1)}
        return DuelView(hands, state.played, state.tricks, state.stance, won)

    def outcome(self, state: DuelState) -> Outcome | None:
        if not self._over(state):
            return None
        won = [state.tricks.count(seat) for seat in (0, 1)]
        if state.conceded is not None:
            fee = state.options.fee
            won = [0, 0]
            won[1 - state.conceded] = fee.points * (2 if fee.doubled else 1)
        best = max(won)
        draw = won[0] == won[1]
        return Outcome(
            tuple(
                SeatOutcome(Result.DRAWN if draw else Result.WON if points == best else Result.LOST, points)
                for points in won
            )
        )

    def leave(self, state: DuelState, seat: Seat, ctx: Context) -> Events:
        return [Conceded(seat)]

    def shuffle_unknown(self, state: DuelState, viewer: Viewer, chance: Chance) -> DuelState:
        """Other cards in hands that are hidden from the viewer, and in the pile that nobody sees."""
        secret = [seat for seat in (0, 1) if seat not in viewer and not self._over(state)]
        held = [str(card) for seat in secret for card in state.hands[seat]]
        unseen = [*held, *state.deck[2 * state.options.hand_size :]]
        if not unseen:
            return state
        instead = dict(zip(unseen, chance.shuffle(unseen).order, strict=True))
        hands = [tuple(int(instead.get(str(card), card)) for card in hand) for hand in state.hands]
        deck = tuple(instead.get(card, card) for card in state.deck)
        return replace(state, hands=tuple(hands), deck=deck)


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Duel()]
