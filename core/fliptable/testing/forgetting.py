"""The law that ``shuffle_unknown`` forgets nothing that is hidden, since no leak of it would be found."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from fliptable.rules import Viewer
from fliptable.testing.actions import Action, NextRound, Play
from fliptable.testing.leaks import who
from fliptable.testing.moves import random_move
from fliptable.testing.playout import Playout
from fliptable.testing.storage import storable
from fliptable.testing.teller import Teller
from fliptable.testing.worlds import After, Draws, Moment, World

_SWAPS = 4
"""So many pairs of cards change places in what was shuffled."""
_WORLDS = 200
"""At most so many samples of ``shuffle_unknown`` say that it leaves something as it is."""
_FEW = 4
"""So many samples of each earlier state say that it does change such things."""

_Path = tuple[Hashable, ...]


def forgets(playout: Playout, random: Random) -> Iterator[str]:
    """What somebody sees, and the viewer is neither shown nor told, is another one in some sample.

    The last action is done in worlds that the viewer cannot tell from this one: with other cards, other
    draws within it, or another choice. Where the viewer gets the same and somebody else sees something
    else, the viewer cannot know which it is, whatever they remember.
    """
    action = playout.actions[-1] if playout.actions else NextRound()
    moment = Moment.before(playout)
    here = moment.follow(action, World(moment.state))
    if here is None or moment.seats < 1:
        return
    viewers = _viewers(moment.seats, random)
    # A deal comes once a round.
    for viewer in viewers if isinstance(action, NextRound) else [random.choice(viewers)]:
        teller = Teller(moment, action, here, viewer, frozenset, random)
        for there in _elsewhere(teller):
            if not teller.alike(here, there):
                continue
            hidden = _apart(teller, here.state, there.state)
            if hidden and not _moved(teller, hidden) and not _moved_before(playout, teller, hidden):
                yield _complaint(teller, hidden, there)
                return


def _viewers(seats: int, random: Random) -> list[Viewer]:
    """A spectator, and one seat by lot."""
    return [frozenset(), *([frozenset({random.randrange(seats)})] if seats > 1 else [])]


def _elsewhere(teller: Teller) -> Iterator[After]:
    """What comes of the same, as far as the viewer knows."""
    moment, action, here, random = teller.moment, teller.action, teller.here, teller.random
    worlds: list[tuple[World, Action]] = []
    if not isinstance(action, NextRound):
        other = moment.unknown(moment.state, teller.viewer, random)
        if other is not moment.state:
            worlds.append((World(other, here.draws), action))
    if here.draws.orders or here.draws.numbers:
        worlds.append((moment.drawn_otherwise(action, random), action))
        worlds += [(World(moment.state, _swapped(here.draws, random)), action) for _ in range(_SWAPS)]
    if isinstance(action, Play) and action.seat not in teller.viewer:
        legal = list(moment.game.legal_moves(moment.state, action.seat))
        if legal:
            another = replace(action, move=random_move(random.choice(legal), random))
            worlds.append((World(moment.state, here.draws), another))
    for world, done in worlds:
        there = moment.follow(done, world)
        if there is not None:
            yield there


def _swapped(draws: Draws, random: Random) -> Draws:
    """The same draws, but two cards of a shuffle lie where the other one did."""
    places = [number for number, order in enumerate(draws.orders) if len(order) > 1]
    if not places:
        return draws
    number = random.choice(places)
    order = list(draws.orders[number])
    one, other = random.sample(range(len(order)), 2)
    order[one], order[other] = order[other], order[one]
    return replace(draws, orders=(*draws.orders[:number], tuple(order), *draws.orders[number + 1 :]))


def _apart(teller: Teller, one: Any, other: Any) -> dict[_Path, Any]:
    """Where two states are not the same to whoever sees for all seats, and what is there in the first."""
    here, there = _leaves(teller, one), _leaves(teller, other)
    return {path: value for path, value in here.items() if there.get(path, here) != value}


def _moved(teller: Teller, hidden: dict[_Path, Any]) -> bool:
    """Whether anything of it is otherwise in a sample of what the viewer does not know."""
    for _ in range(_WORLDS):
        other = teller.moment.unknown(teller.here.state, teller.viewer, teller.random)
        if other is not teller.here.state:
            leaves = _leaves(teller, other)
            if any(leaves.get(path, hidden) != value for path, value in hidden.items()):
                return True
    return False


def _moved_before(playout: Playout, teller: Teller, hidden: dict[_Path, Any]) -> bool:
    """Whether anything in such places was otherwise in a sample of an earlier state.

    A game may take for known what somebody could have found out, such as which card is the last of all.
    """
    kinds, random = {_kind(path) for path in hidden}, teller.random
    again = Playout(playout.case)
    for action in playout.actions:
        leaves = _leaves(teller, again.state)
        for _ in range(_FEW):
            other = _leaves(teller, teller.moment.unknown(again.state, teller.viewer, random))
            if any(other.get(path) != value for path, value in leaves.items() if _kind(path) in kinds):
                return True
        again.take(action)
    return False


def _kind(path: _Path) -> _Path:
    """A path, whichever seat and card it is of."""
    return tuple(["" if str(one).isdecimal() else one for one in path])


def _leaves(teller: Teller, state: Any) -> dict[_Path, Any]:
    everybody = frozenset(range(teller.moment.seats))
    return dict(_walk(storable(teller.moment.game.view(state, everybody)), ()))


def _walk(document: Any, path: _Path) -> Iterator[tuple[_Path, Any]]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _walk(value, (*path, key))
    elif isinstance(document, list | tuple):
        for index, value in enumerate(document):
            yield from _walk(value, (*path, index))
    else:
        yield path, document


def _complaint(teller: Teller, hidden: dict[_Path, Any], there: After) -> str:
    path, value = next(iter(hidden.items()))
    where = "view" + "".join([f"[{one}]" if isinstance(one, int) else f".{one}" for one in path])
    other = _leaves(teller, there.state).get(path)
    return (
        f"shuffle_unknown forgets something: {where} is {value!r} to whoever may see it. "
        f"As {who(teller.viewer)} is told and shown the same if it is {other!r}, they cannot know it, and "
        f"for them shuffle_unknown leaves it as it is in {_WORLDS} samples. Have it exchange that too, with "
        "all else that they do not know, since a leak of it is not found otherwise"
    )
