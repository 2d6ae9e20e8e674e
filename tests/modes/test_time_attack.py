"""Time attack (call-it M6)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

WIN, BUST = "10C JC QC", "9C 10D JD KC"


@pytest.fixture
def table(solo: Any) -> Any:
    return solo("time-attack", [WIN, BUST, WIN, WIN])


def test_m6_the_clock_starts_with_the_first_flip_and_not_with_the_call(table: Any) -> None:
    table.wait(1000)
    assert table.call(30) is None
    table.wait(1000)
    assert table.run.ends_at is None and table.table.deadline() is None
    assert table.flip() is None
    assert table.run.ends_at == table.now + timedelta(minutes=5)
    assert [event.ends_at for event in table.named("ClockStarted")] == [table.run.ends_at]


def test_m6_most_wins_in_five_minutes(table: Any) -> None:
    for _ in range(3):
        table.round()
    assert (table.run.wins, table.run.rounds, table.over) == (2, 3, None)


def test_m6_time_between_rounds_counts(table: Any) -> None:
    table.round()
    ends = table.run.ends_at
    table.wait(200)
    table.call(30)
    assert table.run.ends_at == ends


def test_m6_a_flip_at_299_999_seconds_counts(table: Any) -> None:
    table.round()
    table.call(30)
    table.flip(3)
    table.wait(299.999)
    assert not table.tick()
    assert table.flip() is None
    assert table.table.round.outcome is not None
    assert (table.run.rounds, table.over) == (2, None)


def test_m6_a_win_at_299_999_seconds_counts(table: Any) -> None:
    table.call(30)
    table.flip(2)
    table.wait(299.999)
    assert not table.tick()
    assert table.flip() is None
    assert (table.run.wins, table.over) == (1, None)


def test_m6_a_flip_at_300_seconds_is_refused_and_the_run_is_over(table: Any) -> None:
    table.call(30)
    table.flip(2)
    table.wait(300)
    assert table.tick()
    assert table.flip().code == "TABLE_OVER"
    assert (table.run.wins, table.over) == (0, "TIME_UP")


@pytest.mark.parametrize("seconds", [300, 301, 86_400])
def test_m6_a_flip_after_the_deadline_is_refused_before_any_timer_fires(table: Any, seconds: int) -> None:
    table.call(30)
    table.flip(2)
    table.wait(seconds)
    assert table.flip().code == "TIME_UP"
    assert table.run.wins == 0


def test_m6_a_call_after_the_deadline_is_refused(table: Any) -> None:
    table.round()
    table.wait(300)
    assert table.call(30).code == "TIME_UP"


def test_m6_the_end_comes_by_itself_at_its_own_time(table: Any) -> None:
    table.round()
    ends = table.run.ends_at
    assert table.table.deadline() == ends
    table.wait(5000)
    assert table.tick()
    assert table.log[-1].at == ends
    assert table.over == "TIME_UP"
    assert [event.wins for event in table.named("TimeUp")] == [1]
    assert not table.tick() and table.table.deadline() is None


def test_m6_the_unfinished_round_does_not_count(table: Any) -> None:
    table.round()
    table.call(30)
    table.flip(2)
    table.wait(300)
    table.tick()
    assert (table.run.wins, table.run.rounds) == (1, 1)
    assert table.table.round.number == 2 and table.table.round.outcome is None
    assert len(table.named("RoundOver")) == 1


def test_m6_the_end_reveals_every_seed(solo: Any) -> None:
    table = solo("time-attack")
    table.call(2**31 - 1)
    table.flip()
    table.wait(300)
    table.tick()
    assert all(one.seed is not None for one in table.table.shuffles)


def test_m6_abandoning_ends_the_run_with_the_wins_so_far(table: Any) -> None:
    table.round()
    table.call(30)
    table.flip(2)
    assert table.leave() is None
    assert (table.run.wins, table.run.rounds, table.over) == (1, 2, "ABANDONED")
    assert table.table.deadline() is None


def test_m6_abandoning_after_the_deadline_counts_nothing(table: Any) -> None:
    table.call(30)
    table.flip(2)
    table.wait(300)
    assert table.leave() is None
    assert (table.run.wins, table.run.rounds) == (0, 0)
