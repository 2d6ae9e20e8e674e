"""The law that events tell a viewer nothing that they cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache, partial
from random import Random
from typing import Any

from fliptable.cards import PlayingCard
from fliptable.rules import MoveRange, Viewer
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play, Return
from fliptable.testing.broken import Complaint, about
from fliptable.testing.moves import as_fields, random_move
from fliptable.testing.otherwise import otherwise
from fliptable.testing.playout import Playout
from fliptable.testing.teller import Teller
from fliptable.testing.worlds import Moment, World

_TRIED = 2
"""How many kinds of legal moves are looked at before they are played."""


def events_leak(playout: Playout, random: Random) -> Iterator[str]:
    """Events tell a viewer nothing that they cannot know."""
    yield from last_events_leak(playout, random)
    if playout.outcome is None:
        moment = Moment.now(playout)
        cards = cache(partial(_cards, playout))
        for action in _actions(playout, random):
            here = moment.follow(action, World(moment.state))
            if here is None:
                continue
            if isinstance(action, Play):
                # A game has to answer what is asked of it then, too.
                with about(action.seat, action.move):
                    moment.game.view(here.state, frozenset())
                    moment.game.outcome(here.state)
            for viewer in _lookers(playout, action, random):
                teller = Teller(moment, action, here, viewer, cards, random)
                for told in teller.complaints(otherwise(teller, thorough=True)):
                    yield Complaint.of(told, action)


def last_events_leak(playout: Playout, random: Random) -> Iterator[str]:
    """The events of the last action tell a viewer nothing that they cannot know."""
    action = playout.actions[-1] if playout.actions else NextRound()
    cards = cache(partial(_cards, playout))
    moment = Moment.before(playout)
    here = moment.follow(action, World(moment.state))
    if here is None:
        return
    lookers = _lookers(playout, action, random)
    # A deal comes once a round, and is not looked at beforehand.
    for viewer in lookers if isinstance(action, NextRound) else [random.choice(lookers)]:
        teller = Teller(moment, action, here, viewer, cards, random)
        yield from teller.complaints(otherwise(teller, thorough=False))


def _cards(playout: Playout) -> frozenset[str]:
    return frozenset(playout.codes).union(playout.game.all_cards(playout.state) or ())


def _actions(playout: Playout, random: Random) -> Iterator[Action]:
    """Some moves of somebody who is to act, and something else that may happen to a seat."""
    game, state = playout.game, playout.state
    acting = sorted(game.to_act(state))
    for seat in random.sample(acting, min(1, len(acting))):
        kinds: dict[Any, list[Any]] = {}
        for legal in game.legal_moves(state, seat):
            kinds.setdefault(_kind(legal), []).append(legal)
        for kind in random.sample(list(kinds), min(_TRIED, len(kinds))):
            yield Play(seat, random_move(random.choice(kinds[kind]), random))
    staying = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    others: list[Action] = [Expire(seat) for seat in acting]
    others += [kind(seat) for kind in (Leave, Drop) for seat in staying]
    others += [Return(seat) for seat in playout.away]
    yield from random.sample(others, min(1, len(others)))


def _kind(legal: Any) -> Any:
    """What a move is of: its class, and which of several deeds it names."""
    move = legal.example if isinstance(legal, MoveRange) else legal
    deeds = [value for value in as_fields(move).values() if isinstance(value, Enum | bool)]
    return type(move), *[value for value in deeds if not isinstance(value, PlayingCard)]


def _lookers(playout: Playout, action: Action, random: Random) -> list[Viewer]:
    """Who acts, and others by lot: a spectator, another seat, or a host who sees for all other seats."""
    seat = getattr(action, "seat", None)
    others = [one for one in range(playout.case.seats) if one != seat]
    found: list[Viewer] = [frozenset()]
    if others:
        found.append(frozenset({random.choice(others)}))
    if len(others) > 1:
        found.append(frozenset(others[seat is None :]))
    other = random.choice(found)
    return [frozenset(), found[-1]] if seat is None else [frozenset({seat}), other]
