"""The odds of one more card, held against playing it out in every order of the draw pile."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from fliptable import SPECTATOR, Shuffled
from fliptable.testing import RoundScript, stacked
from fliptable_games.flip7.events import Busted, CardTurned, SavedBySecondChance
from fliptable_games.flip7.evolve import with_deck
from fliptable_games.flip7.odds import next_card, odds, unseen
from fliptable_games.flip7.state import Line
from fliptable_games.flip7.vocabulary import Hit
from tests.games.flip7.flip7_laws import FULL_DECK
from tests.games.flip7.flip7_rounds import GAME, Round

BOTH = pytest.mark.parametrize("rules", ["OFFICIAL", "HOSTED"])


def as_fraction(ratio) -> Fraction:
    assert ratio.value == pytest.approx(ratio.numerator / ratio.denominator)
    return Fraction(ratio.numerator, ratio.denominator)


@pytest.mark.parametrize(
    ("numbers", "bust"),
    [((12,), (11, 93)), ((12, 11), (21, 92)), ((0,), (0, 93)), ((5, 6, 7), (15, 91))],
)
def test_the_sheet_s_numbers_for_a_fresh_deck(numbers, bust):
    pile = Counter(FULL_DECK)
    pile.subtract(map(str, numbers))
    found = odds(0, Line(numbers), +pile)
    assert (found.bust.numerator, found.bust.denominator) == bust


@pytest.mark.parametrize("numbers", [(0,), (1,), (0, 1)])
def test_f9_0_and_1_cannot_bust(numbers):
    """There is one card of each."""
    pile = Counter(FULL_DECK)
    pile.subtract(map(str, numbers))
    assert odds(0, Line(numbers), +pile).bust.numerator == 0


def test_a_second_chance_saves():
    pile = Counter({"12": 11, "5": 3})
    held = odds(0, Line((12,), second_chance=True), pile)
    assert held.bust.numerator == 0
    assert as_fraction(held.gain) == Fraction(15, 14)


def test_the_gain_of_a_hit():
    # A 5 adds ten with ×2 on the table, the 12 costs all 34, +4 adds four, actions nothing.
    pile = Counter({"5": 1, "12": 1, "+4": 1, "FREEZE": 1, "FLIP3": 1, "CHANCE": 1})
    found = odds(0, Line((12,), ("x2", "+10")), pile)
    assert as_fraction(found.gain) == Fraction(10 - 34 + 4, 6)
    assert as_fraction(found.bust) == Fraction(1, 6)


def test_the_seventh_number():
    pile = Counter({"6": 2, "12": 2, "x2": 1})
    found = odds(0, Line((12, 11, 10, 9, 8, 7)), pile)
    assert as_fraction(found.flip_seven) == Fraction(2, 5)
    assert as_fraction(found.gain) == Fraction(2 * 21 - 2 * 57 + 57, 5)


def one_card(state, chance) -> tuple[bool, int]:
    """Whether the next card alone busts the first seat, and by how much it changes its score."""
    before = state.lines[0].points
    turned = False
    for event in RoundScript(GAME, chance, state=state).play(0, Hit()):
        if type(event) is Shuffled or not turned:
            state = GAME.evolve(state, event)
            turned = type(event) is CardTurned
        elif type(event) in (Busted, SavedBySecondChance):
            state = GAME.evolve(state, event)
            break
        else:
            break
    line = state.lines[0]
    return line.bust_card is not None, line.points - before


POSITIONS = [
    ({"A": "12", "B": "4 5 CHANCE", "C": "5"}, "12 5 +4 CHANCE FREEZE"),
    ({"A": "12 CHANCE", "B": "4", "C": "5"}, "12 12 x2 FLIP3"),
    ({"A": "12 11 10 9 8 7 x2 +10", "B": "4", "C": "5"}, "6 7 12 8 +2"),
    ({"A": "", "B": "4", "C": "5"}, "x2 +10 0 1 CHANCE"),
    ({"A": "3 x2", "B": "4 CHANCE", "C": "5 bust 5"}, "3 12 12 +6 FLIP3"),
    ({"A": "3 4", "B": "stayed", "C": "stayed"}, "3 12 FREEZE FLIP3 CHANCE"),
]


@BOTH
@pytest.mark.parametrize(("lines", "pile"), POSITIONS)
def test_odds_are_what_every_order_of_the_draw_pile_gives(rules, lines, pile):
    played = Round({"lines": lines, "turn": "A", "draw_only": True, "deck": pile}, rules)
    shown = played.view().odds
    results = [
        one_card(with_deck(played.state, order), stacked(used=2)) for order in permutations(pile.split())
    ]
    assert as_fraction(shown.bust) == Fraction(sum(bust for bust, _ in results), len(results))
    assert as_fraction(shown.gain) == Fraction(sum(gain for _, gain in results), len(results))


@BOTH
@pytest.mark.parametrize(("lines", "pile"), POSITIONS)
def test_odds_of_an_empty_draw_pile_are_those_of_the_discard_pile(rules, lines, pile):
    """The next card is then any of the discard pile: every one that can come to the top is tried."""
    played = Round({"lines": lines, "turn": "A", "draw_only": True, "deck": ""}, rules)
    shown = played.view().odds
    discard = Counter(played.state.discard)
    bust = gain = Fraction(0)
    for code, copies in discard.items():
        busts, change = one_card(played.state, stacked(code, used=2))
        bust += Fraction(copies * busts, discard.total())
        gain += Fraction(copies * change, discard.total())
    assert as_fraction(shown.bust) == bust
    assert as_fraction(shown.gain) == gain


@BOTH
def test_the_draw_pile_is_the_94_cards_less_those_in_view(rules):
    case = {
        "lines": {"A": "3", "B": "4 bust 4", "C": "5 FREEZE frozen", "D": "6 +4 CHANCE"},
        "turn": "A",
        "discard": "9 9 FLIP3",
        "deck": "FLIP3 FREEZE 7 8",
    }
    if rules == "HOSTED":
        case["lines"]["C"] = "5 frozen"
    played = Round(case, rules)
    assert unseen(played.state) == Counter(played.state.deck[played.state.place :])
    for move in ("A hits", "A gives D", "D gives A"):
        played.follow(move)
        assert unseen(played.state) == Counter(played.state.deck[played.state.place :])


@BOTH
def test_odds_do_not_depend_on_the_order(rules):
    played = Round({"lines": {"A": "12 5", "B": "4"}, "turn": "A", "deck": "12 5 1"}, rules)
    deck = played.state.deck
    for other in (deck[::-1], (*deck[40:], *deck[:40])):
        assert GAME.view(with_deck(played.state, other), SPECTATOR) == played.view()
    assert next_card(played.state).total() == len(deck)


def test_odds_are_shown_for_the_optional_card_too():
    played = Round({"deck": "FLIP3 3 4 5 6"})
    played.follow("A gives B")
    assert played.view().odds.seat == 1
    assert played.view().odds.bust.numerator == 2 + 3 + 4
