"""What ``evolve`` of a game gives has to be a state: told with the event, before it hurts elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fliptable.rules import Game, Private, Refusal
from fliptable.testing.broken import ANSWERS, Broken, LawBroken, raised
from fliptable.testing.literals import shown


def evolved(game: Game[Any, Any], state: Any, event: Any) -> Any:
    """The state after an event. Errors: LawBroken where that is no state."""
    plain = event.event if isinstance(event, Private) else event
    return _state(game, plain, game.evolve(state, plain))


def game_raised(error: BaseException, game: Game[Any, Any], again: Callable[[], object]) -> Broken:
    """What is broken by raising an error; ``again`` does what it was raised by once more.

    Where ``evolve`` has given no state when the game asked it itself, that is what is told.
    """
    if isinstance(error, AttributeError | TypeError) and hasattr(game, "__dict__"):
        with suppress(Exception), _watched(game):
            try:
                again()
            except LawBroken as broken:
                return raised(broken, game)
    return raised(error, game)


@contextmanager
def _watched(game: Game[Any, Any]) -> Iterator[None]:
    """Has the game see that its own ``evolve`` gives states, when it asks itself."""
    evolve = game.evolve
    vars(game)["evolve"] = lambda state, event: _state(game, event, evolve(state, event))
    try:
        yield
    finally:
        del vars(game)["evolve"]


def _state(game: Game[Any, Any], event: Any, state: Any) -> Any:
    kind = game.State
    if (
        state is None
        or isinstance(state, Refusal)
        or (isinstance(kind, type) and not isinstance(state, kind))
    ):
        why = "it has to give the state as it was where an event changes nothing"
        if isinstance(state, Refusal):
            why = "it cannot refuse: what is refused has to be refused by decide, before there is an event"
        raise LawBroken(
            ANSWERS, f"evolve gives {shown(state)}, which is no {_called(kind)}, for {shown(event)}; {why}"
        )
    return state


def _called(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))
