"""What comes of an action, here and in worlds that are otherwise: other cards, and other draws within it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from fliptable.chance import Chance, LooseChance, Shuffled
from fliptable.rules import Context, Game, Refusal, Seat, Viewer
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play
from fliptable.testing.broken import about
from fliptable.testing.evolving import evolved
from fliptable.testing.playout import Playout


@dataclass(frozen=True, slots=True)
class Draws:
    """What chance gives within an action: the order of each shuffle, and numbers by name."""

    orders: tuple[tuple[str, ...], ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class World:
    """A state, and what chance gives from there on; None for whatever comes."""

    state: Any
    draws: Draws | None = None


@dataclass(frozen=True, slots=True)
class After:
    """What has come of an action: the state then, the events, and what chance gave."""

    state: Any
    events: Sequence[Any]
    draws: Draws
    before: Any
    """The state that it came from."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of a game before something is done."""

    game: Game[Any, Any]
    seats: int
    state: Any
    context: Callable[[], Context]
    used: int
    """How many shuffles came before."""

    @staticmethod
    def now(playout: Playout) -> Moment:
        """As a playout stands."""
        return Moment(playout.game, playout.case.seats, playout.state, playout.context, playout.used)

    @staticmethod
    def before(playout: Playout) -> Moment:
        """As a playout stood before its last action; before it was dealt, if that was the last."""
        was = playout.asked
        return Moment(playout.game, playout.case.seats, playout.before, was, playout.used_before)

    def follow(self, action: Action, world: World) -> After | None:
        """What comes of the action in a world; None where it is refused."""
        game, given = self.game, self.context()
        chance = _Given(world.draws, given.chance)
        ctx = replace(given, chance=chance)
        state = world.state
        with about(action.seat, action.move) if isinstance(action, Play) else nullcontext():
            result = _ask(game, state, action, ctx)
            if isinstance(result, Refusal):
                return None
            for event in result:
                state = evolved(game, state, event)
        return After(state, result, chance.draws, world.state)

    def drawn_otherwise(self, action: Action, random: Random) -> World:
        """The same state with other draws to come."""
        chance = _Given(None, LooseChance(random.shuffle, self.used))
        _ask(self.game, self.state, action, replace(self.context(), chance=chance))
        return World(self.state, chance.draws)

    def unknown(self, state: Any, viewer: Viewer, random: Random) -> Any:
        """A state that the viewer cannot tell from the given one."""
        return self.game.shuffle_unknown(state, viewer, LooseChance(random.shuffle))


def _ask(game: Game[Any, Any], state: Any, action: Action, ctx: Context) -> Any:
    if isinstance(action, NextRound):
        return game.deal(state, ctx)
    seat: Seat = action.seat
    if isinstance(action, Play):
        return game.decide(state, seat, action.move, ctx)
    if isinstance(action, Expire):
        return game.expired(state, seat, ctx)
    if isinstance(action, Leave):
        return game.leave(state, seat, ctx)
    return game.absent(state, seat, ctx) if isinstance(action, Drop) else game.present(state, seat, ctx)


class _Given:
    """Chance that gives the draws of another world, as far as it is asked for the same, and notes them."""

    def __init__(self, draws: Draws | None, beyond: Chance) -> None:
        self._draws = draws or Draws()
        self._beyond = beyond
        self._orders: list[tuple[str, ...]] = []
        self._numbers: dict[str, int] = {}

    @property
    def draws(self) -> Draws:
        return Draws(tuple(self._orders), self._numbers)

    def shuffle(self, cards: Sequence[str], name: str = "deck") -> Shuffled:
        event = self._beyond.shuffle(cards, name)
        number = len(self._orders)
        if number < len(self._draws.orders):
            event = replace(event, order=_as_near(self._draws.orders[number], cards))
        self._orders.append(event.order)
        return event

    def number(self, name: str, span: range) -> int:
        key = f"{len(self._orders)} {name}"
        value = self._draws.numbers.get(key)
        if value is None or value not in span:
            value = self._beyond.number(name, span)
        self._numbers[key] = value
        return value


def _as_near(order: Sequence[str], cards: Sequence[str]) -> tuple[str, ...]:
    """The cards in that order; those that it lacks lie where it has cards that are not there."""
    there = Counter(cards)
    lacking = list((there - Counter(order)).elements())
    found: list[str] = []
    for card in order:
        if there[card] > 0:
            there[card] -= 1
            found.append(card)
        elif lacking:
            found.append(lacking.pop(0))
    return (*found, *lacking)
