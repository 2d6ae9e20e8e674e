"""Ten plugins that each break one law or part of the contract: the kit or the loader says which, and how."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from fliptable import CARD, Game, Refusal, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard, check_game
from fliptable.testing.toys import OneCardState, OneCardView, TurnUp
from fliptable.vetting import ContractBroken


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing."""


class LeakingView(OneCard):
    """The view shows the next card to whoever has none yet."""

    id = "leaking-view"

    def view(self, state: OneCardState, viewer: Any) -> OneCardView:
        seen = [CARD[code] if code else CARD[state.deck[state.drawn]] for code in state.cards]
        return OneCardView(tuple(seen))


class ImpureDecide(OneCard):
    """The deck is drawn from while it is decided, and not when it is applied."""

    id = "impure-decide"

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        object.__setattr__(state, "drawn", state.drawn + 1)
        return events


class ClockUse(OneCard):
    """Every other millisecond the top card is another one."""

    id = "clock-use"

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        late = round(time.time() * 1000) % 2
        return super().decide(replace(state, drawn=state.drawn + late), seat, move, ctx)


class MutatingRefusal(OneCard):
    """Who passes is told that it cannot be done, and loses a card all the same."""

    id = "mutating-refusal"
    moves = (TurnUp, Pass)  # type: ignore[assignment]

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Pass):
            object.__setattr__(state, "drawn", state.drawn + 1)
            return Refusal("ILLEGAL_MOVE", "Nobody can pass.")
        return super().decide(state, seat, move, ctx)


class UnserialisableState(OneCard):
    """The state gets a list where it says that it has a tuple."""

    id = "unserialisable-state"

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        after = super().evolve(state, event)
        return replace(after, cards=list(after.cards)) if after.drawn else after  # type: ignore[arg-type]


class UnendingRound(OneCard):
    """Everybody turns up cards for ever."""

    id = "unending-round"

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        after = super().evolve(state, event)
        return replace(after, cards=("",) * len(after.cards), drawn=after.drawn % 52)


class MissingHandler(OneCard):
    """Nothing is done for the event that a card was turned up."""

    id = "missing-handler"

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        if isinstance(event, self.events[0]):
            raise NotImplementedError(f"no handler for {type(event).__name__}")
        return super().evolve(state, event)


class ExceptionInView(OneCard):
    """Once somebody has a card, it cannot be looked at any more."""

    id = "exception-in-view"

    def view(self, state: OneCardState, viewer: Any) -> OneCardView:
        if state.drawn:
            raise KeyError("cards")
        return super().view(state, viewer)


KIT: Sequence[tuple[type[Game[Any, Any]], str, str, list[str]]] = [
    # The plugin, the law, a part of what is said, and the smallest example.
    (LeakingView, "nothing leaks", "a spectator can tell hidden things apart: view is", []),
    (ImpureDecide, "purity", "decide(TurnUp()) gives [TurnedUp(", []),
    (ClockUse, "purity", "decide uses time; time and chance are arguments", []),
    (MutatingRefusal, "moves", "Pass() is refused, and changes the state", []),
    (UnserialisableState, "storage", "the state: it is {'cards':", ["seat 0: TurnUp()"]),
    (UnendingRound, "rounds end", "not over after 200 moves", ["seat 0: TurnUp()"] * 201),
    (MissingHandler, "answers", "raises NotImplementedError: no handler for TurnedUp", []),
    (ExceptionInView, "answers", "raises KeyError: 'cards'", []),
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


def test_a_failure_is_a_test_to_paste() -> None:
    """What is printed runs as it stands, and fails for the same reason."""
    said = failure(UnserialisableState())
    program = "\n".join(line.removeprefix("    ") for line in said.partition("own:\n\n")[2].splitlines())
    from fliptable import testing
    from fliptable.rules import NoOptions

    names = {**vars(testing), **globals(), "NoOptions": NoOptions}
    exec(program, names)
    with pytest.raises(AssertionError, match="breaks the law 'storage'"):
        names["test_storage_in_a_case_that_failed"]()
    names["UnserialisableState"] = OneCard
    names["test_storage_in_a_case_that_failed"]()


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
    assert failure.reason == "ModuleNotFoundError: No module named 'fliptable_there_is_no_such_module'"
