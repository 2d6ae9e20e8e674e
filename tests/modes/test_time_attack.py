"""Time attack (call-it M6)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fliptable.testing import RoundOver, TableScript
from fliptable_games.call_it.vocabulary import Call, Flip
from fliptable_modes.time_attack import ClockStarted, TimeUp
from tests.modes.call_it_tables import BUST, WIN, OpenTable, flip, play_round


@pytest.fixture
def table(solo: OpenTable) -> TableScript:
    return solo("time-attack", WIN, BUST, WIN, WIN)


def test_m6_the_clock_starts_with_the_first_flip_and_not_with_the_call(table: TableScript) -> None:
    table.clock.advance(1000)
    table.play(0, Call(30))
    table.clock.advance(1000)
    assert table.run().ends_at is None and table.table.deadline() is None
    flip(table)
    assert table.run().ends_at == table.clock() + timedelta(minutes=5)
    assert [event.ends_at for event in table.of(ClockStarted)] == [table.run().ends_at]


def test_m6_most_wins_in_five_minutes(table: TableScript) -> None:
    for _ in range(3):
        play_round(table)
    assert (table.run().wins, table.run().rounds, table.over) == (2, 3, None)


def test_m6_time_between_rounds_counts(table: TableScript) -> None:
    play_round(table)
    ends = table.run().ends_at
    table.clock.advance(200)
    table.play(0, Call(30))
    assert table.run().ends_at == ends


def test_m6_a_flip_at_299_999_seconds_counts(table: TableScript) -> None:
    play_round(table)
    table.play(0, Call(30))
    flip(table, 3)
    table.clock.advance(299.999)
    assert not table.tick()
    flip(table)
    assert table.table.round.outcome is not None
    assert (table.run().rounds, table.over) == (2, None)


def test_m6_a_win_at_299_999_seconds_counts(table: TableScript) -> None:
    table.play(0, Call(30))
    flip(table, 2)
    table.clock.advance(299.999)
    assert not table.tick()
    flip(table)
    assert (table.run().wins, table.over) == (1, None)


def test_m6_a_flip_at_300_seconds_is_refused_and_the_run_is_over(table: TableScript) -> None:
    table.play(0, Call(30))
    flip(table, 2)
    table.clock.advance(300)
    assert table.tick()
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"
    assert (table.run().wins, table.over) == (0, "TIME_UP")


@pytest.mark.parametrize("seconds", [300, 301, 86_400])
def test_m6_a_flip_after_the_deadline_is_refused_before_any_timer_fires(
    table: TableScript, seconds: int
) -> None:
    table.play(0, Call(30))
    flip(table, 2)
    table.clock.advance(seconds)
    assert table.refused_move(0, Flip()).code == "TIME_UP"
    assert table.run().wins == 0


def test_m6_a_call_after_the_deadline_is_refused(table: TableScript) -> None:
    play_round(table)
    table.clock.advance(300)
    assert table.refused_move(0, Call(30)).code == "TIME_UP"


def test_m6_the_end_comes_by_itself_at_its_own_time(table: TableScript) -> None:
    play_round(table)
    ends = table.run().ends_at
    assert table.table.deadline() == ends
    table.clock.advance(5000)
    assert table.tick()
    assert table.commits[-1].at == ends
    assert table.over == "TIME_UP"
    assert [event.wins for event in table.of(TimeUp)] == [1]
    assert not table.tick() and table.table.deadline() is None


def test_m6_the_unfinished_round_does_not_count(table: TableScript) -> None:
    play_round(table)
    table.play(0, Call(30))
    flip(table, 2)
    table.clock.advance(300)
    table.tick()
    assert (table.run().wins, table.run().rounds) == (1, 1)
    assert table.table.round.number == 2 and table.table.round.outcome is None
    assert len(table.of(RoundOver)) == 1


def test_m6_the_end_reveals_every_seed(solo: OpenTable) -> None:
    table = solo("time-attack")
    table.play(0, Call(2**31 - 1))
    flip(table)
    table.clock.advance(300)
    table.tick()
    assert all(one.seed is not None for one in table.table.shuffles)


def test_m6_abandoning_ends_the_run_with_the_wins_so_far(table: TableScript) -> None:
    play_round(table)
    table.play(0, Call(30))
    flip(table, 2)
    table.leave("ann")
    assert (table.run().wins, table.run().rounds, table.over) == (1, 2, "ABANDONED")
    assert table.table.deadline() is None


def test_m6_abandoning_after_the_deadline_counts_nothing(table: TableScript) -> None:
    table.play(0, Call(30))
    flip(table, 2)
    table.clock.advance(300)
    table.leave("ann")
    assert (table.run().wins, table.run().rounds) == (0, 0)
