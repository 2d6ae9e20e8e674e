"""How fast FLIP is played at random, legal moves and outcome included: moves a second on one core."""

from __future__ import annotations

import argparse
import random
import statistics
import time
from datetime import UTC, datetime
from typing import Any

from fliptable import Context, Private, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip.game import FlipGame
from fliptable_games.flip.options import FlipOptions

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def play(game: FlipGame, options: FlipOptions, seats: int, chooser: random.Random) -> int:
    """One game by random moves; how many moves it took."""
    ctx = Context(NOW, LooseChance(chooser.shuffle))
    evolve, legal, decide, choose = game.evolve, game.legal_moves, game.decide, chooser.random
    state: Any = game.begin(Setup(options, game.Terms(), seats))
    for event in game.deal(state, ctx):
        state = evolve(state, event.event if type(event) is Private else event)
    moves = 0
    while game.outcome(state) is None:
        (seat,) = game.to_act(state)
        allowed = legal(state, seat)
        events: Any = decide(state, seat, allowed[int(choose() * len(allowed))], ctx)
        for event in events:
            state = evolve(state, event.event if type(event) is Private else event)
        moves += 1
    return moves


def measure(seats: int, seconds: float, seed: int = 1, limit: int = 100) -> float:
    """Moves a second of processor time."""
    game, options, chooser = FlipGame(), FlipOptions(turn_limit=limit), random.Random(seed)
    moves = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        moves += play(game, options, seats, chooser)
    return moves / (time.process_time() - begin)


def main() -> None:
    """Print the speed for each number of players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--runs", type=int, default=3, help="the median of so many is printed")
    args, _ = parser.parse_known_args()
    for seats, limit in ((2, 100), (3, 100), (4, 100), (2, 1000)):
        speeds = [measure(seats, args.seconds, seed, limit) for seed in range(args.runs)]
        median = statistics.median(speeds)
        print(f"flip, {seats} players, limit of {limit} turns: {median:,.0f} moves/s")


if __name__ == "__main__":
    main()
