"""The engine alone, without I/O, against random play of OpenSpiel's ``python_kuhn_poker``."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

from fliptable.chance import LooseChance
from fliptable.rules import Context, MoveRange, Setup
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import CallItOptions, CallItTerms

SECONDS = 3.0
RUNS = 3


def call_it(seconds: float) -> float:
    """Moves per second of Call It and Flip, target 30, every move chosen among the legal ones."""
    game, rng, now = CallIt(), random.Random(1), datetime.now(UTC)
    options, terms = CallItOptions(), CallItTerms()
    moves = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        ctx = Context(now, LooseChance(rng.shuffle))
        state = game.begin(Setup(options, terms, 1))
        for event in game.deal(state, ctx):
            state = game.evolve(state, event)
        while game.outcome(state) is None:
            (seat,) = game.to_act(state)
            move = rng.choice(game.legal_moves(state, seat))
            if isinstance(move, MoveRange):
                move = move.example
            events = game.decide(state, seat, move, ctx)
            for event in events:
                state = game.evolve(state, event)
            moves += 1
    return moves / (time.perf_counter() - start)


def kuhn_poker(seconds: float) -> float:
    """Player moves per second of OpenSpiel's Kuhn poker written in Python."""
    import pyspiel
    from open_spiel.python.games import kuhn_poker as _registers  # noqa: F401

    game, rng = pyspiel.load_game("python_kuhn_poker"), random.Random(1)
    moves = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = rng.choice(state.chance_outcomes())[0]
            else:
                action = rng.choice(state.legal_actions())
                moves += 1
            state.apply_action(action)
    return moves / (time.perf_counter() - start)


def best(measure: Callable[[float], float]) -> float:
    """The best of some runs, since other work on the machine only ever slows one down."""
    return max(measure(SECONDS) for _ in range(RUNS))


def main() -> None:
    """Print both and their ratio."""
    ours, theirs = best(call_it), best(kuhn_poker)
    print(f"call-it {ours:,.0f} moves/s, python_kuhn_poker {theirs:,.0f} moves/s: ratio {ours / theirs:.2f}")
