"""A mode that is held to its contract at every question: asked twice, it has to answer the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from fliptable.codec import pack
from fliptable.modes import Mode, RoundPlan
from fliptable.refusals import CODE, REFUSALS
from fliptable.rules import Outcome, Refusal
from fliptable.testing.broken import ANSWERS, LawBroken, raised
from fliptable.testing.laws import outcome_complaints
from fliptable.testing.literals import shown
from fliptable.testing.storage import int_trouble, number_trouble, storable, storage_trouble

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


def watched(mode: Mode[Any]) -> Mode[Any]:
    """A copy of a mode that raises LawBroken where an answer breaks a law."""
    kind = type(mode)
    methods = {name: _watch(name, getattr(kind, name)) for name in _ASKED}
    copy: Mode[Any] = object.__new__(type(kind.__name__, (kind,), methods))
    copy.__dict__.update(mode.__dict__)
    return copy


def _watch(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    check = _CHECKS.get(name)

    def asked(self: Any, run: Any, *arguments: Any) -> Any:
        before = storable(run)
        try:
            first, second = method(self, run, *arguments), method(self, run, *arguments)
        except LawBroken:
            raise
        except BaseException as error:
            broken = raised(error, self)
            raise LawBroken(broken.law, broken.complaint, broken.error) from error
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
