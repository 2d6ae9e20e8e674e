"""A table as a snapshot, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import hookimpl
from fliptable.evolve import fold
from fliptable.plugins import PluginMissing, Registry, load_plugins
from fliptable.snapshot import FORM, from_snapshot, to_snapshot
from fliptable.testing import OneCard, TableScript, check_game, check_table, stacked
from fliptable.testing.toys import OneCardState
from fliptable_games.call_it.vocabulary import Call, Flip


@pytest.fixture
def table(plugins: Registry, high: SimpleNamespace) -> TableScript:
    script = TableScript(plugins, "high-card", "timed", players=("Ann", "Bob"), local_seats=("Uncle",))
    script.play(0, high.Swap(), high.Keep())
    return script


def test_a_table_comes_back_and_goes_on_the_same(
    table: TableScript, plugins: Registry, high: SimpleNamespace
) -> None:
    snapshot = to_snapshot(table.table)
    again = from_snapshot(plugins, snapshot)
    assert again is not None and to_snapshot(again) == snapshot
    assert again == table.table
    before = len(table.commits)
    table.play(1, high.Swap(), high.Keep())
    table.play(2, high.Keep())
    table.next_round()
    table.leave("bob")
    further = fold(plugins, table.commits[before:], again)
    assert further == table.table


def test_every_stage_of_a_table_comes_back(plugins: Registry, registry: Registry) -> None:
    open_table = TableScript(plugins, "high-card", "timed", seats=2)
    over = TableScript(registry, "call-it", chance=stacked("10C 10D 10H"))
    over.play(0, Call(30), Flip(), Flip(), Flip())
    waiting = TableScript(registry, "call-it", "streak", chance=stacked("10C 10D 10H"))
    waiting.play(0, Call(30), Flip(), Flip(), Flip())
    assert waiting.table.staged is not None
    for script in (open_table, over, waiting):
        assert from_snapshot(script.catalogue, to_snapshot(script.table)) == script.table  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change", [{"form": FORM + 1}, {"form": None}, {"plugins": ["high-card 0.9", "timed 1.0"]}]
)
def test_a_snapshot_of_another_make_is_not_used(
    table: TableScript, plugins: Registry, change: dict[str, Any]
) -> None:
    snapshot = to_snapshot(table.table)
    assert from_snapshot(plugins, replace(snapshot, state={**snapshot.state, **change})) is None


def test_a_missing_plugin_is_named(table: TableScript) -> None:
    with pytest.raises(PluginMissing, match="'high-card'"):
        from_snapshot(load_plugins(), to_snapshot(table.table))


@dataclass(frozen=True)
class Dealer:
    seat: int


class Dealt(OneCard):
    id, graphql = "dealt", "Dealt"
    Carry = Dealer

    def carry(self, state: OneCardState) -> Dealer:
        return Dealer(1)


def test_what_a_round_leaves_may_be_of_a_class_although_the_first_has_nothing() -> None:
    """Whoever writes a Carry need not say of it that there is none at first."""
    check_game(Dealt(), seeds=[0])
    registry = load_plugins(builtin_only=True)
    registry.register(SimpleNamespace(fliptable_games=hookimpl(lambda: [Dealt()])), "dealt")
    for mode in ("streak", "classic"):
        check_table(registry, "dealt", mode, seeds=[0])


def test_what_a_round_leaves_that_is_not_declared_is_told() -> None:
    class Undeclared(Dealt):
        Carry = type(None)

    with pytest.raises(AssertionError, match="what the round leaves over"):
        check_game(Undeclared(), seeds=[0])
