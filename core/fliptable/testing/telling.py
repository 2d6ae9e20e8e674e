"""The law that events tell a viewer nothing that they cannot know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any

from fliptable.cards import PlayingCard
from fliptable.chance import Shuffled
from fliptable.codec import pack
from fliptable.projection import seen_events
from fliptable.rules import MoveRange, Private, Refusal, Seat, Viewer
from fliptable.testing.actions import Action, Drop, Expire, Leave, Play
from fliptable.testing.broken import about
from fliptable.testing.differences import difference
from fliptable.testing.facts import alike, card_codes, facts
from fliptable.testing.leaks import another_world, some_seats, viewers, who
from fliptable.testing.literals import shown
from fliptable.testing.moves import as_fields, random_move
from fliptable.testing.playout import Playout

_MOVES = 5
"""How many legal moves are played in two worlds at once."""
_TRIED = 2
"""How many of them are held against what each viewer does not know."""
_WORLDS = 24
"""At most so many worlds say what a viewer knows; a card that is in a large deck in all of them is known."""


@dataclass(frozen=True, slots=True)
class _After:
    state: Any
    events: Sequence[Any]


def events_leak(playout: Playout, random: Random) -> Iterator[str]:
    """Events tell a viewer nothing of what only others see, nor of what nobody sees."""
    if playout.outcome is None:
        yield from _draws(playout, random)
        yield from _secrets(playout, random)


def _draws(playout: Playout, random: Random) -> Iterator[str]:
    """What comes up is not told to those who do not see it.

    The deck is put in another order that nobody can tell from the first, and the same move is
    played in both worlds. When the viewer's view is the same afterwards and somebody else's is
    not, then what came up is not for the viewer, and their events must be the same too.
    """
    game, state, seats = playout.game, playout.state, playout.case.seats
    everybody, looking = frozenset(range(seats)), viewers(seats, random)
    for seat in some_seats(game.to_act(state), random):
        legal = list(game.legal_moves(state, seat))
        for chosen in random.sample(legal, min(_MOVES, len(legal))):
            move = random_move(chosen, random)
            with about(seat, move):
                other = another_world(game, state, everybody, random)
                here, there = [_after(playout, one, Play(seat, move)) for one in (state, other)]
                if (
                    here is None
                    or there is None
                    or game.view(here.state, everybody) == game.view(there.state, everybody)
                ):
                    continue
                for viewer in looking:
                    told = _told(playout, here, there, viewer)
                    if told is not None and game.view(here.state, viewer) == game.view(there.state, viewer):
                        yield (
                            f"when seat {seat} plays {shown(move)}, {who(viewer)} learns from events what "
                            f"only others may see: {told}"
                        )
                        return


def _secrets(playout: Playout, random: Random) -> Iterator[str]:
    """What somebody holds or has chosen, unseen, is not told to those who do not see it.

    Something is done in two worlds that the viewer cannot tell apart before, nor afterwards, as
    ``shuffle_unknown`` says what they know; so their events must be the same. What is really disclosed
    is known afterwards: it lies where ``shuffle_unknown`` leaves it.
    """
    game, state = playout.game, playout.state
    cards = card_codes(game.all_cards(state) or (), playout.log)
    for action in _actions(playout, random):
        with about(action.seat, action.move) if isinstance(action, Play) else nullcontext():
            here = _after(playout, state, action)
            if here is None or any(isinstance(event, Shuffled) for event in here.events):
                continue
            viewer = _looker(playout, action.seat, random)
            for there in _elsewhere(playout, action, viewer, cards, random):
                told = _told(playout, here, there, viewer)
                if told is None or _seen(playout, here, viewer) != _seen(playout, there, viewer):
                    continue
                worlds = (another_world(game, here.state, viewer, random) for _ in range(_WORLDS))
                if alike(here.state, there.state, worlds, cards):
                    yield (
                        f"when {_said(action)}, {who(viewer)} is told what they cannot know: {told}, and "
                        "shuffle_unknown allows for both afterwards; make it Private, or leave there what "
                        "is shown to all"
                    )
                    return


def _actions(playout: Playout, random: Random) -> Iterator[Play | Leave | Expire | Drop]:
    """Some moves of somebody who is to act, and something else that may happen to a seat."""
    game, state = playout.game, playout.state
    acting = sorted(game.to_act(state))
    for seat in random.sample(acting, min(1, len(acting))):
        kinds: dict[type, list[Any]] = {}
        for legal in game.legal_moves(state, seat):
            kinds.setdefault(type(legal.example if isinstance(legal, MoveRange) else legal), []).append(legal)
        for kind in random.sample(list(kinds), min(_TRIED, len(kinds))):
            yield Play(seat, random_move(random.choice(kinds[kind]), random))
    staying = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    others: list[Leave | Expire | Drop] = [Expire(seat) for seat in acting]
    others += [kind(seat) for kind in (Leave, Drop) for seat in staying]
    yield from random.sample(others, min(1, len(others)))


def _looker(playout: Playout, seat: Seat, random: Random) -> Viewer:
    """A spectator, or a seat that does not act, by lot."""
    others = [frozenset({one}) for one in range(playout.case.seats) if one != seat]
    return random.choice([frozenset(), random.choice(others)]) if others else frozenset()


def _elsewhere(
    playout: Playout, action: Any, viewer: Viewer, cards: frozenset[str], random: Random
) -> Iterator[_After]:
    """What comes of the same in worlds in which others hold something else, and of another secret choice."""
    game, state = playout.game, playout.state
    for eyes in (viewer, viewer | {action.seat}):
        other = another_world(game, state, eyes, random)
        there = _after(playout, other, action)
        if there is None and isinstance(action, Play):
            # It was about a card that lies elsewhere there: another one takes its place.
            there = _with_another_card(playout, other, action, cards, random)
        if there is not None:
            yield there
    if isinstance(action, Play):
        yield from _chosen_otherwise(playout, action, cards, random)


def _with_another_card(
    playout: Playout, world: Any, action: Play, cards: frozenset[str], random: Random
) -> _After | None:
    seat, move = action.seat, action.move
    if seat not in playout.game.to_act(world):
        return None
    for legal in playout.game.legal_moves(world, seat):
        other = random_move(legal, random)
        if type(other) is type(move):
            theirs = as_fields(other)
            values = {
                name: theirs[name] if _is_card(value, cards) else value
                for name, value in as_fields(move).items()
            }
            there = _after(playout, world, Play(seat, type(move)(**values)))
            if there is not None:
                return there
    return None


def _is_card(value: Any, cards: frozenset[str]) -> bool:
    """Whether a value of a move is a card, or a list with one."""
    if isinstance(value, tuple):
        return any(_is_card(one, cards) for one in value)
    return isinstance(value, str | PlayingCard) and _stored(value) in cards


def _chosen_otherwise(
    playout: Playout, action: Play, cards: frozenset[str], random: Random
) -> Iterator[_After]:
    """What comes of the move with another value in one field, where the state keeps the value as it is."""
    seat, values = action.seat, as_fields(action.move)
    here = _after(playout, playout.state, action)
    for legal in playout.game.legal_moves(playout.state, seat):
        other = random_move(legal, random)
        if here is None or type(other) is not type(action.move):
            continue
        for name, value in as_fields(other).items():
            if value == values[name] or isinstance(value, tuple):
                continue
            there = _after(playout, playout.state, Play(seat, type(other)(**{**values, name: value})))
            if there is None:
                continue
            kept, instead = facts(here.state, cards), facts(there.state, cards)
            old, new = _stored(values[name]), _stored(value)
            if any(one == old and (path, new) in instead for path, one in kept - instead):
                yield there
                return


def _stored(value: Any) -> Any:
    """A value of a move as states keep it."""
    return value.value if isinstance(value, PlayingCard | Enum) else value


def _after(playout: Playout, state: Any, action: Any) -> _After | None:
    game, seat = playout.game, action.seat
    if isinstance(action, Play):
        with about(seat, action.move):
            result: Any = game.decide(state, seat, action.move, playout.context())
    else:
        happens = {Expire: game.expired, Leave: game.leave, Drop: game.absent}[type(action)]
        result = happens(state, seat, playout.context())
    if isinstance(result, Refusal):
        return None
    for event in result:
        state = game.evolve(state, event.event if isinstance(event, Private) else event)
    return _After(state, result)


def _told(playout: Playout, here: _After, there: _After, viewer: Viewer) -> str | None:
    """Where what the viewer is told differs: the event, the field, and both values."""
    names = [f"Seat {seat + 1}" for seat in range(playout.case.seats)]
    one, two = [_shown(after.events, viewer) for after in (here, there)]
    kinds = [[type(event).__name__ for event in events] for events in (one, two)]
    if kinds[0] != kinds[1]:
        return f"the events are {', '.join(kinds[0]) or 'none'} or {', '.join(kinds[1]) or 'none'}"
    for event, other in zip(one, two, strict=True):
        found = difference(pack(event), pack(other), type(event).__name__)
        if found is None and event.text(names) != event.text(names):
            found = f"the sentence of {type(event).__name__}"
        if found is not None:
            return found
    return None


def _shown(events: Iterable[Any], viewer: Viewer) -> list[Any]:
    return [event for event in seen_events(events, viewer, frozenset()) if not isinstance(event, Shuffled)]


def _seen(playout: Playout, after: _After, viewer: Viewer) -> Any:
    game, state = playout.game, after.state
    turn = sorted(game.to_act(state))
    legal = [list(game.legal_moves(state, seat)) for seat in turn if seat in viewer]
    return game.view(state, viewer), turn, legal, game.outcome(state)


def _said(action: Action) -> str:
    if isinstance(action, Play):
        return f"seat {action.seat} plays {shown(action.move)}"
    return str(action)
