"""Daily (call-it M3), without a server around it."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any

import pytest

from fliptable.chance import FairChance
from fliptable.modes import Session
from fliptable.projection import seed_of, view_round
from fliptable.shuffle import commitment, number, shuffle

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
LAST = datetime(2026, 11, 29, 23, 59, 59, 999000, tzinfo=UTC)
MIDNIGHT = datetime(2026, 11, 30, tzinfo=UTC)
WIN, BUST = "10C JC QC", "9C 10D JD KC"


def deck_and_target(table: Any) -> tuple[tuple[str, ...], int]:
    state = table.table.round.state
    return state.deck, state.target


def test_m3_everybody_has_the_same_deck_and_target_on_the_same_date(solo: Any) -> None:
    first = solo("daily", now=NOON)
    other = solo("daily", now=NOON + timedelta(hours=5), id="tbl_2", host="ply_bob", secret=b"another")
    assert deck_and_target(first) == deck_and_target(other)


def test_m3_another_date_has_another_deck(solo: Any) -> None:
    assert deck_and_target(solo("daily", now=LAST))[0] != deck_and_target(solo("daily", now=MIDNIGHT))[0]


def test_m3_the_date_changes_at_midnight_utc(solo: Any) -> None:
    evening = timezone(timedelta(hours=-5))
    start = datetime(2026, 11, 29, tzinfo=UTC)
    same = [start, NOON, LAST, datetime(2026, 11, 29, 18, 59, 59, tzinfo=evening)]
    assert {solo("daily", now=at).run.date for at in same} == {"2026-11-29"}
    assert solo("daily", now=start - timedelta(milliseconds=1)).run.date == "2026-11-28"
    late = [MIDNIGHT, datetime(2026, 11, 29, 19, tzinfo=evening)]
    assert {solo("daily", now=at).run.date for at in late} == {"2026-11-30"}


def test_m3_the_number_of_the_day_goes_up_by_one_each_day(solo: Any) -> None:
    assert solo("daily", now=MIDNIGHT).run.number == solo("daily", now=LAST).run.number + 1
    assert solo("daily", now=datetime(2026, 1, 1, tzinfo=UTC)).run.number == 1


def test_m3_the_target_is_between_30_and_60_and_takes_every_value(solo: Any) -> None:
    targets = {deck_and_target(solo("daily", now=NOON + timedelta(days=days)))[1] for days in range(400)}
    assert targets == set(range(30, 61))


def test_m3_deck_and_target_are_keyed_functions_of_the_date() -> None:
    """Written out from the published derivation, with the server's secret as the key."""

    def seed(secret: bytes) -> bytes:
        return hmac.new(secret, b"shared:daily/call-it/2026-11-29/1", sha256).digest()

    def target(secret: bytes) -> int:
        words = sha256(hmac.new(seed(secret), b"number/target", sha256).digest() + bytes(4)).digest()
        return 30 + int.from_bytes(words[:4], "big") % 31

    chance = FairChance(b"shared", 0, "shared:daily/call-it/2026-11-29")
    assert chance.number("target", range(30, 61)) == target(b"shared")
    assert chance.shuffle(["a", "b"]).commitment == sha256(seed(b"shared")).hexdigest()
    assert len({target(b"secret %d" % each) for each in range(40)}) > 10


def test_m3_the_table_has_the_target_of_its_date(solo: Any) -> None:
    table = solo("daily")
    seed = hmac.new(b"shared", b"shared:daily/call-it/2026-11-29/1", sha256).digest()
    deck, target = deck_and_target(table)
    assert target == number(seed, "target", range(30, 61))
    assert deck == shuffle(seed, table.table.shuffles[0].cards)
    assert [event.target for event in table.named("Called")] == [target]
    assert table.named("RoundDealt")[0].terms["target"] == target
    assert table.table.shuffles[0].commitment == commitment(seed)


def test_m3_the_target_is_called_already(solo: Any) -> None:
    table = solo("daily")
    assert table.call(40).code == "ILLEGAL_MOVE"
    assert table.flip() is None


def test_m3_one_round_and_the_attempt_is_over(solo: Any) -> None:
    table = solo("daily", [WIN])  # stacked chance draws the lowest target
    assert (table.run.attempt_used, table.run.won, table.run.flips) == (False, None, None)
    table.flip(3)
    assert (table.run.attempt_used, table.run.won, table.run.flips) == (True, True, 3)
    assert table.over == "PLAYED"
    assert table.flip().code == "TABLE_OVER"


def test_m3_a_bust_is_an_attempt_too(solo: Any) -> None:
    table = solo("daily", [BUST])
    table.flip(4)
    assert (table.run.attempt_used, table.run.won, table.run.flips) == (True, False, None)
    assert table.over == "PLAYED"


def test_m3_abandoning_is_a_bust(solo: Any) -> None:
    table = solo("daily", [WIN])
    assert table.leave() is None
    assert (table.run.attempt_used, table.run.won, table.over) == (True, False, "ABANDONED")
    assert table.table.round.outcome.seats[0].reason == "ABANDONED"


def test_m3_the_date_is_the_scope_of_its_records(registry: Any) -> None:
    mode = registry.mode("daily")
    assert mode.check_scope("2026-11-29") == "2026-11-29"
    for wrong in ("", "2026-02-30", "20261129", "yesterday", "2026-11-29 "):
        with pytest.raises(ValueError, match="has a list for each date"):
            mode.check_scope(wrong)


def test_m3_nobody_calls_the_target_of_a_date(solo: Any) -> None:
    table = solo("daily", [WIN])
    assert table.named("Called")[0].text(["Ann"]) == "The target is 30."


def test_m3_an_attempt_that_began_before_midnight_belongs_to_its_own_date(solo: Any) -> None:
    table = solo("daily", [WIN], now=LAST)
    table.flip()
    table.wait(0.001)
    assert table.now == MIDNIGHT
    table.flip()
    table.wait(3600)
    table.flip()
    assert (table.run.date, table.run.won) == ("2026-11-29", True)
    assert [event.date for event in table.named("DailyPlayed")] == ["2026-11-29"]


def test_m3_the_seed_is_known_when_the_date_is_over_and_not_before(solo: Any) -> None:
    table = solo("daily")
    while table.over is None:
        table.flip()
    (record,) = table.table.shuffles
    assert record.seed is None and table.named("SeedRevealed") == []
    assert record.until == table.run.ends_at == MIDNIGHT
    for at in (NOON, LAST):
        assert seed_of(record, b"shared", at) is None
    for at in (MIDNIGHT, MIDNIGHT + timedelta(days=400)):
        seed = seed_of(record, b"shared", at)
        assert seed is not None and commitment(bytes.fromhex(seed)) == record.commitment


def test_the_seed_of_a_tables_own_deck_is_known_when_it_was_revealed(solo: Any) -> None:
    table = solo("classic")
    (record,) = table.table.shuffles
    assert seed_of(record, b"shared", MIDNIGHT + timedelta(days=400)) is None
    table.leave()
    (record,) = table.table.shuffles
    assert seed_of(record, b"shared", NOON) == record.seed is not None


def test_m3_nobody_sees_the_hidden_cards(solo: Any) -> None:
    table = solo("daily")
    view = view_round(table.table, table.table.round, frozenset((0,)))
    assert view.hands[0].cards == () and view.hands[0].peek is None


@pytest.mark.parametrize("change", [{"player": "ply_bob"}, {"game": "other"}, {"now": MIDNIGHT}])
def test_m3_the_claim_is_one_for_a_player_a_game_and_a_date(registry: Any, change: dict[str, Any]) -> None:
    mode = registry.mode("daily")

    def key(player: str = "ply_ann", game: str = "call-it", now: datetime = LAST) -> str:
        return mode.claim(Session(mode.Options(), 1, now, game), player).key

    assert key() == key(now=NOON)
    assert key() != key(**change)


def test_m3_other_modes_claim_nothing(solo: Any, registry: Any) -> None:
    for id in ("classic", "streak", "survival", "practice", "time-attack", "speedrun"):
        mode = registry.mode(id)
        assert mode.claim(Session(mode.Options(), 1, NOON, "call-it"), "ply_ann") is None
