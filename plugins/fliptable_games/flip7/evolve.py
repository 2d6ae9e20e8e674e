"""What each event does to a round of Flip 7: one function an event, chosen by a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from fliptable import Seat, Shuffled
from fliptable_games.flip7.cards import FLIP_THREE, FREEZE, NUMBER, SECOND_CHANCE
from fliptable_games.flip7.events import (
    Assigned,
    Busted,
    CardDiscarded,
    CardSetAside,
    CardTurned,
    DealerNamed,
    FlippedSeven,
    FlipThreeBegan,
    FlipThreeEnded,
    Frozen,
    SavedBySecondChance,
    SeatGone,
    SecondChanceTaken,
    Stayed,
)
from fliptable_games.flip7.state import ACTIVE, Flip7State, FlipThree, Line, Waiting, cycle_with
from fliptable_games.flip7.vocabulary import LineStatus, Place, StayReason, Why

FIRST_DEALER = "first dealer"
"""The name of the shuffle of seats that says who deals first."""

_HIT, _DEAL = Why.HIT, Why.DEAL
_BUST, _STAYED = LineStatus.BUST, LineStatus.STAYED
_CHOSEN = StayReason.CHOSEN
_ACTIONS = frozenset((FREEZE, FLIP_THREE, SECOND_CHANCE))


def evolve(state: Flip7State, event: Any) -> Flip7State:
    """The state after an event; the state it was given stays as it was."""
    return APPLY[type(event)](state, event)


def _card_turned(s: Flip7State, event: CardTurned) -> Flip7State:
    seat, code, why = event.seat, event.card, event.why
    lines, plain, turned = s.lines, s.plain, None
    line = lines[seat]
    number = NUMBER.get(code)
    if number is not None:
        plain -= 1
        if number in line.numbers:
            turned = code
        else:
            line = Line((*line.numbers, number), line.modifiers, line.second_chance, optional=line.optional)
            lines = _put(lines, seat, line)
    elif code in _ACTIONS:
        turned = code
    else:
        plain -= 1
        modifiers = (*line.modifiers, code)
        line = Line(line.numbers, modifiers, line.second_chance, optional=line.optional)
        lines = _put(lines, seat, line)
    turn, cycle, deal_at, flip = s.turn, s.cycle, s.deal_at, s.flip
    if why is _HIT:
        cycle = cycle_with(s, seat)
        turn = seat
    elif why is _DEAL:
        deal_at = _deal_at(lines, s.dealer, deal_at + 1)
    elif flip is not None:
        flip = FlipThree(flip.taker, flip.by, flip.taken + 1, flip.set_aside, flip.promised)
    return Flip7State(
        s.hosted, lines, s.active, s.deck, s.place + 1, s.discard, plain, s.shuffle, s.dealer, turn, deal_at,
        cycle, turned, seat, flip, s.queue,
    )  # fmt: skip


def _put(lines: tuple[Line, ...], seat: Seat, line: Line) -> tuple[Line, ...]:
    if len(lines) == 1:
        return (line,)
    return (*lines[:seat], line, *lines[seat + 1 :])


def _deal_at(lines: tuple[Line, ...], dealer: Seat, at: int) -> int:
    """Where the deal goes on: at the next seat that is still in (F4), or nowhere (F6)."""
    seats = len(lines)
    while at < seats and lines[(dealer + 1 + at) % seats].status is not ACTIVE:
        at += 1
    return at


def _busted(s: Flip7State, event: Busted) -> Flip7State:
    seat = event.seat
    line = s.lines[seat]
    line = Line(line.numbers, line.modifiers, line.second_chance, _BUST, NUMBER[event.card])
    return _out(s, seat, line, s.turn, s.cycle, s.queue)


def _stayed(s: Flip7State, event: Stayed) -> Flip7State:
    seat = event.seat
    line = s.lines[seat]
    line = Line(line.numbers, line.modifiers, line.second_chance, _STAYED)
    if event.reason is StayReason.FLIP_SEVEN or s.deal_at < len(s.lines):
        return _out(s, seat, line, s.turn, s.cycle, s.queue)
    return _out(s, seat, line, seat, cycle_with(s, seat), s.queue)


def _out(
    s: Flip7State, seat: Seat, line: Line, turn: Seat, cycle: int, queue: tuple[Waiting, ...]
) -> Flip7State:
    """The state with a seat out, its line as given, and nothing just turned up."""
    lines = _put(s.lines, seat, line)
    deal_at = s.deal_at
    if deal_at < len(lines):
        deal_at = _deal_at(lines, s.dealer, deal_at)
    return Flip7State(
        s.hosted, lines, s.active - 1, s.deck, s.place, s.discard, s.plain, s.shuffle, s.dealer, turn,
        deal_at, cycle, None, s.drawer, s.flip, queue,
    )  # fmt: skip


def _frozen(s: Flip7State, event: Frozen) -> Flip7State:
    line = s.lines[event.seat]
    line = Line(line.numbers, line.modifiers, line.second_chance, LineStatus.FROZEN, frozen=not s.hosted)
    s = _out(s, event.seat, line, s.turn, s.cycle, s.queue[1:])
    return _having(s, discard=(*s.discard, FREEZE)) if s.hosted else s


def _flipped_seven(s: Flip7State, event: FlippedSeven) -> Flip7State:
    line = s.lines[event.seat]
    line = Line(line.numbers, line.modifiers, line.second_chance, LineStatus.FLIP_SEVEN)
    return _out(s, event.seat, line, s.turn, s.cycle, s.queue)


def _seat_gone(s: Flip7State, event: SeatGone) -> Flip7State:
    line = s.lines[event.seat]
    status = LineStatus.LEFT if line.status is ACTIVE else line.status
    gone = _changed_line(line, status=status, gone=True)
    if line.status is not ACTIVE:
        return _having(s, lines=_put(s.lines, event.seat, gone))
    turned = s.turned
    return _having(_out(s, event.seat, gone, s.turn, s.cycle, s.queue), turned=turned)


def _saved(s: Flip7State, event: SavedBySecondChance) -> Flip7State:
    line = s.lines[event.seat]
    line = Line(line.numbers, line.modifiers, optional=line.optional)
    return _having(
        s,
        lines=_put(s.lines, event.seat, line),
        turned=None,
        discard=(*s.discard, event.card, SECOND_CHANCE),
        plain=s.plain + 1,
    )


def _second_chance_taken(s: Flip7State, event: SecondChanceTaken) -> Flip7State:
    lines = _put(s.lines, event.seat, _changed_line(s.lines[event.seat], second_chance=True))
    if s.turned is not None:
        return _having(s, lines=lines, turned=None)
    return _having(s, lines=lines, queue=s.queue[1:])


def _card_set_aside(s: Flip7State, event: CardSetAside) -> Flip7State:
    flip = s.flip
    assert flip is not None
    aside = FlipThree(flip.taker, flip.by, flip.taken, (*flip.set_aside, event.card), flip.promised)
    return _having(s, turned=None, flip=aside)


def _assigned(s: Flip7State, event: Assigned) -> Flip7State:
    queue = (*s.queue, Waiting(event.card, event.seat, event.to))
    if s.turned is not None:
        return _having(s, turned=None, queue=queue)
    flip = s.flip
    assert flip is not None
    promised = (*flip.promised, event.to) if event.card == SECOND_CHANCE else flip.promised
    rest = FlipThree(flip.taker, flip.by, flip.taken, flip.set_aside[1:], promised)
    return _having(s, flip=rest, queue=queue)


def _flip_three_began(s: Flip7State, event: FlipThreeBegan) -> Flip7State:
    lines = s.lines
    seats = len(lines)
    if s.deal_at < seats and (event.seat - s.dealer - 1) % seats >= s.deal_at:
        lines = _put(lines, event.seat, _changed_line(lines[event.seat], optional=True))
    return _having(s, lines=lines, flip=FlipThree(event.seat, event.by), queue=s.queue[1:])


def _flip_three_ended(s: Flip7State, event: FlipThreeEnded) -> Flip7State:
    return _having(s, flip=None, discard=(*s.discard, FLIP_THREE))


def _card_discarded(s: Flip7State, event: CardDiscarded) -> Flip7State:
    discard = (*s.discard, event.card)
    if event.place is Place.TURNED_UP:
        return _having(s, turned=None, discard=discard)
    if event.place is Place.ASSIGNED:
        return _having(s, queue=s.queue[1:], discard=discard)
    flip = s.flip
    assert flip is not None
    aside = list(flip.set_aside)
    aside.remove(event.card)
    rest = FlipThree(flip.taker, flip.by, flip.taken, tuple(aside), flip.promised)
    return _having(s, flip=rest, discard=discard)


def _shuffled(s: Flip7State, event: Shuffled) -> Flip7State:
    if event.name == FIRST_DEALER:
        first = int(event.order[0])
        return _having(s, dealer=first, turn=first)
    return _having(s, deck=event.order, place=0, discard=(), shuffle=event.shuffle)


def _dealer_named(s: Flip7State, event: DealerNamed) -> Flip7State:
    deal_at = _deal_at(s.lines, s.dealer, s.deal_at)
    return s if deal_at == s.deal_at else _having(s, deal_at=deal_at)


def with_deck(state: Flip7State, deck: tuple[str, ...]) -> Flip7State:
    """The state with the cards of the deck in another order."""
    return _having(state, deck=deck)


_STATE = tuple(field.name for field in fields(Flip7State))
_LINE = tuple(field.name for field in fields(Line))


def _having(state: Flip7State, **changes: Any) -> Flip7State:
    """A copy of a state with some fields changed; what happens at every hit does without."""
    return Flip7State(*[changes[name] if name in changes else getattr(state, name) for name in _STATE])


def _changed_line(line: Line, **changes: Any) -> Line:
    return Line(*[changes[name] if name in changes else getattr(line, name) for name in _LINE])


APPLY: dict[type, Callable[[Flip7State, Any], Flip7State]] = {
    CardTurned: _card_turned,
    Busted: _busted,
    Stayed: _stayed,
    SavedBySecondChance: _saved,
    SecondChanceTaken: _second_chance_taken,
    CardSetAside: _card_set_aside,
    Assigned: _assigned,
    Frozen: _frozen,
    FlipThreeBegan: _flip_three_began,
    FlipThreeEnded: _flip_three_ended,
    FlippedSeven: _flipped_seven,
    CardDiscarded: _card_discarded,
    SeatGone: _seat_gone,
    Shuffled: _shuffled,
    DealerNamed: _dealer_named,
}
"""What to do with each event."""
