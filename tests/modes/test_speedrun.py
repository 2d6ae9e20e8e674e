"""Speedrun (call-it M7)."""

from __future__ import annotations

from fliptable_games.call_it.vocabulary import Call
from fliptable_modes.speedrun import RoundRun
from tests.modes.call_it_tables import OpenTable, flip, play_round

BUST = "9C 10D JD QD KD 10C"


def test_m7_the_target_is_at_least_50(solo: OpenTable) -> None:
    table = solo("speedrun", "")
    refusal = table.refused_move(0, Call(49))
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "target")
    table.play(0, Call(50))


def test_m7_every_round_of_a_run_has_the_higher_least_target(solo: OpenTable) -> None:
    table = solo("speedrun", BUST, BUST)
    play_round(table, 50)
    assert table.refused_move(0, Call(49)).code == "INVALID_VALUE"
    table.play(0, Call(50))


def test_m7_the_score_is_the_flips_of_a_win_and_fewer_is_better(solo: OpenTable) -> None:
    table = solo("speedrun", "10C JC QC KC 9C AC", "10C JC QC KC 10D", "9C 8C 7C 6C 5C 10C 5D")
    seen = []
    for _ in range(3):
        play_round(table, 50)
        seen.append((table.run().last_flips, table.run().best_flips))
    assert seen == [(6, 6), (5, 5), (7, 5)]
    assert (table.run().rounds, table.run().wins, table.over) == (3, 3, None)
    assert [event.flips for event in table.of(RoundRun)] == [6, 5, 7]


def test_m7_a_bust_is_no_score(solo: OpenTable) -> None:
    table = solo("speedrun", BUST, "10C JC QC KC 10D", BUST)
    play_round(table, 50)
    assert (table.run().last_flips, table.run().best_flips) == (None, None)
    play_round(table, 50)
    play_round(table, 50)
    assert (table.run().last_flips, table.run().best_flips) == (None, 5)
    assert (table.run().rounds, table.run().wins) == (3, 1)


def test_m7_abandoning_is_a_bust_without_a_score(solo: OpenTable) -> None:
    table = solo("speedrun", BUST)
    table.play(0, Call(50))
    flip(table, 2)
    table.leave("ann")
    assert (table.run().rounds, table.run().wins, table.run().last_flips, table.over) == (
        1,
        0,
        None,
        "ABANDONED",
    )
