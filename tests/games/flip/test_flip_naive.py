"""The game and the naive one agree on every state, every legal move and every end."""

from __future__ import annotations

import random

import pytest
from flip_positions import (
    FlipOptions,
    choose,
    engine_facts,
    legal,
    naive_facts,
    naive_twin,
    play,
    random_round,
)

from fliptable_games.flip.options import DeckSplit

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


def agree(shape, seed):
    """Play one random game on both sides at once; how it ended and in how many moves."""
    seats, options = SHAPES[shape]
    trim = random.Random(seed).choice([None, None, 3, 1, 0])
    keen = random.Random(~seed).choice([0, 0.5, 0.95])
    state, chooser = random_round(seed, options, seats, trim)
    naive = naive_twin(state)
    # Trimmed to no card at all, the twin still draws the first player's one.
    moves = 0
    while True:
        assert engine_facts(state) == naive_facts(naive), (shape, seed, moves)
        allowed = legal(state)
        assert sorted(allowed) == sorted(naive.legal()), (shape, seed, moves)
        if not allowed:
            return naive.result, moves
        words = choose(state, allowed, chooser, keen)
        _, state = play(state, words)
        naive.play(words)
        moves += 1


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_y1_to_y12_a_naive_implementation_agrees_move_by_move(shape):
    ends = {agree(shape, seed)[0] for seed in range(40)}
    assert any(end[0] == "won" for end in ends), ends
    assert any(end[0] == "draw" for end in ends), ends
