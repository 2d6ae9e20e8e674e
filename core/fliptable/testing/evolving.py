"""What ``evolve`` of a game gives has to be a state: told with the event, before it hurts elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fliptable.rules import Game, Private
from fliptable.testing.asked import hold_state
from fliptable.testing.broken import Broken, LawBroken, raised
from fliptable.testing.keeping import Spy


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
    vars(game)["evolve"] = Spy(lambda state, event: _state(game, event, evolve(state, event)))
    try:
        yield
    finally:
        vars(game).pop("evolve", None)


def _state(game: Game[Any, Any], event: Any, state: Any) -> Any:
    hold_state(game, state, event)
    return state
