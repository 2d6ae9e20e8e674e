"""Speedrun (call-it M7)."""

from __future__ import annotations

from typing import Any

BUST = "9C 10D JD QD KD 10C"


def test_m7_the_target_is_at_least_50(solo: Any) -> None:
    table = solo("speedrun", [])
    refusal = table.call(49)
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "target")
    assert table.call(50) is None


def test_m7_every_round_of_a_run_has_the_higher_least_target(solo: Any) -> None:
    table = solo("speedrun", [BUST, BUST])
    table.round(50)
    assert table.call(49).code == "INVALID_VALUE"
    assert table.call(50) is None


def test_m7_the_score_is_the_flips_of_a_win_and_fewer_is_better(solo: Any) -> None:
    table = solo("speedrun", ["10C JC QC KC 9C AC", "10C JC QC KC 10D", "9C 8C 7C 6C 5C 10C 5D"])
    seen = []
    for _ in range(3):
        table.round(50)
        seen.append((table.run.last_flips, table.run.best_flips))
    assert seen == [(6, 6), (5, 5), (7, 5)]
    assert (table.run.rounds, table.run.wins, table.over) == (3, 3, None)
    assert [event.flips for event in table.named("RoundRun")] == [6, 5, 7]


def test_m7_a_bust_is_no_score(solo: Any) -> None:
    table = solo("speedrun", [BUST, "10C JC QC KC 10D", BUST])
    table.round(50)
    assert (table.run.last_flips, table.run.best_flips) == (None, None)
    table.round(50)
    table.round(50)
    assert (table.run.last_flips, table.run.best_flips) == (None, 5)
    assert (table.run.rounds, table.run.wins) == (3, 1)


def test_m7_abandoning_is_a_bust_without_a_score(solo: Any) -> None:
    table = solo("speedrun", [BUST])
    table.call(50)
    table.flip(2)
    assert table.leave() is None
    assert (table.run.rounds, table.run.wins, table.run.last_flips, table.over) == (1, 0, None, "ABANDONED")
