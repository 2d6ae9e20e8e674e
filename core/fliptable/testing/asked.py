"""A game that is held to what its methods have to give, so that what they give otherwise is told at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from inspect import isasyncgen, isawaitable, isgenerator
from typing import Any, cast

from fliptable.rules import Game, Outcome, Private, Refusal
from fliptable.testing.broken import ANSWERS, LawBroken
from fliptable.testing.literals import shown
from fliptable.testing.watchdog import watchdog

_SEQUENCES = frozenset((list, tuple))
_COLLECTIONS = frozenset((list, tuple, set, frozenset, range))
_FIELDS = "__dataclass_fields__"


def asked(game: Game[Any, Any]) -> Game[Any, Any]:
    """The game as the kit asks it. Errors: LawBroken, of whatever it is asked."""
    return cast("Game[Any, Any]", _Asked(game))


class _Asked:
    """Passes on what the game is asked, and looks at what it gives."""

    __slots__ = ("_dog", "_game")

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._dog = watchdog()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


Check = Callable[[Any, str, Any, tuple[Any, ...]], None]


def _method(name: str, check: Check) -> Callable[..., Any]:
    def ask(self: _Asked, *arguments: Any) -> Any:
        dog = self._dog
        before = dog.inside
        dog.calls += 1
        dog.inside = True
        try:
            answer = getattr(self._game, name)(*arguments)
        finally:
            dog.calls += 1
            dog.inside = before
        check(self._game, name, answer, arguments)
        return answer

    return ask


def wrong(name: str, answer: Any, wanted: str, hint: str = "") -> LawBroken:
    """What is told of an answer that is not what a method has to give; ``hint`` is what to do about it."""
    if isawaitable(answer) or isasyncgen(answer):
        close = getattr(answer, "close", None)
        if close is not None:
            close()  # What is never awaited would be warned of.
        return LawBroken(ANSWERS, f"{name} is async, and has to give {wanted} at once: take the async away")
    if isgenerator(answer):
        return LawBroken(ANSWERS, f"{name} gives a generator, and has to give {wanted}: make a list of it")
    given = f"a {type(answer).__name__}" if repr(answer).startswith("<") else shown(answer)
    return LawBroken(ANSWERS, f"{name} gives {given}, and has to give {wanted}{hint}")


def hold_events(name: str, answer: Any, wanted: str = "a list of events") -> None:
    """See that an answer is a list of events. Errors: LawBroken."""
    kind = type(answer)
    if kind not in _SEQUENCES and (isinstance(answer, str | bytes) or not isinstance(answer, Sequence)):
        hint = ": put it into a list" if hasattr(kind, _FIELDS) else ""
        hint = ": return the events" if answer is None else hint
        raise wrong(name, answer, wanted, hint)
    for event in answer:
        told = event.event if type(event) is Private else event
        if not hasattr(type(told), _FIELDS):
            raise wrong(name, answer, wanted, f"; {_brief(told)} is no event")


def _brief(value: Any) -> str:
    return f"a {type(value).__name__}" if repr(value).startswith("<") else shown(value)


def _events(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    hold_events(name, answer)


def _decision(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if type(answer) is not Refusal:
        hold_events(name, answer, "a list of events, or a Refusal")


def _seats(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if type(answer) not in _COLLECTIONS and not (
        isinstance(answer, Collection) and not isinstance(answer, str | bytes)
    ):
        raise wrong(name, answer, "a list of seats")
    for seat in answer:
        if not isinstance(seat, int):
            raise wrong(name, answer, "a list of seats, which are integers")


def _moves(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if type(answer) not in _SEQUENCES and (
        isinstance(answer, str | bytes) or not isinstance(answer, Sequence)
    ):
        hint = ": put it into a list" if hasattr(type(answer), _FIELDS) else ""
        raise wrong(name, answer, "a list of moves", hint)


def _outcome(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if answer is not None and not isinstance(answer, Outcome):
        raise wrong(name, answer, "an Outcome, or None while the round runs")


def _of(attribute: str) -> Check:
    def check(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
        kind = getattr(game, attribute)
        if isinstance(kind, type) and not isinstance(answer, kind):
            raise wrong(name, answer, f"a {kind.__name__}")

    return check


def _evolved(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    hold_state(game, answer, arguments[1])


def hold_state(game: Any, state: Any, event: Any) -> None:
    """See that what ``evolve`` gives for an event is a state. Errors: LawBroken."""
    kind = game.State
    if (
        state is None
        or isinstance(state, Refusal)
        or (isinstance(kind, type) and not isinstance(state, kind))
    ):
        called = str(getattr(kind, "__name__", kind))
        if isawaitable(state):
            raise wrong("evolve", state, f"a {called}")
        why = "it has to give the state as it was where an event changes nothing"
        if isinstance(state, Refusal):
            why = "it cannot refuse: what is refused has to be refused by decide, before there is an event"
        raise LawBroken(
            ANSWERS, f"evolve gives {shown(state)}, which is no {called}, for {shown(event)}; {why}"
        )


def _number(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if answer is not None and type(answer) is not int:
        raise wrong(name, answer, "an integer, or None")


def _sentence(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if answer is not None and not isinstance(answer, str):
        raise wrong(name, answer, "a sentence, or None")


def _many(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if answer is not None and (isinstance(answer, str | bytes) or not isinstance(answer, Collection)):
        raise wrong(name, answer, "a list, or None")


def _anything(game: Any, name: str, answer: Any, arguments: tuple[Any, ...]) -> None:
    if isawaitable(answer):
        raise wrong(name, answer, "what it gives")


_CHECKS: Iterable[tuple[str, Check]] = (
    ("begin", _of("State")),
    ("deal", _events),
    ("to_act", _seats),
    ("legal_moves", _moves),
    ("decide", _decision),
    ("evolve", _evolved),
    ("view", _of("View")),
    ("outcome", _outcome),
    ("leave", _events),
    ("expired", _events),
    ("absent", _events),
    ("present", _events),
    ("carry", _anything),
    ("hides", _many),
    ("cards_left", _number),
    ("cycle", _number),
    ("ask", _sentence),
    ("trails", _many),
    ("all_cards", _many),
    ("shuffle_unknown", _of("State")),
)
for _name, _check in _CHECKS:
    setattr(_Asked, _name, _method(_name, _check))

__all__ = ["asked", "hold_events", "hold_state", "wrong"]
