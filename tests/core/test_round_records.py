"""What a commit adds to the records: for the players who played the round, and each once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import Metric


@pytest.fixture(autouse=True)
def counting(high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode of the tests keeps records."""
    monkeypatch.setattr(high.Timed, "metrics", (Metric("points", "Most points", "points"),))


def test_a_round_counts_for_each_player_and_not_for_local_seats(
    high_table: Any, high: SimpleNamespace
) -> None:
    table = high_table(players=("Ann", "Bob"), local_seats=("Uncle",))
    (began,) = table.records
    assert began.began == ("ann", "bob")
    for seat in range(3):
        table.play(seat, high.Keep())
    assert [record.ended for record in table.records] == [(), ("ann", "bob")]


def test_who_leaves_with_the_commit_has_played_the_round(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(players=("Ann", "Bob"))
    table.play(0, high.Keep())
    table.leave("bob")
    assert table.records[-1].ended == ("ann", "bob")


def test_when_free_seats_are_taken_away_nobody_counts_for_another_seat(high_table: Any) -> None:
    """The seats after a free one move up when the session starts."""
    table = high_table(players=("Ann",), local_seats=("Uncle",), seats=3)
    table.join("Bob")
    table.hand_over("ann", 1)
    table.leave("ann")
    table.start()
    assert [place.name for place in table.table.seats] == ["Bob", "Uncle"]
    assert [record.began for record in table.records] == [("bob",)]
