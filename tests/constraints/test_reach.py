"""Which targets can be hit under which demands, against every order of small decks (call-it C5, M8)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest

from fliptable import STANDARD_DECK, Demand
from fliptable.testing import Registry
from fliptable_games.call_it.game import WORTH
from fliptable_games.call_it.reach import reachable

DECKS = [
    "2C 3C 4C 5C 6C 7C",
    "AC 2C 9C 10C JC 5D",
    "AC AD 9C 10C JC 9D",
    "AC AD AH AS 9C 10C",
    "AC AD AH 8C 10C KC",
    "AC AD AH AS 9C 10C KC",
    "10C JC QC KC 10D JD",
]


def hits(deck: tuple[str, ...]) -> dict[int, set[tuple[frozenset[str], bool]]]:
    """By target: the cards on the table at a first hit in some order, and whether all aces are high in it.

    The lowest reading only grows, so no order is bust before the first time that the target is a reading.
    """
    found: dict[int, set[tuple[frozenset[str], bool]]] = {}
    for order in permutations(deck):
        low = aces = 0
        seen: set[int] = set()
        for place, code in enumerate(order):
            low += WORTH[code]
            aces += code[0] == "A"
            readings = [low + 10 * high for high in range(aces + 1)]
            for target in readings:
                if target not in seen:
                    cards = frozenset(order[: place + 1])
                    found.setdefault(target, set()).add((cards, target == readings[-1]))
            seen.update(readings)
    return found


def meets(demand: Demand, cards: frozenset[str], highest: bool) -> bool:
    return (
        demand.least <= len(cards)
        and (demand.most is None or len(cards) <= demand.most)
        and cards.isdisjoint(demand.excludes)
        and not any(cards.isdisjoint(group) for group in demand.includes)
        and (highest or not demand.highest)
    )


def some_demands(deck: tuple[str, ...], random: Random) -> Iterator[Demand]:
    for _ in range(random.randint(1, 3)):
        size = len(deck)
        yield Demand(
            least=random.choice([0, 0, 1, 2, 3, size]),
            most=random.choice([None, None, 1, 2, 3, 4, size]),
            includes=tuple(
                frozenset(random.sample(deck, random.randint(1, 3))) for _ in range(random.randint(0, 2))
            ),
            excludes=frozenset(random.sample(deck, random.choice([0, 0, 1, 2]))),
            highest=random.random() < 0.3,
        )


@pytest.mark.parametrize("codes", DECKS)
def test_it_is_what_trying_every_order_gives(codes: str) -> None:
    deck = tuple(codes.split())
    worths = tuple((code, WORTH[code]) for code in deck)
    found = hits(deck)
    random = Random(codes)
    trials = [(), *[tuple(some_demands(deck, random)) for _ in range(300)]]
    empty = 0
    for demands in trials:
        right = {
            target
            for target, ends in found.items()
            if any(all(meets(demand, *end) for demand in demands) for end in ends)
        }
        assert reachable(demands, worths) == right, demands
        empty += not right
    assert 0 < empty < len(trials)


def test_c8_every_target_from_30_to_380_can_be_hit_but_379(registry: Registry) -> None:
    targets = set(registry.game("call-it").targets([]))
    assert targets == set(range(30, 381)) - {379}


@pytest.mark.parametrize(("flips", "low", "high"), [(3, 30, 33), (4, 30, 44), (51, 330, 378), (52, 340, 380)])
def test_the_targets_of_a_number_of_flips(registry: Registry, flips: int, low: int, high: int) -> None:
    targets = registry.game("call-it").targets([Demand(least=flips, most=flips)])
    assert (min(targets), max(targets)) == (low, high)


def test_three_flips_by_every_set_of_three_cards(registry: Registry) -> None:
    sums = set()
    for cards in combinations(STANDARD_DECK, 3):
        low, aces = sum(WORTH[code] for code in cards), sum(code[0] == "A" for code in cards)
        sums |= {low + 10 * high for high in range(aces + 1)}
    assert set(registry.game("call-it").targets([Demand(least=3, most=3)])) == {
        total for total in sums if total >= 30
    }


def test_the_last_card_must_win_for_340_to_380_only(registry: Registry) -> None:
    assert set(registry.game("call-it").targets([Demand(least=52)])) == {340, 350, 360, 370, 380}


def test_nothing_is_in_reach_of_two_cards(registry: Registry) -> None:
    assert not registry.game("call-it").targets([Demand(most=2)])
