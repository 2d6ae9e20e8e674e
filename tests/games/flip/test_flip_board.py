"""The field as text, the sentences of a log, the words of a list of moves."""

from __future__ import annotations

from fliptable_games.flip.vocabulary import MoveCard
from tests.games.flip.positions import position, random_round

POSITION = {
    "field": [["2C 4D | 9H", "| AD"], ["3H | QC KC 2D 5D", ""], ["10C |", "6C 7C | 8C"]],
    "decks": ["", "3D JH"],
    "flipped": [2, 0],
    "turn": 0,
}


def test_y13_the_board_shows_how_many_lie_face_down_and_what_lies_face_up():
    board = position(POSITION).view(0).board
    assert board.splitlines() == [
        "   0               1",
        "0  2▒ 9♥           A♦",
        "1  1▒ +1 K♣ 2♦ 5♦  ·",
        "2  1▒*             2▒ 8♣",
        "",
        "♣♠ seat 0: 0 to draw, is to act",
        "♦♥ seat 1: 2 to draw",
        "",
        "2▒: two cards face-down; the last card of a pile is on top; *: just flipped",
    ]


def test_y13_the_board_shows_the_drawn_card_to_its_owner_alone():
    script = position(POSITION | {"turn": 1})
    assert "is to place, holds 3♦" in script.view(1).board
    for viewer in ((), (0,)):
        assert "3♦" not in script.view(*viewer).board


def test_y10_and_y11_the_board_says_who_is_out_and_who_has_won():
    field = [["2C | 8C", "2D | 5D"], ["2H |", "3H |"]]
    script = position({"field": field, "decks": ["", "", ""], "turn": 0, "out": [2]})
    assert "♥ seat 2: 0 to draw, out" in script.view().board
    script.follow("move 0 0 0 1")
    board = script.view().board
    assert "♣ seat 0: 0 to draw, has won" in board
    assert "♦ seat 1: 0 to draw, out" in board


def test_every_legal_move_has_a_label_of_its_own():
    script, _ = random_round(3)
    for _ in range(20):
        (seat,) = script.to_act
        labels = [move.label() for move in script.legal_moves(seat)]
        assert len(set(labels)) == len(labels)
        script.follow(script.legal[0])
    assert MoveCard(0, 1, 0, 2).label() == "Move from row 0, column 1 to row 0, column 2"


def test_every_event_of_a_game_has_a_sentence():
    assert said("move 2 1 2 0") == [
        "Ann moves 8♣ from row 2, column 1 to row 2, column 0.",
        "Bob is to play.",
        "Bob draws a card.",
    ]
    assert said("flip 0 1")[0] == "Ann flips the pile at row 0, column 1; no card of it is face-up now."
    assert said("flip 0 0")[0] == "Ann flips the pile at row 0, column 0; 2♣ is on top now."


def said(words):
    """What a spectator reads of a move in the position."""
    script = position(POSITION)
    script.follow(words)
    return [event.text(["Ann", "Bob"]) for event in script.seen()]
