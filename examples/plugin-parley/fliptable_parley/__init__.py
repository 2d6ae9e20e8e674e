"""Parley: bid in secret; who wins the bid demands a card, and then discards one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import fliptable as f

HAND, BIDS = 6, 3
REFUSALS = {"NOT_IN_HAND": "The seat does not hold that card."}


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card: as a bid, as the answer to a demand, or as a discard at the end of the turn."""

    card: Annotated[f.PlayingCard, "A card of the hand."]


@dataclass(frozen=True, slots=True)
class Demand:
    """Demand a card, which the other chooses."""

    of: Annotated[int, "The seat that has to answer."]


@dataclass(frozen=True, slots=True)
class Laid:
    """A card was laid."""

    seat: Annotated[int, "Who laid it."]
    card: Annotated[f.PlayingCard | None, "The card; null for those who do not see it."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} lays {self.card or 'a card'}."


@dataclass(frozen=True, slots=True)
class Revealed:
    """All bids were revealed; the highest has a point and the turn."""

    cards: Annotated[tuple[f.PlayingCard | None, ...], "The bid of each seat."]
    leader: Annotated[int, "Whose bid is highest."]

    def text(self, names: Sequence[str]) -> str:
        return f"Bids: {', '.join(map(str, filter(None, self.cards)))}. {names[self.leader]} leads."


@dataclass(frozen=True, slots=True)
class Demanded:
    """A card was demanded; the turn waits for the answer."""

    seat: Annotated[int, "Who demands it."]
    of: Annotated[int, "Who has to answer."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} demands a card of {names[self.of]}."


@dataclass(frozen=True, slots=True)
class Left:
    """A seat left the round."""

    seat: Annotated[int, "Who left."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is out."


@dataclass(frozen=True, slots=True)
class ParleyView:
    """A round of Parley as somebody sees it."""

    hands: Annotated[tuple[tuple[f.PlayingCard, ...] | None, ...], "Hands; null for those one does not see."]
    have_bid: Annotated[tuple[bool, ...], "Who has bid."]
    points: Annotated[tuple[int, ...], "Bids won."]
    leader: Annotated[int | None, "Whose turn it is; null while all bid."]


@dataclass(frozen=True, slots=True)
class ParleyState:
    """The round, hidden things included."""

    gone: tuple[bool, ...]
    hands: tuple[tuple[str, ...], ...]
    bids: tuple[str | None, ...]
    points: tuple[int, ...]
    deck: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    leader: int | None = None
    asked: int | None = None
    answered: bool = False

    @property
    def over(self) -> bool:
        return (self.leader is None and sum(self.points) == BIDS) or self.gone.count(False) < 2


class Parley(f.Game[ParleyState, Lay | Demand]):
    """Parley."""

    id = "parley"
    name = "Parley"
    graphql = "Parley"
    summary = "Bid in secret, aces low; who wins the bid demands a card of somebody."
    rules = "Three times, all bid a card. The highest has a point, demands a card and discards one."
    seats = range(2, 5)
    State = ParleyState
    View = ParleyView
    moves = (Lay, Demand)
    events = (Laid, Revealed, Demanded, Left)
    refusals = REFUSALS

    def begin(self, setup: f.Setup) -> ParleyState:
        n = setup.seats
        return ParleyState(tuple(s in setup.gone for s in range(n)), ((),) * n, (None,) * n, (0,) * n)

    def deal(self, state: ParleyState, ctx: f.Context) -> f.Events:
        return [ctx.chance.shuffle(f.STANDARD_DECK)]

    def to_act(self, state: ParleyState) -> Sequence[int]:
        if state.over:
            return ()
        if state.leader is None:
            return [s for s, bid in enumerate(state.bids) if bid is None and not state.gone[s]]
        return (state.leader if state.asked is None else state.asked,)

    def legal_moves(self, state: ParleyState, seat: int) -> Sequence[Demand | f.MoveRange]:
        if targets := self._targets(state):
            return [Demand(of) for of in targets]
        cards = tuple(f.CARD[code] for code in state.hands[seat])
        return [f.MoveRange(Lay(cards[0]), {"card": f.Choices(cards)})]

    def _targets(self, state: ParleyState) -> list[int]:
        if state.leader is None or state.asked is not None or state.answered:
            return []
        return [s for s, gone in enumerate(state.gone) if s != state.leader and not gone]

    def decide(self, state: ParleyState, seat: int, move: Any, ctx: f.Context) -> f.Events | f.Refusal:
        targets = self._targets(state)
        if isinstance(move, Demand):
            if move.of not in targets:
                return f.Refusal("ILLEGAL_MOVE", "Nothing can be demanded of that seat now.", "of")
            return [Demanded(seat, move.of)]
        if targets:
            return f.Refusal("ILLEGAL_MOVE", "Demand a card first.")
        if move.card.value not in state.hands[seat]:
            return f.Refusal("NOT_IN_HAND", f"You do not hold {move.card}.", "card")
        laid = Laid(seat, move.card)
        if state.leader == seat:
            return [laid]
        eyes = frozenset((seat,) if state.leader is None else (seat, state.leader))
        return [f.Private(laid, eyes, Laid(seat, None)), *self._reveal(self.evolve(state, laid))]

    def _reveal(self, state: ParleyState) -> Sequence[Revealed]:
        if state.over or state.leader is not None or self.to_act(state):
            return []
        bids = {seat: bid for seat, bid in enumerate(state.bids) if bid}
        leader = max(bids, key=lambda seat: divmod(f.STANDARD_DECK.index(bids[seat]), 13)[::-1])
        return [Revealed(tuple(f.CARD[bid] if bid else None for bid in state.bids), leader)]

    def evolve(self, state: ParleyState, event: Any) -> ParleyState:
        match event:
            case f.Shuffled(order=order):
                hands = tuple(order[HAND * seat : HAND * (seat + 1)] for seat in range(len(state.hands)))
                return replace(state, hands=hands, deck=order[HAND * len(hands) :])
            case Laid(seat, f.PlayingCard() as card):
                if state.leader is None:
                    return replace(state, bids=_put(state.bids, seat, card.value))
                state = replace(state, hands=_without(state, (card.value,)))
                if state.leader is None or seat == state.leader:
                    return replace(state, out=(*state.out, card.value), leader=None, answered=False)
                hand = (*state.hands[state.leader], card.value)
                return replace(state, hands=_put(state.hands, state.leader, hand), asked=None, answered=True)
            case Revealed(cards, leader):
                bids = [card.value for card in cards if card]
                points = _put(state.points, leader, state.points[leader] + 1)
                state = replace(state, points=points, leader=leader, out=(*state.out, *bids))
                return replace(state, hands=_without(state, bids), bids=(None,) * len(cards))
            case Demanded():
                return replace(state, asked=event.of)
            case Left(seat):
                state = replace(state, gone=_put(state.gone, seat, True), bids=_put(state.bids, seat, None))
                if state.leader == seat:
                    return replace(state, leader=None, asked=None, answered=False)
                return replace(state, asked=None) if state.asked == seat else state
            case _:
                return state

    def view(self, state: ParleyState, viewer: f.Viewer) -> ParleyView:
        hands = [tuple(f.CARD[c] for c in h) if s in viewer else None for s, h in enumerate(state.hands)]
        return ParleyView(tuple(hands), tuple(map(bool, state.bids)), state.points, state.leader)

    def outcome(self, state: ParleyState) -> f.Outcome | None:
        if not state.over:
            return None
        points = [0 if gone else won for won, gone in zip(state.points, state.gone, strict=True)]
        top = f.Result.WON if points.count(max(points)) == 1 else f.Result.DRAWN
        results = [top if won and won == max(points) else f.Result.LOST for won in points]
        return f.Outcome(tuple(map(f.SeatOutcome, results, points)))

    def leave(self, state: ParleyState, seat: int, ctx: f.Context) -> f.Events:
        left = Left(seat)
        return [] if state.over or state.gone[seat] else [left, *self._reveal(self.evolve(state, left))]

    def all_cards(self, state: ParleyState) -> Sequence[str]:
        return [*state.deck, *state.out, *[code for hand in state.hands for code in hand]]

    def shuffle_unknown(self, state: ParleyState, viewer: f.Viewer, chance: f.Chance) -> ParleyState:
        known = [code for seat, hand in enumerate(state.hands) if seat not in viewer for code in hand]
        pile = chance.shuffle([*known, *state.deck]).order
        new = dict(zip(known, pile, strict=False))
        hands = tuple(tuple(new.get(code, code) for code in hand) for hand in state.hands)
        bids = tuple(new.get(bid, bid) if bid else None for bid in state.bids)
        return replace(state, hands=hands, bids=bids, deck=pile[len(known) :])


def _without(state: ParleyState, codes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(code for code in hand if code not in codes) for hand in state.hands)


def _put(values: tuple[Any, ...], index: Any, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


@f.hookimpl
def fliptable_games() -> list[f.Game[Any, Any]]:
    return [Parley()]
