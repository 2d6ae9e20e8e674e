"""What the solo modes enter in the records (call-it M2-M8)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from fliptable import Better, Challenge, ChosenConstraint
from fliptable.testing import FakeClock, RecordBook, Registry, Tally
from fliptable_games.call_it.vocabulary import Call
from fliptable_modes.survival import SurvivalOptions
from tests.modes.call_it_tables import BUST, WIN, OpenTable, flip, play_round

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
TODAY = "2026-11-29"


def test_m2_the_best_streak_is_kept_per_player(solo: OpenTable) -> None:
    """Win, win, abandon, then win at a new table: the streak now is 1, the best is 2."""
    first = solo("streak", WIN, WIN, WIN)
    play_round(first)
    play_round(first)
    first.play(0, Call(30))
    first.leave("ann")
    second = solo("streak", WIN, WIN)
    play_round(second)
    assert (second.run().current, first.run().current) == (1, 0)
    book = RecordBook(first, second)
    assert book.best("streak") == 2
    assert book.tally() == Tally(attempts=4, finished=4, wins=3)


def test_m2_a_streak_counts_while_it_runs_and_nothing_for_a_bust(solo: OpenTable) -> None:
    table = solo("streak", WIN, WIN, BUST)
    play_round(table)
    play_round(table)
    assert table.entered == [("streak", 1), ("streak", 2)]
    play_round(table)
    assert table.entered == [("streak", 1), ("streak", 2)]


def test_m3_the_day_has_its_players_wins_and_flips(solo: OpenTable) -> None:
    ann = solo("daily", WIN, clock=FakeClock(NOON))
    flip(ann, 3)
    bob = solo("daily", BUST, player="Bob", clock=FakeClock(NOON))
    flip(bob, 4)
    cid = solo("daily", "2C 3C 5C 10C KC", player="Cid", clock=FakeClock(NOON))
    flip(cid, 5)
    dee = solo("daily", WIN, player="Dee", clock=FakeClock(NOON))  # opened, and not played to its end
    book = RecordBook(ann, bob, cid, dee)
    assert book.tally(TODAY) == Tally(attempts=4, finished=3, wins=2)
    assert book.spread("flips", TODAY) == {3: 1, 5: 1}
    assert book.best("flips", scope=TODAY) == 3
    assert book.best("flips", "bob", scope=TODAY) is None


def test_m3_an_attempt_across_midnight_counts_for_its_own_date(solo: OpenTable) -> None:
    table = solo("daily", WIN, clock=FakeClock(datetime(2026, 11, 29, 23, 59, 59, 999000, tzinfo=UTC)))
    table.clock.advance(60)
    flip(table, 3)
    book = RecordBook(table)
    assert book.tally(TODAY) == Tally(1, 1, 1)
    assert book.tally("2026-11-30") == Tally()
    assert book.best("flips", scope=TODAY) == 3
    assert book.days_in_a_row(date(2026, 11, 29), won=True) == 1
    assert book.days_in_a_row(date(2026, 12, 1), won=True) == 0


def test_m3_runs_of_consecutive_played_and_won_days(solo: OpenTable) -> None:
    tables = []
    for day, deck in enumerate([WIN, WIN, BUST, WIN, None, WIN]):
        if deck is None:
            continue
        table = solo("daily", deck, clock=FakeClock(NOON + timedelta(days=day)))
        flip(table, 4 if deck is BUST else 3)
        tables.append(table)
    book = RecordBook(*tables)
    first = NOON.date()
    played = [book.days_in_a_row(first + timedelta(days=day)) for day in range(8)]
    # On the fifth day nothing is played: the run of four lasts until that day is over.
    assert played == [1, 2, 3, 4, 4, 1, 1, 0]
    assert book.most_days_in_a_row() == 4
    assert book.most_days_in_a_row(won=True) == 2
    assert book.days_in_a_row(first + timedelta(days=5), won=True) == 1


def test_m4_the_wins_of_a_run_are_its_score(solo: OpenTable) -> None:
    table = solo("survival", WIN, BUST, WIN, BUST, BUST)
    for _ in range(5):
        play_round(table)
    assert table.entered == [("wins", 1), ("wins", 2)]
    assert {record.scope for record in table.records} == {""}


def test_m4_another_number_of_lives_has_boards_of_its_own(solo: OpenTable) -> None:
    table = solo("survival", WIN, mode_options=SurvivalOptions(lives=9))
    play_round(table)
    assert {record.scope for record in table.records} == {"9-lives"}


def test_m5_practice_never_counts(solo: OpenTable) -> None:
    table = solo("practice", WIN, BUST, WIN)
    for _ in range(3):
        play_round(table)
    table.play(0, Call(30))
    table.leave("ann")
    assert table.records == []


def test_classic_has_no_records(solo: OpenTable) -> None:
    table = solo("classic", WIN)
    play_round(table)
    assert table.records == []


def test_m6_most_wins_in_time(solo: OpenTable) -> None:
    table = solo("time-attack", WIN, BUST, WIN, WIN)
    for _ in range(3):
        play_round(table)
    table.play(0, Call(30))
    flip(table, 2)
    table.clock.advance(300)
    table.tick()
    assert table.entered == [("wins", 1), ("wins", 2)]
    assert RecordBook(table).tally().wins == 2


def test_m7_fewer_flips_are_better_and_busts_do_not_enter(solo: OpenTable) -> None:
    bust = "9C 10D JD QD KD 10C"
    table = solo("speedrun", bust, "10C JC QC KC 9C AC", bust, "10C JC QC KC 10D", "10C JC QC KC 9C AC")
    for _ in range(5):
        play_round(table, 50)
    assert table.entered == [("flips", 6), ("flips", 5), ("flips", 6)]
    other = solo("speedrun", "10C JC QC KC 9C AC", player="Bob")
    play_round(other, 50)
    book = RecordBook(table, other)
    assert book.best("flips") == 5
    overall = book.ranking("flips")
    assert [(one.player, one.value, one.rank) for one in overall] == [("ann", 5, 1), ("bob", 6, 2)]


def test_m8_a_challenge_has_statistics_of_its_own(solo: OpenTable) -> None:
    made = Challenge("CHLNGE", "Ace", "call-it", 31, (ChosenConstraint("use-ace"),), "bob", "Bob", NOON)
    table = solo("custom", "10C JC AC", "9C 10D JD KC", "10C JC 10D AD", "AC 8C 2C 10C", challenge=made)
    for flips in (3, 4):
        flip(table, flips)
    flip(table)
    table.leave("ann")
    book = RecordBook(table)
    assert book.tally("CHLNGE") == Tally(attempts=3, finished=3, wins=1)
    assert book.spread("flips", "CHLNGE") == {3: 1}
    assert book.tally("OTHERS") == Tally()


def test_m8_a_hit_that_misses_a_constraint_is_no_win(solo: OpenTable) -> None:
    made = Challenge("CHLNGE", "Ace", "call-it", 30, (ChosenConstraint("use-ace"),), "bob", "Bob", NOON)
    table = solo("custom", WIN, challenge=made)
    flip(table, 3)
    assert table.entered == []
    assert RecordBook(table).tally("CHLNGE") == Tally(1, 1, 0)


def test_a_local_seat_has_no_records(solo: OpenTable) -> None:
    table = solo("streak", WIN, local_seats=("Guest",), seats=1)
    play_round(table)
    assert table.run().current == 1
    assert table.records == []


@pytest.mark.parametrize("mode", ["streak", "daily", "survival", "time-attack", "speedrun", "custom"])
def test_modes_declare_what_they_enter(registry: Registry, mode: str) -> None:
    (metric,) = registry.mode(mode).metrics
    assert metric.better is (Better.LOWER if metric.unit == "flips" else Better.HIGHER)
