"""Boards, counts and runs of days, in memory and in MongoDB."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from fliptable.codec import EventCodec
from fliptable.log import Account
from fliptable.memory_records import MemoryRecords
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.records import (
    ALL_TIME,
    Board,
    DayRuns,
    Period,
    RoundRecord,
    Score,
    Tally,
    board_of,
    longest_run,
    period_key,
    periods_at,
    run_of_days,
    with_day,
)
from fliptable.scores import Better, Metric
from fliptable.tokens import Token

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
FLIPS = Metric("flips", "Fewest flips", "flips", Better.LOWER)
WINS = Metric("wins", "Most wins", "wins")
FEWEST = Board("call-it", "speedrun", "flips")
MOST = Board("call-it", "survival", "wins")


@pytest.fixture
def codec(registry: Registry) -> EventCodec:
    """The stores know the events of all games."""
    return registry.codec


@pytest.fixture
async def records(store: Any) -> Any:
    return await store.records()


def entry(
    player: str,
    value: int,
    seconds: float = 0,
    metric: Metric = FLIPS,
    mode: str = "speedrun",
    table: str | None = None,
    version: int = 1,
    **more: Any,
) -> RoundRecord:
    """A round of a player that ends with a value, so many seconds after noon."""
    at = NOON + timedelta(seconds=seconds)
    made: dict[str, Any] = {"began": (player,), "scores": (Score(metric, player, value),), **more}
    return RoundRecord(table or f"tbl_{player}", version, at, "call-it", mode, **made)


def shown(standings: Iterable[Any]) -> list[tuple[int, str, int]]:
    return [(one.rank, one.player, one.value) for one in standings]


async def test_ties_share_a_rank_and_the_earlier_stands_first(records: Any) -> None:
    values = [("ann", 5, 3), ("bob", 4, 2), ("cid", 5, 1), ("dee", 7, 0), ("eve", 5, 2)]
    await records.apply([entry(*one) for one in values])
    assert shown(await records.top(FEWEST, ALL_TIME)) == [
        (1, "bob", 4),
        (2, "cid", 5),
        (2, "eve", 5),
        (2, "ann", 5),
        (5, "dee", 7),
    ]
    assert await records.spread(FEWEST, ALL_TIME) == {4: 1, 5: 3, 7: 1}


async def test_where_more_is_better_the_higher_stands_first(records: Any) -> None:
    await records.apply([entry(*one, metric=WINS, mode="survival") for one in (("ann", 5), ("bob", 12))])
    assert shown(await records.top(MOST, ALL_TIME)) == [(1, "bob", 12), (2, "ann", 5)]
    assert list(await records.spread(MOST, ALL_TIME)) == [12, 5]


async def test_a_player_has_their_best_value_and_of_equal_ones_the_first(records: Any) -> None:
    for version, (value, seconds) in enumerate([(6, 0), (5, 1), (8, 2), (5, 3)], start=1):
        await records.apply([entry("ann", value, seconds, version=version)])
    (standing,) = await records.top(FEWEST, ALL_TIME)
    assert (standing.value, standing.at, standing.table) == (5, NOON + timedelta(seconds=1), "tbl_ann")
    assert await records.spread(FEWEST, ALL_TIME) == {5: 1}
    assert await records.standing(FEWEST, ALL_TIME, "ann") == standing
    assert await records.standing(FEWEST, ALL_TIME, "bob") is None


async def test_a_commit_counts_once_however_often_it_is_applied(records: Any) -> None:
    one = entry("ann", 5, ended=("ann",), won=("ann",), day="2026-11-29")
    two = entry("ann", 4, 1, version=2)
    await records.apply([one])
    await records.apply([one, two, two])
    await records.apply([two, one])
    await records.apply([])
    assert await records.tally("call-it", "speedrun") == Tally(attempts=2, finished=1, wins=1)
    assert await records.spread(FEWEST, ALL_TIME) == {4: 1}
    asked = {("tbl_ann", 1), ("tbl_ann", 2), ("tbl_ann", 3)}
    assert await records.applied(asked) == {("tbl_ann", 1), ("tbl_ann", 2)}


async def everything(records: Any) -> list[Any]:
    boards = [FEWEST, MOST]
    periods = [ALL_TIME, *periods_at(NOON)[1:], *periods_at(NOON + timedelta(days=1))[1:]]
    return [
        *[await records.top(board, period, 100) for board in boards for period in periods],
        *[await records.spread(board, period) for board in boards for period in periods],
        *[await records.days("call-it", "speedrun", f"p{number}") for number in range(9)],
        await records.tally("call-it", "speedrun"),
    ]


async def test_the_order_in_which_commits_are_applied_makes_no_difference(store: Any) -> None:
    random = Random(5)
    entries = [
        entry(
            f"p{random.randrange(9)}",
            random.randint(3, 9),
            random.choice([0, 1, 90_000]),
            random.choice([FLIPS, WINS]),
            mode,
            f"tbl_{number % 7}",
            number,
            day=f"2026-11-{random.randint(10, 29)}",
            won=random.choice([(), ("p1",)]),
        )
        for number, mode in enumerate(["speedrun", "survival"] * 30)
    ]
    expected = MemoryRecords()
    await expected.apply(entries)
    for _ in range(3):
        random.shuffle(entries)
        shelf = await store.fresh_records()
        for start in range(0, len(entries), 7):
            await shelf.apply(entries[start : start + 7])
        assert await everything(shelf) == await everything(expected)


async def test_periods_are_all_time_the_iso_week_and_the_utc_date(records: Any) -> None:
    sunday, monday = NOON, NOON + timedelta(days=1)  # 2026-11-29 is a Sunday
    await records.apply([entry("ann", 4, 0), entry("ann", 6, 86_400, version=2), entry("bob", 5, 86_400)])
    for period, now, expected in [
        (Period.ALL_TIME, monday, [(1, "ann", 4), (2, "bob", 5)]),
        (Period.TODAY, sunday, [(1, "ann", 4)]),
        (Period.TODAY, monday, [(1, "bob", 5), (2, "ann", 6)]),
        (Period.THIS_WEEK, sunday, [(1, "ann", 4)]),
        (Period.THIS_WEEK, monday, [(1, "bob", 5), (2, "ann", 6)]),
        (Period.TODAY, monday + timedelta(days=1), []),
    ]:
        assert shown(await records.top(FEWEST, period_key(period, now))) == expected


def test_the_names_of_periods() -> None:
    last = datetime(2026, 11, 29, 23, 59, 59, 999000, tzinfo=UTC)
    assert periods_at(last) == ["all", "2026-W48", "2026-11-29"]
    assert periods_at(last + timedelta(milliseconds=1)) == ["all", "2026-W49", "2026-11-30"]
    assert period_key(Period.THIS_WEEK, datetime(2027, 1, 1, tzinfo=UTC)) == "2026-W53"


async def test_boards_of_other_games_modes_metrics_and_scopes_are_apart(records: Any) -> None:
    await records.apply([entry("ann", 4), entry("bob", 5, scope="2026-11-29"), entry("cid", 6, mode="daily")])
    assert shown(await records.top(FEWEST, ALL_TIME)) == [(1, "ann", 4)]
    assert shown(await records.top(Board("call-it", "speedrun", "flips", "2026-11-29"), ALL_TIME)) == [
        (1, "bob", 5)
    ]
    assert await records.top(Board("flip7", "speedrun", "flips"), ALL_TIME) == []


def test_a_board_is_what_its_key_says() -> None:
    for board in (FEWEST, Board("a", "b", "c", "d/e")):
        assert board_of(board.key) == board


async def test_the_boards_that_a_player_is_on(records: Any) -> None:
    await records.apply(
        [
            entry("ann", 4),
            entry("bob", 3),
            entry("ann", 7, metric=WINS, mode="survival", version=2),
            entry("ann", 5, scope="2026-11-29", version=3),
        ]
    )
    found = await records.of_player("ann", ALL_TIME)
    assert [(board, standing.rank, standing.value) for board, standing in found] == [
        (FEWEST, 2, 4),
        (MOST, 1, 7),
    ]
    assert await records.of_player("nobody", ALL_TIME) == []


@pytest.fixture
async def crowd(records: Any) -> Any:
    """A hundred players, ten with each value from 3 to 12, earlier ones with lower numbers."""
    await records.apply([entry(f"p{number:02d}", 3 + number // 10, number) for number in range(100)])
    return records


async def test_a_page_of_twenty_around_me(crowd: Any) -> None:
    page = await crowd.around(FEWEST, ALL_TIME, "p50")
    assert [one.player for one in page] == [f"p{number:02d}" for number in range(41, 61)]
    assert [one.rank for one in page] == [41] * 9 + [51] * 10 + [61]


@pytest.mark.parametrize(("mine", "first"), [(0, 0), (3, 0), (9, 0), (10, 1), (89, 80), (95, 80), (99, 80)])
async def test_a_page_around_me_is_full_near_the_ends_too(crowd: Any, mine: int, first: int) -> None:
    page = await crowd.around(FEWEST, ALL_TIME, f"p{mine:02d}")
    assert [one.player for one in page] == [f"p{number:02d}" for number in range(first, first + 20)]


async def test_a_page_around_me_on_a_small_board(records: Any) -> None:
    await records.apply([entry("ann", 4), entry("bob", 3), entry("cid", 5)])
    assert shown(await records.around(FEWEST, ALL_TIME, "cid")) == [
        (1, "bob", 3),
        (2, "ann", 4),
        (3, "cid", 5),
    ]
    assert shown(await records.around(FEWEST, ALL_TIME, "ann", 1)) == [(2, "ann", 4)]
    assert shown(await records.around(FEWEST, ALL_TIME, "ann", 2)) == [(2, "ann", 4), (3, "cid", 5)]
    assert await records.around(FEWEST, ALL_TIME, "nobody") == []


async def test_pages_from_the_top_follow_one_another(crowd: Any) -> None:
    seen: list[Any] = []
    after = None
    while page := await crowd.top(FEWEST, ALL_TIME, 30, after):
        seen += page
        after = page[-1].place
    assert [one.player for one in seen] == [f"p{number:02d}" for number in range(100)]
    assert [one.rank for one in seen] == [1 + number // 10 * 10 for number in range(100)]


async def test_pages_from_the_end_are_in_order_and_follow_one_another(crowd: Any) -> None:
    seen: list[Any] = []
    before = None
    while page := await crowd.top(FEWEST, ALL_TIME, 30, before=before, backward=True):
        seen[:0] = page
        before = page[0].place
    assert [one.player for one in seen] == [f"p{number:02d}" for number in range(100)]
    assert [one.rank for one in seen] == [1 + number // 10 * 10 for number in range(100)]


@pytest.mark.parametrize(
    ("limit", "backward", "players"),
    [
        (3, False, ["p11", "p12", "p13"]),
        (3, True, ["p17", "p18", "p19"]),
        (30, False, [f"p{number}" for number in range(11, 20)]),
        (30, True, [f"p{number}" for number in range(11, 20)]),
    ],
)
async def test_a_page_between_two_places(crowd: Any, limit: int, backward: bool, players: list[str]) -> None:
    whole = await crowd.top(FEWEST, ALL_TIME, 100)
    after, before = whole[10].place, whole[20].place
    page = await crowd.top(FEWEST, ALL_TIME, limit, after, before, backward)
    assert [one.player for one in page] == players
    assert await crowd.top(FEWEST, ALL_TIME, limit, before, after, backward) == []


async def test_batches_that_are_applied_at_once_all_count(store: Any, records: Any) -> None:
    """Two workers write to the same boards, the same players and the same counts."""
    entries = [entry(f"p{number % 5}", 3 + number % 4, number, version=number) for number in range(60)]
    batches = [entries[start : start + 15] for start in range(0, 60, 5)]  # they overlap
    shelves = [await store.records() for _ in batches]
    await asyncio.gather(*[shelf.apply(batch) for shelf, batch in zip(shelves, batches, strict=True)])
    expected = MemoryRecords()
    await expected.apply(entries)
    assert await everything(records) == await everything(expected)
    assert await records.tally("call-it", "speedrun") == Tally(attempts=60)


async def test_the_mark_goes_forward_only(records: Any) -> None:
    assert await records.mark() == ""
    for place, mark in [("0002", "0002"), ("0001", "0002"), ("0003", "0003")]:
        await records.move_mark(place)
        assert await records.mark() == mark


async def test_fresh_records_take_the_place_of_the_old_ones(store: Any, records: Any) -> None:
    await records.apply([entry("ann", 4)])
    await records.move_mark("0005")
    fresh = await store.fresh_records()
    assert await fresh.top(FEWEST, ALL_TIME) == [] and await fresh.mark() == ""
    await fresh.apply([entry("bob", 5)])
    assert shown(await (await store.records()).top(FEWEST, ALL_TIME)) == [(1, "ann", 4)]
    await store.use_records(fresh)
    current = await store.records()
    assert shown(await current.top(FEWEST, ALL_TIME)) == [(1, "bob", 5)]
    # A worker that has not noticed adds nothing to what is in use.
    await records.apply([entry("cid", 3)])
    assert shown(await current.top(FEWEST, ALL_TIME)) == [(1, "bob", 5)]


def test_days_become_spans() -> None:
    spans: Any = ()
    for day in (5, 7, 6, 1, 9, 5, 8):
        spans = with_day(spans, day)
    assert spans == ((1, 1), (5, 9))
    random = Random(3)
    days = [random.randrange(40) for _ in range(25)]
    spans = ()
    for day in days:
        spans = with_day(spans, day)
    assert {day for first, last in spans for day in range(first, last + 1)} == set(days)
    assert all(after[0] > before[1] + 1 for before, after in pairwise(spans))


def test_a_run_of_days_lasts_until_a_day_is_missed() -> None:
    today = date(2026, 11, 29)
    runs = DayRuns()
    for back in (4, 3, 1, 0):
        runs = runs.having((today - timedelta(days=back)).isoformat(), played=True, won=back != 3)
    for later, length in [(-5, 0), (-4, 1), (-3, 2), (-2, 2), (-1, 1), (0, 2), (1, 2), (2, 0)]:
        assert run_of_days(runs.played, today + timedelta(days=later)) == length
    assert longest_run(runs.played) == 2
    assert [run_of_days(runs.won, today), longest_run(runs.won)] == [2, 2]
    assert longest_run(()) == 0


async def test_accounts_are_found_by_the_dozen(store: Any) -> None:
    for name in ("ann", "bob"):
        await store.add_account(Account(f"ply_{name}", name, NOON), Token(name.encode(), f"ply_{name}"))
    found = await store.find_accounts(["ply_ann", "ply_bob", "ply_ann", "ply_nobody"])
    assert {id: one.name for id, one in found.items()} == {"ply_ann": "ann", "ply_bob": "bob"}
    assert await store.find_accounts([]) == {}


async def test_what_a_page_reads_does_not_grow_with_the_board(registry: Any, mongo_url: str) -> None:
    """A page near my rank reads the page and the counts of the values, not the players before me."""
    store = MongoStore(mongo_url, registry.codec, "explained")
    await store.open()
    records = await store.records()
    await records.apply([entry(f"p{number:04d}", 3 + number % 30, number) for number in range(2000)])
    try:
        mine = await records._bests.find_one({"player": "p1500", "period": ALL_TIME})
        query = {"board": FEWEST.key, "period": ALL_TIME, "place": {"$lt": mine["place"]}}
        plan = await records._bests.find(query).sort("place", -1).limit(19).explain()
        stats = plan["executionStats"]
        assert stats["totalDocsExamined"] <= 20 and stats["totalKeysExamined"] <= 20
        assert len(await records._read_counts(FEWEST.key, ALL_TIME)) == 30
        assert await records._counts.count_documents({}) == 30 * 3
    finally:
        await store.close()
