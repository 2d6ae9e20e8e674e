"""What may be otherwise without somebody's knowing: what others hold, what comes up, what was chosen."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from fliptable.cards import PlayingCard
from fliptable.testing.actions import Action, Play
from fliptable.testing.facts import facts
from fliptable.testing.moves import as_fields, random_move
from fliptable.testing.teller import Teller
from fliptable.testing.worlds import World


def otherwise(teller: Teller, thorough: bool) -> Iterator[tuple[World, Action]]:
    """Worlds that the viewer cannot tell from this one, and what is done there.

    Others hold something else, or only what nobody knows is otherwise, or chance gives something else; and
    somebody has made another secret choice.
    """
    moment, action, viewer, random = teller.moment, teller.action, teller.viewer, teller.random
    state, seat = moment.state, getattr(action, "seat", None)
    if seat is not None:
        eyes = [viewer, *([viewer | {seat}] if seat not in viewer else []), frozenset(range(moment.seats))]
        for one in random.sample(eyes, 2 if thorough else 1):
            other = moment.unknown(state, one, random)
            if other is not state and other != state:
                yield World(other), action
                if thorough and isinstance(action, Play) and moment.follow(action, World(other)) is None:
                    # It was about a card that lies elsewhere there: another one takes its place.
                    yield from _with_another_card(teller, action, other)
    if teller.here.draws.orders or teller.here.draws.numbers:
        yield moment.drawn_otherwise(action, random), action
    if thorough and isinstance(action, Play) and seat not in viewer:
        yield from _chosen_otherwise(teller, action)


def _with_another_card(teller: Teller, action: Play, world: Any) -> Iterator[tuple[World, Action]]:
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


def _chosen_otherwise(teller: Teller, action: Play) -> Iterator[tuple[World, Action]]:
    """The move with another value in one field, where the state keeps the value as it is."""
    moment, seat, values = teller.moment, action.seat, as_fields(action.move)
    here = teller.here
    for legal in moment.game.legal_moves(moment.state, seat):
        other = random_move(legal, teller.random)
        if type(other) is not type(action.move):
            continue
        for name, value in as_fields(other).items():
            if value == values[name] or isinstance(value, tuple):
                continue
            another = Play(seat, type(other)(**{**values, name: value}))
            there = moment.follow(another, World(moment.state))
            if there is None or not teller.hears(here, there):
                continue
            kept, instead = facts(here.state, teller.cards()), facts(there.state, teller.cards())
            old, new = _stored(values[name]), _stored(value)
            if any(one == old and (path, new) in instead for path, one in kept - instead):
                yield World(moment.state), another
                return


def _stored(value: Any) -> Any:
    """A value of a move as states keep it."""
    return value.value if isinstance(value, PlayingCard | Enum) else value
