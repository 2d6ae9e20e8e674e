"""With several seats: who calls, and when a round goes on or ends without somebody (call-it R1, R6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from fliptable import Seat
from fliptable_games.call_it.state import CallItState, Hand, evolve
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    CallPassed,
    CameBack,
    HandStatus,
    WentAway,
)


def playing(state: CallItState) -> list[Seat]:
    """The seats that are in and there; with nobody there, those that are in: then the round waits."""
    inside = [seat for seat, hand in enumerate(state.hands) if hand.status is HandStatus.IN]
    return [seat for seat in inside if not state.hands[seat].away] or inside


def first_caller(state: CallItState) -> Seat:
    """Who is to call in a new round: the one whose call it is, or the next clockwise who can (R1)."""
    if _can_call(state.hands[state.caller]):
        return state.caller
    heir = _heir(state)
    return state.caller if heir is None else heir


def leaving(state: CallItState, seat: Seat) -> list[Any]:
    """A seat leaves for good: a bust (C3)."""
    hand = state.hands[seat]
    if hand.status is HandStatus.IN:
        return _with_consequences(state, [Busted(seat, BustReason.ABANDONED)])
    if state.over or not _here(hand):
        return []
    return _with_consequences(state, [WentAway(seat)])


def time_up(state: CallItState, seat: Seat) -> list[Any]:
    """A seat's time is up: its call passes on, or it is bust. Alone it is bust before the call too (C3).

    When nobody of several has called in time, the round is lost for all.
    """
    if state.target is not None or len(state.hands) == 1:
        return _with_consequences(state, [Busted(seat, BustReason.TIME_UP)])
    others = [one for one in playing(state) if one not in state.passed and one != seat]
    if not others:
        return [
            Busted(one, BustReason.NOT_CALLED)
            for one, hand in enumerate(state.hands)
            if hand.status is HandStatus.IN
        ]
    return [CallPassed(seat, _clockwise(state, seat, others))]


def going(state: CallItState, seat: Seat) -> list[Any]:
    """A player is not there any more (R6). Who plays alone is waited for."""
    if len(state.hands) == 1 or state.over or not _here(state.hands[seat]):
        return []
    return _with_consequences(state, [WentAway(seat)])


def coming(state: CallItState, seat: Seat) -> list[Any]:
    """A player is there again, with the hand that they had (R6)."""
    if state.over or not state.hands[seat].away:
        return []
    return _with_consequences(state, [CameBack(seat)])


def consequences(state: CallItState) -> list[Any]:
    """What follows from who is in and who is there: another caller (R1), or the end of the round (R6).

    When everybody who is there is bust, nobody waits for those who are in and away. With nobody
    there at all the round waits.
    """
    if state.over or len(state.hands) == 1:
        return []
    inside = [seat for seat, hand in enumerate(state.hands) if hand.status is HandStatus.IN]
    if all(state.hands[seat].away for seat in inside) and any(_here(hand) for hand in state.hands):
        return [Busted(seat, BustReason.AWAY) for seat in inside]
    if state.target is None and not _can_call(state.hands[state.caller]):
        heir = _heir(state)
        return [] if heir is None else [CallPassed(state.caller, heir)]
    return []


def _with_consequences(state: CallItState, events: Sequence[Any]) -> list[Any]:
    for event in events:
        state = evolve(state, event)
    return [*events, *consequences(state)]


def _here(hand: Hand) -> bool:
    return not hand.away and hand.reason is not BustReason.ABANDONED


def _can_call(hand: Hand) -> bool:
    return hand.status is HandStatus.IN and not hand.away


def _heir(state: CallItState) -> Seat | None:
    """Who calls instead of the caller: best somebody who is there and had no turn to call yet.

    None when nobody could but a caller who is away.
    """
    others = [seat for seat in playing(state) if seat != state.caller]
    if not others or (state.hands[state.caller].status is HandStatus.IN and state.hands[others[0]].away):
        return None
    fresh = [seat for seat in others if seat not in state.passed]
    return _clockwise(state, state.caller, fresh or others)


def _clockwise(state: CallItState, seat: Seat, among: Collection[Seat]) -> Seat:
    count = len(state.hands)
    return next((seat + step) % count for step in range(1, count + 1) if (seat + step) % count in among)
