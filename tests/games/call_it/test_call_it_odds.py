"""How often Call It and Flip is won, exactly and in play (the sheet's numbers to test against)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import perm, sqrt

import pytest

from fliptable import Context, Setup
from fliptable.testing import START, shuffled
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import Call, CallItOptions, CallItTerms, Flip

WORTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
COUNTS = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
"""How many cards of the deck count so much, aces as 1."""

ODDS = {
    30: Fraction(2053260476010437, 10726569672068250),
    31: 0.183444970821,
    32: 0.175496579930,
    50: 0.198327424,
    60: 0.207200965,
    340: 1,
    378: Fraction(1, 13),
    379: 0,
}
MEAN_FLIPS = {30: 4.4355, 50: 7.4061}

Hit = Callable[[int, int], bool]


def first_hits(hit: Hit, most: int) -> Iterator[tuple[int, int]]:
    """In how many orders a growing set of cards hits for the first time with its n-th card: (n, orders).

    ``hit`` gets the lowest sum and the number of aces; sums above ``most`` are not followed. A set is
    how many cards it has of each worth, and carries the number of orders that lead to it without a hit.
    """
    layer = {(0,) * len(WORTHS): (0, 1)}
    if hit(0, 0):
        yield 0, 1
        return
    for n in range(1, 53):
        grown: dict[tuple[int, ...], tuple[int, int]] = {}
        hits = 0
        for counts, (total, orders) in layer.items():
            for place, worth in enumerate(WORTHS):
                left = COUNTS[place] - counts[place]
                if not left or total + worth > most:
                    continue
                aces = counts[0] + (place == 0)
                if hit(total + worth, aces):
                    hits += orders * left
                    continue
                after = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                known = grown.get(after)
                grown[after] = (total + worth, orders * left + (known[1] if known else 0))
        if hits:
            yield n, hits
        layer = grown


def exactly(target: int) -> tuple[Fraction, Fraction]:
    """P(win), and the mean number of flips of a win times P(win)."""

    def hit(low: int, aces: int) -> bool:
        return low <= target and (target - low) % 10 == 0 and target - low <= 10 * aces

    chance = mean = Fraction(0)
    for n, orders in first_hits(hit, target):
        chance += Fraction(orders, perm(52, n))
        mean += Fraction(n * orders, perm(52, n))
    return chance, mean


def exactly_from_the_bottom(target: int) -> Fraction:
    """P(win) for a target so high that only the last cards matter: the pile is looked at from below."""

    def hit(below: int, aces: int) -> bool:
        gap = target - (340 - below)
        return gap >= 0 and gap % 10 == 0 and gap <= 10 * (4 - aces)

    orders = first_hits(hit, max(0, 380 - target))
    return sum((Fraction(number, perm(52, n)) for n, number in orders), Fraction(0))


@pytest.mark.parametrize("target", [30, 31, 32, 50, 60])
def test_the_exact_odds_are_those_of_the_sheet(target: int) -> None:
    chance, mean = exactly(target)
    if isinstance(ODDS[target], Fraction):
        assert chance == ODDS[target]
    assert float(chance) == pytest.approx(float(ODDS[target]), abs=1e-9)
    if target in MEAN_FLIPS:
        assert float(mean / chance) == pytest.approx(MEAN_FLIPS[target], abs=5e-5)


@pytest.mark.parametrize("target", [340, 378, 379])
def test_the_exact_odds_of_the_highest_targets(target: int) -> None:
    assert exactly_from_the_bottom(target) == ODDS[target]


@pytest.mark.parametrize("target", [341, 345, 350, 360, 369, 370, 371, 377, 380, 381, 400])
def test_c8_certain_and_impossible_targets_are_the_only_ones(target: int) -> None:
    chance = exactly_from_the_bottom(target)
    if target in (350, 360, 370, 380):
        assert chance == 1
    elif target > 380:
        assert chance == 0
    else:
        assert 0 < chance < 1


def simulate(target: int, rounds: int, seed: int) -> tuple[int, int, int]:
    """Rounds won, the flips of those, and their squares: the game itself, without a table."""
    game = CallIt()
    ctx = Context(START, shuffled(seed))
    setup = Setup(CallItOptions(), CallItTerms(), 1)
    call, flip = Call(target), Flip()
    won = flips = squares = 0
    decide, evolve = game.decide, game.evolve
    for _ in range(rounds):
        state = game.begin(setup)
        for event in game.deal(state, ctx):
            state = evolve(state, event)
        for event in decide(state, 0, call, ctx):
            state = evolve(state, event)
        while state.left and state.winner is None:
            for event in decide(state, 0, flip, ctx):
                state = evolve(state, event)
        if state.winner is not None:
            won += 1
            number = len(state.hands[0].cards)
            flips += number
            squares += number * number
    return won, flips, squares


@pytest.mark.parametrize(("target", "rounds"), [(30, 110_000), (50, 90_000)])
def test_played_odds_are_within_four_standard_errors(target: int, rounds: int) -> None:
    won, flips, squares = simulate(target, rounds, seed=2026)
    chance = float(ODDS[target])
    assert abs(won / rounds - chance) < 4 * sqrt(chance * (1 - chance) / rounds)
    mean = flips / won
    deviation = sqrt(squares / won - mean * mean)
    assert abs(mean - MEAN_FLIPS[target]) < 4 * deviation / sqrt(won)


@pytest.mark.parametrize("target", [340, 378, 379])
def test_played_odds_of_the_highest_targets(target: int) -> None:
    rounds = 600
    won, _, _ = simulate(target, rounds, seed=7)
    chance = float(ODDS[target])
    assert abs(won / rounds - chance) <= 4 * sqrt(chance * (1 - chance) / rounds)
