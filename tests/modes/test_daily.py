"""Daily (call-it M3), without a server around it."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any

import pytest

from fliptable import Session, Shuffled
from fliptable.testing import FakeClock, Registry, RoundDealt, SeedRevealed, TableScript
from fliptable_games.call_it.vocabulary import Call, Called, Flip
from fliptable_modes.daily import Daily, DailyPlayed
from tests.modes.call_it_tables import BUST, WIN, OpenTable, flip, hand

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
LAST = datetime(2026, 11, 29, 23, 59, 59, 999000, tzinfo=UTC)
MIDNIGHT = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def daily(solo: OpenTable) -> OpenTable:
    """Opens a table of the day that it is at a time."""

    def open_daily(*decks: str, at: datetime = NOON, **more: Any) -> TableScript:
        return solo("daily", *decks, **{"clock": FakeClock(at), "shared_secret": b"shared", **more})

    return open_daily


def deck_and_target(table: TableScript) -> tuple[tuple[str, ...], int]:
    return table.state.deck, table.state.target


def seed_of_the_day(secret: bytes) -> bytes:
    """The seed of 29 November 2026, written out from the published derivation."""
    return hmac.new(secret, b"shared:daily/call-it/2026-11-29/1", sha256).digest()


def target_of_the_day(secret: bytes) -> int:
    """Its target, written out likewise."""
    mac = hmac.new(seed_of_the_day(secret), b"number/target", sha256).digest()
    return 30 + int.from_bytes(sha256(mac + bytes(4)).digest()[:4], "big") % 31


def test_m3_everybody_has_the_same_deck_and_target_on_the_same_date(daily: OpenTable) -> None:
    first = daily()
    other = daily(at=NOON + timedelta(hours=5), id="tbl_2", player="Bob", secret=b"another")
    assert deck_and_target(first) == deck_and_target(other)


def test_m3_another_date_has_another_deck(daily: OpenTable) -> None:
    assert deck_and_target(daily(at=LAST))[0] != deck_and_target(daily(at=MIDNIGHT))[0]


def test_m3_the_date_changes_at_midnight_utc(daily: OpenTable) -> None:
    evening = timezone(timedelta(hours=-5))
    start = datetime(2026, 11, 29, tzinfo=UTC)
    same = [start, NOON, LAST, datetime(2026, 11, 29, 18, 59, 59, tzinfo=evening)]
    assert {daily(at=at).run().date for at in same} == {"2026-11-29"}
    assert daily(at=start - timedelta(milliseconds=1)).run().date == "2026-11-28"
    late = [MIDNIGHT, datetime(2026, 11, 29, 19, tzinfo=evening)]
    assert {daily(at=at).run().date for at in late} == {"2026-11-30"}


def test_m3_the_number_of_the_day_goes_up_by_one_each_day(daily: OpenTable) -> None:
    assert daily(at=MIDNIGHT).run().number == daily(at=LAST).run().number + 1
    assert daily(at=datetime(2026, 1, 1, tzinfo=UTC)).run().number == 1


def test_m3_the_target_is_between_30_and_60_and_takes_every_value(daily: OpenTable) -> None:
    targets = {deck_and_target(daily(at=NOON + timedelta(days=days)))[1] for days in range(400)}
    assert targets == set(range(30, 61))


def test_m3_deck_and_target_are_keyed_functions_of_the_date(daily: OpenTable) -> None:
    """The server's secret is the key."""
    secrets = [b"secret %d" % number for number in range(40)]
    tables = [daily(shared_secret=secret) for secret in secrets]
    targets = [deck_and_target(table)[1] for table in tables]
    assert targets == [target_of_the_day(secret) for secret in secrets]
    assert len(set(targets)) > 10
    assert len({deck_and_target(table)[0] for table in tables}) == len(tables)


def test_m3_the_table_has_the_deck_and_the_target_of_its_date(daily: OpenTable) -> None:
    table = daily()
    target = target_of_the_day(b"shared")
    assert [event.target for event in table.of(Called)] == [target]
    assert table.of(RoundDealt)[0].terms["target"] == target
    seed = seed_of_the_day(b"shared")
    assert table.of(Shuffled)[0].commitment == sha256(seed).hexdigest()
    table.clock.set(MIDNIGHT)
    assert table.seed() == seed.hex()
    table.check_seeds()


def test_m3_the_target_is_called_already(daily: OpenTable) -> None:
    table = daily()
    assert table.refused_move(0, Call(40)).code == "ILLEGAL_MOVE"
    flip(table)


def test_m3_one_round_and_the_attempt_is_over(daily: OpenTable) -> None:
    table = daily(WIN)  # stacked chance draws the lowest target
    assert (table.run().attempt_used, table.run().won, table.run().flips) == (False, None, None)
    flip(table, 3)
    assert (table.run().attempt_used, table.run().won, table.run().flips) == (True, True, 3)
    assert table.over == "PLAYED"
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"


def test_m3_a_bust_is_an_attempt_too(daily: OpenTable) -> None:
    table = daily(BUST)
    flip(table, 4)
    assert (table.run().attempt_used, table.run().won, table.run().flips) == (True, False, None)
    assert table.over == "PLAYED"


def test_m3_abandoning_is_a_bust(daily: OpenTable) -> None:
    table = daily(WIN)
    table.leave("ann")
    assert (table.run().attempt_used, table.run().won, table.over) == (True, False, "ABANDONED")
    assert table.outcomes[-1].seats[0].reason == "ABANDONED"


def test_m3_the_date_is_the_scope_of_its_records() -> None:
    mode = Daily()
    assert mode.check_scope("2026-11-29") == "2026-11-29"
    for wrong in ("", "2026-02-30", "20261129", "yesterday", "2026-11-29 "):
        with pytest.raises(ValueError, match="has a list for each date"):
            mode.check_scope(wrong)


def test_m3_nobody_calls_the_target_of_a_date(daily: OpenTable) -> None:
    table = daily(WIN)
    assert table.of(Called)[0].text(["Ann"]) == "The target is 30."


def test_m3_an_attempt_that_began_before_midnight_belongs_to_its_own_date(daily: OpenTable) -> None:
    table = daily(WIN, at=LAST)
    flip(table)
    table.clock.advance(0.001)
    assert table.clock() == MIDNIGHT
    flip(table)
    table.clock.advance(3600)
    flip(table)
    assert (table.run().date, table.run().won) == ("2026-11-29", True)
    assert [event.date for event in table.of(DailyPlayed)] == ["2026-11-29"]


def test_m3_the_seed_is_known_when_the_date_is_over_and_not_before(daily: OpenTable) -> None:
    table = daily()
    while table.over is None:
        flip(table)
    assert table.of(SeedRevealed) == [] and table.table.shuffles[0].until == table.run().ends_at == MIDNIGHT
    for at in (NOON, LAST):
        table.clock.set(at)
        assert table.seed() is None
    for at in (MIDNIGHT, MIDNIGHT + timedelta(days=400)):
        table.clock.set(at)
        assert table.seed() == seed_of_the_day(b"shared").hex()


def test_the_seed_of_a_tables_own_deck_is_known_when_it_was_revealed(solo: OpenTable) -> None:
    table = solo("classic", shared_secret=b"shared", clock=FakeClock(MIDNIGHT + timedelta(days=400)))
    assert table.seed() is None
    table.leave("ann")
    assert table.seed() == table.of(SeedRevealed)[0].seed
    table.check_seeds()


def test_m3_nobody_sees_the_hidden_cards(daily: OpenTable) -> None:
    table = daily()
    assert hand(table, 0).cards == () and hand(table, 0).peek is None


@pytest.mark.parametrize("change", [{"player": "bob"}, {"game": "other"}, {"now": MIDNIGHT}])
def test_m3_the_claim_is_one_for_a_player_a_game_and_a_date(change: dict[str, Any]) -> None:
    def key(player: str = "ann", game: str = "call-it", now: datetime = LAST) -> str:
        claim = Daily().claim(Session(Daily.Options(), 1, now, game), player)
        assert claim.refusal.code == "DAILY_PLAYED"
        return claim.key

    assert key() == key(now=NOON)
    assert key() != key(**change)


def test_m3_other_modes_claim_nothing(registry: Registry) -> None:
    for id in ("classic", "streak", "survival", "practice", "time-attack", "speedrun"):
        mode = registry.mode(id)
        assert mode.claim(Session(mode.Options(), 1, NOON, "call-it"), "ann") is None
