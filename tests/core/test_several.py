"""A field of a move that takes a list: what is drawn for it, and what the kit tries."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from fliptable import Between, Choices, MoveRange, Several
from fliptable.testing.moves import covers, random_value, samples


@dataclass(frozen=True, slots=True)
class Take:
    """Take some cards."""

    cards: tuple[int, ...] = ()


def drawn(allowed: Several) -> list[tuple[Any, ...]]:
    random = Random(5)
    return [random_value(allowed, random) for _ in range(200)]


def test_lists_of_every_length_with_no_value_twice_are_drawn() -> None:
    for of in (Choices((3, 5, 8, 9)), Between(3, 9)):
        lists = drawn(Several(of, most=3, least=1))
        assert {len(one) for one in lists} == {1, 2, 3}
        assert all(len(set(one)) == len(one) for one in lists)
        assert {value for one in lists for value in one} <= {3, 4, 5, 6, 7, 8, 9}


def test_the_kit_tries_the_shortest_the_longest_and_single_ones() -> None:
    legal = MoveRange(Take(), {"cards": Several(Choices((1, 2, 3)), most=2)})
    tried = {one.cards for one in samples(legal, Random(1))}
    assert {(), (1,), (2,), (1, 2), (3, 2)} <= tried
    assert all(len(cards) <= 2 for cards in tried)


def test_other_lists_may_be_accepted_too() -> None:
    legal = MoveRange(Take(), {"cards": Several(Choices((1, 2, 3)), most=2)})
    assert covers(legal, Take((1, 1))) and covers(legal, Take((2, 3)))
