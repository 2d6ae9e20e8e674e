"""How a game of FLIP ends, and what happens when somebody leaves (Y10, Y11, Y12)."""

from __future__ import annotations

from itertools import product

import pytest
from flip_positions import CTX, GAME, applied, codes, engine_position, legal, play

from fliptable import Result
from fliptable_games.flip.state import Phase
from fliptable_games.flip.vocabulary import (
    CameBack,
    DrawReason,
    GaveUp,
    Stalemate,
    TurnBegan,
    WentOut,
    Won,
)

ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


@pytest.mark.parametrize(("mine", "theirs"), [*product(ORDER, ORDER)])
def test_y7_what_takes_what(mine, theirs):
    """A K Q J 10 … 2; an ace takes anything, anything takes an ace, equal takes equal."""
    state = engine_position(
        {"field": [[f"| {mine}C", f"| {theirs}D"], ["", "| 9S"]], "decks": ["", "9H"], "turn": 0}
    )
    takes = mine == "A" or theirs == "A" or ORDER.index(mine) >= ORDER.index(theirs)
    assert (("move", 0, 0, 0, 1) in legal(state)) == takes


def test_y9_a_taking_move_names_what_it_took():
    state = engine_position({"field": [["| KC", "| QD"], ["", "| 9D"]], "decks": ["", ""], "turn": 0})
    taking = play(state, ("move", 0, 0, 0, 1))[0][0]
    assert (taking.card.value, taking.taken.value) == ("KC", "QD")
    going = play(state, ("move", 0, 0, 1, 0))[0][0]
    assert (going.card.value, going.taken) == ("KC", None)


def test_y10_out_and_in_again_are_events():
    field = [["2D 3C | 8C", "| 9D"], ["| 9H", "3H |"]]
    state = engine_position({"field": field, "decks": ["", "", ""], "turn": 1})
    events, state = play(state, ("flip", 0, 0))
    assert events[1:] == [WentOut(0), TurnBegan(2)]
    deck = GAME.view(state, frozenset()).decks[0]
    assert deck.out and not deck.gave_up and deck.cards_left == 0
    state = play(state, ("pass",))[1]
    assert state.player == 1
    state = play(state, ("pass",))[1]
    assert state.draw is DrawReason.ALL_IDLE


def test_y10_in_again():
    field = [["8C |", "| 9D"], ["| 9H", "3H |"]]
    state = engine_position({"field": field, "decks": ["", "", ""], "turn": 1, "out": [0]})
    events, state = play(state, ("flip", 0, 0))
    assert events[1:] == [CameBack(0), TurnBegan(2)]
    assert not GAME.view(state, frozenset()).decks[0].out


def test_y11_the_outcome_of_a_win():
    field = [["2C | 8C", "2D | 5D"], ["2H |", "3H |"]]
    state = engine_position({"field": field, "decks": ["", "", ""], "turn": 0, "out": [2]})
    assert GAME.outcome(state) is None
    events, state = play(state, ("move", 0, 0, 0, 1))
    assert events[1:] == [WentOut(1), Won(0)]
    assert state.phase is Phase.OVER and GAME.to_act(state) == ()
    outcome = GAME.outcome(state)
    assert [one.result for one in outcome.seats] == [Result.WON, Result.LOST, Result.LOST]
    assert [one.points for one in outcome.seats] == [1, 0, 0]
    assert [one.reason for one in outcome.seats] == ["LAST_IN", "OUT", "OUT"]
    view = GAME.view(state, frozenset())
    assert (view.winner, view.player, view.draw_reason) == (0, None, None)


def test_y12_the_outcome_of_a_draw_says_why():
    state = engine_position({"field": [["| KC", ""], ["| KD", ""]], "decks": ["", ""], "turn": 0})
    state = play(state, ("pass",))[1]
    events, state = play(state, ("pass",))
    assert events[1:] == [Stalemate(DrawReason.ALL_IDLE)]
    outcome = GAME.outcome(state)
    assert [one.result for one in outcome.seats] == [Result.DRAWN, Result.DRAWN]
    assert [one.reason for one in outcome.seats] == ["ALL_IDLE", "ALL_IDLE"]
    assert [one.points for one in outcome.seats] == [0, 0]
    assert GAME.view(state, frozenset()).draw_reason is DrawReason.ALL_IDLE


def test_y12_hidden_cards_that_have_changed_places_make_another_position():
    """Black exchanges two face-down cards through a spare space, again and again. What is seen of the
    field is the same after each exchange, the position only after every other one."""
    field = [["2C |", "3C |", "| KC"], ["", "", "| KD"]]
    state = engine_position({"field": field, "decks": ["", ""], "turn": 0})
    seen = [pile.face_up for pile in GAME.view(state, frozenset()).piles]
    exchange = [
        ("flip", 0, 0),
        ("move", 0, 0, 1, 0),
        ("flip", 0, 1),
        ("move", 0, 1, 0, 0),
        ("move", 1, 0, 1, 1),
        ("move", 1, 1, 0, 1),
        ("flip", 0, 0),
        ("flip", 0, 1),
    ]
    for number in range(1, 5):
        for words in exchange:
            state = play(state, words)[1]
            assert not state.over
            state = play(state, ("pass",))[1]
        assert state.over == (number == 4)
        assert codes("".join(state.down)) == (["2C", "3C"] if number % 2 == 0 else ["3C", "2C"])
        piles = GAME.view(state, frozenset()).piles
        assert [pile.face_down for pile in piles] == [1, 1, 0, 0, 0, 0]
        assert [pile.face_up for pile in piles] == seen
    assert state.draw is DrawReason.REPETITION


def test_y12_a_long_cycle_through_a_full_field_with_decks_left_is_a_draw():
    """Nobody can draw while no space is open, though the decks have cards: such positions count too."""
    field = [["| 9C", "| 9D"], ["| 2C 10D", "| 2D 10C"]]
    state = engine_position({"field": field, "decks": ["3C", "3D"], "turn": 0})
    # Ten of clubs and nine of clubs go nowhere; each pass is idle.
    state = play(play(state, ("pass",))[1], ("pass",))[1]
    assert state.draw is DrawReason.ALL_IDLE
    assert [codes(deck) for deck in state.decks] == [["3C"], ["3D"]]


def test_y12_how_far_the_turn_limit_is_is_shown_and_positions_are_not():
    state = engine_position({"field": [["| KC", ""], ["| KD", ""]], "decks": ["", ""], "turn": 0})
    state = play(state, ("move", 0, 0, 0, 1))[1]
    view = GAME.view(state, frozenset())
    assert (view.drawless_turns, view.turn_limit) == (1, 100)
    assert not any("seen" in name for name in type(view).__dataclass_fields__)


def test_y12_positions_are_kept_only_since_the_last_draw():
    field = [["| KC", ""], ["| KD", ""]]
    state = engine_position({"field": field, "decks": ["", "2D"], "turn": 0})
    state = play(state, ("move", 0, 0, 0, 1))[1]
    assert state.drawn and state.seen == {}


# -- leaving --------------------------------------------------------------------------------------

FOUR = {"field": [["7C | 8C", "| 9D"], ["| 9H", "| 9S"]], "decks": ["", "2D", "2H", ""], "turn": 0}


def leave(state, seat):
    events = GAME.leave(state, seat, CTX)
    return events, applied(state, events)


def test_y10_who_leaves_is_out_for_good_and_their_cards_stay():
    state = engine_position(FOUR)
    events, after = leave(state, 3)
    assert events == [GaveUp(3)]
    assert (after.up, after.down, after.player) == (state.up, state.down, 0)
    deck = GAME.view(after, frozenset()).decks[3]
    assert deck.gave_up and not deck.out
    # Their turn is skipped although a card of theirs is on top.
    after = play(after, ("pass",))[1]
    after = play(after, ("pass",))[1]
    after = play(after, ("pass",))[1]
    assert after.player == 0 or after.over


def test_y10_who_leaves_in_their_turn_ends_it():
    state = engine_position(FOUR)
    events, after = leave(state, 0)
    assert events == [GaveUp(0), TurnBegan(1)]
    assert after.player == 1


def test_y13_an_unplaced_card_goes_back_unseen():
    position = FOUR | {"field": [["7C |", "| 9D"], ["| 9H", "| 9S"]], "decks": ["3C 4C", "2D", "2H", "2S"]}
    state = engine_position(position)
    assert state.drawn
    events, after = leave(state, 0)
    assert [type(event).__name__ for event in events] == ["GaveUp", "TurnBegan", "Private"]
    assert codes(after.decks[0]) == ["3C", "4C"]
    assert codes(after.drawn) == ["2D"]
    assert GAME.view(after, frozenset({0})).drawn is None


def test_y10_a_card_of_who_left_brings_nobody_in_again():
    state = engine_position(FOUR | {"field": [["7C | 8C", "| 9D"], ["| 9H", "9S |"]], "out": [3]})
    _, state = leave(state, 3)
    events, state = play(state, ("flip", 1, 1))
    assert CameBack(3) not in events and not GAME.view(state, frozenset()).decks[3].out
    assert 3 not in state.inside()


def test_y6_a_card_of_who_left_is_still_an_enemys():
    state = engine_position({"field": [["| KC", "| QD"], ["| 5H", "| 9H"]], "decks": ["", "", ""], "turn": 0})
    _, state = leave(state, 1)
    assert ("move", 0, 0, 0, 1) in legal(state)


def test_y11_the_last_one_left_wins():
    state = engine_position({"field": [["| KC", "| QD"], ["", ""]], "decks": ["", "3D"], "turn": 0})
    events, after = leave(state, 0)
    assert events == [GaveUp(0), Won(1)]
    outcome = GAME.outcome(after)
    assert [one.reason for one in outcome.seats] == ["GAVE_UP", "LAST_IN"]
    assert [one.result for one in outcome.seats] == [Result.LOST, Result.WON]
    assert GAME.leave(after, 1, CTX) == []


def test_y11_one_in_one_out_and_one_who_leaves():
    position = {"field": [["| KC", "| QD"], ["4H |", ""]], "decks": ["", "", ""], "turn": 0, "out": [2]}
    events, _ = leave(engine_position(position), 0)
    assert events == [GaveUp(0), Won(1)]
    events, after = leave(engine_position(position), 2)
    assert events == [GaveUp(2)] and after.inside() == [0, 1]
    assert GAME.leave(after, 2, CTX) == []


def test_y12_who_left_loses_a_game_that_the_others_draw():
    state = engine_position({"field": [["| KC", "| QD"], ["| 4H", ""]], "decks": ["", "", ""], "turn": 0})
    _, state = leave(state, 2)
    state = play(play(state, ("pass",))[1], ("pass",))[1]
    outcome = GAME.outcome(state)
    assert [one.result for one in outcome.seats] == [Result.DRAWN, Result.DRAWN, Result.LOST]


def test_y12_idle_turns_from_before_somebody_left_do_not_count():
    state = engine_position({"field": [["| KC", "| QD"], ["| 4H", ""]], "decks": ["", "", ""], "turn": 0})
    state = play(play(state, ("pass",))[1], ("pass",))[1]
    _, state = leave(state, 2)
    assert state.player == 0 and not state.over
    state = play(state, ("pass",))[1]
    assert not state.over


def test_y11_y12_nobody_in_is_a_draw_for_safety():
    """It cannot come about by play; a state made by hand shows that it would not be played on."""
    state = engine_position({"field": [["| KC", "2C |"], ["", ""]], "decks": ["", ""], "turn": 0})
    state.left = 0b10
    events, state = play(state, ("flip", 0, 0))
    assert events[1:] == [WentOut(0), Stalemate(DrawReason.NOBODY_IN)]
    assert GAME.outcome(state).seats[0].reason == "NOBODY_IN"


def test_y4_whoever_runs_the_table_is_told_what_to_ask():
    names = ["Ann", "Bob", "Cid", "Dot"]
    state = engine_position(FOUR)
    assert GAME.ask(state, 0, names) == "Ann, flip a pile, move a card or pass."
    assert GAME.ask(state, 1, names) is None
    state = engine_position(
        FOUR | {"field": [["7C |", "| 9D"], ["| 9H", "| 9S"]], "decks": ["3C", "", "", ""]}
    )
    assert GAME.ask(state, 0, names) == "Ann, place the card that you have drawn on an open space."
