"""What the solo modes enter in the records (call-it M2-M8)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from fliptable.challenges import Challenge, ChosenConstraint
from fliptable.memory_records import MemoryRecords
from fliptable.records import ALL_TIME, Board, Tally, longest_run, run_of_days
from fliptable.scores import Better

WIN, BUST = "10C JC QC", "9C 10D JD KC"
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def board(mode: str, metric: str, scope: str = "") -> Board:
    return Board("call-it", mode, metric, scope)


async def kept(*tables: Any) -> MemoryRecords:
    records = MemoryRecords()
    for table in tables:
        await records.apply(table.records)
    return records


async def best(records: MemoryRecords, at: Board, player: str = "ply_ann") -> int | None:
    standing = await records.standing(at, ALL_TIME, player)
    return None if standing is None else standing.value


async def test_m2_the_best_streak_is_kept_per_player(solo: Any) -> None:
    """Win, win, abandon, then win at a new table: the streak now is 1, the best is 2."""
    first = solo("streak", [WIN, WIN, WIN])
    first.round()
    first.round()
    first.call(30)
    first.leave()
    second = solo("streak", [WIN, WIN], id="tbl_2")
    second.round()
    assert (second.run.current, first.run.current) == (1, 0)
    records = await kept(first, second)
    assert await best(records, board("streak", "streak")) == 2
    assert await records.tally("call-it", "streak") == Tally(attempts=4, finished=4, wins=3)


async def test_m2_a_streak_counts_while_it_runs_and_nothing_for_a_bust(solo: Any) -> None:
    table = solo("streak", [WIN, WIN, BUST])
    table.round()
    table.round()
    assert table.scores == [("streak", 1), ("streak", 2)]
    table.round()
    assert table.scores == [("streak", 1), ("streak", 2)]


async def test_m3_the_day_has_its_players_wins_and_flips(solo: Any) -> None:
    ann = solo("daily", [WIN])
    ann.flip(3)
    bob = solo("daily", [BUST], id="tbl_2", host="ply_bob")
    bob.flip(4)
    cid = solo("daily", ["2C 3C 5C 10C KC"], id="tbl_3", host="ply_cid")
    cid.flip(5)
    dee = solo("daily", [WIN], id="tbl_4", host="ply_dee")  # opened, and not played to its end
    records = await kept(ann, bob, cid, dee)
    assert await records.tally("call-it", "daily", "2026-11-29") == Tally(attempts=4, finished=3, wins=2)
    assert await records.spread(board("daily", "flips", "2026-11-29"), ALL_TIME) == {3: 1, 5: 1}
    assert await best(records, board("daily", "flips", "2026-11-29")) == 3
    assert await best(records, board("daily", "flips", "2026-11-29"), "ply_bob") is None


async def test_m3_an_attempt_across_midnight_counts_for_its_own_date(solo: Any) -> None:
    table = solo("daily", [WIN], now=datetime(2026, 11, 29, 23, 59, 59, 999000, tzinfo=UTC))
    table.wait(60)
    table.flip(3)
    records = await kept(table)
    assert await records.tally("call-it", "daily", "2026-11-29") == Tally(1, 1, 1)
    assert await records.tally("call-it", "daily", "2026-11-30") == Tally()
    assert await best(records, board("daily", "flips", "2026-11-29")) == 3
    days = await records.days("call-it", "daily", "ply_ann")
    assert run_of_days(days.won, date(2026, 11, 29)) == 1
    assert run_of_days(days.won, date(2026, 12, 1)) == 0


async def test_m3_runs_of_consecutive_played_and_won_days(solo: Any) -> None:
    tables = []
    for day, deck in enumerate([WIN, WIN, BUST, WIN, None, WIN]):
        if deck is None:
            continue
        table = solo("daily", [deck], now=NOON + timedelta(days=day), id=f"tbl_{day}")
        table.flip(4 if deck is BUST else 3)
        tables.append(table)
    records = await kept(*tables)
    days = await records.days("call-it", "daily", "ply_ann")
    first = NOON.date()
    played = [run_of_days(days.played, first + timedelta(days=day)) for day in range(8)]
    # On the fifth day nothing is played: the run of four lasts until that day is over.
    assert played == [1, 2, 3, 4, 4, 1, 1, 0]
    assert longest_run(days.played) == 4
    assert longest_run(days.won) == 2
    assert run_of_days(days.won, first + timedelta(days=5)) == 1


async def test_m4_the_wins_of_a_run_are_its_score(solo: Any) -> None:
    table = solo("survival", [WIN, BUST, WIN, BUST, BUST])
    for _ in range(5):
        table.round()
    assert table.scores == [("wins", 1), ("wins", 2)]
    assert {record.scope for record in table.records} == {""}


async def test_m4_another_number_of_lives_has_boards_of_its_own(solo: Any, registry: Any) -> None:
    table = solo("survival", [WIN], options=registry.mode("survival").Options(lives=9))
    table.round()
    assert {record.scope for record in table.records} == {"9-lives"}


async def test_m5_practice_never_counts(solo: Any) -> None:
    table = solo("practice", [WIN, BUST, WIN])
    for _ in range(3):
        table.round()
    table.call(30)
    table.leave()
    assert table.records == []


async def test_classic_has_no_records(solo: Any) -> None:
    table = solo("classic", [WIN])
    table.round()
    assert table.records == []


async def test_m6_most_wins_in_time(solo: Any) -> None:
    table = solo("time-attack", [WIN, BUST, WIN, WIN])
    for _ in range(3):
        table.round()
    table.call(30)
    table.flip(2)
    table.wait(300)
    table.tick()
    assert table.scores == [("wins", 1), ("wins", 2)]
    assert (await (await kept(table)).tally("call-it", "time-attack")).wins == 2


async def test_m7_fewer_flips_are_better_and_busts_do_not_enter(solo: Any) -> None:
    bust = "9C 10D JD QD KD 10C"
    table = solo("speedrun", [bust, "10C JC QC KC 9C AC", bust, "10C JC QC KC 10D", "10C JC QC KC 9C AC"])
    for _ in range(5):
        table.round(50)
    assert table.scores == [("flips", 6), ("flips", 5), ("flips", 6)]
    other = solo("speedrun", ["10C JC QC KC 9C AC"], id="tbl_2", host="ply_bob")
    other.round(50)
    records = await kept(table, other)
    assert await best(records, board("speedrun", "flips")) == 5
    overall = await records.top(board("speedrun", "flips"), ALL_TIME)
    assert [(one.player, one.value, one.rank) for one in overall] == [("ply_ann", 5, 1), ("ply_bob", 6, 2)]


async def test_m8_a_challenge_has_statistics_of_its_own(solo: Any) -> None:
    made = Challenge("CHLNGE", "Ace", "call-it", 31, (ChosenConstraint("use-ace"),), "ply_bob", "Bob", NOON)
    table = solo("custom", ["10C JC AC", "9C 10D JD KC", "10C JC 10D AD", "AC 8C 2C 10C"], challenge=made)
    for flips in (3, 4):
        table.flip(flips)
    table.flip()
    table.leave()
    records = await kept(table)
    assert await records.tally("call-it", "custom", "CHLNGE") == Tally(attempts=3, finished=3, wins=1)
    assert await records.spread(board("custom", "flips", "CHLNGE"), ALL_TIME) == {3: 1}
    assert await records.tally("call-it", "custom", "OTHERS") == Tally()


async def test_m8_a_hit_that_misses_a_constraint_is_no_win(solo: Any) -> None:
    made = Challenge("CHLNGE", "Ace", "call-it", 30, (ChosenConstraint("use-ace"),), "ply_bob", "Bob", NOON)
    table = solo("custom", [WIN], challenge=made)
    table.flip(3)
    assert table.scores == []
    assert await (await kept(table)).tally("call-it", "custom", "CHLNGE") == Tally(1, 1, 0)


async def test_a_local_seat_has_no_records(solo: Any) -> None:
    table = solo("streak", [WIN], local_seats=("Guest",))
    table.round()
    assert table.run.current == 1
    assert table.records == []


@pytest.mark.parametrize("mode", ["streak", "daily", "survival", "time-attack", "speedrun", "custom"])
def test_modes_declare_what_they_enter(registry: Any, mode: str) -> None:
    (metric,) = registry.mode(mode).metrics
    assert metric.better is (Better.LOWER if metric.unit == "flips" else Better.HIGHER)
