"""What a viewer takes for possible once something has happened, and whether they would have seen the same.

``shuffle_unknown`` gives worlds that a viewer cannot tell from the one in which something has just happened.
Each has come from another world before that. Where the viewer sees the same before and something else
afterwards, they know that it is not that one: they are shown what they cannot know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from fliptable.codec import unpack
from fliptable.rules import Viewer
from fliptable.testing.actions import Action, NextRound, Play
from fliptable.testing.exchange import (
    Exchange,
    Path,
    apart_from,
    exchange,
    found,
    parts,
    put,
    renamed,
    same_cards,
    written,
)
from fliptable.testing.leaks import differences, seen_of, who
from fliptable.testing.moves import random_move
from fliptable.testing.playout import Playout
from fliptable.testing.storage import storable
from fliptable.testing.teller import Teller, said
from fliptable.testing.worlds import After, Draws, Moment, World

_SAMPLES = 60
"""So many samples of ``shuffle_unknown`` say what is hidden besides cards."""
_OTHERWISE = 12
"""So many other draws, and so many other moves, might have led to the same."""


def hindsight_leaks(playout: Playout, viewer: Viewer, possible: Any, random: Random) -> Iterator[str]:
    """What a viewer sees after the last action goes with a world that they cannot tell from this one."""
    if possible is playout.state or possible == playout.state:
        return
    action = playout.actions[-1] if playout.actions else NextRound()
    moment = Moment.before(playout)
    here = moment.follow(action, World(moment.state))
    if here is not None:
        cards = frozenset(playout.codes).union(playout.game.all_cards(playout.state) or ())
        told = Hindsight(moment, action, here, viewer, cards, random).complaint(possible)
        if told is not None:
            yield told


@dataclass(frozen=True)
class Hindsight:
    """Something that has happened, and somebody who looks back."""

    moment: Moment
    action: Action
    here: After
    """What has come of it."""
    viewer: Viewer
    cards: Collection[str]
    random: Random

    def complaint(self, possible: Any) -> str | None:
        """What rules out for the viewer a world that ``shuffle_unknown`` has given for them."""
        end = storable(possible)
        change = exchange(self._after, end, self.cards, self.random)
        if change is None:
            return None
        complaint: str | None = None
        # What was shuffled just now may lie otherwise while all else lies as it did.
        for drawn in [True, False] if self.here.draws.orders else [False]:
            # It may be a world that cannot be, in which the game need not know what to do.
            with suppress(Exception):
                apart = self._apart_from(change, drawn, end)
                if apart == "":
                    return None
                if apart is not None:
                    complaint = self._complaint(apart, drawn, change)
        return complaint

    def _apart_from(self, change: Exchange, drawn: bool, end: Any) -> str | None:
        """What the viewer sees otherwise, "" for nothing; None where it cannot be said."""
        origin = self._origin(change, drawn)
        after = None if origin is None else self.moment.follow(origin[1], origin[0])
        if origin is None or after is None:
            return None
        exactly = bool(self.here.draws.orders)
        apart = self._apart(after)
        if apart is None:
            return "" if self._is(after, end, change, exactly) else None
        if not self._unseen(origin[0]) or not self._is(after, end, change, exactly):
            return None
        if change.unkept and self._told(after) != self._told(self.here):
            return None
        if not self._hides_the_same(after, end) or self._otherwise(*origin, end, change):
            return None
        return apart

    def _origin(self, change: Exchange, drawn: bool) -> tuple[World, Action] | None:
        """The world before that leads to the other one, and what is done there; None where none is found.

        ``drawn`` has only what is shuffled lie otherwise.
        """
        action, before, draws = self.action, self._before, self.here.draws
        names = change.names
        if drawn and any({names.get(card, card) for card in order} != set(order) for order in draws.orders):
            return None
        # Whoever moves knows what they do.
        hidden = isinstance(action, Play) and action.seat not in self.viewer
        move = storable(action.move) if hidden and isinstance(action, Play) else {}
        orders = [tuple([names.get(card, card) for card in order]) for order in draws.orders]
        numbers = dict(draws.numbers)
        before = renamed(before, {} if drawn else names, self.cards)
        move = renamed(move, {} if drawn else names, self.cards)
        for path, (old, new) in change.others.items():
            _put(before, move, numbers, path, old, new)
        if isinstance(action, Play) and move:
            action = replace(action, move=unpack(move, type(action.move)))
        state = unpack(before, type(self.here.before))
        return World(state, Draws(tuple(orders), numbers)), action

    def _unseen(self, world: World) -> bool:
        """Whether the viewer sees no difference before."""
        return bool(world.state == self.here.before) or self._seen(world.state) == self._seen_before

    def _is(self, after: After, end: Any, change: Exchange, exactly: bool) -> bool:
        """Whether it is the other world that was come to: in what it hides, or also in its cards."""
        if not exactly and not change.others:
            return True
        state = storable(after.state)
        if any(found(state, path) != new for path, (_, new) in change.others.items()):
            return False
        return not exactly or same_cards(state, end, self.cards)

    def _hides_the_same(self, after: After, end: Any) -> bool:
        """Whether all that is hidden besides cards, such as the sum of a hidden hand, is as it is there."""
        state = storable(after.state)
        for _ in range(_SAMPLES):
            other = storable(self.moment.unknown(self.here.state, self.viewer, self.random))
            for path in apart_from(self._after, other, self.cards):
                if found(state, path) != found(end, path):
                    return False
        return True

    def _otherwise(self, world: World, action: Action, end: Any, change: Exchange) -> bool:
        """Whether other draws, or another move that the viewer need not know of, lead to what was seen."""
        draws, tried = world.draws or Draws(), list[tuple[World, Action]]()
        if draws.numbers:
            moment = replace(self.moment, state=world.state)
            for _ in range(_OTHERWISE):
                drawn = moment.drawn_otherwise(action, self.random).draws or Draws()
                tried.append((World(world.state, replace(drawn, orders=draws.orders)), action))
        if isinstance(action, Play) and action.seat not in self.viewer:
            legal = list(self.moment.game.legal_moves(world.state, action.seat))
            for _ in range(_OTHERWISE if legal else 0):
                move = random_move(self.random.choice(legal), self.random)
                tried.append((world, replace(action, move=move)))
        for one, done in tried:
            with suppress(Exception):
                after = self.moment.follow(done, one)
                if after and self._apart(after) is None and self._is(after, end, change, True):
                    return True
        return False

    def _complaint(self, apart: str, drawn: bool, change: Exchange) -> str:
        named = self._named(drawn, change)
        told = apart if named is None else named
        return (
            f"when {said(self.action)}, {who(self.viewer)} is shown what they cannot know: {told}, and "
            "shuffle_unknown allows for both afterwards; show nothing that goes by it, or keep in the state "
            "what they have been shown and have shuffle_unknown give only what agrees with it"
        )

    def _named(self, drawn: bool, change: Exchange) -> str | None:
        """What is seen and the one thing that it goes by, where one alone makes a difference."""
        for path, old, new in parts(self._after, change, self.cards):
            one = replace(change, names={}, others={path: (old, new)})
            if path not in change.others:
                one = replace(change, names={old: new, new: old}, others={})
            with suppress(Exception):
                origin = self._origin(one, drawn)
                after = None if origin is None else self.moment.follow(origin[1], origin[0])
                if origin is None or after is None or not self._unseen(origin[0]):
                    continue
                apart = self._apart(after)
                if apart is not None and found(storable(after.state), path) == new:
                    return f"{apart} as {written(path)} is {old!r} or {new!r}"
        return None

    def _apart(self, after: After) -> str | None:
        """Where the viewer sees another state than this one."""
        return next(differences(self._seen_after, self._seen(after.state)), None)

    def _told(self, after: After) -> str:
        cards = frozenset(self.cards)
        teller = Teller(self.moment, self.action, self.here, self.viewer, lambda: cards, self.random)
        return teller.told(after)

    def _seen(self, state: Any) -> dict[str, Any]:
        return seen_of(self.moment.game, state, self.viewer)

    @cached_property
    def _before(self) -> Any:
        return storable(self.here.before)

    @cached_property
    def _after(self) -> Any:
        return storable(self.here.state)

    @cached_property
    def _seen_before(self) -> dict[str, Any]:
        return self._seen(self.here.before)

    @cached_property
    def _seen_after(self) -> dict[str, Any]:
        return self._seen(self.here.state)


def _put(before: Any, move: Any, numbers: dict[str, int], path: Path, old: Any, new: Any) -> None:
    """Put what is no card where it comes from: the same place, the move, or what was drawn."""
    with suppress(LookupError, TypeError):
        if _same(found(before, path), old):
            put(before, path, new)
            return
    for values in (move, numbers):
        for name, value in values.items():
            if _same(value, old):
                values[name] = new
                return


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
