"""Constraints that each break one law, for the tests of the kit: a red card, with something wrong.

``BROKEN_CONSTRAINTS`` has for each the law and a part of what is said of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fliptable import Constraint, ConstraintStatus, Demand, Suit
from fliptable.testing.toys import OneCardView


class Red(Constraint):
    """A red card has to be turned up."""

    id = "red"
    name = "Red"
    graphql = "Red"
    summary = "A red card."
    games = ("one-card",)

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        if any(card is not None and card.suit in (Suit.HEARTS, Suit.DIAMONDS) for card in view.cards):
            return ConstraintStatus.MET
        return ConstraintStatus.FAILED if over else ConstraintStatus.OPEN


class Raises(Red):
    """It has no answer."""

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        return {}["status"]  # type: ignore[no-any-return]


class NoStatus(Red):
    """It answers yes."""

    def status(self, options: Any, view: OneCardView, over: bool) -> Any:
        return True


class Wavers(Red):
    """Every second time it says something else."""

    asked = 0

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        self.asked += 1
        return ConstraintStatus.MET if self.asked % 2 else ConstraintStatus.OPEN


class ChangesTheView(Red):
    """It takes the cards away that it is shown."""

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        found = super().status(options, view, over)
        object.__setattr__(view, "cards", ())
        return found


class LooksAtTheClock(Red):
    """In the morning it is met."""

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        return ConstraintStatus.MET if datetime.now().hour < 12 else ConstraintStatus.FAILED


class Mends(Red):
    """It is failed until the round is over, and then met."""

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        return ConstraintStatus.MET if over else ConstraintStatus.FAILED


class StaysOpen(Red):
    """It never says how it ended."""

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        return ConstraintStatus.OPEN


class NoText(Red):
    """It has nothing to say."""

    def text(self, options: Any) -> str:
        return ""


class NoDemand(Red):
    """It demands three."""

    def demand(self, options: Any) -> Any:
        return 3


@dataclass(frozen=True)
class GrowingOptions:
    """Options that are one more each time that they are read."""

    limit: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "limit", self.limit + 1)


class Sentence(Red):
    """It says a whole sentence."""

    def text(self, options: Any) -> str:
        return "With a red card."


class DemandsTooMuch(Red):
    """It demands more cards than there may be."""

    def demand(self, options: Any) -> Any:
        return Demand(least=30, most=2)


class DemandsWhatItForbids(Red):
    """It demands an ace and forbids it."""

    def demand(self, options: Any) -> Any:
        return Demand(includes=(frozenset({"AS"}),), excludes=frozenset({"AS", "KS"}))


class Remembers(Red):
    """It counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def status(self, options: Any, view: OneCardView, over: bool) -> ConstraintStatus:
        self.asked += 1
        return super().status(options, view, over)


class LooksAtWhatIsHidden(Red):
    """It takes it that the first hand can always be seen."""

    games = ("call-it",)

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        if len(view.hands[0].cards) > 3:
            return ConstraintStatus.MET
        return ConstraintStatus.FAILED if over else ConstraintStatus.OPEN


class OptionsGrow(Red):
    """What is read from storage are not the options that were stored."""

    Options = GrowingOptions


class GoesOverASet(Red):
    """Its text has the words of a set in the order in which they come."""

    def text(self, options: Any) -> str:
        return " or ".join({suit.name for suit in Suit} | {f"suit {number}" for number in range(20)})


class NoGames(Red):
    """Its name is not what names are."""

    graphql = "red"


BROKEN_CONSTRAINTS: Sequence[tuple[str, type[Any], str]] = [
    ("status", Raises, "for seat 0, Raises.status (brokenconstraints.py, line "),
    ("status", NoStatus, "which is no ConstraintStatus"),
    ("purity", Wavers, "it gives MET and then OPEN"),
    ("purity", ChangesTheView, "it changes the view that it is shown"),
    ("purity", LooksAtTheClock, "status uses datetime.now"),
    ("lasting", Mends, "it was FAILED and is MET in the same round"),
    ("end", StaysOpen, "it is still OPEN"),
    ("text", NoText, "its text is ''"),
    ("text", Sentence, "its text is 'With a red card.'; it stands in a list or within a sentence"),
    ("demand", NoDemand, "its demand is 3, which is no Demand"),
    ("demand", DemandsTooMuch, "its demand is Demand(least=30, most=2): most is 2, and has to be 30 or more"),
    ("demand", DemandsWhatItForbids, "of ['AS'] a card has to be there, and none of them can be"),
    ("purity", Remembers, "status sets self.asked, and one object serves all tables at once"),
    ("storage", OptionsGrow, "the options: limit is 2 and after storage 3"),
    ("same seed, same game", GoesOverASet, "in another process, where sets"),
    ("contract", NoGames, "GraphQL name 'red' is not in PascalCase"),
]
"""The law, the constraint that breaks it, and a part of what is said."""
