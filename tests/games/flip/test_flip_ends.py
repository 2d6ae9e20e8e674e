"""How a game of FLIP ends, and what happens when somebody leaves (Y10, Y11, Y12)."""

from __future__ import annotations

from itertools import product

import pytest

from fliptable import CARD, Private, Result
from fliptable_games.flip.state import Phase
from fliptable_games.flip.vocabulary import (
    CameBack,
    DrawReason,
    Drew,
    DrewUnseen,
    GaveUp,
    Stalemate,
    TurnBegan,
    WentOut,
    Won,
)
from tests.games.flip.positions import GAME, codes, position

ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


@pytest.mark.parametrize(("mine", "theirs"), [*product(ORDER, ORDER)])
def test_y7_what_takes_what(mine, theirs):
    """A K Q J 10 … 2; an ace takes anything, anything takes an ace, equal takes equal."""
    script = position(
        {"field": [[f"| {mine}C", f"| {theirs}D"], ["", "| 9S"]], "decks": ["", "9H"], "turn": 0}
    )
    takes = mine == "A" or theirs == "A" or ORDER.index(mine) >= ORDER.index(theirs)
    assert ("move 0 0 0 1" in script.legal) == takes


def test_y9_a_taking_move_names_what_it_took():
    script = position({"field": [["| KC", "| QD"], ["", "| 9D"]], "decks": ["", ""], "turn": 0})
    taking = script.branch().follow("move 0 0 0 1")[0]
    assert (taking.card.value, taking.taken.value) == ("KC", "QD")
    going = script.branch().follow("move 0 0 1 0")[0]
    assert (going.card.value, going.taken) == ("KC", None)


def test_y10_out_and_in_again_are_events():
    field = [["2D 3C | 8C", "| 9D"], ["| 9H", "3H |"]]
    script = position({"field": field, "decks": ["", "", ""], "turn": 1})
    events = script.follow("flip 0 0")
    assert events[1:] == [WentOut(0), TurnBegan(2)]
    deck = script.view().decks[0]
    assert deck.out and not deck.gave_up and deck.cards_left == 0
    script.follow("pass")
    assert script.to_act == [1]
    script.follow("pass")
    assert script.view().draw_reason is DrawReason.ALL_IDLE


def test_y10_in_again():
    field = [["8C |", "| 9D"], ["| 9H", "3H |"]]
    script = position({"field": field, "decks": ["", "", ""], "turn": 1, "out": [0]})
    events = script.follow("flip 0 0")
    assert events[1:] == [CameBack(0), TurnBegan(2)]
    assert not script.view().decks[0].out


def test_y11_the_outcome_of_a_win():
    field = [["2C | 8C", "2D | 5D"], ["2H |", "3H |"]]
    script = position({"field": field, "decks": ["", "", ""], "turn": 0, "out": [2]})
    assert script.outcome is None
    events = script.follow("move 0 0 0 1")
    assert events[1:] == [WentOut(1), Won(0)]
    assert script.view().phase is Phase.OVER and script.to_act == []
    outcome = script.outcome
    assert [one.result for one in outcome.seats] == [Result.WON, Result.LOST, Result.LOST]
    assert [one.points for one in outcome.seats] == [1, 0, 0]
    assert [one.reason for one in outcome.seats] == ["LAST_IN", "OUT", "OUT"]
    view = script.view()
    assert (view.winner, view.player, view.draw_reason) == (0, None, None)


def test_y12_the_outcome_of_a_draw_says_why():
    script = position({"field": [["| KC", ""], ["| KD", ""]], "decks": ["", ""], "turn": 0})
    script.follow("pass")
    events = script.follow("pass")
    assert events[1:] == [Stalemate(DrawReason.ALL_IDLE)]
    outcome = script.outcome
    assert [one.result for one in outcome.seats] == [Result.DRAWN, Result.DRAWN]
    assert [one.reason for one in outcome.seats] == ["ALL_IDLE", "ALL_IDLE"]
    assert [one.points for one in outcome.seats] == [0, 0]
    assert script.view().draw_reason is DrawReason.ALL_IDLE


def test_y12_hidden_cards_that_have_changed_places_make_another_position():
    """Black exchanges two face-down cards through a spare space, again and again. What is seen of the
    field is the same after each exchange, the position only after every other one."""
    field = [["2C |", "3C |", "| KC"], ["", "", "| KD"]]
    script = position({"field": field, "decks": ["", ""], "turn": 0})
    seen = [pile.face_up for pile in script.view().piles]
    exchange = [
        "flip 0 0",
        "move 0 0 1 0",
        "flip 0 1",
        "move 0 1 0 0",
        "move 1 0 1 1",
        "move 1 1 0 1",
        "flip 0 0",
        "flip 0 1",
    ]
    for number in range(1, 5):
        for words in exchange:
            script.follow(words)
            assert script.outcome is None
            script.follow("pass")
        assert (script.outcome is not None) == (number == 4)
        assert codes("".join(script.state.down)) == (["2C", "3C"] if number % 2 == 0 else ["3C", "2C"])
        piles = script.view().piles
        assert [pile.face_down for pile in piles] == [1, 1, 0, 0, 0, 0]
        assert [pile.face_up for pile in piles] == seen
    assert script.view().draw_reason is DrawReason.REPETITION


def test_y12_passing_is_idle_also_while_nobody_can_draw():
    """No space is open, though the decks have cards."""
    field = [["| 9C", "| 9D"], ["| 2C 10D", "| 2D 10C"]]
    script = position({"field": field, "decks": ["3C", "3D"], "turn": 0})
    script.follow("pass", "pass")
    assert script.view().draw_reason is DrawReason.ALL_IDLE
    assert [codes(deck) for deck in script.state.decks] == [["3C"], ["3D"]]


def test_y12_positions_repeat_also_while_nobody_can_draw():
    """Two piles that show a card either way are flipped in turn: every fourth flip brings all back."""
    field = [["4C | 9C", "4D | 9D"], ["| 2C", "| 2D"]]
    script = position({"field": field, "decks": ["3C", "3D"], "turn": 0})
    # What was before the first flip never comes back, since it forbids no pile (Y5); what came of that
    # flip is there again after the fifth and after the ninth.
    for number in range(1, 10):
        assert script.outcome is None
        script.follow("flip 0 0" if number % 2 else "flip 0 1")
    assert script.view().draw_reason is DrawReason.REPETITION
    assert [codes(deck) for deck in script.state.decks] == [["3C"], ["3D"]]


def test_y12_how_far_the_turn_limit_is_is_shown_and_positions_are_not():
    script = position({"field": [["| KC", ""], ["| KD", ""]], "decks": ["", ""], "turn": 0})
    script.follow("move 0 0 0 1")
    view = script.view()
    assert (view.drawless_turns, view.turn_limit) == (1, 100)
    assert not any("seen" in name for name in type(view).__dataclass_fields__)


def test_y12_positions_are_kept_only_since_the_last_draw():
    field = [["| KC", ""], ["| KD", ""]]
    script = position({"field": field, "decks": ["", "2D"], "turn": 0})
    script.follow("move 0 0 0 1")
    assert script.state.drawn and script.state.seen == {}


# -- leaving --------------------------------------------------------------------------------------

FOUR = {"field": [["7C | 8C", "| 9D"], ["| 9H", "| 9S"]], "decks": ["", "2D", "2H", ""], "turn": 0}


def test_y10_who_leaves_is_out_for_good_and_their_cards_stay():
    script = position(FOUR)
    piles = script.view().piles
    assert script.leave(3) == [GaveUp(3)]
    assert script.view().piles == piles and script.to_act == [0]
    deck = script.view().decks[3]
    assert deck.gave_up and not deck.out
    # Their turn is skipped although a card of theirs is on top.
    script.follow("pass", "pass", "flip 0 0")
    assert script.to_act == [0]


def test_y10_who_leaves_in_their_turn_ends_it():
    script = position(FOUR)
    assert script.leave(0) == [GaveUp(0), TurnBegan(1)]
    assert script.to_act == [1]


def test_y13_an_unplaced_card_goes_back_unseen():
    field, decks = [["7C |", "| 9D"], ["| 9H", "| 9S"]], ["3C 4C", "2D", "2H", "2S"]
    script = position(FOUR | {"field": field, "decks": decks})
    assert script.view(0).drawn is CARD["3C"]
    script.leave(0)
    assert script.events == [
        GaveUp(0),
        TurnBegan(1),
        Private(Drew(1, CARD["2D"]), frozenset({1}), DrewUnseen(1)),
    ]
    assert codes(script.state.decks[0]) == ["3C", "4C"]
    assert script.view(1).drawn is CARD["2D"] and script.view(0).drawn is None


def test_y10_a_card_of_who_left_brings_nobody_in_again():
    script = position(FOUR | {"field": [["7C | 8C", "| 9D"], ["| 9H", "9S |"]], "out": [3]})
    script.leave(3)
    events = script.follow("flip 1 1")
    assert CameBack(3) not in events and not script.view().decks[3].out
    assert 3 not in script.state.inside()


def test_y6_a_card_of_who_left_is_still_an_enemys():
    script = position({"field": [["| KC", "| QD"], ["| 5H", "| 9H"]], "decks": ["", "", ""], "turn": 0})
    script.leave(1)
    assert "move 0 0 0 1" in script.legal


def test_y11_the_last_one_left_wins():
    script = position({"field": [["| KC", "| QD"], ["", ""]], "decks": ["", "3D"], "turn": 0})
    assert script.leave(0) == [GaveUp(0), Won(1)]
    outcome = script.outcome
    assert [one.reason for one in outcome.seats] == ["GAVE_UP", "LAST_IN"]
    assert [one.result for one in outcome.seats] == [Result.LOST, Result.WON]
    assert script.leave(1) == []


def test_y11_one_in_one_out_and_one_who_leaves():
    entry = {"field": [["| KC", "| QD"], ["4H |", ""]], "decks": ["", "", ""], "turn": 0, "out": [2]}
    assert position(entry).leave(0) == [GaveUp(0), Won(1)]
    script = position(entry)
    assert script.leave(2) == [GaveUp(2)] and script.state.inside() == [0, 1]
    assert script.leave(2) == []


def test_y12_who_left_loses_a_game_that_the_others_draw():
    script = position({"field": [["| KC", "| QD"], ["| 4H", ""]], "decks": ["", "", ""], "turn": 0})
    script.leave(2)
    script.follow("pass", "pass")
    outcome = script.outcome
    assert [one.result for one in outcome.seats] == [Result.DRAWN, Result.DRAWN, Result.LOST]


def test_y12_idle_turns_from_before_somebody_left_do_not_count():
    script = position({"field": [["| KC", "| QD"], ["| 4H", ""]], "decks": ["", "", ""], "turn": 0})
    script.follow("pass", "pass")
    script.leave(2)
    assert script.to_act == [0] and script.outcome is None
    script.follow("pass")
    assert script.outcome is None


def test_y11_y12_nobody_in_is_a_draw_for_safety():
    """It cannot come about by play; a state made by hand shows that it would not be played on."""
    script = position({"field": [["| KC", "2C |"], ["", ""]], "decks": ["", ""], "turn": 0})
    script.state.left = 0b10
    events = script.follow("flip 0 0")
    assert events[1:] == [WentOut(0), Stalemate(DrawReason.NOBODY_IN)]
    assert script.outcome.seats[0].reason == "NOBODY_IN"


def test_y4_whoever_runs_the_table_is_told_what_to_ask():
    names = ["Ann", "Bob", "Cid", "Dot"]
    script = position(FOUR)
    assert GAME.ask(script.state, 0, names) == "Ann, flip a pile, move a card or pass."
    assert GAME.ask(script.state, 1, names) is None
    script = position(FOUR | {"field": [["7C |", "| 9D"], ["| 9H", "| 9S"]], "decks": ["3C", "", "", ""]})
    assert GAME.ask(script.state, 0, names) == "Ann, place the card that you have drawn on an open space."
