"""The fold: the log alone gives the table."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from decidekit import kinds

from fliptable import decide
from fliptable.decide import Decision
from fliptable.plugins import Registry
from fliptable.snapshot import to_snapshot
from fliptable.testing import TableScript, stacked
from fliptable_games.call_it.vocabulary import Call, Called, CallItOptions, Flip


def test_the_log_alone_gives_the_table(high_table: Any, high: SimpleNamespace, plugins: Registry) -> None:
    table = high_table(players=("Ann", "Bob", "Cid"), mode_options=high.TimedOptions(rounds=3))
    table.play(0, high.Swap(), high.Keep(3))
    table.leave("ann")
    table.play(1, high.Keep())
    table.play(2, high.Swap(), high.Keep())
    table.next_round()
    folded = table.refold()
    assert to_snapshot(folded) == to_snapshot(table.table)
    assert (folded.version, folded.updated_at) == (table.table.version, table.commits[-1].at)
    assert folded.created_at == table.commits[0].at


def test_an_event_leaves_the_table_before_it_as_it_was(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table()
    before = table.table
    document = to_snapshot(before)
    table.play(0, high.Keep())
    table.leave("ann")
    assert to_snapshot(before) == document


def test_seats_and_options_decide_nothing_twice(registry: Registry) -> None:
    race = TableScript(
        registry,
        "call-it",
        players=("Ann", "Bob"),
        game_options=CallItOptions(shared_deck=True),
        chance=stacked("10H 10D 10C"),
    )
    race.play(0, Call(30))
    assert kinds(race.commits[-1].events) == [Called]
    decision = Decision(race.table, race.clock())
    assert decide.play(decision, 0, Flip()) is None
    again = Decision(race.table, race.clock())
    assert decide.play(again, 0, Flip()) is None
    assert again.events == decision.events
    assert replace(decision.events[0]) == decision.events[0]
