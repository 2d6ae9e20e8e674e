"""A number that JSON does not have is said to be one, by the field that it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, nan
from typing import Annotated, Any, ClassVar

import pytest

from fliptable.testing import OneCard, check_game
from fliptable.testing.toys import OneCardState, OneCardView, TurnedUp, WalkedOff


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely something is, which nobody knows."""

    share: Annotated[float, "A fraction."] = 0.5


@dataclass(frozen=True, slots=True)
class Guessed:
    """A guess."""

    odds: Annotated[float, "A fraction."] = 0.5

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "A guess was made."


@dataclass(frozen=True, slots=True)
class GuessingState(OneCardState):
    """With a guess."""

    odds: float = 0.5


class Guessing(OneCard):
    """Its state has a fraction; ``begun`` is the first one."""

    begun: ClassVar[float] = 0.5
    State = GuessingState
    events = (TurnedUp, WalkedOff, Guessed)

    def begin(self, setup: Any) -> GuessingState:
        state = super().begin(setup)
        return GuessingState(state.cards, state.gone, odds=self.begun)

    def evolve(self, state: Any, event: Any) -> Any:
        return state if isinstance(event, Guessed) else super().evolve(state, event)


class SameNan(Guessing):
    """One object that is no number, for good."""

    begun = nan


class NewNan(Guessing):
    """What is no number is made anew each time."""

    def evolve(self, state: Any, event: Any) -> Any:
        return replace(super().evolve(state, event), odds=float("nan"))


class Infinite(Guessing):
    """A fraction without end."""

    begun = inf


class NanInEvent(Guessing):
    """It tells of a guess that is no number."""

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return [*super().decide(state, seat, move, ctx), Guessed(float("nan"))]


class InfiniteEvent(Guessing):
    """It tells of a guess without end."""

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return [*super().decide(state, seat, move, ctx), Guessed(-inf)]


@dataclass(frozen=True, slots=True)
class NanView(OneCardView):
    """It shows a guess."""

    odds: Annotated[float, "A fraction."] = 0.5


class NanShown(OneCard):
    """It shows what is no number."""

    View = NanView

    def view(self, state: Any, viewer: Any) -> Any:
        return NanView(super().view(state, viewer).cards, float("nan"))


class Optional(OneCard):
    """With a fraction among its options."""

    Options = Odds


NAN = "nan, which is not equal to itself once it is stored"


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (SameNan, f"the state: odds is {NAN}"),
        (NewNan, f"the state: odds is {NAN}"),
        (Infinite, "the state: odds is inf, which is no number in JSON"),
        (NanInEvent, f"the event Guessed(odds=nan): odds is {NAN}"),
        (InfiniteEvent, "the event Guessed(odds=-inf): odds is -inf, which is no number in JSON"),
        (NanShown, f"the spectators' view: odds is {NAN}"),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_what_is_no_number_cannot_be_stored(game: type[Any], said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(game(), seats=[1], seeds=[0])
    first = str(caught.value).splitlines()[0]
    assert first == f"plugin 'one-card' breaks the law 'storage': {said}"


def test_nor_can_an_option() -> None:
    with pytest.raises(AssertionError, match=f"breaks the law 'storage': the options: share is {NAN}"):
        check_game(Optional(), seats=[1], seeds=[0], options=[Odds(nan)])


def test_fractions_can_be_stored() -> None:
    check_game(Optional(), seats=[1], seeds=[0], options=[Odds(0.25)])
