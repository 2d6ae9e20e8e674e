"""What a viewer cannot know of a round of Call It, put in another order (R2, R3)."""

from __future__ import annotations

from dataclasses import replace

from fliptable import Chance, Viewer
from fliptable_games.call_it.state import ACES, WORTH, CallItState, Hand, turned
from fliptable_games.call_it.vocabulary import BustReason, HandStatus

_TRIES = 20
"""So often the deck is shuffled until it agrees with who is bust."""


def shuffle_unknown(state: CallItState, viewer: Viewer, chance: Chance) -> CallItState:
    """Everything behind the last card that the viewer has seen, and with it what others have turned up.

    All copies are of one deck (R2), so a hand that the viewer does not see is the top of it (R3). Everybody
    sees who is in and who is bust, so those cards have led to that; where no such order is found soon, only
    what nobody has turned up is put in another one.
    """
    known = _known(state, viewer)
    lying = state.deck[:known]
    hidden = [] if state.shared else [hand for hand in state.hands if len(hand.cards) > known]
    for _ in range(_TRIES if hidden else 1):
        deck = (*lying, *chance.shuffle(state.deck[known:]).order)
        if all(_agrees(hand, deck, state.target) for hand in hidden):
            break
    else:
        longest = max(len(hand.cards) for hand in hidden)
        deck = (*state.deck[:longest], *chance.shuffle(state.deck[longest:]).order)
    hands = state.hands
    if not state.shared:
        hands = tuple([turned(hand, deck[: len(hand.cards)]) for hand in hands])
    return replace(state, deck=deck, hands=hands)


def _known(state: CallItState, viewer: Viewer) -> int:
    """How many cards from the top the viewer has seen."""
    public = state.over or state.shared or len(state.hands) == 1
    known = state.taken if state.shared else 0
    for seat, hand in enumerate(state.hands):
        place = state.taken if state.shared else len(hand.cards)
        if public or seat in viewer:
            known = max(known, len(hand.cards))
        if seat in viewer and state.terms.peek and hand.status is HandStatus.IN:
            known = max(known, place + state.terms.peek)
    return known


def _agrees(hand: Hand, deck: tuple[str, ...], target: int | None) -> bool:
    """Whether so many cards from the top are over the target with the last one, or in, as the hand is."""
    assert target is not None
    low = aces = 0
    for place, code in enumerate(deck[: len(hand.cards)], start=1):
        low += WORTH[code]
        aces += code in ACES
        gap = target - low
        if gap < 0:
            return place == len(hand.cards) and hand.reason is BustReason.OVER
        if gap % 10 == 0 and gap <= 10 * aces:
            return False
    return hand.reason is not BustReason.OVER
