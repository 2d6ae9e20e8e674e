"""The engine alone, without I/O, against random play of games that OpenSpiel has in Python."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from fliptable.chance import LooseChance
from fliptable.rules import Context, MoveRange, Setup
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import CallItOptions, CallItTerms

SECONDS = 2.0
RUNS = 3


def call_it(seconds: float) -> float:
    """Moves per second of Call It and Flip, target 30, every move chosen among the legal ones."""
    game, rng, now = CallIt(), random.Random(1), datetime.now(UTC)
    options, terms = CallItOptions(), CallItTerms()
    moves = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
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
    return moves / (time.process_time() - start)


def flip(seconds: float) -> float:
    """Moves per second of FLIP for two, legal moves included."""
    from bench.flip_speed import measure

    return measure(2, seconds)


def flip7(seconds: float) -> float:
    """Moves per second of Flip 7 alone, official rules."""
    from bench.flip7_speed import moves_a_second
    from fliptable_games.flip7.vocabulary import Rules

    return moves_a_second(1, Rules.OFFICIAL, seconds)


def open_spiel(name: str, seconds: float) -> float:
    """Player moves per second of one of OpenSpiel's games written in Python."""
    import pyspiel
    from open_spiel.python.games import kuhn_poker as _kuhn  # noqa: F401
    from open_spiel.python.games import tic_tac_toe as _tic_tac_toe  # noqa: F401

    game, rng = pyspiel.load_game(name), random.Random(1)
    moves = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = rng.choice(state.chance_outcomes())[0]
            else:
                action = rng.choice(state.legal_actions())
                moves += 1
            state.apply_action(action)
    return moves / (time.process_time() - start)


def best(measure: Callable[[float], float]) -> float:
    """The best of some runs by processor time, since other work only ever slows one down."""
    return max(measure(SECONDS) for _ in range(RUNS))


def main() -> None:
    """Print each game against one of OpenSpiel's, and their ratio."""
    theirs = {name: best(partial(open_spiel, name)) for name in ("python_kuhn_poker", "python_tic_tac_toe")}
    pairs = (("call-it", call_it, "python_kuhn_poker"), ("flip7", flip7, "python_kuhn_poker"))
    for name, measured, other in (*pairs, ("flip", flip, "python_tic_tac_toe")):
        ours = best(measured)
        ratio = ours / theirs[other]
        print(f"{name} {ours:,.0f} moves/s, {other} {theirs[other]:,.0f} moves/s: ratio {ratio:.2f}")
