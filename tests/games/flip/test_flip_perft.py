"""How many positions are reached in 1, 2 and 3 moves: both implementations, against kept numbers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from fliptable.testing import RoundScript
from tests.games.flip.positions import facts, naive_facts, naive_position, position

POSITIONS = tomllib.loads(Path(__file__).with_name("perft.toml").read_text(encoding="utf-8"))["position"]


def title(entry: dict[str, Any]) -> str:
    return entry["name"]


def after(script: RoundScript, words: str) -> RoundScript:
    other = script.branch()
    other.follow(words)
    return other


@pytest.mark.parametrize("entry", POSITIONS, ids=title)
def test_y3_to_y12_the_game_counts(entry: dict[str, Any]) -> None:
    level = [position(entry)]
    for paths, positions in zip(entry["paths"], entry["positions"], strict=True):
        level = [after(script, words) for script in level for words in script.legal]
        different = {repr((facts(script), script.state.placed)) for script in level}
        assert (len(level), len(different)) == (paths, positions)


@pytest.mark.parametrize("entry", POSITIONS, ids=title)
def test_y3_to_y12_the_naive_game_counts(entry: dict[str, Any]) -> None:
    level = [naive_position(entry)]
    for paths, positions in zip(entry["paths"], entry["positions"], strict=True):
        following = []
        for game in level:
            for words in game.legal():
                after = game.copy()
                after.play(words)
                following.append(after)
        level = following
        different = {repr((naive_facts(game), game.placed_at)) for game in level}
        assert (len(level), len(different)) == (paths, positions)
