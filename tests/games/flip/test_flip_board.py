"""The field as text, the sentences of a log, the words of a list of moves."""

from __future__ import annotations

from flip_positions import GAME, engine_position, legal, play, random_round, to_move

from fliptable import Private

POSITION = {
    "field": [["2C 4D | 9H", "| AD"], ["3H | QC KC 2D 5D", ""], ["10C |", "6C 7C | 8C"]],
    "decks": ["", "3D JH"],
    "flipped": [2, 0],
    "turn": 0,
}


def test_y13_the_board_shows_how_many_lie_face_down_and_what_lies_face_up():
    board = GAME.view(engine_position(POSITION), frozenset({0})).board
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
    state = engine_position(POSITION | {"turn": 1})
    assert "is to place, holds 3♦" in GAME.view(state, frozenset({1})).board
    for viewer in (frozenset(), frozenset({0})):
        assert "3♦" not in GAME.view(state, viewer).board


def test_y10_and_y11_the_board_says_who_is_out_and_who_has_won():
    field = [["2C | 8C", "2D | 5D"], ["2H |", "3H |"]]
    state = engine_position({"field": field, "decks": ["", "", ""], "turn": 0, "out": [2]})
    assert "♥ seat 2: 0 to draw, out" in GAME.view(state, frozenset()).board
    board = GAME.view(play(state, ("move", 0, 0, 0, 1))[1], frozenset()).board
    assert "♣ seat 0: 0 to draw, has won" in board
    assert "♦ seat 1: 0 to draw, out" in board


def test_every_legal_move_has_a_label_of_its_own():
    state = random_round(3)[0]
    for _ in range(20):
        labels = [to_move(words).label() for words in legal(state)]
        assert len(set(labels)) == len(labels)
        state = play(state, legal(state)[0])[1]
    assert to_move(("move", 0, 1, 0, 2)).label() == "Move from row 0, column 1 to row 0, column 2"


def test_every_event_of_a_game_has_a_sentence():
    names = ["Ann", "Bob"]
    state = engine_position(POSITION)
    events, _ = play(state, ("move", 2, 1, 2, 0))
    assert [text(event, names) for event in events] == [
        "Ann moves 8♣ from row 2, column 1 to row 2, column 0.",
        "Bob is to play.",
        "Bob draws a card.",
    ]
    events, _ = play(state, ("flip", 0, 1))
    assert text(events[0], names) == "Ann flips the pile at row 0, column 1; no card of it is face-up now."
    events, _ = play(state, ("flip", 0, 0))
    assert text(events[0], names) == "Ann flips the pile at row 0, column 0; 2♣ is on top now."


def text(event, names):
    event = event.public if isinstance(event, Private) else event
    return event.text(names)
