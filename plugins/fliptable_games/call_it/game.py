"""The rules of one round of Call It and Flip (rule sheet call-it, C1-C8, R2-R4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from fliptable import (
    CARD,
    MAX_INT,
    STANDARD_DECK,
    Between,
    CardTrail,
    Chance,
    Context,
    Demand,
    Events,
    Game,
    MoveRange,
    Outcome,
    PlayingCard,
    Private,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Shuffled,
    Viewer,
)
from fliptable_games.call_it.reach import reachable
from fliptable_games.call_it.vocabulary import (
    LEAST_TARGET,
    Busted,
    BustReason,
    Call,
    Called,
    CallItOptions,
    CallItTerms,
    CallItView,
    Flip,
    Flipped,
    FlippedUnseen,
    HandStatus,
    HandView,
    Phase,
    Universe,
    UniverseStatus,
    Won,
)

RULES = """\
Call a target of 30 or more, then flip cards until a sum of them is exactly the target (you win) or
every sum is above it (you are bust). 2-10 count their face, J Q K count 10, an ace counts 1 or 11,
and all its readings live side by side. You cannot stop. A win is certain by the last card for the
targets 340, 350, 360, 370 and 380; nothing reaches 379 or anything above 380."""

_WORTH = {"A": 1, "J": 10, "Q": 10, "K": 10}
WORTH = {code: _WORTH.get(code[:-1]) or int(code[:-1]) for code in STANDARD_DECK}
"""What each card counts, an ace at its low value (C1)."""

_DECK = tuple(WORTH.items())

_ACES = frozenset(code for code in STANDARD_DECK if code.startswith("A"))


@dataclass(slots=True)
class Hand:
    """What one seat has turned up: the cards, their lowest sum and how many of them are aces."""

    cards: tuple[str, ...] = ()
    low: int = 0
    aces: int = 0
    status: HandStatus = HandStatus.IN
    reason: BustReason | None = None


@dataclass(slots=True)
class CallItState:
    """One round. It is never changed in place; :meth:`CallIt.evolve` makes new ones."""

    shared: bool
    terms: CallItTerms
    hands: tuple[Hand, ...]
    deck: tuple[str, ...] = ()
    taken: int = 0
    target: int | None = None
    winner: int | None = None
    left: int = 0
    caller: int = 0


class CallIt(Game[CallItState, Call | Flip]):
    """Call It and Flip for one seat, or for several that race (R2)."""

    id = "call-it"
    name = "Call It and Flip"
    graphql = "CallIt"
    summary = "Call a target, then flip until you hit it exactly or bust."
    rules = RULES
    seats = range(1, 9)
    Options = CallItOptions
    Terms = CallItTerms
    State = CallItState
    View = CallItView
    moves = (Call, Flip)
    events = (Called, Flipped, FlippedUnseen, Won, Busted)
    results = frozenset((Result.WON, Result.LOST, Result.BUST))
    deals_ahead = True

    def begin(self, setup: Setup) -> CallItState:
        """Empty hands; those of seats that were left in earlier rounds are bust (C3)."""
        gone = Hand(status=HandStatus.BUST, reason=BustReason.ABANDONED)
        hands = tuple([gone if seat in setup.gone else Hand() for seat in range(setup.seats)])
        left, caller = setup.seats - len(setup.gone), setup.terms.caller
        if caller in setup.gone and left:
            caller = _next_in(hands, caller)
        return CallItState(setup.options.shared_deck, setup.terms, hands, left=left, caller=caller)

    def deal(self, state: CallItState, ctx: Context) -> Events:
        """Shuffle the deck (C1); a target that the mode fixed is called at once."""
        shuffled = ctx.chance.shuffle(STANDARD_DECK)
        if state.terms.target is None:
            return [shuffled]
        return [shuffled, Called(state.caller, state.terms.target)]

    def to_act(self, state: CallItState) -> Collection[Seat]:
        """The caller before the call (C2), then everybody who is in."""
        if state.winner is not None or state.left == 0:
            return ()
        if state.target is None:
            return (state.caller,)
        if len(state.hands) == 1:
            return (0,)
        return [seat for seat, hand in enumerate(state.hands) if hand.status is HandStatus.IN]

    def legal_moves(self, state: CallItState, seat: Seat) -> Sequence[Call | Flip | MoveRange]:
        """The call before it is made, then the flip: there is no other move (C3)."""
        if state.target is None:
            least = state.terms.min_target
            return [MoveRange(Call(least), {"target": Between(least, MAX_INT)})]
        return [Flip()]

    def decide(self, state: CallItState, seat: Seat, move: Call | Flip, ctx: Context) -> Events | Refusal:
        """A call (C2) or a flip (C3) with what it leads to (C5, C6)."""
        if type(move) is Flip:
            if state.target is None:
                return Refusal("ILLEGAL_MOVE", "The target has to be called before a card is flipped.")
            return self._flip(state, seat, state.target)
        assert isinstance(move, Call)
        if state.target is not None:
            return Refusal("ILLEGAL_MOVE", f"The target is already called: it is {state.target}.")
        least = state.terms.min_target
        if move.target < least:
            return Refusal(
                "INVALID_VALUE", f"The target is {move.target}; it has to be at least {least}.", "target"
            )
        return [Called(seat, move.target)]

    def _flip(self, state: CallItState, seat: Seat, target: int) -> Events:
        hand = state.hands[seat]
        place = state.taken if state.shared else len(hand.cards)
        code = state.deck[place]
        low = hand.low + WORTH[code]
        gap = target - low
        ends: list[Any] = []
        if gap < 0:
            ends.append(Busted(seat, BustReason.OVER))
        elif gap % 10 == 0 and gap <= 10 * (hand.aces + (code in _ACES)):
            ends.append(Won(seat, len(hand.cards) + 1))
        elif place + 1 == len(state.deck):
            # With a common pile the last card ends the round for everybody who is in (R2).
            out = [seat] if not state.shared else self.to_act(state)
            ends.extend([Busted(one, BustReason.DECK_EMPTY) for one in out])
        if gap < 0 and state.shared and place + 1 == len(state.deck):
            others = [one for one in self.to_act(state) if one != seat]
            ends.extend([Busted(one, BustReason.DECK_EMPTY) for one in others])
        flipped = Flipped(seat, CARD[code])
        if state.shared or len(state.hands) == 1:
            return [flipped, *ends]
        return [Private(flipped, frozenset((seat,)), FlippedUnseen(seat)), *ends]

    def evolve(self, state: CallItState, event: Any) -> CallItState:
        """Apply an event."""
        kind = type(event)
        terms, hands, deck = state.terms, state.hands, state.deck
        taken, target, winner, left = state.taken, state.target, state.winner, state.left
        caller = state.caller
        if kind is Flipped:
            seat, code = event.seat, event.card.value
            hand = hands[seat]
            hand = Hand((*hand.cards, code), hand.low + WORTH[code], hand.aces + (code in _ACES))
            hands = _put(hands, seat, hand)
            taken += 1
        elif kind is Won:
            winner = event.seat
            hands = tuple([_ended(one, seat == winner) for seat, one in enumerate(hands)])
        elif kind is Busted:
            hand = hands[event.seat]
            bust = Hand(hand.cards, hand.low, hand.aces, HandStatus.BUST, event.reason)
            hands = _put(hands, event.seat, bust)
            left -= 1
            if target is None and event.seat == caller and left:
                caller = _next_in(hands, caller)
        elif kind is Called:
            target = event.target
        elif kind is Shuffled:
            deck = event.order
        return CallItState(state.shared, terms, hands, deck, taken, target, winner, left, caller)

    def outcome(self, state: CallItState) -> Outcome | None:
        """Over with a winner (R4) or when everybody is bust; the winner gets one point."""
        if state.winner is None and state.left > 0:
            return None
        return Outcome(tuple([_outcome(hand) for hand in state.hands]))

    def targets(self, demands: Sequence[Demand]) -> Collection[int]:
        """Every target that some order of the deck hits under the demands (C8, M8)."""
        return [target for target in reachable(tuple(demands), _DECK) if target >= LEAST_TARGET]

    def leave(self, state: CallItState, seat: Seat, ctx: Context) -> Events:
        """Leaving a round is a bust (C3)."""
        if state.hands[seat].status is not HandStatus.IN:
            return []
        return [Busted(seat, BustReason.ABANDONED)]

    def view(self, state: CallItState, viewer: Viewer) -> CallItView:
        """The deck stays hidden, and so do others' copies until the round is over (R3)."""
        over = state.winner is not None or state.left == 0
        phase = Phase.OVER if over else Phase.CALL if state.target is None else Phase.FLIP
        hands = [
            self._hand(state, seat, over or self._public(state) or seat in viewer, seat in viewer)
            for seat in range(len(state.hands))
        ]
        terms = state.terms
        return CallItView(phase, state.target, terms.min_target, state.caller, state.shared, tuple(hands))

    @staticmethod
    def _public(state: CallItState) -> bool:
        return state.shared or len(state.hands) == 1

    def _hand(self, state: CallItState, seat: Seat, seen: bool, own: bool) -> HandView:
        hand = state.hands[seat]
        place = state.taken if state.shared else len(hand.cards)
        peek: tuple[PlayingCard, ...] | None = None
        if state.terms.peek and own and hand.status is HandStatus.IN:
            peek = tuple([CARD[code] for code in state.deck[place : place + state.terms.peek]])
        return HandView(
            seat=seat,
            status=hand.status,
            flips=len(hand.cards),
            cards=tuple([CARD[code] for code in hand.cards]) if seen else None,
            universes=universes(hand.low, hand.aces, state.target) if seen else None,
            cards_left=len(STANDARD_DECK) - place,
            peek=peek,
        )

    def trails(self, options: CallItOptions, seats: int) -> Sequence[CardTrail]:
        """Flips turn up the deck: the common one, or each seat's copy (R2)."""
        if options.shared_deck:
            return [CardTrail(Flipped)]
        return [CardTrail(Flipped, seat=seat) for seat in range(seats)]

    def shuffle_unknown(self, state: CallItState, viewer: Viewer, chance: Chance) -> CallItState:
        """Everything behind the last card that the viewer has seen."""
        over = state.winner is not None or state.left == 0
        known = state.taken if state.shared else 0
        for seat, hand in enumerate(state.hands):
            place = state.taken if state.shared else len(hand.cards)
            if over or self._public(state) or seat in viewer:
                known = max(known, len(hand.cards))
            if seat in viewer and state.terms.peek and hand.status is HandStatus.IN:
                known = max(known, place + state.terms.peek)
        deck = (*state.deck[:known], *chance.shuffle(state.deck[known:]).order)
        return replace(state, deck=deck)


def universes(low: int, aces: int, target: int | None) -> tuple[Universe, ...]:
    """Every distinct sum of cards whose lowest sum is ``low``, with its number of readings (C4)."""
    sums = [low + 10 * high for high in range(aces + 1)]
    return tuple(
        [Universe(total, comb(aces, high), _status(total, target)) for high, total in enumerate(sums)]
    )


def _status(total: int, target: int | None) -> UniverseStatus:
    if target is None or total < target:
        return UniverseStatus.LIVE
    return UniverseStatus.HIT if total == target else UniverseStatus.DEAD


def _next_in(hands: tuple[Hand, ...], seat: Seat) -> Seat:
    """The next seat clockwise that is in: it calls when the caller leaves before the call (R1, R7)."""
    clockwise = [(seat + step) % len(hands) for step in range(1, len(hands))]
    return next(one for one in clockwise if hands[one].status is HandStatus.IN)


def _put(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    if len(hands) == 1:
        return (hand,)
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _ended(hand: Hand, winner: bool) -> Hand:
    if hand.status is not HandStatus.IN:
        return hand
    status = HandStatus.WON if winner else HandStatus.LOCKED
    return Hand(hand.cards, hand.low, hand.aces, status)


def _outcome(hand: Hand) -> SeatOutcome:
    measures = {"flips": len(hand.cards)}
    if hand.status is HandStatus.WON:
        return SeatOutcome(Result.WON, 1, None, measures)
    if hand.status is HandStatus.BUST:
        reason = hand.reason.value if hand.reason is not None else None
        return SeatOutcome(Result.BUST, 0, reason, measures)
    return SeatOutcome(Result.LOST, 0, "BEATEN", measures)


__all__ = ["LEAST_TARGET", "WORTH", "CallIt", "CallItState", "Hand", "universes"]
