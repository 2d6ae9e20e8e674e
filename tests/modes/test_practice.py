"""Practice (call-it M5)."""

from __future__ import annotations

from typing import Any

from fliptable.projection import view_round

WIN, BUST = "10C JC QC", "9C 10D JD KC"


def peeked(table: Any) -> list[str]:
    return [card.value for card in table.hand.peek]


def test_m5_the_player_sees_the_next_three_cards_before_each_flip(solo: Any) -> None:
    table = solo("practice", ["2C 3C 4C 5C 6C 10D KD"])
    table.call(30)
    assert peeked(table) == ["2C", "3C", "4C"]
    table.flip()
    assert peeked(table) == ["3C", "4C", "5C"]
    table.flip(4)
    assert peeked(table)[:2] == ["10D", "KD"]


def test_m5_near_the_end_of_the_deck_there_are_fewer_to_see(solo: Any) -> None:
    table = solo("practice", [])
    table.call(2**31 - 1)
    deck = list(table.table.round.state.deck)
    for flipped in range(52):
        assert peeked(table) == deck[flipped : flipped + 3]
        assert len(peeked(table)) == min(3, 52 - flipped)
        table.flip()
    assert table.table.round.outcome is not None
    assert table.hand.peek is None


def test_m5_nobody_else_sees_them(solo: Any) -> None:
    table = solo("practice", ["2C 3C 4C"])
    table.call(30)
    for viewer in (frozenset(), frozenset((1,))):
        assert view_round(table.table, table.table.round, viewer).hands[0].peek is None


def test_m5_every_round_has_its_peek_and_the_run_goes_on(solo: Any) -> None:
    table = solo("practice", [WIN, BUST, WIN, WIN])
    for _ in range(3):
        table.round()
    table.call(30)
    assert peeked(table) == ["10C", "JC", "QC"]
    assert (table.run.rounds, table.run.wins, table.over) == (3, 2, None)


def test_m5_no_other_mode_lets_a_player_peek(solo: Any, registry: Any) -> None:
    for mode in ("classic", "streak", "survival", "time-attack", "speedrun"):
        table = solo(mode, ["2C 3C 4C"])
        table.call(60)
        assert table.hand.peek is None


def test_m5_abandoning_ends_the_table(solo: Any) -> None:
    table = solo("practice", [WIN])
    table.call(30)
    assert table.leave() is None
    assert table.over == "ABANDONED"
    assert (table.run.rounds, table.run.wins) == (1, 0)
    assert table.table.round.outcome.seats[0].reason == "ABANDONED"
