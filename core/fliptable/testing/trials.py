"""A trial: a part of a plugin in a setting in which a law can be held, and how its failure is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NoReturn, TypeVar

from fliptable.testing.actions import Play, Wait
from fliptable.testing.broken import Broken, LawFailure, report
from fliptable.testing.regression import regression
from fliptable.testing.shrinking import ATTEMPTS, shortest, simpler

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

    def attempts(self, law: str) -> int:
        """How many smaller cases may be tried, since some laws take long to hold."""
        return ATTEMPTS


def told(trial: Trial, actions: Sequence[Any], broken: Broken) -> LawFailure:
    """The failure, with the smallest case that was found and a test of it."""
    __tracebackhide__ = True
    again = trial.hold(broken.law, actions)
    if broken.like(again):
        trial, actions, broken = _smallest(trial, list(actions), again or broken)
    else:
        broken = replace(
            broken,
            complaint=f"{broken.complaint}\n(A second time it was not so: something else than what the "
            "plugin is told has a say, for example a clock, chance, or what an object remembers.)",
        )
    seeds = [seed for seed in (0, 1, 2) if seed != trial.seed()]
    quick = trial.attempts(broken.law) == ATTEMPTS
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


def fail(trial: Trial, actions: Sequence[Any], broken: Broken) -> NoReturn:
    """Raise the failure. Errors: LawFailure, always."""
    __tracebackhide__ = True
    raise told(trial, actions, broken) from broken.error


def hold(trial: Trial, law: str, actions: Sequence[Any]) -> None:
    """Hold one law in one case. Errors: AssertionError names the law and what is wrong."""
    broken = trial.hold(law, actions)
    if broken is not None and broken.law == law:
        raise AssertionError(f"{trial.named} breaks the law {law!r}: {broken.complaint}") from broken.error


def _smallest(trial: TrialT, actions: list[Any], broken: Broken) -> tuple[TrialT, list[Any], Broken]:
    left = trial.attempts(broken.law)

    def fails(trial: Trial, actions: Sequence[Any]) -> bool:
        nonlocal left, broken
        if left <= 0:
            return False
        left -= 1
        found = trial.hold(broken.law, actions)
        if found is None or not broken.like(found):
            return False
        broken = found
        return True

    actions = shortest(actions, lambda shorter: fails(trial, shorter), left)
    found = True
    while found:
        found = False
        for one in trial.simpler():
            fewer = [action for action in actions if getattr(action, "seat", 0) < one.seats()]
            if fails(one, fewer):
                trial, actions, found = one, fewer, True
                break
    actions = shortest(actions, lambda shorter: fails(trial, shorter), left)
    place = 0
    while place < len(actions):
        for one in _simpler_actions(actions[place]):
            changed = [*actions[:place], one, *actions[place + 1 :]]
            if fails(trial, changed):
                actions = changed
                break
        else:
            place += 1
    return trial, actions, broken


def _simpler_actions(action: Any) -> Iterator[Any]:
    if isinstance(action, Play):
        for move in simpler(action.move):
            yield replace(action, move=move)
    elif isinstance(action, Wait):
        yield from simpler(action)
