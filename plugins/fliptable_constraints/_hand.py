"""What the built-in constraints share: the cards that the player of a round of Call It has turned up."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fliptable import STANDARD_DECK, Between, Constraint, ConstraintStatus, Demand, check_limits

FLIPS = range(1, len(STANDARD_DECK) + 1)
"""The numbers of flips that a constraint may ask for."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards turned up, those still to come, and the sums that the cards can be read as."""

    cards: frozenset[str]
    rest: frozenset[str]
    target: int | None
    sums: tuple[int, ...]

    @property
    def flips(self) -> int:
        """How many cards were turned up."""
        return len(self.cards)


class HandConstraint(Constraint):
    """A condition on the cards of the player.

    A subclass says whether the condition holds for the cards as they lie, whether later cards can
    still undo that, and whether a later hit can still satisfy it.
    """

    games = ("call-it",)

    @abstractmethod
    def holds(self, options: Any, hand: Hand) -> bool:
        """Whether the condition is satisfied if the round ends now."""

    @abstractmethod
    def lasts(self, options: Any, hand: Hand) -> bool:
        """Whether a condition that holds will hold whatever comes."""

    @abstractmethod
    def can_hold(self, options: Any, hand: Hand) -> bool:
        """Whether a hit with a later card can satisfy it, whatever the sums allow."""

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        hand = _hand(view)
        if hand is None:
            return ConstraintStatus.OPEN
        holds = self.holds(options, hand)
        if over:
            return ConstraintStatus.MET if holds else ConstraintStatus.FAILED
        if holds and self.lasts(options, hand):
            return ConstraintStatus.MET
        return ConstraintStatus.OPEN if self.can_hold(options, hand) else ConstraintStatus.FAILED


def _hand(view: Any) -> Hand | None:
    """The only hand of a round; None when the viewer does not see its cards."""
    shown = view.hands[0]
    if shown.cards is None:
        return None
    cards = frozenset([card.value for card in shown.cards])
    sums = tuple([universe.sum for universe in shown.universes])
    return Hand(cards, frozenset(STANDARD_DECK) - cards, view.target, sums)


class Including(HandConstraint):
    """At least one of some cards has to be on the table."""

    @abstractmethod
    def wanted(self, options: Any) -> frozenset[str]:
        """The cards of which one has to be there."""

    def holds(self, options: Any, hand: Hand) -> bool:
        return not self.wanted(options).isdisjoint(hand.cards)

    def lasts(self, options: Any, hand: Hand) -> bool:
        return True

    def can_hold(self, options: Any, hand: Hand) -> bool:
        return not self.wanted(options).isdisjoint(hand.cards | hand.rest)

    def demand(self, options: Any) -> Demand:
        return Demand(includes=(self.wanted(options),))


class Excluding(HandConstraint):
    """None of some cards may be on the table."""

    @abstractmethod
    def barred(self, options: Any) -> frozenset[str]:
        """The cards of which none may be there."""

    def holds(self, options: Any, hand: Hand) -> bool:
        return self.barred(options).isdisjoint(hand.cards)

    def lasts(self, options: Any, hand: Hand) -> bool:
        return self.barred(options).isdisjoint(hand.rest)

    def can_hold(self, options: Any, hand: Hand) -> bool:
        # The next card has to be another one.
        return self.holds(options, hand) and not hand.rest <= self.barred(options)

    def demand(self, options: Any) -> Demand:
        return Demand(excludes=self.barred(options))


@dataclass(frozen=True, slots=True)
class FlipsOptions:
    """A number of flips."""

    flips: Annotated[int, Between(FLIPS[0], FLIPS[-1]), "How many flips."]

    def __post_init__(self) -> None:
        """Keep the limits."""
        check_limits(self)


class Counting(HandConstraint):
    """The number of flips of the round has to be in a range."""

    phrase: ClassVar[str]

    @abstractmethod
    def span(self, flips: int) -> tuple[int, int]:
        """The fewest and the most flips."""

    def holds(self, options: Any, hand: Hand) -> bool:
        least, most = self.span(options.flips)
        return least <= hand.flips <= most

    def lasts(self, options: Any, hand: Hand) -> bool:
        return self.span(options.flips)[1] >= hand.flips + len(hand.rest)

    def can_hold(self, options: Any, hand: Hand) -> bool:
        return hand.flips < self.span(options.flips)[1]

    def demand(self, options: Any) -> Demand:
        least, most = self.span(options.flips)
        return Demand(least=least, most=most)

    def text(self, options: Any) -> str:
        return f"in {self.phrase} {options.flips} {'flip' if options.flips == 1 else 'flips'}"


def of_rank(rank: str) -> frozenset[str]:
    """The cards of a rank, by its character."""
    return frozenset([code for code in STANDARD_DECK if code[:-1] == rank])


def of_suit(suit: str) -> frozenset[str]:
    """The cards of a suit, by its letter."""
    return frozenset([code for code in STANDARD_DECK if code.endswith(suit)])


ACES = of_rank("A")
"""The four aces."""


def a(word: str) -> str:
    """A word with its article."""
    return f"{'an' if word[0] in 'ae' else 'a'} {word}"
