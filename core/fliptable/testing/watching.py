"""A mode that is held to its contract at every question: asked twice, it has to answer the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from fliptable.codec import pack
from fliptable.modes import Mode, RoundPlan
from fliptable.refusals import CODE, REFUSALS
from fliptable.rules import Outcome, Refusal
from fliptable.testing.asked import hold_events, wrong
from fliptable.testing.broken import ANSWERS, LawBroken, raised
from fliptable.testing.culprits import kept
from fliptable.testing.keeping import Memory, memory_of, remember
from fliptable.testing.laws import outcome_complaints
from fliptable.testing.literals import shown
from fliptable.testing.storage import int_trouble, number_trouble, storable, storage_trouble
from fliptable.testing.watchdog import called

_ASKED = (
    "plan_for",
    "quorum",
    "moved",
    "narrow",
    "judge",
    "round_over",
    "over",
    "evolve",
    "deadline",
    "at_deadline",
    "scores",
    "scope",
    "day",
    "view",
    "view_beside",
)
"""What a mode is asked with its run as the first argument."""


_BEFORE = ("begin", "check", "claim", "seats", "limits", "supports")
"""What it is asked without a run."""


def watched(mode: Mode[Any]) -> Mode[Any]:
    """A copy of a mode that raises LawBroken where an answer breaks a law."""
    kind = type(mode)
    methods = {name: _watch(name, getattr(kind, name)) for name in _ASKED}
    methods["connect"] = _connect(kind.connect)
    methods |= {name: _listen(name, getattr(kind, name)) for name in _BEFORE}
    copy: Mode[Any] = object.__new__(type(kind.__name__, (kind,), methods))
    copy.__dict__.update(mode.__dict__)
    return copy


def _watch(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    check = _CHECKS.get(name)

    def asked(self: Any, run: Any, *arguments: Any) -> Any:
        before, memory = storable(run), memory_of(self)
        try:
            with called():
                first = method(self, run, *arguments)
            with called():
                second = method(self, run, *arguments)
        except LawBroken:
            raise
        except BaseException as error:
            broken = raised(error, self)
            raise LawBroken(broken.law, broken.complaint, broken.error) from error
        _kept(memory, self, name)
        if name in _GIVES:
            _given(self, name, first)
        if _comparable(first) != _comparable(second):
            trouble = number_trouble(first)
            if trouble:
                raise LawBroken("storage", f"what {name} gives: {trouble}")
            raise LawBroken("purity", f"{name} gives {first} and then {second} for the same run")
        if storable(run) != before:
            raise LawBroken("purity", f"{name} changes the run that it is given")
        if check is not None:
            check(self, run, first, *arguments)
        return first

    return asked


def _connect(method: Callable[..., None]) -> Callable[..., None]:
    def connected(self: Any, parts: Any) -> None:
        method(self, parts)
        remember(self)  # What it is given when it is loaded it may keep.

    return connected


def _listen(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def asked(self: Any, *arguments: Any) -> Any:
        memory = memory_of(self)
        with called():
            answer = method(self, *arguments)
        _kept(memory, self, name)
        if name == "begin" and not isinstance(answer, self.Run):
            raise wrong(name, answer, f"a {self.Run.__name__}")
        return answer

    return asked


def _kept(memory: Memory, mode: Mode[Any], name: str) -> None:
    told = kept(memory, mode, name, "run")
    if told is not None:
        memory.restore()
        raise LawBroken("purity", told)


def _given(mode: Mode[Any], name: str, answer: Any) -> None:
    """See that an answer is of the kind that the method gives. Errors: LawBroken."""
    if name in _EVENTS:
        hold_events(name, answer)
        return
    kinds, wanted = _GIVES[name]
    if kinds is None:
        kinds, wanted = mode.View, f"a {mode.View.__name__}"
    if not isinstance(answer, kinds):
        written: Any = type(mode).__mro__[1]
        own = written.plan_for is not Mode.plan_for
        raise wrong("plan" if name == "plan_for" and not own else name, answer, wanted)


def _comparable(answer: Any) -> Any:
    return list(answer) if isinstance(answer, list | tuple) else answer


def _events(mode: Mode[Any], run: Any, answer: Any, *arguments: Any) -> None:
    for event in answer:
        if type(event) not in mode.events:
            name = type(event).__name__
            raise LawBroken("events", f"{shown(event)} is of no class in events; add {name} to them")
        text = event.text([f"Seat {seat}" for seat in range(1, 30)])
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise LawBroken("events", f"the sentence of {shown(event)} is {text!r}")
        trouble = int_trouble(event) or storage_trouble(event, type(event))
        if trouble:
            raise LawBroken("events", f"{shown(event)}: {trouble}")


def _moved(mode: Mode[Any], run: Any, answer: Any, *arguments: Any) -> None:
    if not isinstance(answer, Refusal):
        hold_events("moved", answer, "a list of events, or a Refusal")
        _events(mode, run, answer)
        return
    for complaint in refusal_complaints(mode, answer):
        raise LawBroken("refusals", complaint)


def refusal_complaints(mode: Mode[Any], refusal: Refusal) -> Iterator[str]:
    """What is wrong with how a mode refuses something."""
    if refusal.code not in REFUSALS and refusal.code not in mode.refusals:
        yield f"the refusal code {refusal.code} is neither the table's nor declared in the mode's refusals"
    if not refusal.message.strip():
        yield f"the refusal {refusal.code} says nothing"


def _judged(mode: Mode[Any], run: Any, answer: Any, outcome: Outcome, *arguments: Any) -> None:
    if len(answer.seats) != len(outcome.seats):
        raise LawBroken("outcomes", f"of {len(outcome.seats)} seats it judges {len(answer.seats)}")
    complaint = int_trouble(answer) or storage_trouble(answer, Outcome)
    complaint = complaint or next(outcome_complaints(answer), None)
    if complaint:
        raise LawBroken("outcomes", f"as it judges a round: {complaint}")


def _at_deadline(mode: Mode[Any], run: Any, answer: Any, at: datetime) -> None:
    _events(mode, run, answer)
    after = run
    for event in answer:
        after = mode.evolve(after, event)
    due = mode.deadline(after)
    _deadline(mode, after, due)
    if mode.over(after) is None and due is not None and due <= at:
        raise LawBroken("deadlines", f"after its deadline at {at} the next one is due at {due}")


def _run(mode: Mode[Any], run: Any, answer: Any, event: Any) -> None:
    if not isinstance(answer, mode.Run):
        why = "; it cannot refuse what has happened" if isinstance(answer, Refusal) else ""
        told = f"evolve gives {shown(answer)}, which is no {mode.Run.__name__}, for {shown(event)}{why}"
        raise LawBroken(ANSWERS, told)
    trouble = storage_trouble(answer, mode.Run)
    if trouble:
        raise LawBroken("storage", f"the run: {trouble}")


def _view(mode: Mode[Any], run: Any, answer: Any, *arguments: Any) -> None:
    trouble = int_trouble(answer) or storage_trouble(answer, mode.View)
    if trouble:
        raise LawBroken("storage", f"the view of the run: {trouble}")


def _plan(mode: Mode[Any], run: Any, plan: RoundPlan, *arguments: Any) -> None:
    try:
        pack(dict(plan.terms))
    except TypeError as error:
        raise LawBroken("terms", f"the terms of the next round cannot be stored: {error}") from error
    for name, span in plan.draws.items():
        if not span:
            raise LawBroken("terms", f"{name} is drawn from no numbers")


def _over(mode: Mode[Any], run: Any, reason: Any, *arguments: Any) -> None:
    if reason is not None and not (isinstance(reason, str) and CODE.fullmatch(reason)):
        raise LawBroken(
            "over",
            f"the reason why the session is over is {reason!r}; it is None, or a code of words in capitals "
            "with _ between them, such as TARGET_REACHED",
        )


def _deadline(mode: Mode[Any], run: Any, due: Any, *arguments: Any) -> None:
    if due is None:
        return
    if not isinstance(due, datetime) or due.tzinfo is None or due.microsecond % 1000:
        raise LawBroken(
            "deadlines",
            f"deadline gives {due!r}; it is None, or a datetime with a zone (UTC) and milliseconds at most",
        )


def _scores(mode: Mode[Any], run: Any, scores: Mapping[str, Any], *arguments: Any) -> None:
    known = {metric.name for metric in mode.metrics}
    for name, value in scores.items():
        if name not in known:
            raise LawBroken("scores", f"it scores {name!r}, which is no metric of the mode")
        if type(value) is not int:
            raise LawBroken("scores", f"its score {name!r} is {value!r}, which is no integer")


_EVENTS = ("round_over", "at_deadline")
_GIVES: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(_EVENTS, (list, "a list of events")),
    "plan_for": (RoundPlan, "a RoundPlan"),
    "judge": (Outcome, "an Outcome"),
    "scores": (Mapping, "a mapping of metrics to integers"),
    "quorum": (int, "a number of seats"),
    "scope": (str, "a word"),
    "day": ((str, type(None)), "a day as a word, or None"),
    "view": (None, ""),
}
"""Of what kind the answers are, and that in words."""
_CHECKS: Mapping[str, Callable[..., None]] = {
    "plan_for": _plan,
    "moved": _moved,
    "judge": _judged,
    "round_over": _events,
    "over": _over,
    "evolve": _run,
    "deadline": _deadline,
    "at_deadline": _at_deadline,
    "scores": _scores,
    "view": _view,
    "view_beside": _view,
}

__all__ = ["refusal_complaints", "watched"]
