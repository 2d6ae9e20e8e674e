"""What is wrong with an input is told with the path of the value at fault, however deep it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

from fliptable import PlayingCard, Suit
from fliptable_api.values import form, plain, value_of


@dataclass(frozen=True)
class Fee:
    """A fee."""

    max_points: Annotated[int, "The most."] = 1

    def __post_init__(self) -> None:
        if self.max_points > 9:
            raise ValueError(f"max_points: {self.max_points} is more than 9")


@dataclass(frozen=True)
class Asked:
    """What is asked."""

    card: PlayingCard = PlayingCard.ACE_OF_CLUBS
    cards: tuple[PlayingCard, ...] = ()
    fee: Fee | None = None
    fees: tuple[Fee, ...] = ()
    span: tuple[int, int] = (0, 1)


def asked(**given: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"card": "AC", "cards": [], "fee": None, "fees": [], "span": [0, 1], **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"card": "1H"}, 'card: "1H" is no card; a card is written like 10H or AS'),
        ({"cards": ["10H", "hearts"]}, 'cards.1: "hearts" is no card; a card is written like 10H or AS'),
        ({"fee": SimpleNamespace(max_points=10)}, "fee.max_points: 10 is more than 9"),
        ({"fees": [SimpleNamespace(max_points=10)]}, "fees.0.max_points: 10 is more than 9"),
        ({"span": [1, 2, 3]}, "span: it has 3 values and has to have 2"),
    ],
)
def test_the_path_leads_to_the_value(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as caught:
        value_of(asked(**given), Asked)
    assert str(caught.value) == said


def test_what_is_right_is_made() -> None:
    fee = SimpleNamespace(max_points=3)
    made = value_of(asked(cards=["10H"], fee=fee, fees=[fee]), Asked)
    assert made == Asked(cards=(PlayingCard.TEN_OF_HEARTS,), fee=Fee(3), fees=(Fee(3),))
    assert value_of([1, 1], frozenset[int]) == frozenset({1})
    assert value_of([1], Sequence[int]) == [1]


class Mood(Enum):
    """In an order that is neither that of the alphabet nor that of the values."""

    SAD = "b"
    GLAD = "c"
    CALM = "a"


@pytest.mark.parametrize(
    ("hint", "value", "shown"),
    [
        (frozenset[Mood], frozenset(Mood), list(Mood)),
        (
            frozenset[PlayingCard],
            frozenset({PlayingCard.ACE_OF_SPADES, PlayingCard.TEN_OF_CLUBS, PlayingCard.TWO_OF_CLUBS}),
            [PlayingCard.TWO_OF_CLUBS, PlayingCard.TEN_OF_CLUBS, PlayingCard.ACE_OF_SPADES],
        ),
        (frozenset[int] | None, frozenset({3, 1, 2}), [1, 2, 3]),
        (tuple[frozenset[int], ...], (frozenset({8, 0}),), [[0, 8]]),
        (frozenset[int | None], frozenset({1, None}), [None, 1]),
    ],
)
def test_sets_are_shown_in_order(hint: Any, value: Any, shown: Any) -> None:
    make = form(hint)
    assert make is not None and make(value) == shown


@pytest.mark.parametrize(
    ("hint", "value", "shown"),
    [
        (dict[str, int], {"b": 1, "a": 2}, [("b", 1), ("a", 2)]),
        (dict[int, int] | None, {3: 1}, [("3", 1)]),
        (dict[Suit, int], {Suit.HEARTS: 1}, [("HEARTS", 1)]),
        (dict[PlayingCard, int], {PlayingCard.TEN_OF_HEARTS: 1}, [("10H", 1)]),
    ],
)
def test_dicts_are_shown_as_named_numbers(hint: Any, value: Any, shown: Any) -> None:
    make = form(hint)
    assert make is not None and [(one.name, one.value) for one in make(value)] == shown


def test_what_is_as_graphql_shows_it_is_left_alone() -> None:
    for hint in (int, tuple[int, ...], PlayingCard | None, tuple[Fee, ...]):
        assert form(hint) is None


def test_times_are_written_in_one_way_wherever_they_stand() -> None:
    assert plain(datetime(2030, 1, 31, 12, tzinfo=UTC)) == "2030-01-31T12:00:00.000Z"
