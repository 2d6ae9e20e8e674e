"""Streak (call-it M2)."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable_games.call_it.vocabulary import Call, Flip
from fliptable_modes.streak import MilestoneReached, StreakEnded, StreakGrew
from tests.modes.call_it_tables import BUST, WIN, OpenTable, flip, play_round


def wins_of(events: list[Any]) -> list[int]:
    return [event.wins for event in events]


def test_m2_wins_in_a_row_until_the_first_bust_ends_the_run(solo: OpenTable) -> None:
    table = solo("streak", WIN, WIN, BUST)
    play_round(table)
    play_round(table)
    assert (table.run().current, table.run().best, table.over) == (2, 2, None)
    play_round(table)
    assert (table.run().current, table.run().best, table.over) == (0, 2, "BUST")
    assert wins_of(table.of(StreakEnded)) == [2]
    assert table.refused_move(0, Call(30)).code == "TABLE_OVER"
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"


def test_m2_a_bust_in_the_first_round_ends_a_run_of_nothing(solo: OpenTable) -> None:
    table = solo("streak", BUST)
    play_round(table)
    assert (table.run().current, table.run().best, table.over) == (0, 0, "BUST")
    assert table.of(StreakGrew) == []


def test_m2_milestones_come_exactly_on_reaching_3_5_and_10(solo: OpenTable) -> None:
    table = solo("streak", *[WIN] * 12)
    seen = []
    for wins in range(1, 13):
        before = len(table.of(MilestoneReached))
        ahead = table.run().next_milestone
        play_round(table)
        new = wins_of(table.of(MilestoneReached))[before:]
        assert new == ([wins] if wins in (3, 5, 10) else [])
        if new:
            assert ahead == wins
        seen.append(table.run().next_milestone)
    assert seen == [3, 3, 5, 5, 10, 10, 10, 10, 10, None, None, None]
    assert table.run().current == table.run().best == 12


@pytest.mark.parametrize("wins", [2, 4, 9])
def test_m2_one_short_of_a_milestone_is_none(solo: OpenTable, wins: int) -> None:
    table = solo("streak", *[WIN] * wins, BUST)
    for _ in range(wins + 1):
        play_round(table)
    assert len(table.of(MilestoneReached)) == [3, 5, 10].index(wins + 1)
    assert table.run().next_milestone is None


def test_m2_abandoning_a_round_is_a_bust(solo: OpenTable) -> None:
    table = solo("streak", WIN, WIN, WIN)
    play_round(table)
    play_round(table)
    table.play(0, Call(30))
    table.leave("ann")
    assert (table.run().current, table.run().best, table.over) == (0, 2, "ABANDONED")
    assert table.outcomes[-1].seats[0].reason == "ABANDONED"


def test_m2_leaving_between_rounds_loses_no_round(solo: OpenTable) -> None:
    table = solo("streak", WIN, WIN, WIN)
    play_round(table)
    play_round(table)
    table.leave("ann")
    assert (table.run().best, table.over) == (2, "ABANDONED")
    assert table.of(StreakEnded) == []


def test_m2_the_next_round_is_sealed_before_its_call(solo: OpenTable) -> None:
    table = solo("streak")  # fair decks
    assert len(table.table.shuffles) == 1
    table.play(0, Call(2**31 - 1))
    flip(table, 52)
    assert table.over == "BUST"
    assert all(one.seed is not None for one in table.table.shuffles)


def test_m2_the_next_deck_is_committed_to_as_soon_as_a_round_is_over(solo: OpenTable) -> None:
    table = solo("streak", WIN, WIN)
    play_round(table)
    assert [one.round for one in table.table.shuffles] == [1, 2]
    assert table.table.round.number == 1 and table.table.staged.number == 2
    assert table.refused_move(0, Flip()).code == "ILLEGAL_MOVE"
    table.play(0, Call(30))
    assert table.table.round.number == 2 and table.table.staged is None
