"""Ten plugins that each break one law or part of the contract: the kit or the loader says which, and how."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from brokengames import (
    ClockUse,
    ExceptionInView,
    ImpureDecide,
    MissingHandler,
    MutatingRefusal,
    UnendingRound,
    UnserialisableState,
)
from leakygames import LeakingView

from fliptable import Game, Result, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard, check_game
from fliptable.vetting import ContractBroken
from fliptable_games.call_it.game import CallIt

KIT: Sequence[tuple[type[Game[Any, Any]], str, str, list[str]]] = [
    # The plugin, the law, a part of what is said, and the smallest example.
    (LeakingView, "nothing leaks", "a spectator can tell hidden things apart: view.cards[0] is", []),
    (ImpureDecide, "purity", "decide(TurnUp()) changes the state that it is given: state.drawn is 0", []),
    (ClockUse, "purity", "decide uses time; time and chance are arguments", []),
    (
        MutatingRefusal,
        "moves",
        "Pass() is refused, and changes the state: state.drawn is 1 before and 2 after",
        [],
    ),
    (UnserialisableState, "storage", "the state: cards is", ["seat 0: TurnUp()"]),
    (
        UnendingRound,
        "rounds end",
        "not over after 200 moves; after move 52 it stands again as it did after move 0",
        [],
    ),
    (
        MissingHandler,
        "answers",
        "raises NotImplementedError: no handler for TurnedUp, when seat 0 plays TurnUp()",
        [],
    ),
    (ExceptionInView, "answers", "raises KeyError: 'cards', when seat 0 plays TurnUp()", []),
]


def failure(game: Game[Any, Any]) -> str:
    with pytest.raises(AssertionError) as caught:
        check_game(game, seats=[2], most_moves=200)
    return str(caught.value)


@pytest.mark.parametrize(("plugin", "law", "complaint", "example"), KIT, ids=[one[0].__name__ for one in KIT])
def test_the_kit_names_plugin_law_and_smallest_example(
    plugin: type[Game[Any, Any]], law: str, complaint: str, example: list[str]
) -> None:
    said = failure(plugin())
    first, _, rest = said.partition("\n")
    assert first.startswith(f"plugin {plugin.id!r} breaks the law {law!r}: "), said
    assert complaint in first, said
    played = [line.split(". ", 1)[1] for line in rest.splitlines() if line.strip()[:1].isdigit()]
    assert played == example, said


class Brings:
    """A plugin with one game."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game

    @hookimpl
    def fliptable_games(self) -> list[Game[Any, Any]]:
        return [self._game]


def test_the_loader_names_both_plugins_of_a_collision() -> None:
    registry = Registry()
    registry.register(Brings(OneCard()), "first", "fliptable-first")
    with pytest.raises(ContractBroken) as caught:
        registry.register(Brings(OneCard()), "second", "fliptable-second")
    wanted = "game 'one-card' is brought by both first (fliptable-first) and second (fliptable-second)"
    assert str(caught.value) == wanted


def test_the_loader_names_a_plugin_that_cannot_be_imported() -> None:
    point = EntryPoint("lost", "fliptable_there_is_no_such_module", "fliptable")
    (failure,) = load_plugins(strict=False, points=[point]).failures
    assert failure.name == "lost"
    told = "ModuleNotFoundError: No module named 'fliptable_there_is_no_such_module'"
    assert failure.reason == f"{told} (its entry point is 'fliptable_there_is_no_such_module')"


def test_a_round_becomes_shorter_with_smaller_values() -> None:
    """By lot a target of Call It takes many flips; the lowest one takes few."""
    odd = type("Odd", (CallIt,), {"results": frozenset({Result.WON})})()
    with pytest.raises(AssertionError) as caught:
        check_game(odd, laws=["outcomes"])
    played = [
        line for line in str(caught.value).partition("As a test")[0].splitlines() if line.startswith("  ")
    ]
    assert played[0] == "  1. seat 0: Call(target=30)" and len(played) < 9, str(caught.value)
