"""Which method changes what it is given, or what its object keeps: asked again, and listened to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import isfunction
from typing import Any

from fliptable.rules import Game
from fliptable.testing.broken import LawBroken
from fliptable.testing.differences import changes
from fliptable.testing.keeping import Memory, Spy, memory_of
from fliptable.testing.literals import shown
from fliptable.testing.playout import Playout
from fliptable.testing.storage import storable

_ASKED = tuple([name for name, one in vars(Game).items() if isfunction(one) and not name.startswith("_")])
_TOLD = {"decide": 2, "evolve": 1}
"""Which argument of a method is told of."""

_LONG = 120

SERVES_ALL = "one object serves all tables at once"


def culprit(playout: Playout, ask: Callable[[Playout], object]) -> str | None:
    """What a method changes that it must not, in the words of a complaint; None where none does.

    The actions are played again, and ``ask`` asks what else is asked of the playout.
    """
    game = playout.case.game
    if not hasattr(game, "__dict__"):
        return None
    memory, found = memory_of(game), list[str]()
    memory.restore()
    with _listening(game, memory, found), suppress(Exception):
        again = Playout(playout.case)
        for action in playout.actions:
            if found:
                break
            again.take(action)
        if not found:
            ask(again)
    memory.restore()
    return found[0] if found else None


def kept(memory: Memory, part: Any, whose: str, state: str = "state") -> str | None:
    """What is told where something has changed that a part keeps; ``whose`` is the method."""
    name = memory.changed(part)
    if name is None:
        return None
    return f"{whose} sets {name}, and {SERVES_ALL}: what belongs to a table has to be in its {state}"


@contextmanager
def _listening(game: Game[Any, Any], memory: Memory, found: list[str]) -> Iterator[None]:
    spies = {name: Spy(_spy(name, getattr(game, name), game, memory, found)) for name in _ASKED}
    own = {name: value for name, value in vars(game).items() if name in spies}
    vars(game).update(spies)
    try:
        yield
    finally:
        for name in spies:
            vars(game).pop(name, None)
        vars(game).update(own)


def _spy(
    name: str, method: Callable[..., Any], game: Any, memory: Memory, found: list[str]
) -> Callable[..., Any]:
    def spied(*arguments: Any) -> Any:
        state = arguments[0] if arguments and isinstance(arguments[0], _kind(game)) else None
        before = _document(state)
        try:
            return method(*arguments)
        finally:
            if not found:
                index = _TOLD.get(name)
                what = name if index is None else f"{name}({_brief(arguments[index])})"
                changed = None if before is None else changes(before, _document(state), "state")
                if changed is not None:
                    found.append(f"{what} changes the state that it is given: {changed}")
                elif (told := kept(memory, game, name)) is not None:
                    found.append(told)

    return spied


def _brief(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= _LONG else f"{type(value).__name__}(…)"


def _kind(game: Any) -> Any:
    return game.State if isinstance(game.State, type) else object


def _document(state: Any) -> Any:
    if state is None:
        return None
    try:
        return storable(state)
    except LawBroken:
        return None
