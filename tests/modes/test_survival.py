"""Survival (call-it M4)."""

from __future__ import annotations

import pytest

from fliptable.testing import options_of
from fliptable_games.call_it.vocabulary import Call
from fliptable_modes.survival import LifeLost, Survival, SurvivalOptions
from tests.modes.call_it_tables import BUST, WIN, OpenTable, play_round


def test_m4_three_lives_a_bust_costs_one_a_win_scores_one(solo: OpenTable) -> None:
    table = solo("survival", WIN, BUST, WIN, BUST, WIN, BUST)
    seen = []
    for _ in range(6):
        assert table.over is None
        play_round(table)
        seen.append((table.run().lives, table.run().wins))
    assert seen == [(3, 1), (2, 1), (2, 2), (1, 2), (1, 3), (0, 3)]
    assert table.over == "NO_LIVES"
    assert table.refused_move(0, Call(30)).code == "TABLE_OVER"


def test_m4_the_third_bust_ends_the_run_and_not_the_second(solo: OpenTable) -> None:
    table = solo("survival", *[BUST] * 3)
    play_round(table)
    play_round(table)
    assert (table.run().lives, table.over) == (1, None)
    assert table.table.staged is not None
    play_round(table)
    assert (table.run().lives, table.over) == (0, "NO_LIVES")
    assert table.table.staged is None
    assert [event.lives for event in table.of(LifeLost)] == [2, 1, 0]


def test_m4_abandoning_costs_a_life_and_ends_the_table(solo: OpenTable) -> None:
    table = solo("survival", WIN, WIN)
    play_round(table)
    table.play(0, Call(30))
    table.leave("ann")
    assert (table.run().lives, table.run().wins, table.over) == (2, 1, "ABANDONED")


def test_m4_abandoning_with_the_last_life_costs_it_too(solo: OpenTable) -> None:
    table = solo("survival", BUST, BUST, WIN)
    play_round(table)
    play_round(table)
    table.play(0, Call(30))
    table.leave("ann")
    assert (table.run().lives, table.over) == (0, "ABANDONED")


def test_m4_each_number_of_lives_is_a_scope_and_the_usual_one_none() -> None:
    mode = Survival()
    assert [mode.check_scope(one) for one in ("", "3-lives", "9-lives")] == ["", "", "9-lives"]
    for wrong in ("9", "0-lives", "11-lives", "lives"):
        with pytest.raises(ValueError, match="for each other number from 1 to 10, with a scope like 9-lives"):
            mode.check_scope(wrong)


def test_the_number_of_lives_is_an_option(solo: OpenTable) -> None:
    table = solo("survival", BUST, mode_options=SurvivalOptions(lives=1))
    assert table.run().lives == 1
    play_round(table)
    assert table.over == "NO_LIVES"


@pytest.mark.parametrize("lives", [-1, 0, 11])
def test_a_senseless_number_of_lives_is_refused_by_name(lives: int) -> None:
    with pytest.raises(ValueError, match=r"^lives: "):
        options_of(SurvivalOptions, {"lives": lives})
