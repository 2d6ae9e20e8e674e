"""The laws of whole tables are kept by the test game and mode, and breaking one is found out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import CardTrail, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import check_table


def with_game(game: Any, mode: Any) -> Registry:
    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [game]

        @hookimpl
        def fliptable_modes(self) -> list[Any]:
            return [mode]

    registry = load_plugins(points=())
    registry.register(Brings(), "brings")
    return registry


def complaint(high: SimpleNamespace, game: dict[str, Any], mode: dict[str, Any] | None = None) -> str:
    registry = with_game(
        type("BrokenGame", (high.HighCard,), game)(), type("BrokenMode", (high.Timed,), mode or {})()
    )
    with pytest.raises(AssertionError) as caught:
        check_table(registry, "high-card", "timed", seats=2)
    return str(caught.value)


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_tables_of_the_test_game_keep_the_laws(plugins: Registry, high: SimpleNamespace, seats: int) -> None:
    options = high.TimedOptions(rounds=6, seconds=600)
    check_table(
        plugins, "high-card", "timed", seats=seats, seeds=range(6), leaving=0.05, mode_options=options
    )
    check_table(plugins, "high-card", "classic", seats=seats)


def test_a_seed_that_comes_out_too_early_is_found(high: SimpleNamespace) -> None:
    assert "all seeds are revealed, while" in complaint(high, {"hides": lambda self, state: ()})


def test_a_pile_that_goes_on_must_stay_hidden_between_rounds(high: SimpleNamespace) -> None:
    # The default of hides suits games that shuffle for every round; this one does not.
    assert "all seeds are revealed, while" in complaint(high, {"hides": lambda self, state: None})


def test_a_view_that_leaks_is_found(high: SimpleNamespace) -> None:
    def view(self: Any, state: Any, viewer: Any) -> Any:
        return high.HighCard.view(self, state, viewer | {1})

    assert "can tell hidden things apart: round is" in complaint(high, {"view": view})


def test_a_run_that_storage_changes_is_found(high: SimpleNamespace) -> None:
    def evolve(self: Any, run: Any, event: Any) -> Any:
        after = high.Timed.evolve(self, run, event)
        object.__setattr__(after, "played", float(after.played))
        return after

    assert "storage" in complaint(high, {}, {"evolve": evolve})


def test_what_happened_until_then_is_told(high: SimpleNamespace) -> None:
    said = complaint(high, {"hides": lambda self, state: ()})
    assert said.startswith("'high-card' under 'timed' with 2 seats, seed 0: ")
    assert "\n  1. the table is opened" in said


def test_a_trail_that_goes_astray_is_found(high: SimpleNamespace) -> None:
    def trails(self: Any, options: Any, seats: int) -> list[CardTrail]:
        return [CardTrail(high.Dealt, "card", ("deck", "discards"))]

    right = with_game(type("Trailed", (high.HighCard,), {"trails": trails})(), high.Timed())
    check_table(right, "high-card", "timed", seats=2)

    def shifted(self: Any, options: Any, seats: int) -> list[CardTrail]:
        return [CardTrail(high.Dealt, "card", ("deck",), skip=1)]

    assert "is not card 2 of shuffle 1" in complaint(high, {"trails": shifted})

    def elsewhere(self: Any, options: Any, seats: int) -> list[CardTrail]:
        return [CardTrail(high.Dealt, "card", ("field",))]

    assert "before any shuffle of field" in complaint(high, {"trails": elsewhere})
