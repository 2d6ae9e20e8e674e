"""The law `api` tells events with names of a table at which they can happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from fliptable import CARD, PlayingCard
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState
from fliptable_api.testing import check_api


@dataclass(frozen=True)
class Compared:
    """The cards of all seats were compared."""

    cards: Annotated[tuple[PlayingCard | None, ...], "A card a seat; null for one that has none."]

    def text(self, names: Sequence[str]) -> str:
        told = [f"{name} has {card or 'none'}" for name, card in zip(names, self.cards, strict=True)]
        return f"{', '.join(told)}."


class Compares(OneCard):
    """All that lies open is told after each move, with a value for each seat."""

    id = "compares"
    graphql = "Compares"
    events = (*OneCard.events, Compared)

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        after = self.evolve(state, next(iter(events)))  # type: ignore[arg-type]
        return [*events, Compared(self.view(after, frozenset()).cards)]  # type: ignore[misc]

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        return state if isinstance(event, Compared) else super().evolve(state, event)


def test_events_with_a_value_for_each_seat_are_told_with_as_many_names() -> None:
    check_api(Compares(), seeds=range(3))


def test_so_are_examples_and_what_is_made_up() -> None:
    check_api(Compares(), seeds=())
    check_api(Compares(), examples=[Compared((CARD["2C"],) * 6), Compared((None,) * 3)], seeds=())


def test_more_values_than_there_are_seats_make_no_sentence() -> None:
    with pytest.raises(AssertionError, match="the event ComparesCompared, field text: it raises ValueError"):
        check_api(Compares(), examples=[Compared((None,) * 7)], seeds=())


class OneTooMany(Compares):
    """What is told has a value more than there are seats, which happens in play alone."""

    id = "one-too-many"
    graphql = "OneTooMany"
    seats = range(1, 3)

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        *events, compared = super().decide(state, seat, move, ctx)
        return [*events, Compared((*compared.cards, None))]


def test_what_was_played_is_told_at_its_own_table() -> None:
    with pytest.raises(AssertionError, match=r"the move .* cannot be had"):
        check_api(OneTooMany(), seeds=[0])
