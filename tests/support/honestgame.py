"""Bazaar: a game that tells much, and all of it by its rules, for the tests of the leak laws.

Cards are shown and thrown away, shown and gone for good, shown and shuffled back; discards are shuffled in
the middle of a move; who moves may look at what others hold; a secret number is told and forgotten. The view
shows little of it, and ``shuffle_unknown`` leaves what somebody has been shown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any

from fliptable import (
    Chance,
    Context,
    Events,
    Game,
    Outcome,
    Private,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Shuffled,
    Viewer,
)

DECK = tuple([rank + suit for suit in "ABC" for rank in "12345678"])
HAND, TURNS = 2, 12


class Deed(Enum):
    """What a seat may do."""

    DRAW = "DRAW"
    THROW = "THROW"
    BURN = "BURN"
    MIX = "MIX"
    REVEAL = "REVEAL"
    PEEK = "PEEK"
    OPEN = "OPEN"
    BID = "BID"
    TELL = "TELL"


@dataclass(frozen=True, slots=True)
class Do:
    """Do something."""

    deed: Annotated[Deed, "What."]


@dataclass(frozen=True, slots=True)
class Did:
    """Something was done."""

    seat: Annotated[int, "Who did it."]
    deed: Annotated[Deed, "What was done."]
    card: Annotated[str, "The card, as far as it is to be seen."] = ""
    number: Annotated[int, "The number that was bid, as far as it is to be seen."] = 0

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]}: {self.deed.value} {self.card}{self.number or ''}."


@dataclass(frozen=True, slots=True)
class Off:
    """A seat has left."""

    seat: Annotated[int, "Who left."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has left."


@dataclass(frozen=True, slots=True)
class BazaarState:
    """The round. A peek is who looked, at whose first card, and the card."""

    hands: tuple[tuple[str, ...], ...]
    bids: tuple[int, ...]
    gone: frozenset[int] = frozenset()
    deck: tuple[str, ...] = ()
    thrown: tuple[str, ...] = ()
    open: str = ""
    peeks: tuple[tuple[int, int, str], ...] = ()
    turn: int = 0


@dataclass(frozen=True, slots=True)
class BazaarView:
    """What is seen: one's own cards and number, and the open card. The rest one has to remember."""

    hands: Annotated[tuple[tuple[str, ...] | None, ...], "Hands, as far as one sees them."]
    bids: Annotated[tuple[int | None, ...], "Numbers, as far as one sees them."]
    open: Annotated[str, "The open card."]
    turn: Annotated[int, "How many turns there were."]


class Bazaar(Game[BazaarState, Do]):
    """See the module."""

    id = "bazaar"
    name = "Bazaar"
    graphql = "Bazaar"
    summary = rules = "Show and tell."
    seats = range(2, 5)
    State = BazaarState
    View = BazaarView
    moves = (Do,)
    events = (Did, Off)
    results = frozenset({Result.SCORED})

    def begin(self, setup: Setup) -> BazaarState:
        return BazaarState(((),) * setup.seats, (0,) * setup.seats, setup.gone)

    def deal(self, state: BazaarState, ctx: Context) -> Events:
        return [ctx.chance.shuffle(DECK, "start")]

    def to_act(self, state: BazaarState) -> Collection[Seat]:
        inside = [seat for seat in range(len(state.hands)) if seat not in state.gone]
        return [inside[state.turn % len(inside)]] if inside and state.turn < TURNS else ()

    def other(self, state: BazaarState, seat: Seat) -> Seat:
        return (seat + 1) % len(state.hands)

    def can(self, state: BazaarState, seat: Seat) -> dict[Deed, bool]:
        """What the seat may do now."""
        hand = bool(state.hands[seat])
        return {
            Deed.DRAW: bool(state.deck),
            Deed.THROW: hand,
            Deed.BURN: bool(state.deck),
            Deed.MIX: bool(state.thrown or state.deck),
            Deed.REVEAL: hand,
            Deed.PEEK: bool(state.hands[self.other(state, seat)]),
            Deed.OPEN: bool(state.deck),
            Deed.BID: not state.bids[seat],
            Deed.TELL: bool(state.bids[seat]),
        }

    def legal_moves(self, state: BazaarState, seat: Seat) -> Sequence[Do]:
        return [Do(deed) for deed, may in self.can(state, seat).items() if may]

    def decide(self, state: BazaarState, seat: Seat, move: Do, ctx: Context) -> Events | Refusal:
        if not self.can(state, seat)[move.deed]:
            return Refusal("ILLEGAL_MOVE", "Not now.")
        did, unseen, own = Did(seat, move.deed), Did(seat, move.deed), frozenset({seat})
        match move.deed:
            case Deed.DRAW:
                return [Private(replace(did, card=state.deck[0]), own, unseen)]
            case Deed.BURN | Deed.OPEN:
                return [replace(did, card=state.deck[0])]
            case Deed.THROW:
                return [replace(did, card=state.hands[seat][0])]
            case Deed.MIX:
                mixed = ctx.chance.shuffle((*state.deck, *state.thrown), "mix")
                return [mixed, Private(replace(did, card=mixed.order[0]), own, unseen)]
            case Deed.REVEAL:
                card = state.hands[seat][0]
                mixed = ctx.chance.shuffle((*state.deck, card), "deck")
                drawn = Did(seat, Deed.DRAW, mixed.order[0])
                return [replace(did, card=card), mixed, Private(drawn, own, replace(drawn, card=""))]
            case Deed.PEEK:
                card = state.hands[self.other(state, seat)][0]
                return [Private(replace(did, card=card), own, unseen)]
            case Deed.BID:
                number = ctx.chance.number("bid", range(1, 4))
                return [Private(replace(did, number=number), own, unseen)]
            case Deed.TELL:
                return [replace(did, number=state.bids[seat])]

    def evolve(self, state: BazaarState, event: Any) -> BazaarState:
        if isinstance(event, Shuffled):
            if event.name == "mix":
                return replace(state, deck=event.order, thrown=())
            if event.name == "deck":
                return replace(state, deck=event.order)
            count = HAND * len(state.hands)
            hands = tuple([event.order[place : place + HAND] for place in range(0, count, HAND)])
            return replace(state, hands=hands, deck=event.order[count:])
        if isinstance(event, Off):
            return replace(state, gone=state.gone | {event.seat})
        return self.done(state, event)

    def done(self, state: BazaarState, event: Did) -> BazaarState:
        """The state once a deed is done; the turn is over with every one but a revealed card."""
        seat, hand = event.seat, state.hands[event.seat]
        deck = state.deck
        turn = state.turn + (event.deed is not Deed.REVEAL)
        match event.deed:
            case Deed.DRAW | Deed.MIX:
                hands, deck = _put(state.hands, seat, (*hand, event.card)), deck[1:]
                state = replace(state, hands=hands)
            case Deed.THROW:
                hands = _put(state.hands, seat, hand[1:])
                state = replace(state, hands=hands, thrown=(*state.thrown, event.card))
                state = replace(state, peeks=_seen_no_more(state, seat))
            case Deed.REVEAL:
                state = replace(state, hands=_put(state.hands, seat, hand[1:]))
                state = replace(state, peeks=_seen_no_more(state, seat))
                deck = (*deck, event.card)
            case Deed.BURN:
                deck = deck[1:]
            case Deed.OPEN:
                deck = (*deck[1:], *([state.open] if state.open else []))
                # The card that lay open goes below the deck, and everybody knows that it lies there.
                state = replace(state, open=event.card)
            case Deed.PEEK:
                of = self.other(state, seat)
                state = replace(state, peeks=(*state.peeks, (seat, of, event.card)))
            case Deed.BID:
                state = replace(state, bids=_put(state.bids, seat, event.number))
            case Deed.TELL:
                state = replace(state, bids=_put(state.bids, seat, 0))
        return replace(state, deck=deck, turn=turn)

    def view(self, state: BazaarState, viewer: Viewer) -> BazaarView:
        hands = [hand if seat in viewer else None for seat, hand in enumerate(state.hands)]
        bids = [bid if seat in viewer else None for seat, bid in enumerate(state.bids)]
        return BazaarView(tuple(hands), tuple(bids), state.open, state.turn)

    def ask(self, state: BazaarState, seat: Seat, names: Sequence[str]) -> str:
        return f"{names[seat]}: what do you do?"

    def outcome(self, state: BazaarState) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome(tuple([SeatOutcome(Result.SCORED, len(hand)) for hand in state.hands]))

    def leave(self, state: BazaarState, seat: Seat, ctx: Context) -> Events:
        return [] if seat in state.gone else [Off(seat)]

    def shuffle_unknown(self, state: BazaarState, viewer: Viewer, chance: Chance) -> BazaarState:
        hidden = [seat for seat in range(len(state.hands)) if seat not in viewer]
        known = {(of, card) for by, of, card in state.peeks if by in viewer}
        places = [
            (seat, index)
            for seat in hidden
            for index, card in enumerate(state.hands[seat])
            if (seat, card) not in known
        ]
        mixed = chance.shuffle([*state.deck, *[state.hands[seat][index] for seat, index in places]]).order
        hands = [list(hand) for hand in state.hands]
        for (seat, index), card in zip(places, mixed, strict=False):
            hands[seat][index] = card
        peeks = tuple([(by, of, hands[of][0]) for by, of, _ in state.peeks])
        bids = [
            1 + chance.number(f"bid {seat}", range(3)) if bid and seat in hidden else bid
            for seat, bid in enumerate(state.bids)
        ]
        return replace(
            state,
            hands=tuple([tuple(hand) for hand in hands]),
            deck=tuple(mixed[len(places) :]),
            peeks=peeks,
            bids=tuple(bids),
        )


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _seen_no_more(state: BazaarState, seat: Seat) -> tuple[tuple[int, int, str], ...]:
    """The peeks without those at the first card of a seat, which is another one now."""
    return tuple([peek for peek in state.peeks if peek[1] != seat])
