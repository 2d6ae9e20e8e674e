"""Chance as games get it: fair, stacked or quick."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fliptable.chance import FairChance, LooseChance, StackedChance
from fliptable.shuffle import commitment, derive_seed, number, shuffle

SECRET = bytes(range(32))
CARDS = ("AC", "2C", "3C", "4C", "5C")


def test_every_use_has_a_number_and_a_seed_of_its_own() -> None:
    chance = FairChance(SECRET, used=4)
    one, two = chance.shuffle(CARDS), chance.shuffle(CARDS, "discards")
    assert (one.shuffle, two.shuffle) == (5, 6) and chance.used == 6
    assert (one.label, two.label) == ("shuffle/5", "shuffle/6")
    assert (one.name, two.name) == ("deck", "discards")
    for event in (one, two):
        seed = derive_seed(SECRET, event.label)
        assert event.commitment == commitment(seed) and event.order == shuffle(seed, CARDS)
        assert event.cards == CARDS


def test_the_same_place_gives_the_same_order() -> None:
    assert FairChance(SECRET, 2).shuffle(CARDS) == FairChance(SECRET, 2).shuffle(CARDS)
    assert FairChance(SECRET, 2).shuffle(CARDS) != FairChance(bytes(32), 2).shuffle(CARDS)


def test_a_shared_deck_is_the_same_at_every_table() -> None:
    """Its label counts from the deck's own beginning, whatever was shuffled at the table before."""
    fresh, later = FairChance(SECRET, 0, "shared:day"), FairChance(SECRET, 7, "shared:day")
    one, two = fresh.shuffle(CARDS), later.shuffle(CARDS)
    assert one.label == two.label == "shared:day/1"
    assert one.order == two.order and one.commitment == two.commitment
    assert (one.shuffle, two.shuffle) == (1, 8)
    assert later.shuffle(CARDS).label == "shared:day/2"


def test_a_number_goes_with_the_next_seed_and_uses_nothing_up() -> None:
    chance = FairChance(SECRET, 0)
    drawn = chance.number("target", range(30, 61))
    assert drawn == chance.number("target", range(30, 61)) and chance.used == 0
    assert drawn in range(30, 61)
    assert chance.shuffle(CARDS).label == "shuffle/1"
    assert drawn == number(derive_seed(SECRET, "shuffle/1"), "target", range(30, 61))


def test_numbers_are_equally_likely_and_differ_by_name() -> None:
    seeds = [derive_seed(SECRET, f"shuffle/{place}") for place in range(3_000)]
    counts = Counter(number(seed, "target", range(30, 40)) for seed in seeds)
    assert set(counts) == set(range(30, 40))
    chi_square = sum((count - 300) ** 2 / 300 for count in counts.values())
    assert chi_square < 27.88  # the 0.999 quantile with 9 degrees of freedom
    both = [(number(seed, "one", range(10)), number(seed, "two", range(10))) for seed in seeds[:200]]
    assert 0 < sum(one == two for one, two in both) < 60


def test_stacks_go_on_top_one_for_each_shuffle() -> None:
    chance = StackedChance(["3C", "AC"], ["5C"])
    assert chance.shuffle(CARDS).order == ("3C", "AC", "2C", "4C", "5C")
    assert chance.shuffle(CARDS).order == ("5C", "AC", "2C", "3C", "4C")
    assert chance.shuffle(CARDS).order == CARDS
    assert chance.used == 3
    assert chance.number("any", range(5, 9)) == 5


def test_a_stack_has_only_cards_of_the_pile() -> None:
    with pytest.raises(ValueError, match="no card 'KS' left"):
        StackedChance(["KS"]).shuffle(CARDS)
    with pytest.raises(ValueError, match="the discards has no card 'AC' left"):
        StackedChance(["AC", "AC"]).shuffle(CARDS, "discards")


def test_a_pile_may_have_equal_cards() -> None:
    assert StackedChance(["7", "7"]).shuffle(("7", "8", "7")).order == ("7", "7", "8")


def test_quick_chance_follows_its_generator() -> None:
    one, two = [LooseChance(Random(5).shuffle) for _ in range(2)]
    assert one.shuffle(CARDS).order == two.shuffle(CARDS).order
    assert sorted(one.shuffle(CARDS).order) == sorted(CARDS)
    assert one.number("any", range(3, 5)) in (3, 4)


@pytest.mark.parametrize("cards", [(), ("AC",)])
def test_small_piles(cards: tuple[str, ...]) -> None:
    for chance in (FairChance(SECRET, 0), StackedChance(), LooseChance(Random(1).shuffle)):
        assert chance.shuffle(cards).order == cards
