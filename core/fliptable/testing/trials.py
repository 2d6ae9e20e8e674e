"""A trial: a part of a plugin in a setting in which a law can be held, and how its failure is told."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NoReturn, TypeVar

from fliptable.testing.actions import Play, Wait
from fliptable.testing.broken import ANSWERS, Broken, LawFailure, report
from fliptable.testing.regression import regression
from fliptable.testing.shrinking import ATTEMPTS, shortest, simpler
from fliptable.testing.watchdog import impatient, watchdog

_PATIENT = 12
"""So many smaller cases are tried where a call does not come back."""

_SMALLEST = 2
_SEEDS = range(6)
"""The smallest numbers of seats are tried with these seeds too."""

TrialT = TypeVar("TrialT", bound="Trial")


class Trial(ABC):
    """A part of a plugin in a setting: so many seats, some options, a seed."""

    kind: ClassVar[str]
    """What the part is: game, mode or constraint."""
    check: ClassVar[str]
    """The function of the kit that holds one law in such a trial."""
    listed: ClassVar[str] = "Action"
    """The type of its actions."""

    @property
    @abstractmethod
    def part(self) -> Any:
        """The game, mode or constraint."""

    @property
    def named(self) -> str:
        """What it is called in a report."""
        return f"plugin {self.part.id!r}"

    @abstractmethod
    def hold(self, law: str, actions: Sequence[Any]) -> Broken | None:
        """Let the actions happen, and see whether the law is broken then.

        None also where they cannot happen, or the part cannot be tried in this setting.
        """

    @abstractmethod
    def simpler(self: TrialT) -> Iterator[TrialT]:
        """Simpler settings: fewer seats, options at their defaults; the simplest ones first."""

    @abstractmethod
    def seeded(self: TrialT, seed: int) -> TrialT:
        """The same setting with another seed."""

    @abstractmethod
    def seats(self) -> int:
        """How many seats there are."""

    @abstractmethod
    def seed(self) -> int:
        """What chance goes by."""

    @abstractmethod
    def setting(self) -> Sequence[str]:
        """What else there is to say of the setting, apart from seats and seed."""

    @abstractmethod
    def arguments(self, law: str) -> Mapping[str, Any]:
        """What ``check`` needs to be told of the setting to hold a law, apart from seats and seed."""

    @abstractmethod
    def record(self, actions: Sequence[Any]) -> Iterator[Any]:
        """What comes of the actions, one by one, as documents that can be compared."""

    def fit(self, actions: Sequence[Any]) -> list[Any]:
        """Those of the actions that can happen in this setting, one after the other."""
        return [action for action in actions if getattr(action, "seat", 0) < self.seats()]

    def culprit(self, broken: Broken) -> LawFailure | None:
        """The failure of another part that breaks the law by itself; None where this one is to blame."""
        return None

    def attempts(self, law: str) -> int:
        """How many smaller cases may be tried, since some laws take long to hold."""
        return ATTEMPTS


def told(trial: Trial, actions: Sequence[Any], broken: Broken) -> LawFailure:
    """The failure, with the smallest case that was found and a test of it."""
    __tracebackhide__ = True
    if broken.endless:
        return _endless(trial, actions, broken)
    again = trial.hold(broken.law, actions)
    if not broken.like(again) and broken.ahead is not None:
        # It was asked about a move that was not played.
        further = [*actions, broken.ahead]
        then = trial.hold(broken.law, further)
        again, actions = (then, further) if broken.like(then) else (again, actions)
    if broken.like(again):
        trial, actions, broken = _Search(trial, actions, again or broken, trial.attempts(broken.law)).run()
        again = trial.hold(broken.law, actions)
        if again is None or not broken.like(again) or _words(again) != _words(broken):
            broken = replace(
                broken,
                complaint=f"{broken.complaint}\n(Each time it is otherwise: what was asked before has a say, "
                "or a clock or chance, so the test below may pass alone.)",
            )
    else:
        broken = replace(
            broken,
            complaint=f"{broken.complaint}\n(A second time it was not so: something else than what the "
            "plugin is told has a say, for example a clock, chance, or what an object remembers.)",
        )
    culprit = trial.culprit(broken)
    if culprit is not None:
        return culprit
    return _in_words(trial, actions, broken)


def _endless(trial: Trial, actions: Sequence[Any], broken: Broken) -> LawFailure:
    """The failure where a call does not come back: each try takes time, so there are few of them."""
    __tracebackhide__ = True
    patience = watchdog().seconds
    with impatient():
        again = trial.hold(broken.law, actions)
        if again is not None and broken.like(again):
            seconds = f"{watchdog().seconds:g} seconds"
            trial, actions, found = _Search(trial, actions, again, _PATIENT).run()
            broken = replace(found, complaint=found.complaint.replace(seconds, f"{patience:g} seconds"))
    return _in_words(trial, actions, broken, any_seed=False)


def _in_words(trial: Trial, actions: Sequence[Any], broken: Broken, any_seed: bool = True) -> LawFailure:
    seeds = [seed for seed in (0, 1, 2) if seed != trial.seed()]
    quick = any_seed and trial.attempts(broken.law) == ATTEMPTS
    always = quick and all(broken.like(trial.seeded(seed).hold(broken.law, actions)) for seed in seeds)
    setting = [
        f"{trial.seats()} seat{'' if trial.seats() == 1 else 's'}",
        "any seed" if always else f"seed {trial.seed()}",
        *trial.setting(),
    ]
    given: dict[str, Any] = {"seats": trial.seats()}
    if trial.seed() and not always:
        given["seed"] = trial.seed()
    given.update(trial.arguments(broken.law))
    test = regression(trial.check, trial.kind, trial.part, broken.law, actions, trial.listed, given)
    return LawFailure(report(trial.named, broken, ", ".join(setting), actions), test)


def _words(broken: Broken) -> str:
    """What is wrong, without where in memory anything is."""
    return re.sub(r"0x[0-9a-fA-F]+", "", broken.complaint)


def fail(trial: Trial, actions: Sequence[Any], broken: Broken) -> NoReturn:
    """Raise the failure. Errors: LawFailure, always."""
    __tracebackhide__ = True
    raise told(trial, actions, broken) from broken.error


def hold(trial: Trial, law: str, actions: Sequence[Any]) -> None:
    """Hold one law in one case. Errors: AssertionError names the law and what is wrong."""
    broken = trial.hold(law, actions)
    if broken is not None and broken.law == law:
        raise AssertionError(f"{trial.named} breaks the law {law!r}: {broken.complaint}") from broken.error


class _Search:
    """The search for the smallest case: what was found so far, and how often it may still be tried."""

    def __init__(self, trial: Trial, actions: Sequence[Any], broken: Broken, attempts: int) -> None:
        self.trial = trial
        self.actions = list(actions)
        self.broken = broken
        self._left = attempts

    def run(self) -> tuple[Trial, list[Any], Broken]:
        """Make everything smaller, one thing after the other."""
        self._shorten()
        while any(self._fails(one, one.fit(self.actions)) for one in self.trial.simpler()):
            self._shorten()
        while self._smaller_elsewhere():
            self._shorten()
        place = 0
        while place < len(self.actions):
            if self._simplify(place):
                self._shorten()
            else:
                place += 1
        return self.trial, self.actions, self.broken

    def _smaller_elsewhere(self) -> bool:
        """Whether with other cards fewer seats will do: what it takes may not come up with these."""
        fewer = [one for one in self.trial.simpler() if one.seats() < self.trial.seats()][:_SMALLEST]
        for other in [one.seeded(seed) for one in fewer for seed in _SEEDS]:
            fitting = other.fit(self.actions)
            # What is raised is raised at some time, and later the round may be over.
            least = 0 if self.broken.law == ANSWERS else len(fitting)
            if any(self._fails(other, fitting[:taken]) for taken in range(least, len(fitting) + 1)):
                return True
        return False

    def _shorten(self) -> None:
        shortest(self.actions, self._fails_short, self._left)

    def _fails_short(self, shorter: Sequence[Any]) -> bool:
        """Whether fewer actions fail, as they are or with the turns that they have then."""
        if self._fails(self.trial, shorter):
            return True
        fitting = self.trial.fit(shorter)
        return (
            fitting != list(shorter) and len(fitting) < len(self.actions) and self._fails(self.trial, fitting)
        )

    def _simplify(self, place: int) -> bool:
        before, after = self.actions[:place], self.actions[place + 1 :]
        for one in _simpler_actions(self.actions[place]):
            changed = self.trial.fit([*before, one, *after])
            if changed[place : place + 1] == [one] and self._fails(self.trial, changed):
                return True
        return False

    def _fails(self, trial: Trial, actions: Sequence[Any]) -> bool:
        """Whether the law is broken in the same way; what breaks it is what is made smaller from then on."""
        if self._left <= 0:
            return False
        self._left -= 1
        found = trial.hold(self.broken.law, actions)
        if found is None or not self.broken.like(found):
            return False
        self.trial, self.actions, self.broken = trial, list(actions), found
        return True


def _simpler_actions(action: Any) -> Iterator[Any]:
    if isinstance(action, Play):
        for move in simpler(action.move):
            yield replace(action, move=move)
    elif isinstance(action, Wait):
        yield from simpler(action)
