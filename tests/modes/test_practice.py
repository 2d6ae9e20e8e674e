"""Practice (call-it M5)."""

from __future__ import annotations

from typing import Any

from fliptable_games.call_it.vocabulary import Call
from tests.modes.call_it_tables import BUST, WIN, OpenTable, flip, hand, play_round


def peeked(table: Any) -> list[str]:
    return [card.value for card in hand(table, 0).peek]


def test_m5_the_player_sees_the_next_three_cards_before_each_flip(solo: OpenTable) -> None:
    table = solo("practice", "2C 3C 4C 5C 6C 10D KD")
    table.play(0, Call(30))
    assert peeked(table) == ["2C", "3C", "4C"]
    flip(table)
    assert peeked(table) == ["3C", "4C", "5C"]
    flip(table, 4)
    assert peeked(table)[:2] == ["10D", "KD"]


def test_m5_near_the_end_of_the_deck_there_are_fewer_to_see(solo: OpenTable) -> None:
    table = solo("practice", "")
    table.play(0, Call(2**31 - 1))
    deck = list(table.state.deck)
    for flipped in range(52):
        assert peeked(table) == deck[flipped : flipped + 3]
        assert len(peeked(table)) == min(3, 52 - flipped)
        flip(table)
    assert table.table.round.outcome is not None
    assert hand(table, 0).peek is None


def test_m5_nobody_else_sees_them(solo: OpenTable) -> None:
    table = solo("practice", "2C 3C 4C")
    table.play(0, Call(30))
    for viewer in ((), (1,)):
        assert hand(table, *viewer).peek is None


def test_m5_every_round_has_its_peek_and_the_run_goes_on(solo: OpenTable) -> None:
    table = solo("practice", WIN, BUST, WIN, WIN)
    for _ in range(3):
        play_round(table)
    table.play(0, Call(30))
    assert peeked(table) == ["10C", "JC", "QC"]
    assert (table.run().rounds, table.run().wins, table.over) == (3, 2, None)


def test_m5_no_other_mode_lets_a_player_peek(solo: OpenTable) -> None:
    for mode in ("classic", "streak", "survival", "time-attack", "speedrun"):
        table = solo(mode, "2C 3C 4C")
        table.play(0, Call(60))
        assert hand(table, 0).peek is None


def test_m5_abandoning_ends_the_table(solo: OpenTable) -> None:
    table = solo("practice", WIN)
    table.play(0, Call(30))
    table.leave("ann")
    assert table.over == "ABANDONED"
    assert (table.run().rounds, table.run().wins) == (1, 0)
    assert table.outcomes[-1].seats[0].reason == "ABANDONED"
