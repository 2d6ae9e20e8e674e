"""The game and the naive one agree on every state, every legal move and every end."""

from __future__ import annotations

from random import Random

import pytest

from fliptable.testing import write_move
from fliptable_games.flip.options import DeckSplit, FlipOptions
from tests.games.flip.positions import GAME, facts, keen, naive_facts, naive_twin, random_round

SHAPES = [
    (2, FlipOptions()),
    (2, FlipOptions(decks=DeckSplit.SUITS)),
    (2, FlipOptions(field_cards=4, rows=4, turn_limit=40)),
    (2, FlipOptions(decks=DeckSplit.SUITS, field_cards=5, diagonals=True, turn_limit=20)),
    (3, FlipOptions()),
    (3, FlipOptions(field_cards=8, rows=2, turn_limit=30)),
    (4, FlipOptions()),
    (4, FlipOptions(field_cards=6, diagonals=True, turn_limit=200)),
]


def agree(shape: int, seed: int) -> str:
    """Play one random game on both sides at once; whether it was won or drawn."""
    seats, options = SHAPES[shape]
    # Trimmed to no card at all, the twin still draws the first player's one.
    trim = Random(seed).choice([None, None, 3, 1, 0])
    policy = keen(Random(~seed).choice([0, 0.5, 0.95]))
    script, chooser = random_round(seed, options, seats, trim)
    naive = naive_twin(script)
    while True:
        where = (shape, seed, len(script.steps))
        assert facts(script) == naive_facts(naive), where
        assert sorted(script.legal) == sorted(naive.legal()), where
        if script.outcome is not None:
            return naive.result[0]
        (seat,) = script.to_act
        words = write_move(GAME, policy(script.view(seat), seat, script.legal_moves(seat), chooser))
        script.follow(words)
        naive.play(words)


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_y1_to_y12_a_naive_implementation_agrees_move_by_move(shape: int) -> None:
    assert {agree(shape, seed) for seed in range(40)} == {"won", "draw"}
