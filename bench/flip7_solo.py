"""Flip 7 alone: the mean score of a round for some ways to play, against exactly known means.

Each round is played with a fresh deck. ``main`` plays 300,000 rounds of each of the three ways.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from math import sqrt
from random import Random
from time import process_time

from fliptable import Context, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.state import Flip7State
from fliptable_games.flip7.vocabulary import Flip7Options, Hit, Rules, Stay

GAME = Flip7()
ROUNDS = 300_000

Stays = Callable[[int], bool]

WAYS: dict[str, tuple[Stays, float]] = {
    "stay at 27 or more": (lambda points: points >= 27, 19.116),
    "stay at 20 or more": (lambda points: points >= 20, 18.193),
    "never stay": (lambda points: False, 9.831),
}
"""Ways to play, each with the mean score that it is known to have."""


def mean_score(stays: Stays, rounds: int, seed: int, rules: Rules = Rules.OFFICIAL) -> tuple[float, float]:
    """The mean score of rounds with fresh decks, and its standard error."""
    random = Random(seed)
    context = Context(datetime(2026, 1, 1, tzinfo=UTC), LooseChance(random.shuffle))
    setup = Setup(Flip7Options(rules), None, 1)
    total = squares = 0
    for _ in range(rounds):
        points = play(setup, context, stays)
        total += points
        squares += points * points
    mean = total / rounds
    return mean, sqrt((squares / rounds - mean * mean) / rounds)


def play(setup: Setup, context: Context, stays: Stays) -> int:
    """One round; its points."""
    state: Flip7State = GAME.begin(setup)
    for event in GAME.deal(state, context):
        state = GAME.evolve(state, event)
    while (outcome := GAME.outcome(state)) is None:
        line = state.lines[0]
        move = Stay() if not line.empty and stays(line.points) else Hit()
        events = GAME.decide(state, 0, move, context)
        assert isinstance(events, list)
        for event in events:
            state = GAME.evolve(state, event)
    return outcome.seats[0].points


def main(rounds: int = ROUNDS) -> None:
    """Print the three means beside the known ones."""
    for seed, (name, (stays, known)) in enumerate(WAYS.items()):
        began = process_time()
        mean, error = mean_score(stays, rounds, seed)
        off = (mean - known) / error
        rate = rounds / (process_time() - began)
        print(f"{name:20} {mean:7.3f} ± {error:.3f}, known {known:7.3f} ({off:+.1f} σ), {rate:,.0f} rounds/s")


if __name__ == "__main__":
    main()
