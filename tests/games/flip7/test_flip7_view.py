"""What is shown of a round, and what whoever runs the table is told."""

from __future__ import annotations

from random import Random

import pytest

from fliptable import SPECTATOR, Choices, MoveRange, Result
from fliptable.testing import another_world, seen_of
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, Rules, Stay
from tests.games.flip7.flip7_rounds import GAME, Round

NAMES = ["Ann", "Bob", "Cid"]


def ask(played: Round) -> str:
    (seat,) = played.to_act
    return GAME.ask(played.state, seat, NAMES)


def test_f1_one_to_eighteen_seats():
    assert list(GAME.seats) == list(range(1, 19))


def test_a_round_as_everybody_sees_it():
    case = {
        "lines": {"A": "3 +4", "B": "4 CHANCE", "C": "5 2 bust 5"},
        "turn": "A",
        "discard": "9 FREEZE",
        "deck": "FLIP3 FREEZE 6 7",
    }
    played = Round(case)
    view = played.view()
    assert view.cards_left == 94 - 9
    assert view.discarded == ("9", "FREEZE")
    assert view.dealer == 2
    assert [line.score for line in view.lines] == [7, 4, 0]
    assert view.lines[2].bust_card == 5
    assert (view.turn, view.pending, view.phase.value) == (0, None, "TURNS")
    played.follow("A hits")
    view = played.view()
    assert view.turned_up == "FLIP3"
    assert (view.pending.kind.value, view.pending.seat, view.pending.targets) == ("FLIP_THREE", 0, (0, 1))
    assert view.odds is None
    played.follow("A gives B")
    view = played.view()
    assert view.turned_up is None
    assert view.flip_three.seat == 1
    assert view.flip_three.taken == 3
    assert view.flip_three.set_aside == ("FREEZE",)
    assert view.pending.seat == view.turn == 1


def test_assigned_cards_are_shown_while_they_wait():
    case = {
        "lines": {"A": "3", "B": "4", "C": "5"},
        "turn": "A",
        "deck": "FLIP3 FLIP3 FREEZE 6 FLIP3 7 8",
    }
    played = Round(case)
    played.follow("A hits", "A gives B", "B gives C", "B gives A")
    assert [(one.card, one.by, one.to) for one in played.view().waiting] == [("FREEZE", 1, 0)]


def test_the_deal_as_everybody_sees_it():
    played = Round({"deck": "5 FREEZE 6"})
    view = played.view()
    assert view.phase.value == "DEAL"
    assert [line.dealt for line in view.lines] == [True, True, False]


@pytest.mark.parametrize("rules", ["OFFICIAL", "HOSTED"])
def test_legal_moves(rules):
    played = Round({"lines": {"A": "3", "B": "", "C": "5"}, "turn": "A", "deck": "FREEZE"}, rules)
    assert played.legal_moves(0) == [Hit(), Stay()]
    played.follow("A hits")
    assert played.legal_moves(0) == [MoveRange(Assign(0), {"to": Choices((0, 1, 2))})]
    played.follow("A gives A")
    expected = [Hit()] if rules == "OFFICIAL" else [Hit(), Stay()]
    assert played.legal_moves(1) == expected


def test_hosted_what_to_ask():
    played = Round(
        {"lines": {"A": "", "B": "4", "C": "5"}, "turn": "A", "deck": "6 FREEZE FLIP3"}, "OFFICIAL"
    )
    assert ask(played) == "Ask Ann to hit: there is no card to stay with yet."
    played.follow("A hits")
    assert ask(played) == "Ask Bob: hit or stay?"
    played.follow("B hits")
    assert ask(played) == "Ask Bob: who is frozen, Ann, themself or Cid?"
    played.follow("B gives A")
    played.follow("C hits")
    assert ask(played) == "Ask Cid: who has to flip three, Bob or themself?"


def test_hosted_what_to_ask_for_a_second_chance_and_the_optional_card():
    case = {"lines": {"A": "CHANCE", "B": "4", "C": "5"}, "turn": "A", "deck": "CHANCE"}
    played = Round(case)
    played.follow("A hits")
    assert ask(played) == "Ask Ann: who gets the Second Chance, Bob or Cid?"
    played = Round({"deck": "FLIP3 3 4 5"})
    played.follow("A gives B")
    assert ask(played) == "Ask Bob: take the card of the deal or stay?"


@pytest.mark.parametrize("rules", ["OFFICIAL", "HOSTED"])
def test_hosted_the_cycle_grows_as_the_turn_passes_the_first_seat(rules):
    lines = {"A": "1", "B": "2", "C": "3"}
    played = Round({"lines": lines, "turn": "A", "deck": "4 5 6 7 8 9", "dealer": "C"}, rules)
    cycles = []
    for move in ("A hits", "B hits", "C hits", "A stays", "B hits", "C hits", "B hits"):
        cycles.append(GAME.cycle(played.state))
        played.follow(move)
    # A, the first seat, is out at the end, and the turn passes it all the same.
    assert cycles == [2, 2, 2, 3, 3, 3, 4]


def test_hosted_the_first_cycle():
    played = Round({"dealer": "B", "deck": "4 5 6 7"}, "HOSTED")
    cycles = []
    for move in ("C hits", "A hits", "B hits", "C hits"):
        cycles.append(GAME.cycle(played.state))
        played.follow(move)
    assert cycles == [1, 1, 1, 2]


def test_the_cycle_alone_is_the_number_of_the_turn():
    played = Round({"lines": {"A": "1"}, "turn": "A", "deck": "2 3"})
    cycles = []
    for move in ("A hits", "A hits", "A stays"):
        cycles.append(GAME.cycle(played.state))
        played.follow(move)
    assert cycles == [2, 3, 4]
    assert GAME.cycle(played.state) == 4


def test_the_cycle_of_the_deal_is_the_first():
    assert GAME.cycle(Round({"deck": "FREEZE"}).state) == 1
    assert GAME.cycle(Round({"deck": "1 2 3"}).state) == 1


def test_outcomes():
    case = {"lines": {"A": "3 +4", "B": "4 bust 4", "C": "5 left", "D": "8 FREEZE frozen"}, "turn": "A"}
    played = Round(case)
    assert played.outcome is None
    played.follow("A stays")
    ends = [(one.result, one.points, one.reason) for one in played.outcome.seats]
    assert ends == [
        (Result.SCORED, 7, "STAYED"),
        (Result.BUST, 0, "BUST"),
        (Result.LOST, 0, "LEFT"),
        (Result.SCORED, 8, "FROZEN"),
    ]


@pytest.mark.parametrize(
    ("rules", "reach", "ties"), [("OFFICIAL", "AT_LEAST", "PLAY_ON"), ("HOSTED", "MORE_THAN", "ALL_WIN")]
)
def test_f29_the_game_suggests_how_a_match_ends(rules, reach, ties):
    suggested = GAME.suggest("match", Flip7Options(Rules(rules)))
    assert suggested == {"threshold": 200, "reach": reach, "ties": ties}
    assert GAME.suggest("classic", Flip7Options(Rules(rules))) == {}


def test_nothing_but_the_order_of_the_draw_pile_is_hidden():
    played = Round({"lines": {"A": "3", "B": "4"}, "turn": "A", "deck": "9 8 7"})
    other = another_world(GAME, played.state, SPECTATOR, Random(1))
    assert other.deck != played.state.deck
    assert sorted(other.deck) == sorted(played.state.deck)
    assert seen_of(GAME, other, SPECTATOR) == seen_of(GAME, played.state, SPECTATOR)
    assert played.view(0) == played.view()
