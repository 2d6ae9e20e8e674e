"""The state of a round of Call It and Flip, and how events change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fliptable import STANDARD_DECK, Seat, Setup, Shuffled
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Called,
    CallItTerms,
    CallPassed,
    CameBack,
    Flipped,
    HandStatus,
    WentAway,
    Won,
)

_WORTH = {"A": 1, "J": 10, "Q": 10, "K": 10}
WORTH = {code: _WORTH.get(code[:-1]) or int(code[:-1]) for code in STANDARD_DECK}
"""What each card counts, an ace at its low value (C1)."""

ACES = frozenset(code for code in STANDARD_DECK if code.startswith("A"))


@dataclass(slots=True)
class Hand:
    """What one seat has turned up: the cards, their lowest sum and how many of them are aces."""

    cards: tuple[str, ...] = ()
    low: int = 0
    aces: int = 0
    status: HandStatus = HandStatus.IN
    reason: BustReason | None = None
    away: bool = False
    """Whether the seat's player is not there, so that nobody waits for them (R6)."""


@dataclass(slots=True)
class CallItState:
    """One round. It is never changed in place; :func:`evolve` makes new ones."""

    shared: bool
    terms: CallItTerms
    hands: tuple[Hand, ...]
    deck: tuple[str, ...] = ()
    taken: int = 0
    target: int | None = None
    winner: int | None = None
    left: int = 0
    """How many hands are in."""
    caller: int = 0
    passed: tuple[int, ...] = ()
    """The seats that the call has passed by in this round."""

    @property
    def over(self) -> bool:
        """Whether somebody has won or everybody is bust (R4)."""
        return self.winner is not None or self.left == 0


def opening(setup: Setup) -> CallItState:
    """Empty hands; those of seats that were left in earlier rounds are bust (C3)."""
    several = setup.seats > 1
    hands = []
    for seat in range(setup.seats):
        if seat in setup.gone:
            hands.append(Hand(status=HandStatus.BUST, reason=BustReason.ABANDONED))
        else:
            hands.append(Hand(away=several and seat in setup.away))
    left, terms = setup.seats - len(setup.gone), setup.terms
    return CallItState(setup.options.shared_deck, terms, tuple(hands), left=left, caller=terms.caller)


def evolve(state: CallItState, event: Any) -> CallItState:
    """The state after an event."""
    kind = type(event)
    terms, hands, deck = state.terms, state.hands, state.deck
    taken, target, winner, left = state.taken, state.target, state.winner, state.left
    caller, passed = state.caller, state.passed
    if kind is Flipped:
        seat, code = event.seat, event.card.value
        hand = hands[seat]
        hand = Hand((*hand.cards, code), hand.low + WORTH[code], hand.aces + (code in ACES))
        hands = _put(hands, seat, hand)
        taken += 1
    elif kind is Won:
        winner = event.seat
        hands = tuple([_ended(one, seat == winner) for seat, one in enumerate(hands)])
    elif kind is Busted:
        hand = hands[event.seat]
        bust = Hand(hand.cards, hand.low, hand.aces, HandStatus.BUST, event.reason, hand.away)
        hands = _put(hands, event.seat, bust)
        left -= 1
    elif kind is Called:
        target = event.target
    elif kind is Shuffled:
        deck = event.order
    elif kind is CallPassed:
        caller, passed = event.to, (*passed, event.seat)
    elif kind is WentAway:
        hands = _put(hands, event.seat, _is_away(hands[event.seat], True))
    elif kind is CameBack:
        hands = _put(hands, event.seat, _is_away(hands[event.seat], False))
        passed = tuple([seat for seat in passed if seat != event.seat])
    return CallItState(state.shared, terms, hands, deck, taken, target, winner, left, caller, passed)


def _put(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    if len(hands) == 1:
        return (hand,)
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _ended(hand: Hand, winner: bool) -> Hand:
    if hand.status is not HandStatus.IN:
        return hand
    status = HandStatus.WON if winner else HandStatus.LOCKED
    return Hand(hand.cards, hand.low, hand.aces, status, None, hand.away)


def _is_away(hand: Hand, away: bool) -> Hand:
    return Hand(hand.cards, hand.low, hand.aces, hand.status, hand.reason, away)


def turned(hand: Hand, cards: tuple[str, ...]) -> Hand:
    """The hand with other cards turned up."""
    low, aces = sum(map(WORTH.__getitem__, cards)), len(ACES.intersection(cards))
    return Hand(cards, low, aces, hand.status, hand.reason, hand.away)


__all__ = ["ACES", "WORTH", "CallItState", "Hand", "evolve", "opening", "turned"]
