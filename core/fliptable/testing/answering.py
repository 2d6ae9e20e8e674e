"""All that a game may be asked as a round stands: whatever it raises then is found, and found again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from fliptable.chance import LooseChance
from fliptable.projection import label
from fliptable.rules import Private, Refusal, Seat
from fliptable.testing.broken import about
from fliptable.testing.evolving import evolved
from fliptable.testing.leaks import viewers
from fliptable.testing.moves import samples
from fliptable.testing.playout import Playout


def answers(playout: Playout, random: Random) -> Iterator[str]:
    """It answers whatever it is asked; there is nothing to say against the answers, and they may raise."""
    game, state, seats = playout.game, playout.state, playout.case.seats
    names = [f"Seat {seat + 1}" for seat in range(seats)]
    turn = sorted(game.to_act(state))
    over = game.outcome(state) is not None
    for viewer in viewers(seats):
        game.view(state, viewer)
    for ask in (game.cards_left, game.cycle, game.hides, game.all_cards):
        ask(state)
    game.trails(playout.case.options, seats)
    for seat in turn:
        _of_turn(playout, seat, names, random)
    if over:
        game.carry(state)
    else:
        for seat in range(seats):
            if seat not in playout.gone:
                _of_seat(playout, seat, names)
    for viewer in viewers(seats):
        game.shuffle_unknown(state, viewer, LooseChance(random.shuffle))
    yield from ()


def _of_turn(playout: Playout, seat: Seat, names: list[str], random: Random) -> None:
    game, state = playout.game, playout.state
    game.ask(state, seat, names)
    legal = list(game.legal_moves(state, seat))
    for listed in legal:
        for move in samples(listed, random):
            with about(seat, move):
                label(move)
                _lead_on(playout, game.decide(state, seat, move, playout.context()), names)
    view = game.view(state, frozenset({seat}))
    for policy in game.policies.values():
        policy(view, seat, legal, random)
    _lead_on(playout, game.expired(state, seat, playout.context()), names)


def _of_seat(playout: Playout, seat: Seat, names: list[str]) -> None:
    game, state = playout.game, playout.state
    for happens in (game.leave, game.absent, game.present):
        _lead_on(playout, happens(state, seat, playout.context()), names)


def _lead_on(playout: Playout, result: Any, names: list[str]) -> None:
    """Ask for what is seen once the events have happened."""
    if isinstance(result, Refusal):
        return
    game, state = playout.game, playout.state
    for event in result:
        state = evolved(game, state, event)
        told = event.event if isinstance(event, Private) else event
        told.text(names)
    game.view(state, frozenset())
    for seat in game.to_act(state):
        game.legal_moves(state, seat)
    if game.outcome(state) is not None:
        game.carry(state)


__all__ = ["answers"]
