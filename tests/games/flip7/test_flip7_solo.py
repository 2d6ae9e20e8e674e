"""Playing alone: the mean scores of simple ways to play are known."""

from __future__ import annotations

import pytest

from bench.flip7_solo import WAYS, mean_score
from fliptable_games.flip7.vocabulary import Rules


@pytest.mark.parametrize(("way", "rounds"), [("stay at 27 or more", 20_000), ("stay at 20 or more", 8_000)])
def test_the_mean_score_of_a_way_to_play(way, rounds):
    """OFFICIAL. The benchmark plays 300,000 rounds; these are enough for four standard errors."""
    stays, known = WAYS[way]
    mean, error = mean_score(stays, rounds, seed=27)
    assert abs(mean - known) < 4 * error


def test_never_staying():
    stays, known = WAYS["never stay"]
    mean, error = mean_score(stays, 8_000, seed=1)
    assert abs(mean - known) < 4 * error


def test_f18_alone_the_rule_sets_differ_only_by_what_waits_in_a_flip_three():
    """A Second Chance that is set aside saves nothing of the same three, so HOSTED scores a little less."""
    stays, _ = WAYS["never stay"]
    official, _ = mean_score(stays, 3_000, seed=5)
    hosted, error = mean_score(stays, 3_000, seed=5, rules=Rules.HOSTED)
    assert hosted < official + 4 * error
