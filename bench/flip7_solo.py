"""Flip 7 alone: the mean score of a round for some of the game's policies, against exactly known means.

Each round is played with a fresh deck. ``main`` plays 300,000 rounds by each of three policies.
"""

from __future__ import annotations

from datetime import UTC, datetime
from math import sqrt
from random import Random
from time import process_time

from fliptable import Context, Policy, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.state import Flip7State
from fliptable_games.flip7.vocabulary import Flip7Options, Rules

GAME = Flip7()
ROUNDS = 300_000

KNOWN = {"stay-at-27": 19.116, "stay-at-20": 18.193, "never-stay": 9.831}
"""Policies of the game, each with the mean score that it is known to have."""


def mean_score(policy: str, rounds: int, seed: int, rules: Rules = Rules.OFFICIAL) -> tuple[float, float]:
    """The mean score of rounds with fresh decks, and its standard error."""
    random = Random(seed)
    context = Context(datetime(2026, 1, 1, tzinfo=UTC), LooseChance(random.shuffle))
    setup = Setup(Flip7Options(rules), None, 1)
    total = squares = 0
    for _ in range(rounds):
        points = play(setup, context, GAME.policies[policy], random)
        total += points
        squares += points * points
    mean = total / rounds
    return mean, sqrt((squares / rounds - mean * mean) / rounds)


def play(setup: Setup, context: Context, policy: Policy, random: Random) -> int:
    """One round; its points."""
    state: Flip7State = GAME.begin(setup)
    viewer = frozenset({0})
    for event in GAME.deal(state, context):
        state = GAME.evolve(state, event)
    while (outcome := GAME.outcome(state)) is None:
        move = policy(GAME.view(state, viewer), 0, GAME.legal_moves(state, 0), random)
        events = GAME.decide(state, 0, move, context)
        assert isinstance(events, list)
        for event in events:
            state = GAME.evolve(state, event)
    return outcome.seats[0].points


def main(rounds: int = ROUNDS) -> None:
    """Print the three means beside the known ones."""
    for seed, (policy, known) in enumerate(KNOWN.items()):
        began = process_time()
        mean, error = mean_score(policy, rounds, seed)
        off = (mean - known) / error
        rate = rounds / (process_time() - began)
        print(
            f"{policy:12} {mean:7.3f} ± {error:.3f}, known {known:7.3f} ({off:+.1f} σ), {rate:,.0f} rounds/s"
        )


if __name__ == "__main__":
    main()
