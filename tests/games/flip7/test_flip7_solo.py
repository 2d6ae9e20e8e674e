"""Playing alone: the mean scores of simple policies are known."""

from __future__ import annotations

import pytest

from bench.flip7_solo import KNOWN, mean_score
from fliptable_games.flip7.vocabulary import Rules


@pytest.mark.parametrize(
    ("policy", "rounds"), [("stay-at-27", 20_000), ("stay-at-20", 8_000), ("never-stay", 8_000)]
)
def test_the_mean_score_of_a_policy(policy, rounds):
    """OFFICIAL. The benchmark plays 300,000 rounds; these are enough for four standard errors."""
    mean, error = mean_score(policy, rounds, seed=27)
    assert abs(mean - KNOWN[policy]) < 4 * error


def test_by_the_odds_scores_more_than_any_number_to_stay_at():
    """It knows which cards are left; of the numbers, 27 is the best."""
    mean, error = mean_score("by-the-odds", 8_000, seed=3)
    assert mean - 4 * error > KNOWN["stay-at-27"]


def test_f18_alone_the_rule_sets_differ_only_by_what_waits_in_a_flip_three():
    """A Second Chance that is set aside saves nothing of the same three, so HOSTED scores a little less."""
    official, _ = mean_score("never-stay", 3_000, seed=5)
    hosted, error = mean_score("never-stay", 3_000, seed=5, rules=Rules.HOSTED)
    assert hosted < official + 4 * error
