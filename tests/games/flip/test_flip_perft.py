"""How many positions are reached in 1, 2 and 3 moves: both implementations, against kept numbers."""

from __future__ import annotations

import pytest
from flip_positions import data, engine_facts, engine_position, legal, naive_facts, naive_position, play

POSITIONS = data("perft.toml")["position"]


def title(entry):
    return entry["name"]


@pytest.mark.parametrize("entry", POSITIONS, ids=title)
def test_y3_to_y12_the_game_counts(entry):
    level = [engine_position(entry)]
    for paths, positions in zip(entry["paths"], entry["positions"], strict=True):
        level = [play(state, words)[1] for state in level for words in legal(state)]
        assert (len(level), len({repr((engine_facts(state), state.placed)) for state in level})) == (
            paths,
            positions,
        )


@pytest.mark.parametrize("entry", POSITIONS, ids=title)
def test_y3_to_y12_the_naive_game_counts(entry):
    level = [naive_position(entry)]
    for paths, positions in zip(entry["paths"], entry["positions"], strict=True):
        following = []
        for game in level:
            for words in game.legal():
                after = game.copy()
                after.play(words)
                following.append(after)
        level = following
        assert (len(level), len({repr((naive_facts(game), game.placed_at)) for game in level})) == (
            paths,
            positions,
        )
