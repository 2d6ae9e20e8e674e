"""What one decision leads to, card by card, until the next decision or the end of the round.

Four things can be under way, and the first of them that is goes on: a card that was just turned
up, the Flip Three that is being resolved, the queue of assigned cards, the deal. When none is, the
turn passes to the next active seat, by the seat whose hit began it all (flip7 F22).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fliptable import Chance, Seat
from fliptable_games.flip7.cards import FLIP_THREE, FREEZE, MODIFIERS, NUMBER, SECOND_CHANCE, SEVEN
from fliptable_games.flip7.events import (
    Assigned,
    Busted,
    CardDiscarded,
    CardSetAside,
    CardTurned,
    FlippedSeven,
    FlipThreeBegan,
    FlipThreeEnded,
    Frozen,
    SavedBySecondChance,
    SeatGone,
    SecondChanceTaken,
    Stayed,
)
from fliptable_games.flip7.evolve import evolve
from fliptable_games.flip7.state import ACTIVE, Flip7State, FlipThree, dealt_next, targets
from fliptable_games.flip7.vocabulary import DiscardReason, Place, StayReason, Why

DISCARD_PILE = "discard pile"
"""The name of a shuffle that makes the discard pile the draw pile (F26)."""


card_turned = cache(CardTurned)
"""The event for a seat, a card and a reason: there are few, and most events are of this kind."""


def plain_hit(state: Flip7State, seat: Seat) -> list[Any] | None:
    """What a hit leads to where the card settles it alone, as nearly every card does; else None."""
    if state.plain == 0 or state.place == len(state.deck):
        return None
    code = state.deck[state.place]
    line = state.lines[seat]
    number = NUMBER.get(code)
    if number is None:
        return [card_turned(seat, code, Why.HIT)] if code in MODIFIERS else None
    if number not in line.numbers:
        return [card_turned(seat, code, Why.HIT)] if len(line.numbers) + 1 < SEVEN else None
    return None if line.second_chance else [card_turned(seat, code, Why.HIT), Busted(seat, code)]


class Resolution:
    """The events of one decision so far and the state as they leave it."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: Flip7State, chance: Chance) -> None:
        """``chance`` is used when the discard pile has to be shuffled."""
        self.state = state
        self.chance = chance
        self.events: list[Any] = []

    def emit(self, event: Any) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def run(self) -> list[Any]:
        """Go on until a seat has to decide something or the round is over; all events."""
        going = True
        while going:
            state = self.state
            if state.turned is not None:
                going = self._turned(state, state.drawer, state.turned)
            elif state.flip is not None:
                going = self._flip_three(state, state.flip)
            elif state.queue:
                self._take_effect(state)
            elif state.deal_at < len(state.lines):
                going = self._deal(state)
            else:
                going = False
        return self.events

    def hit(self, seat: Seat) -> None:
        """A card for the seat whose turn it is, or a stay where there is none to have (F7, F27)."""
        if not self._turn_up(seat, Why.HIT):
            self._nothing_to_draw(seat)

    def take_optional(self, seat: Seat) -> None:
        """The card of the deal that the seat did not have to take (F5)."""
        self._deal_to(seat)

    def stay(self, seat: Seat) -> None:
        """The seat banks its line (F8)."""
        self.emit(Stayed(seat, self.state.lines[seat].points))

    def leave(self, seat: Seat) -> None:
        """The seat is out, and what it had to assign is discarded.

        What a bust taker has set aside goes the same way, in both rule sets: there is nobody left
        to assign it.
        """
        self.emit(SeatGone(seat))
        state = self.state
        if state.turned is not None and state.drawer == seat:
            self.emit(CardDiscarded(seat, state.turned, Place.TURNED_UP, DiscardReason.LEFT))

    def _turn_up(self, seat: Seat, why: Why) -> bool:
        """Turn the next card up, a Flip 7 included; False when there is nothing to draw (F26, F27)."""
        state = self.state
        if state.plain == 0:
            return False
        if state.place == len(state.deck):
            self.emit(self.chance.shuffle(state.discard, DISCARD_PILE))
            state = self.state
        self.emit(card_turned(seat, state.deck[state.place], why))
        if len(self.state.lines[seat].numbers) == SEVEN:
            self._flip_seven(seat)
        return True

    def _nothing_to_draw(self, seat: Seat) -> None:
        self.emit(Stayed(seat, self.state.lines[seat].points, StayReason.NOTHING_TO_DRAW))

    def _flip_seven(self, seat: Seat) -> None:
        """The round ends for all: the others bank, what is under way is discarded (F15, F23)."""
        self.emit(FlippedSeven(seat, self.state.lines[seat].points))
        for other, line in enumerate(self.state.lines):
            if line.status is ACTIVE:
                self.emit(Stayed(other, line.points, StayReason.FLIP_SEVEN))
        flip = self.state.flip
        if flip is not None:
            for card in flip.set_aside:
                self.emit(CardDiscarded(seat, card, Place.SET_ASIDE, DiscardReason.FLIP_SEVEN))
            self.emit(FlipThreeEnded(seat, flip.taken))
        for waiting in self.state.queue:
            self.emit(CardDiscarded(waiting.to, waiting.card, Place.ASSIGNED, DiscardReason.FLIP_SEVEN))

    def _turned(self, state: Flip7State, seat: Seat, card: str) -> bool:
        """Deal with a card that does not simply lie in a line; False when the seat has to choose."""
        holds = state.lines[seat].second_chance
        if card in NUMBER:
            self.emit(SavedBySecondChance(seat, card) if holds else Busted(seat, card))
            return True
        if state.flip is not None and (card != SECOND_CHANCE or state.hosted):
            self.emit(CardSetAside(seat, card))
            return True
        if card == SECOND_CHANCE and not holds:
            self.emit(SecondChanceTaken(seat, seat))
            return True
        who = targets(state, card)
        if not who:
            self.emit(CardDiscarded(seat, card, Place.TURNED_UP, DiscardReason.NO_TARGET))
        elif len(who) > 1:
            return False
        elif card == SECOND_CHANCE:
            self.emit(SecondChanceTaken(who[0], seat))
        else:
            self.emit(Assigned(seat, card, who[0], forced=True))
        return True

    def assign(self, seat: Seat, card: str, to: Seat) -> None:
        """The seat says who gets the card that waits for a decision."""
        # Only a Second Chance that was just turned up does not wait for its turn (F17, F18).
        if card == SECOND_CHANCE and self.state.turned is not None:
            self.emit(SecondChanceTaken(to, seat))
        else:
            self.emit(Assigned(seat, card, to))

    def _flip_three(self, state: Flip7State, flip: FlipThree) -> bool:
        """Go on with a Flip Three: its cards, then what it set aside (F12, F13, F14, F18)."""
        taker = state.lines[flip.taker]
        if taker.status is ACTIVE and flip.taken < 3 and self._turn_up(flip.taker, Why.FLIP_THREE):
            return True
        aside = flip.set_aside
        if not aside:
            self.emit(FlipThreeEnded(flip.taker, flip.taken))
            return True
        if taker.status is not ACTIVE:
            reason = DiscardReason.LEFT if taker.gone else DiscardReason.TAKER_BUST
            useless = aside[0]
            if not taker.gone and state.hosted and SECOND_CHANCE in aside:
                useless = SECOND_CHANCE
            if taker.gone or not state.hosted or useless == SECOND_CHANCE:
                self.emit(CardDiscarded(flip.taker, useless, Place.SET_ASIDE, reason))
                return True
        return self._assign_next(state, flip, aside[0])

    def _assign_next(self, state: Flip7State, flip: FlipThree, card: str) -> bool:
        """Assign the first card that is set aside, if there is no choice; False when there is one."""
        who = targets(state, card)
        if card == SECOND_CHANCE and flip.taker in who:
            # The taker keeps it rather than giving it away (F16, F18).
            who = (flip.taker,)
        if not who:
            self.emit(CardDiscarded(flip.taker, card, Place.SET_ASIDE, DiscardReason.NO_TARGET))
            return True
        if len(who) == 1:
            self.emit(Assigned(flip.taker, card, who[0], forced=True))
            return True
        return False

    def _take_effect(self, state: Flip7State) -> None:
        """The card that was assigned first takes effect, if it still can (F11, F12, F13, F18)."""
        first = state.queue[0]
        line = state.lines[first.to]
        if line.status is not ACTIVE:
            reason = DiscardReason.LEFT if line.gone else DiscardReason.TARGET_OUT
            self.emit(CardDiscarded(first.to, first.card, Place.ASSIGNED, reason))
        elif first.card == FREEZE:
            self.emit(Frozen(first.to, first.by, line.points))
        elif first.card == FLIP_THREE:
            self.emit(FlipThreeBegan(first.to, first.by))
        elif line.second_chance:
            self.emit(CardDiscarded(first.to, first.card, Place.ASSIGNED, DiscardReason.HOLDS_ONE))
        else:
            self.emit(SecondChanceTaken(first.to, first.by))

    def _deal(self, state: Flip7State) -> bool:
        """Deal to the next seat, or wait for it to say whether it wants the card (F2, F5)."""
        seat = dealt_next(state)
        if state.lines[seat].optional:
            return False
        self._deal_to(seat)
        return True

    def _deal_to(self, seat: Seat) -> None:
        if not self._turn_up(seat, Why.DEAL):
            self._nothing_to_draw(seat)
