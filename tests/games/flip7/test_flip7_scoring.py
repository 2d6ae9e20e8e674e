"""What lines score, held against a scorer of its own over every line that can lie on a table: F24."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial, prod

import pytest

from fliptable import Refusal
from fliptable_games.flip7 import Flip7Line, Flip7LineScore, score_line
from fliptable_games.flip7.cards import DECK
from fliptable_games.flip7.scoring import worth
from tests.games.flip7.flip7_laws import FULL_DECK

MODIFIERS = ("+2", "+4", "+6", "+8", "+10", "x2")


def lines() -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Every set of up to seven numbers with every set of modifiers."""
    modifier_sets = [chosen for size in range(7) for chosen in combinations(MODIFIERS, size)]
    for size in range(8):
        for numbers in combinations(range(13), size):
            for modifiers in modifier_sets:
                yield numbers, modifiers


def by_hand(numbers: tuple[int, ...], modifiers: tuple[str, ...]) -> int:
    """The host seed's formula n × m + b, plus the bonus."""
    n = 0
    for number in numbers:
        n += number
    m = 1 + modifiers.count("x2")
    b = sum({"+2": 2, "+4": 4, "+6": 6, "+8": 8, "+10": 10}.get(code, 0) for code in modifiers)
    return n * m + b + 15 * (len(numbers) == 7)


def test_f24_every_line():
    """171 at most, 36 the smallest Flip 7, 159 different scores: 0 to 145 and odd ones from there."""
    scores: set[int] = set()
    sevens: set[int] = set()
    for place, (numbers, modifiers) in enumerate(lines()):
        score = worth(numbers, modifiers)
        assert score == by_hand(numbers, modifiers)
        scores.add(score)
        if len(numbers) == 7:
            sevens.add(score)
        if place % 53 == 0:
            breakdown = score_line(Flip7Line(numbers, modifiers))
            assert isinstance(breakdown, Flip7LineScore)
            parts = (breakdown.numbers, breakdown.doubled, breakdown.plus, breakdown.bonus)
            assert breakdown.total == sum(parts) == score
            assert breakdown.flip_seven == (len(numbers) == 7)
    assert max(scores) == 171
    assert min(sevens) == 36
    assert len(scores) == 159
    assert scores == set(range(146)) | set(range(147, 172, 2))


def test_f1_the_deck_is_the_sheet_s():
    assert len(DECK) == 94
    assert {code: DECK.count(code) for code in set(DECK)} == dict(FULL_DECK)


def test_the_numbers_of_the_deck_give_the_sheet_s_chance_of_seven_different_ones():
    copies = [FULL_DECK[str(number)] for number in range(13)]
    ways = factorial(7) * sum(prod(chosen) for chosen in combinations(copies, 7))
    orders = factorial(79) // factorial(72)
    assert ways * 20271005 == 1755667 * orders


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (Flip7Line(), (0, 0, 0, 0, 0)),
        (Flip7Line((3, 11, 5, 7, 10), ("+10", "x2")), (36, 36, 10, 0, 82)),
        (Flip7Line((12, 11, 10, 9, 8, 7, 6), ("+10", "x2")), (63, 63, 10, 15, 151)),
        (Flip7Line((12, 11, 10, 9, 8, 7, 6), MODIFIERS), (63, 63, 30, 15, 171)),
        (Flip7Line((0, 1, 2, 3, 4, 5, 6), second_chance=True), (21, 0, 0, 15, 36)),
        (Flip7Line((), ("x2",)), (0, 0, 0, 0, 0)),
        (Flip7Line((7, 3, 7), ("+10",), bust=True), (0, 0, 0, 0, 0)),
        (Flip7Line((7, 3), bust=True), (0, 0, 0, 0, 0)),
    ],
)
def test_f24_the_breakdown(line, parts):
    score = score_line(line)
    assert isinstance(score, Flip7LineScore)
    assert (score.numbers, score.doubled, score.plus, score.bonus, score.total) == parts
    assert score.bust == line.bust


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        (Flip7Line((7, 7)), "numbers", "more than one 7"),
        (Flip7Line((1, 1)), "numbers", "the deck has only 1"),
        (Flip7Line((1, 2, 3, 4, 5, 6, 7, 8)), "numbers", "8 numbers"),
        (Flip7Line((13,)), "numbers", "no number card 13"),
        (Flip7Line((-1,)), "numbers", "no number card -1"),
        (Flip7Line((), ("+3",)), "modifiers", 'no modifier "+3"'),
        (Flip7Line((), ("FREEZE",)), "modifiers", 'no modifier "FREEZE"'),
        (Flip7Line((), ("+4", "+4")), "modifiers", "2 copies of the +4, but the deck has only 1"),
        (Flip7Line((), ("x2", "x2")), "modifiers", "2 copies of the ×2"),
        (Flip7Line((2, 2, 2), bust=True), "numbers", "3 copies of the 2, but the deck has only 2"),
        (Flip7Line((5, 5, 5), bust=True), "numbers", "first pair"),
        (Flip7Line((5, 5, 6, 6), bust=True), "numbers", "first pair"),
        (Flip7Line((1, 2, 3, 4, 5, 6, 7), bust=True), "numbers", "not bust"),
        (Flip7Line((1, 2, 3, 4, 5, 6, 7, 7), bust=True), "numbers", "not bust"),
        (Flip7Line((5, 5), second_chance=True, bust=True), "second_chance", "used up first"),
    ],
)
def test_f24_a_line_that_cannot_be_is_refused_with_the_reason(line, field, words):
    refusal = score_line(line)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "BAD_LINE"
    assert refusal.field == field
    assert words in refusal.message


def test_scoring_a_line_is_a_query_of_its_own(registry):
    query = registry.queries["score_flip7_line"]
    answer = query.answer(query.Arguments(Flip7Line((3, 11, 5, 7, 10), ("+10", "x2"))))
    assert isinstance(answer, query.Result)
    assert answer.total == 82
    refusal = query.answer(query.Arguments(Flip7Line((7, 7))))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.field) == ("BAD_LINE", "line.numbers")
    assert refusal.code in registry.refusals
