"""Universes, and the win or bust that they make: rule sheet call-it, C4 and C5."""

from __future__ import annotations

from itertools import permutations, product
from math import comb
from random import Random
from typing import Any

import pytest

from fliptable import Outcome, PlayingCard, Result, SeatOutcome
from fliptable.testing import RoundScript, shuffled, suited
from fliptable_games.call_it.game import WORTH, CallIt
from fliptable_games.call_it.vocabulary import Busted, BustReason, Call, Flip, Flipped, HandStatus, Phase, Won
from tests.games.call_it.call_it_rounds import DEAD, HIT, LIVE, reasons, script, sums


def test_c4_before_the_first_flip_there_is_one_sum_of_zero() -> None:
    round = script()
    assert sums(round) == [(0, 1, LIVE)]
    round.play(0, Call(30))
    assert sums(round) == [(0, 1, LIVE)]


def test_c4_without_aces_there_is_one_sum() -> None:
    round = script("9H 8C")
    round.play(0, Call(30), Flip(), Flip())
    assert sums(round) == [(17, 1, LIVE)]


@pytest.mark.parametrize("aces", range(5))
@pytest.mark.parametrize("others", ["", "2", "10 9", "K 3 4"])
def test_c4_every_distinct_sum_with_its_number_of_readings(aces: int, others: str) -> None:
    cards = suited(" ".join(["A"] * aces + others.split()))
    for order in set(permutations(cards.split())) if len(cards.split()) < 5 else [tuple(cards.split())]:
        round = script(" ".join(order))
        round.play(0, Call(1000), *[Flip()] * len(order))
        # Read every ace as 1 and as 11, and count.
        fixed = sum(WORTH[code] for code in order if code[0] != "A")
        readings: dict[int, int] = {}
        for reading in product((1, 11), repeat=aces):
            readings[fixed + sum(reading)] = readings.get(fixed + sum(reading), 0) + 1
        assert sums(round) == [(total, number, LIVE) for total, number in sorted(readings.items())]
        assert len(readings) == aces + 1 and sum(readings.values()) == 2**aces
        assert list(readings.values()) == [comb(aces, k) for k in range(aces + 1)]


def test_c4_a_dead_sum_never_revives() -> None:
    round = script(suited("A A A A 2 3"))
    round.play(0, Call(35))
    dead: set[int] = set()
    for _ in range(6):
        round.play(0, Flip())
        place = [(index, one[2]) for index, one in enumerate(sums(round))]
        assert all(status is DEAD for index, status in place if index in dead)
        dead = {index for index, status in place if status is DEAD}
    assert dead == {3, 4}


@pytest.mark.parametrize(
    ("target", "ranks", "expected", "result"),
    [
        (31, "10 10 A", [(21, 1, LIVE), (31, 1, HIT)], Result.WON),
        (30, "9 9 A A", [(20, 1, LIVE), (30, 2, HIT), (40, 1, DEAD)], Result.WON),
        (30, "10 10 9 2", [(31, 1, DEAD)], Result.BUST),
        (
            30,
            "A A A A 6",
            [(10, 1, LIVE), (20, 4, LIVE), (30, 6, HIT), (40, 4, DEAD), (50, 1, DEAD)],
            Result.WON,
        ),
        (30, "10 9 A", [(20, 1, LIVE), (30, 1, HIT)], Result.WON),
    ],
)
def test_c5_the_cases_of_the_sheet(target: int, ranks: str, expected: Any, result: Result) -> None:
    cards = suited(ranks)
    round = script(cards)
    round.play(0, Call(target))
    for _ in cards.split()[:-1]:
        round.play(0, Flip())
        assert round.outcome is None
    round.play(0, Flip())
    assert round.outcome is not None and round.outcome.seats[0].result is result
    assert sums(round) == expected


def test_c5_four_aces_are_not_yet_thirty() -> None:
    round = script(suited("A A A A 6"))
    round.play(0, Call(30), Flip(), Flip(), Flip(), Flip())
    assert sums(round) == [(4, 1, LIVE), (14, 4, LIVE), (24, 6, LIVE), (34, 4, DEAD), (44, 1, DEAD)]
    assert round.outcome is None


def test_c5_the_win_comes_with_the_card() -> None:
    round = script(suited("10 10 10"))
    round.play(0, Call(30), Flip(), Flip())
    assert round.play(0, Flip()) == [Flipped(0, PlayingCard("10H")), Won(0, 3)]
    assert round.outcome == Outcome((SeatOutcome(Result.WON, 1, None, {"flips": 3}),))
    assert round.view(0).phase is Phase.OVER and round.view(0).hands[0].status is HandStatus.WON


def test_c5_the_bust_comes_with_the_card() -> None:
    round = script(suited("10 10 9 2"))
    round.play(0, Call(30), Flip(), Flip(), Flip())
    assert round.play(0, Flip()) == [Flipped(0, PlayingCard("2C")), Busted(0, BustReason.OVER)]
    assert round.outcome == Outcome((SeatOutcome(Result.BUST, 0, "OVER", {"flips": 4}),))


def test_c5_high_readings_may_be_over_while_the_lowest_lives() -> None:
    round = script(suited("A 10 10 10 A"))
    round.play(0, Call(32), Flip(), Flip(), Flip(), Flip())
    assert sums(round) == [(31, 1, LIVE), (41, 1, DEAD)]
    round.play(0, Flip())
    assert round.outcome is not None and round.outcome.winners == [0]


@pytest.mark.parametrize("seed", range(40))
def test_c5_against_every_reading_of_every_flip(seed: int) -> None:
    """Whole rounds, judged by reading all aces in all ways from the start."""
    random = Random(seed)
    target = random.choice([30, 31, 45, 77, 200, 339, 345, 360, 378, 379])
    round = RoundScript(CallIt(), shuffled(random))
    round.play(0, Call(target))
    fixed, aces, flips = 0, 0, 0
    while True:
        round.play(0, Flip())
        code = round.state.deck[flips]
        flips += 1
        aces += code[0] == "A"
        fixed += WORTH[code] if code[0] != "A" else 0
        readings = {fixed + sum(reading) for reading in product((1, 11), repeat=aces)}
        if target in readings:
            assert round.outcome is not None and round.outcome.winners == [0]
            return
        if min(readings) > target:
            assert reasons(round) == ["OVER"]
            return
        if flips == 52:
            assert reasons(round) == ["DECK_EMPTY"]
            return
        assert round.outcome is None
