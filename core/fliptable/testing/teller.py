"""What is told of something that happens, to somebody who does not know everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from fliptable.chance import Shuffled
from fliptable.codec import pack
from fliptable.projection import seen_events
from fliptable.rules import Viewer
from fliptable.testing.actions import Action, NextRound, Play
from fliptable.testing.between import Way
from fliptable.testing.differences import difference
from fliptable.testing.facts import alike, exchanged, facts, gone
from fliptable.testing.leaks import who
from fliptable.testing.literals import shown
from fliptable.testing.worlds import After, Moment, World

_WORLDS = 200
"""At most so many worlds say what a viewer knows; a card that is in a large deck in all of them is known."""
_AGAIN = 8
"""So many more worlds say whether what was told is kept anywhere."""
_EXCHANGES = 12
"""So many times each, what is not kept is exchanged to see whether something is told of that."""
_EVENTS = "the events"
_ONLY_ENDS = 0.8
"""So likely a world is left at that in which the viewer sees something else."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Something that happens at a moment, and what is told of it to somebody."""

    moment: Moment
    action: Action
    here: After
    """What comes of it."""
    viewer: Viewer
    cards: Callable[[], frozenset[str]]
    random: Random
    parts: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """What the state is made of, once it was looked at."""

    def complaints(self, worlds: Iterable[tuple[World, Action]]) -> Iterator[str]:
        """Where what is told depends on what the viewer does not know, before or afterwards.

        The same is done in worlds that the viewer cannot tell from this one, and in the worlds between:
        where two of them differ in one thing, and the viewer is told one thing or another of it and sees
        no difference, ``shuffle_unknown`` has to leave that thing as it is. What is really disclosed is
        known afterwards; what is nowhere any more makes no difference.
        """
        for world, action in worlds:
            for pair in self._pairs(world, action):
                told = self._apart(*pair)
                if told is not None and self._open(*pair) and not self._forgotten(told):
                    yield (
                        f"when {said(self.action)}, {who(self.viewer)} is told what they cannot know: "
                        f"{told}, and shuffle_unknown allows for both afterwards; make it Private to who may "
                        "know it, or leave there what they have been shown"
                    )
                    return

    def _pairs(self, world: World, action: Action) -> Iterator[tuple[After, After]]:
        """Two that the viewer is told apart, and does not see apart: this and that world, or two between."""
        here, start = self.here, World(self.moment.state, self.here.draws)
        if world.draws is None:
            world = replace(world, draws=here.draws)
        there = self.moment.follow(action, world)
        if there is None or self.told(here) == self.told(there):
            return
        random = self.random if action is self.action else None
        hasty = random is not None and not isinstance(action, NextRound) and random.random() < _ONLY_ENDS
        if hasty and not self._same(here.state, there.state):
            return  # Mostly what comes up and is seen, and it takes long to find out.
        way = Way(world, start, type(start.state), self.cards(), random, self.parts)
        afters = {0: there, way.last: here}
        parts = [(0, way.last)]
        while parts:
            low, high = parts.pop()
            one, other = afters.get(low), afters.get(high)
            if one is None or other is None or self.told(one) == self.told(other):
                continue
            middle = (low + high) // 2
            # It may be a world that cannot be, in which the game need not know what to do.
            with suppress(Exception):
                if high - low > 1:
                    after = self.moment.follow(self.action, way[middle])
                    if after is not None:
                        afters[middle] = after
                        parts += [(low, middle), (middle, high)]
                elif self._same(one.state, other.state) and self._same(way[low].state, way[high].state):
                    yield one, other

    def hears(self, one: After, other: After) -> bool:
        """Whether the viewer is told what they do not see."""
        return self.told(one) != self.told(other) and self._same(one.state, other.state)

    def alike(self, one: After, other: After) -> bool:
        """Whether the viewer is told and sees the same."""
        return self.told(one) == self.told(other) and self._same(one.state, other.state)

    def told(self, after: After) -> str:
        """What the viewer is told, written down."""
        return repr(self._packed(after))

    def _packed(self, after: After) -> list[Any]:
        return [(type(event).__name__, pack(event)) for event in _shown(after.events, self.viewer)]

    def _gone(self, one: After, other: After) -> bool:
        """Whether nothing is left afterwards of what made the two differ."""
        cards = self.cards()
        if not gone(one.state, other.state, (self._packed(one), self._packed(other)), cards):
            return False
        return facts(one.state, cards) == facts(other.state, cards) or not self._of_the_kept(one, other)

    def _of_the_kept(self, one: After, other: After) -> bool:
        """Whether it goes by the cards that are kept what is told, and by none of those that are not.

        Those are exchanged among themselves, in both: what is told of one of them is otherwise then.
        """
        where = _place(self._apart(one, other) or "")
        tried = 0
        for after in [one, other] * _EXCHANGES:
            orders = exchanged(after.state, after.draws.orders, self.random)
            if orders is None:
                return False
            world = World(after.before, replace(after.draws, orders=tuple(orders)))
            with suppress(Exception):  # It may be a world that cannot be.
                there = self.moment.follow(self.action, world)
                if there is None or facts(there.state, self.cards()) != facts(after.state, self.cards()):
                    continue
                apart = {_place(told) for told in self._differences(after, there)}
                if where in apart:
                    return False
                # Where other events come, it cannot be said what is told in those.
                tried += _EVENTS not in apart
        return tried >= _EXCHANGES

    def _same(self, one: Any, other: Any) -> bool:
        """Whether the viewer sees the same of two states."""
        return bool(one == other) or self._seen(one) == self._seen(other)

    def _open(self, one: After, other: After) -> bool:
        """Whether the viewer cannot know afterwards which of two it is."""
        if self._gone(one, other):
            return False
        worlds = (self.moment.unknown(one.state, self.viewer, self.random) for _ in range(_WORLDS))
        return alike(one.state, other.state, worlds, self.cards())

    def _forgotten(self, told: str) -> bool:
        """Whether what is told is of something that may be nowhere any more afterwards."""
        where = _field(told)
        for _ in range(_AGAIN):
            if isinstance(self.action, NextRound):
                world = self.moment.drawn_otherwise(self.action, self.random)
            else:
                world = World(self.moment.unknown(self.moment.state, self.viewer, self.random))
            for pair in self._pairs(world, self.action):
                if _field(self._apart(*pair) or "") == where and self._gone(*pair):
                    return True
        return False

    def _apart(self, one: After, other: After) -> str | None:
        """Where what the viewer is told differs first: the event, the field, and both values."""
        return next(self._differences(one, other), None)

    def _differences(self, one: After, other: After) -> Iterator[str]:
        """Where it differs, event by event."""
        names = [f"Seat {seat + 1}" for seat in range(self.moment.seats)]
        here, there = [_shown(after.events, self.viewer) for after in (one, other)]
        kinds = [[type(event).__name__ for event in events] for events in (here, there)]
        if kinds[0] != kinds[1]:
            yield f"{_EVENTS} are {', '.join(kinds[0]) or 'none'} or {', '.join(kinds[1]) or 'none'}"
            return
        for event, another in zip(here, there, strict=True):
            found = difference(pack(event), pack(another), type(event).__name__)
            if found is None and event.text(names) != another.text(names):
                found = f"the sentence of {type(event).__name__}"
            if found is not None:
                yield found

    def _seen(self, state: Any) -> Any:
        game = self.moment.game
        turn = sorted(game.to_act(state))
        legal = [list(game.legal_moves(state, seat)) for seat in turn if seat in self.viewer]
        return game.view(state, self.viewer), turn, legal, game.outcome(state)


def _shown(events: Iterable[Any], viewer: Viewer) -> list[Any]:
    """The events as the viewer sees them; of a shuffle what it is of, and how large."""
    shown = seen_events(events, viewer, frozenset())
    return [
        replace(event, commitment="", label="") if isinstance(event, Shuffled) else event for event in shown
    ]


def _field(told: str) -> str:
    return told.partition(" is ")[0]


def _place(told: str) -> str:
    """The field, or that the events are others."""
    return _EVENTS if told.startswith(f"{_EVENTS} are ") else _field(told)


def said(action: Action) -> str:
    """What happens by an action, in words."""
    if isinstance(action, Play):
        return f"seat {action.seat} plays {shown(action.move)}"
    return "the round is dealt" if isinstance(action, NextRound) else str(action)
