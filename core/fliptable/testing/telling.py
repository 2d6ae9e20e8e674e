"""The law that events tell a viewer nothing that they cannot know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from random import Random
from typing import Any

from fliptable.cards import PlayingCard
from fliptable.chance import Shuffled
from fliptable.codec import pack
from fliptable.projection import seen_events
from fliptable.rules import MoveRange, Viewer
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play
from fliptable.testing.between import Way
from fliptable.testing.broken import about
from fliptable.testing.differences import difference
from fliptable.testing.facts import alike, facts, gone
from fliptable.testing.leaks import who
from fliptable.testing.literals import shown
from fliptable.testing.moves import as_fields, random_move
from fliptable.testing.playout import Playout
from fliptable.testing.worlds import After, Draws, Moment, World

_TRIED = 2
"""How many kinds of legal moves are looked at before they are played."""
_WORLDS = 200
"""At most so many worlds say what a viewer knows; a card that is in a large deck in all of them is known."""

_AGAIN = 8
"""So many more worlds say whether what was told is kept anywhere."""


@dataclass(frozen=True, slots=True)
class _Teller:
    """Something that happens at a moment, and what is told of it to somebody."""

    moment: Moment
    action: Action
    viewer: Viewer
    cards: Callable[[], frozenset[str]]
    random: Random

    def complaints(self, worlds: Iterable[tuple[World, Action]]) -> Iterator[str]:
        """Where what is told depends on what the viewer does not know, before or afterwards.

        The same is done in worlds that the viewer cannot tell from this one, and in the worlds between:
        where two of them differ in one thing, and the viewer is told one thing or another of it and sees
        no difference, ``shuffle_unknown`` has to leave that thing as it is. What is really disclosed is
        known afterwards; what is nowhere any more makes no difference.
        """
        here = self.moment.follow(self.action, World(self.moment.state))
        if here is None:
            return
        start = World(self.moment.state, here.draws)
        for world, action in worlds:
            for pair in self._pairs(start, here, world, action):
                told = self._apart(*pair)
                if told is not None and self._open(*pair) and not self._forgotten(start, here, told):
                    yield (
                        f"when {_said(self.action)}, {who(self.viewer)} is told what they cannot know: "
                        f"{told}, and shuffle_unknown allows for both afterwards; make it Private to who may "
                        "know it, or leave there what they have been shown"
                    )
                    return

    def _pairs(
        self, start: World, here: After, world: World, action: Action
    ) -> Iterator[tuple[After, After]]:
        """Two that the viewer is told apart, and does not see apart: this and that world, or two between."""
        if world.draws is None:
            world = replace(world, draws=start.draws)
        there = self.moment.follow(action, world)
        if there is None or self._told(here) == self._told(there):
            return
        random = self.random if action is self.action else None
        way = Way(world, start, type(start.state), self.cards(), random)
        afters = {0: there, way.last: here}
        parts = [(0, way.last)]
        while parts:
            low, high = parts.pop()
            one, other = afters.get(low), afters.get(high)
            if one is None or other is None or self._told(one) == self._told(other):
                continue
            middle = (low + high) // 2
            # It may be a world that cannot be, in which the game need not know what to do.
            with suppress(Exception):
                if high - low > 1:
                    after = self.moment.follow(self.action, way[middle])
                    if after is not None:
                        afters[middle] = after
                        parts += [(low, middle), (middle, high)]
                elif self._same(way[low].state, way[high].state) and self._same(one.state, other.state):
                    yield one, other

    def _told(self, after: After) -> list[Any]:
        """What the viewer is told, as it is sent."""
        return [(type(event).__name__, pack(event)) for event in _shown(after.events, self.viewer)]

    def _same(self, one: Any, other: Any) -> bool:
        """Whether the viewer sees the same of two states."""
        return bool(one == other) or self._seen(one) == self._seen(other)

    def _open(self, one: After, other: After) -> bool:
        """Whether the viewer cannot know afterwards which of two it is."""
        cards = self.cards()
        if gone(one.state, other.state, cards):
            return False
        worlds = (self.moment.unknown(one.state, self.viewer, self.random) for _ in range(_WORLDS))
        return alike(one.state, other.state, worlds, cards)

    def _forgotten(self, start: World, here: After, told: str) -> bool:
        """Whether what is told is of something that may be nowhere any more afterwards."""
        cards, field = self.cards(), _field(told)
        for _ in range(_AGAIN):
            world = World(self.moment.unknown(start.state, self.viewer, self.random))
            for pair in self._pairs(start, here, world, self.action):
                if _field(self._apart(*pair) or "") == field and gone(pair[0].state, pair[1].state, cards):
                    return True
        return False

    def _apart(self, one: After, other: After) -> str | None:
        """Where what the viewer is told differs: the event, the field, and both values."""
        names = [f"Seat {seat + 1}" for seat in range(self.moment.seats)]
        here, there = [_shown(after.events, self.viewer) for after in (one, other)]
        kinds = [[type(event).__name__ for event in events] for events in (here, there)]
        if kinds[0] != kinds[1]:
            return f"the events are {', '.join(kinds[0]) or 'none'} or {', '.join(kinds[1]) or 'none'}"
        for event, another in zip(here, there, strict=True):
            found = difference(pack(event), pack(another), type(event).__name__)
            if found is None and event.text(names) != another.text(names):
                found = f"the sentence of {type(event).__name__}"
            if found is not None:
                return found
        return None

    def _seen(self, state: Any) -> Any:
        game = self.moment.game
        turn = sorted(game.to_act(state))
        legal = [list(game.legal_moves(state, seat)) for seat in turn if seat in self.viewer]
        return game.view(state, self.viewer), turn, legal, game.outcome(state)


def events_leak(playout: Playout, random: Random) -> Iterator[str]:
    """Events tell a viewer nothing that they cannot know."""
    yield from last_events_leak(playout, random)
    if playout.outcome is None:
        moment = Moment.now(playout)
        for action in _actions(playout, random):
            _look_ahead(moment, action)
            for viewer in _lookers(playout, action, random):
                teller = _Teller(moment, action, viewer, partial(_cards, playout), random)
                yield from teller.complaints(_elsewhere(teller, thorough=True))


def last_events_leak(playout: Playout, random: Random) -> Iterator[str]:
    """The events of the last action tell two viewers nothing that they cannot know."""
    action = playout.actions[-1] if playout.actions else NextRound()
    for viewer in _lookers(playout, action, random):
        teller = _Teller(Moment.before(playout), action, viewer, partial(_cards, playout), random)
        yield from teller.complaints(_elsewhere(teller, thorough=False))


def _look_ahead(moment: Moment, action: Action) -> None:
    """See what comes of an action, since a game has to answer that too."""
    after = moment.follow(action, World(moment.state))
    if after is not None and isinstance(action, Play):
        with about(action.seat, action.move):
            moment.game.view(after.state, frozenset())
            moment.game.outcome(after.state)


def _cards(playout: Playout) -> frozenset[str]:
    return frozenset(playout.codes).union(playout.game.all_cards(playout.state) or ())


def _actions(playout: Playout, random: Random) -> Iterator[Action]:
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
    others: list[Action] = [Expire(seat) for seat in acting]
    others += [kind(seat) for kind in (Leave, Drop) for seat in staying]
    yield from random.sample(others, min(1, len(others)))


def _lookers(playout: Playout, action: Action, random: Random) -> list[Viewer]:
    """Who acts, and one of the others: another seat or a spectator, by lot."""
    seat = getattr(action, "seat", None)
    others = [frozenset({one}) for one in range(playout.case.seats) if one != seat]
    other = random.choice([frozenset(), random.choice(others)]) if others else frozenset[int]()
    return [other] if seat is None else [frozenset({seat}), other]


def _elsewhere(teller: _Teller, thorough: bool) -> Iterator[tuple[World, Action]]:
    """Worlds that the viewer cannot tell from this one, and what is done there.

    Others hold something else, or only what nobody knows is otherwise, or chance gives something else; and
    somebody has made another secret choice.
    """
    moment, action, viewer, random = teller.moment, teller.action, teller.viewer, teller.random
    state, seat = moment.state, getattr(action, "seat", None)
    if seat is not None:
        eyes = [viewer, *([viewer | {seat}] if seat not in viewer else []), frozenset(range(moment.seats))]
        for one in eyes if thorough else random.sample(eyes, 1):
            other = moment.unknown(state, one, random)
            if other is not state and other != state:
                yield World(other), action
                if thorough and isinstance(action, Play) and moment.follow(action, World(other)) is None:
                    # It was about a card that lies elsewhere there: another one takes its place.
                    yield from _with_another_card(teller, action, other)
    otherwise = moment.drawn_otherwise(action, random)
    if otherwise.draws != Draws():
        yield otherwise, action
    if thorough and isinstance(action, Play) and seat not in viewer:
        yield from _chosen_otherwise(teller, action)


def _with_another_card(teller: _Teller, action: Play, world: Any) -> Iterator[tuple[World, Action]]:
    game, seat, move, cards = teller.moment.game, action.seat, action.move, teller.cards()
    if seat not in game.to_act(world):
        return
    for legal in game.legal_moves(world, seat):
        other = random_move(legal, teller.random)
        if type(other) is type(move):
            theirs = as_fields(other)
            values = {
                name: theirs[name] if _is_card(value, cards) else value
                for name, value in as_fields(move).items()
            }
            another = Play(seat, type(move)(**values))
            if teller.moment.follow(another, World(world)) is not None:
                yield World(world), another
                return


def _is_card(value: Any, cards: frozenset[str]) -> bool:
    """Whether a value of a move is a card, or a list with one."""
    if isinstance(value, tuple):
        return any(_is_card(one, cards) for one in value)
    return isinstance(value, str | PlayingCard) and _stored(value) in cards


def _chosen_otherwise(teller: _Teller, action: Play) -> Iterator[tuple[World, Action]]:
    """The move with another value in one field, where the state keeps the value as it is."""
    moment, seat, values, cards = teller.moment, action.seat, as_fields(action.move), teller.cards()
    if not values:
        return
    here = moment.follow(action, World(moment.state))
    for legal in moment.game.legal_moves(moment.state, seat):
        other = random_move(legal, teller.random)
        if here is None or type(other) is not type(action.move):
            continue
        for name, value in as_fields(other).items():
            if value == values[name] or isinstance(value, tuple):
                continue
            another = Play(seat, type(other)(**{**values, name: value}))
            there = moment.follow(another, World(moment.state))
            if there is None:
                continue
            kept, instead = facts(here.state, cards), facts(there.state, cards)
            old, new = _stored(values[name]), _stored(value)
            if any(one == old and (path, new) in instead for path, one in kept - instead):
                yield World(moment.state), another
                return


def _stored(value: Any) -> Any:
    """A value of a move as states keep it."""
    return value.value if isinstance(value, PlayingCard | Enum) else value


def _shown(events: Iterable[Any], viewer: Viewer) -> list[Any]:
    """The events as the viewer sees them; of a shuffle what it is of, and how large."""
    shown = seen_events(events, viewer, frozenset())
    return [
        replace(event, commitment="", label="") if isinstance(event, Shuffled) else event for event in shown
    ]


def _field(told: str) -> str:
    return told.partition(" is ")[0]


def _said(action: Action) -> str:
    if isinstance(action, Play):
        return f"seat {action.seat} plays {shown(action.move)}"
    return "the round is dealt" if isinstance(action, NextRound) else str(action)
