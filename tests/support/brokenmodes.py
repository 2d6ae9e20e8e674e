"""Modes that each break one law, for the tests of the kit: a mode of two rounds with something wrong.

``BROKEN_MODES`` has for each the law and a part of what is said of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar

from fliptable import Between, Mode, Outcome, Refusal, Result, RoundPlan
from fliptable.testing.sealed import WriteDown


@dataclass(frozen=True)
class ShortRun:
    """A session."""

    ends_at: datetime
    played: int = 0
    late: int = 0
    said: int = 0


@dataclass(frozen=True)
class ShortView:
    """A session."""

    played: int


@dataclass(frozen=True)
class Counted:
    """A round counts."""

    def text(self, names: Sequence[str]) -> str:
        return "The round counts."


@dataclass(frozen=True)
class Late:
    """It is late."""

    def text(self, names: Sequence[str]) -> str:
        return "It is late."


@dataclass(frozen=True)
class Said:
    """Something was said."""

    what: int

    def text(self, names: Sequence[str]) -> str:
        return f"{self.what} was said."


@dataclass(frozen=True)
class Undeclared:
    """Of no class in events."""

    def text(self, names: Sequence[str]) -> str:
        return "?"


class Short(Mode[ShortRun]):
    """Two rounds; every minute it is later."""

    id = "short"
    name = "Short"
    graphql = "Short"
    summary = "Two rounds."
    Run = ShortRun
    View = ShortView
    events = (Counted, Late, Said)

    def begin(self, session: Any) -> ShortRun:
        return ShortRun(session.now + timedelta(minutes=1))

    def round_over(self, run: ShortRun, outcome: Any, now: datetime) -> Sequence[Any]:
        return [Counted()]

    def over(self, run: ShortRun) -> str | None:
        return "PLAYED" if run.played == 2 else None

    def evolve(self, run: ShortRun, event: Any) -> ShortRun:
        if isinstance(event, Late):
            return replace(run, ends_at=run.ends_at + timedelta(minutes=1))
        if isinstance(event, Said):
            return replace(run, said=event.what)
        return replace(run, played=run.played + 1)

    def deadline(self, run: ShortRun) -> datetime | None:
        return run.ends_at

    def at_deadline(self, run: ShortRun, at: datetime) -> Sequence[Any]:
        return [Late()]

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        return ShortView(run.played)


@dataclass(frozen=True)
class LongOptions:
    """How long it is."""

    rounds: Annotated[int, Between(1, 9), "How many rounds."] = 2


class FewFail(Short):
    """One round alone it cannot show."""

    Options = LongOptions
    number = 1

    def begin(self, session: Any) -> ShortRun:
        return replace(super().begin(session), said=session.options.rounds)

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        return ShortView(1 // (run.said - self.number))


class ManyFail(FewFail):
    """Nor can it show the most."""

    number = 9


class NoView(Short):
    """It cannot be looked at."""

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        raise RuntimeError("no view")


class NoViewLater(Short):
    """It cannot be looked at once a round is over."""

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        return ShortView(0 // (1 - run.played))


class ChangesItsRun(Short):
    """Whether it is over cannot be asked without consequences."""

    def over(self, run: ShortRun) -> str | None:
        object.__setattr__(run, "late", run.late + 1)
        return super().over(run)


class MutatingRefusal(Short):
    """A refused move counts all the same."""

    def moved(self, run: ShortRun, seat: int, move: Any, now: datetime) -> Any:
        object.__setattr__(run, "said", run.said + 1)
        return Refusal("ILLEGAL_MOVE", "No.")


class LooksAtTheClock(Short):
    """What a round is played for goes by the minute."""

    def plan(self, run: ShortRun, now: datetime) -> RoundPlan:
        return RoundPlan({"minutes": datetime.now().minute})


class TellsOfUndeclared(Short):
    """It has an event that it does not declare."""

    def round_over(self, run: ShortRun, outcome: Any, now: datetime) -> Sequence[Any]:
        return [Undeclared()]


class RunOfWords(Short):
    """It counts rounds in words."""

    def evolve(self, run: ShortRun, event: Any) -> ShortRun:
        return replace(run, played="one")  # type: ignore[arg-type]


@dataclass(frozen=True)
class GrowingOptions:
    """Options that are one more each time that they are read."""

    limit: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "limit", self.limit + 1)


class OptionsGrow(Short):
    """What is read from storage are not the options that were stored."""

    Options = GrowingOptions


_ROUND = [0]


class Remembers(Short):
    """Which round it was stays in the module, and not in the event."""

    def round_over(self, run: ShortRun, outcome: Any, now: datetime) -> Sequence[Any]:
        _ROUND[0] = run.played + 1
        return super().round_over(run, outcome, now)

    def evolve(self, run: ShortRun, event: Any) -> ShortRun:
        after = super().evolve(run, event)
        return replace(after, said=10 * run.said + _ROUND[0]) if isinstance(event, Counted) else after


class KeepsItsLength(Short):
    """How long it is stays in the mode when a session begins."""

    def begin(self, session: Any) -> ShortRun:
        self.rounds = 2
        return super().begin(session)


class CountsRounds(Short):
    """It counts the rounds of all tables."""

    def __init__(self) -> None:
        self.counted = 0

    def evolve(self, run: ShortRun, event: Any) -> ShortRun:
        if isinstance(event, Counted):
            self.counted += 1
        return super().evolve(run, event)


class NoPlan(Short):
    """It forgets to return what a round is played for."""

    def plan(self, run: ShortRun, now: datetime) -> Any:
        RoundPlan()


class NoRounds(Short):
    """It forgets to return what a round comes to."""

    def round_over(self, run: ShortRun, outcome: Any, now: datetime) -> Any:
        super().round_over(run, outcome, now)


class OneRound(Short):
    """It gives an event, and no list."""

    def round_over(self, run: ShortRun, outcome: Any, now: datetime) -> Any:
        return Counted()


class NoJudge(Short):
    """It has no judgment."""

    def judge(self, run: ShortRun, outcome: Outcome, view: Any) -> Any:
        return None


class BareView(Short):
    """It shows a number and nothing around it."""

    def view(self, run: ShortRun, viewer: Any) -> Any:
        return run.played


class NoBeginning(Short):
    """It begins with nothing."""

    def begin(self, session: Any) -> Any:
        return None


class StaysLate(Short):
    """Its deadline never moves on."""

    def at_deadline(self, run: ShortRun, at: datetime) -> Sequence[Any]:
        return [Counted()]


class RefusesInSecret(Short):
    """It refuses with a code that is not declared."""

    def moved(self, run: ShortRun, seat: int, move: Any, now: datetime) -> Any:
        return Refusal("NOPE", "No.")


class RefusesWhatItLists(Short):
    """It leaves all moves in, and refuses them."""

    def moved(self, run: ShortRun, seat: int, move: Any, now: datetime) -> Any:
        return Refusal("ILLEGAL_MOVE", "No.")


class AcceptsWhatItDoesNotList(Short):
    """In the first round no move is left, and all are accepted."""

    def narrow(self, run: ShortRun, seat: int, move: Any) -> Any:
        return move if run.played or run.late > 3 else None


class NoReason(Short):
    """It is over, and does not say why."""

    def over(self, run: ShortRun) -> str | None:
        return ""


class ReasonInWords(Short):
    """Why it is over is a sentence."""

    def over(self, run: ShortRun) -> str | None:
        return "Two rounds." if run.played == 2 else None


class NaiveDeadline(Short):
    """Its deadline is in no zone."""

    def deadline(self, run: ShortRun) -> datetime | None:
        return run.ends_at.replace(tzinfo=None)


class GivesNoRun(Short):
    """Nothing comes back for an event."""

    def evolve(self, run: ShortRun, event: Any) -> Any:
        return None if isinstance(event, Counted) else super().evolve(run, event)


class LeavesAtOnce(Short):
    """It ends the process."""

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        raise SystemExit(1)


class NoMetric(Short):
    """It scores by what is no metric of its own."""

    def scores(self, run: ShortRun, seat: int, outcome: Any) -> Mapping[str, int]:
        return {"flips": 1}


class NoNumbers(Short):
    """It draws a number from none."""

    def plan(self, run: ShortRun, now: datetime) -> RoundPlan:
        return RoundPlan(draws={"low": range(0)})


class UnfairJudge(Short):
    """Whoever has won gets nothing, and loses by it."""

    def judge(self, run: ShortRun, outcome: Outcome, view: Any) -> Outcome:
        return Outcome(tuple([replace(one, result=self.other[one.result]) for one in outcome.seats]))

    other: ClassVar[Mapping[Result, Result]] = {Result.WON: Result.LOST, Result.LOST: Result.WON}


class TellsSecrets(Short):
    """It tells everybody what was written down."""

    def moved(self, run: ShortRun, seat: int, move: Any, now: datetime) -> Sequence[Any]:
        return [Said(move.number)] if isinstance(move, WriteDown) else []


class ShowsSecrets(TellsSecrets):
    """It shows everybody what was written down."""

    def view(self, run: ShortRun, viewer: Any) -> ShortView:
        return ShortView(run.said)


class GoesOverASet(Short):
    """Which word it is goes by the order of a set, which is another one in each process."""

    def moved(self, run: ShortRun, seat: int, move: Any, now: datetime) -> Sequence[Any]:
        words = [f"word {number}" for number in range(99)]
        return [Said(words.index(next(iter(set(words)))))]


class NoName(Short):
    """Its name is not what names are."""

    id = "Short Mode"


BROKEN_MODES: Sequence[tuple[str, type[Any], str]] = [
    ("answers", NoView, "NoView.view (brokenmodes.py, line "),
    ("answers", NoViewLater, "raises ZeroDivisionError"),
    ("purity", ChangesItsRun, "over changes the run"),
    ("purity", MutatingRefusal, "moved changes the run"),
    ("purity", LooksAtTheClock, "plan uses datetime.now"),
    ("events", TellsOfUndeclared, "Undeclared() is of no class in events; add Undeclared to them"),
    ("storage", RunOfWords, "the run: it cannot be stored and read: Expected `int`, got `str`"),
    ("storage", OptionsGrow, "the options: limit is 2 and after storage 3"),
    (
        "replay",
        Remembers,
        "the log alone does not give the table that was reached: table.run.said is 12 and by",
    ),
    ("purity", KeepsItsLength, "begin sets self.rounds, and one object serves all tables at once"),
    ("purity", CountsRounds, "evolve sets self.counted, and one object serves all tables at once"),
    ("answers", NoPlan, "plan gives None, and has to give a RoundPlan"),
    ("answers", NoRounds, "round_over gives None, and has to give a list of events: return the events"),
    ("answers", OneRound, "round_over gives Counted(), and has to give a list of events: put it into a list"),
    ("answers", NoJudge, "judge gives None, and has to give an Outcome"),
    ("answers", BareView, "view gives 0, and has to give a ShortView"),
    ("answers", NoBeginning, "begin gives None, and has to give a ShortRun"),
    ("deadlines", StaysLate, "the next one is due"),
    ("refusals", RefusesInSecret, "the refusal code NOPE"),
    ("moves", RefusesWhatItLists, "is among the legal moves"),
    ("moves", AcceptsWhatItDoesNotList, "is not among the legal moves, and is accepted"),
    ("over", NoReason, "is ''"),
    ("over", ReasonInWords, "is 'Two rounds.'; it is None, or a code of words in capitals with _ between"),
    ("deadlines", NaiveDeadline, "deadline gives datetime.datetime("),
    ("answers", GivesNoRun, "evolve gives None, which is no ShortRun, for Counted()"),
    ("answers", LeavesAtOnce, "LeavesAtOnce.view (brokenmodes.py, line "),
    ("scores", NoMetric, "'flips', which is no metric"),
    ("terms", NoNumbers, "low is drawn from no numbers"),
    ("outcomes", UnfairJudge, "has LOST with 1 points, and seat"),
    ("nothing leaks", TellsSecrets, "learns it from the mode"),
    ("nothing leaks", ShowsSecrets, "learns it from the mode"),
    ("same seed, same game", GoesOverASet, "in another process, where sets"),
    ("contract", NoName, "mode id 'Short Mode' is not lower-case words with hyphens"),
]
"""The law, the mode that breaks it, and a part of what is said."""
