"""How many moves a second the rules of Flip 7 make, in uniformly random play on one core.

Everything that a table asks of a game for a move is counted in: who is to act, the legal moves, the
decision, its events, the outcome, and the deal of each round from the running deck.
"""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from time import process_time
from typing import Any

from fliptable import Context, MoveRange, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Rules

SECONDS = 3.0


def moves_a_second(seats: int, rules: Rules, seconds: float = SECONDS) -> float:
    """Random rounds on one running deck."""
    game = Flip7()
    random = Random(1)
    context = Context(datetime(2026, 1, 1, tzinfo=UTC), LooseChance(random.shuffle))
    options = Flip7Options(rules)
    carry: Any = None
    moves = 0
    began = process_time()
    while process_time() - began < seconds:
        for _ in range(100):
            state = game.begin(Setup(options, None, seats, 1, carry))
            events: Any = game.deal(state, context)
            while True:
                for event in events:
                    state = game.evolve(state, event)
                if game.outcome(state) is not None:
                    break
                (seat,) = game.to_act(state)
                legal = game.legal_moves(state, seat)
                move = legal[int(random.random() * len(legal))]
                if isinstance(move, MoveRange):
                    move = Assign(random.choice(move.fields["to"].values))
                events = game.decide(state, seat, move, context)
                moves += 1
            carry = game.carry(state)
    return moves / (process_time() - began)


def main() -> None:
    """Print the rates."""
    for rules in Rules:
        for seats in (1, 3, 18):
            print(f"{rules.value:8} {seats:2} seats: {moves_a_second(seats, rules):9,.0f} moves/s")


if __name__ == "__main__":
    main()
