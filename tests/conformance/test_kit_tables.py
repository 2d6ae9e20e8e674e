"""Scripts of tables: lines, what is seen, recorded and stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from fliptable.testing import (
    START,
    HouseRules,
    Leave,
    RecordBook,
    SeedRevealed,
    TableScript,
    TurnExpired,
    stacked,
)


def test_a_table_of_the_fixture_survives_its_storage(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", "streak", chance=stacked("10C JC QC"))
    table.follow("call 30", "flip", "flip", "flip")
    assert table.run().current == 1 and table.view(0).hands[0].flips == 3
    assert table.entered == [("streak", 1)]
    assert table.said[-1] == "Shuffle 2: deck, 52 in all."


def test_a_player_is_taken_by_name_or_by_id(registry: Any) -> None:
    """As who sits down is taken by name."""
    table = TableScript(registry, "flip7", "match", players=("Ann", "Bob", "Cid"))
    table.disconnect("Bob")
    table.reconnect("bob")
    table.hand_over("Ann", 1)
    table.leave("Cid")
    table.leave("ann")
    assert [place.player for place in table.table.seats] == [None, "bob", None]
    with pytest.raises(AssertionError, match="NOT_SEATED"):
        table.leave("Dot")


def test_a_table_that_does_not_survive_is_told(registry: Any) -> None:
    table = TableScript(registry, "call-it", "streak")
    table.check_log()
    table.table = table.table.having(scores=(7,))
    with pytest.raises(AssertionError, match="the fold over the stored log is not the table that was"):
        table.check_log()


def test_lines_say_what_happens_at_a_table_too(table_script: Callable[..., TableScript]) -> None:
    house = HouseRules(turn_seconds=30)
    table = table_script("flip7", players=("Ann", "Bob", "Cid"), house=house, secret=bytes(range(32)))
    first = table.to_act[0]
    assert table.follow("next round -> ROUND_RUNNING", f"{first} is out of time")[0] == TurnExpired(first)
    table.follow("1 is away", "1 is back", "2 leaves")
    assert [place.player for place in table.table.seats] == ["ann", "bob", None]
    with pytest.raises(AssertionError, match="nobody sits at seat 2"):
        table.take(Leave(2))


def test_what_a_move_would_lead_to_is_not_played(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", chance=stacked("10C"))
    (call,) = [replace(move.example, target=31) for move in table.legal_moves(0)]
    events = table.preview(0, call)
    assert [event.text(["Ann"]) for event in events] == ["Ann calls 31."]
    assert table.view().target is None
    table.play(0, call)
    assert table.commits[-1].events == tuple(events)
    with pytest.raises(AssertionError, match="ILLEGAL_MOVE"):
        table.preview(0, call)


def test_seeds_are_known_when_they_may_be_and_verify(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", secret=bytes(range(32)))
    assert table.seed() is None
    table.check_seeds()
    table.leave("ann")
    assert table.seed() == table.of(SeedRevealed)[0].seed
    table.check_seeds()
    wrong = replace(table.table.shuffles[0], seed="00" * 32)
    table.table = table.table.having(shuffles=(wrong,))
    with pytest.raises(AssertionError, match="shuffle 1: "):
        table.check_seeds()
    table.table = table.refold()


def test_a_table_is_played_on_by_chance_through_its_rounds(table_script: Callable[..., TableScript]) -> None:
    table = table_script("flip7", "match", players=("Ann", "Bob"), secret=bytes(32))
    table.play_on(Random(3), moves=10)
    assert table.over is None
    table.play_on(Random(3))
    assert table.over == "WON" and len(table.outcomes) > 1
    table.check_seeds()


def test_the_records_of_several_tables(table_script: Callable[..., TableScript]) -> None:
    first = table_script("call-it", "streak", chance=stacked("10C JC QC", "10C JC QC", "9C 10D JD KD"))
    first.follow(*["call 30", "flip", "flip", "flip"] * 3, "flip")
    second = table_script("call-it", "streak", players=("Bob",), chance=stacked("10C JC QC"))
    second.follow("call 30", "flip", "flip", "flip")
    book = RecordBook(first, second)
    assert (book.best("streak"), book.best("streak", "bob"), book.best("streak", "cid")) == (2, 1, None)
    assert [(one.player, one.value, one.rank) for one in book.ranking("streak")] == [
        ("ann", 2, 1),
        ("bob", 1, 2),
    ]
    assert book.spread("streak") == {1: 1, 2: 1}
    assert (book.tally().attempts, book.tally().finished, book.tally().wins) == (4, 4, 3)
    assert book.days_in_a_row(START.date()) == book.most_days_in_a_row() == 0
