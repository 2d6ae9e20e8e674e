"""The rules of one round of Call It and Flip (rule sheet call-it, C1-C8, R1-R4, R6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    Viewer,
)
from fliptable_games.call_it.attendance import (
    coming,
    consequences,
    first_caller,
    going,
    leaving,
    playing,
    time_up,
)
from fliptable_games.call_it.policies import POLICIES
from fliptable_games.call_it.reach import reachable
from fliptable_games.call_it.state import ACES, WORTH, CallItState, Hand, evolve, opening
from fliptable_games.call_it.unknown import shuffle_unknown
from fliptable_games.call_it.vocabulary import (
    LEAST_TARGET,
    REASONS,
    Busted,
    BustReason,
    Call,
    Called,
    CallItOptions,
    CallItTerms,
    CallItView,
    CallPassed,
    CameBack,
    Flip,
    Flipped,
    FlippedUnseen,
    HandStatus,
    HandView,
    Phase,
    Universe,
    UniverseStatus,
    WentAway,
    Won,
)

RULES = """\
Call a target of 30 or more, then flip cards until a sum of them is exactly the target (you win) or
every sum is above it (you are bust). 2-10 count their face, J Q K count 10, an ace counts 1 or 11,
and all its readings live side by side. You cannot stop. A win is certain by the last card for the
targets 340, 350, 360, 370 and 380; nothing reaches 379 or anything above 380.

With several seats one of them, the caller, calls for all. Everybody flips at their own pace from a copy
of the same deck, which nobody else sees until the round is over; the first to hit the target wins. With
a **shared deck** each flip takes the next card of one pile, in front of everybody, and when it is empty
all who are still in are bust. A round does not wait for who is not there; they may come back to it."""

_DECK = tuple(WORTH.items())


class CallIt(Game[CallItState, Call | Flip]):
    """Call It and Flip for one seat, or for several that race (R2)."""

    id = "call-it"
    name = "Call It and Flip"
    graphql = "CallIt"
    summary = "Call a target, then flip until you hit it exactly or bust."
    rules = RULES
    seats = range(1, 9)
    Options = CallItOptions
    reasons = REASONS
    Terms = CallItTerms
    State = CallItState
    View = CallItView
    moves = (Call, Flip)
    events = (Called, Flipped, FlippedUnseen, Won, Busted, CallPassed, WentAway, CameBack)
    results = frozenset((Result.WON, Result.LOST, Result.BUST))
    policies = POLICIES
    deals_ahead = True

    def begin(self, setup: Setup) -> CallItState:
        """Empty hands, and a caller who is there (R1, R6)."""
        state = opening(setup)
        if setup.seats > 1:
            state.caller = first_caller(state)
        return state

    def deal(self, state: CallItState, ctx: Context) -> Events:
        """Shuffle the deck (C1); a target that the mode fixed is said at once."""
        shuffled = ctx.chance.shuffle(STANDARD_DECK)
        if state.terms.target is None:
            return [shuffled]
        return [shuffled, Called(state.caller, state.terms.target, fixed=True)]

    def to_act(self, state: CallItState) -> Collection[Seat]:
        """The caller before the call (C2), then everybody who is in and there (R6)."""
        if state.over:
            return ()
        if state.target is None:
            return (state.caller,)
        if len(state.hands) == 1:
            return (0,)
        return playing(state)

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
        last = place + 1 == len(state.deck)
        ends: list[Any] = []
        if gap < 0:
            ends.append(Busted(seat, BustReason.OVER))
        elif gap % 10 == 0 and gap <= 10 * (hand.aces + (code in ACES)):
            ends.append(Won(seat, len(hand.cards) + 1))
            last = False
        elif last:
            ends.append(Busted(seat, BustReason.DECK_EMPTY))
        flipped = Flipped(seat, CARD[code])
        if len(state.hands) == 1:
            return [flipped, *ends]
        if last and state.shared:
            # With a common pile the last card ends the round for everybody who is in (R2).
            others = [one for one, other in enumerate(state.hands) if other.status is HandStatus.IN]
            ends.extend([Busted(one, BustReason.DECK_EMPTY) for one in others if one != seat])
        if ends and any(one.away for one in state.hands):
            after = state
            for event in (flipped, *ends):
                after = evolve(after, event)
            ends.extend(consequences(after))
        if state.shared:
            return [flipped, *ends]
        return [Private(flipped, frozenset((seat,)), FlippedUnseen(seat)), *ends]

    def evolve(self, state: CallItState, event: Any) -> CallItState:
        """Apply an event."""
        return evolve(state, event)

    def outcome(self, state: CallItState) -> Outcome | None:
        """Over with a winner (R4) or when everybody is bust; the winner gets one point."""
        if not state.over:
            return None
        return Outcome(tuple([_outcome(hand) for hand in state.hands]))

    def targets(self, demands: Sequence[Demand]) -> Collection[int]:
        """Every target that some order of the deck hits under the demands (C8, M8)."""
        return [target for target in reachable(tuple(demands), _DECK) if target >= LEAST_TARGET]

    def leave(self, state: CallItState, seat: Seat, ctx: Context) -> Events:
        """Leaving a round is a bust (C3); when the caller leaves before the call, the next one calls."""
        return leaving(state, seat)

    def expired(self, state: CallItState, seat: Seat, ctx: Context) -> Events:
        """Out of time is a bust (C3), but before the call of several the next one calls."""
        return time_up(state, seat)

    def absent(self, state: CallItState, seat: Seat, ctx: Context) -> Events:
        """A round of several does not wait for who is not there, and passes them by as caller (R6)."""
        return going(state, seat)

    def present(self, state: CallItState, seat: Seat, ctx: Context) -> Events:
        """Who is back goes on with the same hand while the round runs (R6)."""
        return coming(state, seat)

    def view(self, state: CallItState, viewer: Viewer) -> CallItView:
        """The deck stays hidden, and so do others' copies until the round is over (R3)."""
        over = state.over
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
            away=hand.away,
        )

    def ask(self, state: CallItState, seat: Seat, names: Sequence[str]) -> str | None:
        """Ask for the call, or for a flip where one seat alone may make it (C2, C3)."""
        if state.target is None:
            return f"{names[seat]}, call a target of {state.terms.min_target} or more."
        if len(self.to_act(state)) > 1:
            return None
        return f"{names[seat]}, turn the top card up: the target is {state.target}."

    def trails(self, options: CallItOptions, seats: int) -> Sequence[CardTrail]:
        """Flips turn up the deck: the common one, or each seat's copy (R2)."""
        if options.shared_deck:
            return [CardTrail(Flipped)]
        return [CardTrail(Flipped, seat=seat) for seat in range(seats)]

    def all_cards(self, state: CallItState) -> Sequence[str]:
        """What was turned up and what is left of the deck; of each seat's own where it is not shared (C1)."""
        turned = [card for hand in state.hands for card in hand.cards]
        if state.shared:
            return [*turned, *state.deck[state.taken :]]
        return [*turned, *[card for hand in state.hands for card in state.deck[len(hand.cards) :]]]

    def shuffle_unknown(self, state: CallItState, viewer: Viewer, chance: Chance) -> CallItState:
        """Another order of what the viewer has not seen, such that who is bust is bust by it (R2, R3)."""
        return shuffle_unknown(state, viewer, chance)


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


def _outcome(hand: Hand) -> SeatOutcome:
    measures = {"flips": len(hand.cards)}
    if hand.status is HandStatus.WON:
        return SeatOutcome(Result.WON, 1, None, measures)
    if hand.status is HandStatus.BUST:
        reason = hand.reason.value if hand.reason is not None else None
        return SeatOutcome(Result.BUST, 0, reason, measures)
    return SeatOutcome(Result.LOST, 0, "BEATEN", measures)


__all__ = ["LEAST_TARGET", "WORTH", "CallIt", "CallItState", "Hand", "universes"]
