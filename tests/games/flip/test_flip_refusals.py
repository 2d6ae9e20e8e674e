"""What FLIP says of a move that it refuses: which space is at fault, in words and as a field (Y3-Y8)."""

from __future__ import annotations

import pytest

from fliptable import Refusal
from fliptable_games.flip.turn import REFUSALS
from fliptable_games.flip.vocabulary import FlipPile, MoveCard, PlaceCard
from tests.games.flip.positions import position

FIELD = [["7C | KS", "3D | 4H", "3C |"], ["", "| 5C", "6H |"]]


def laid(**more):
    return position({"field": FIELD, "decks": ["", ""], "turn": 0, **more})


@pytest.mark.parametrize(
    ("move", "code", "field", "message"),
    [
        (FlipPile(1, 0), "NO_PILE", "row", "There is no card at row 1, column 0 to flip."),
        (MoveCard(0, 2, 1, 2), "NOT_YOUR_CARD", "row", "No card lies face-up at row 0, column 2."),
        (MoveCard(0, 1, 0, 0), "NOT_YOUR_CARD", "row", "4♥ at row 0, column 1 is not yours."),
        (
            MoveCard(0, 0, 0, 2),
            "NOT_ADJACENT",
            "to_column",
            "A card moves to an adjacent space only, and row 0, column 2 is not adjacent to row 0, column 0.",
        ),
    ],
)
def test_y5_y8_the_space_is_named(move, code, field, message):
    assert laid().refused(0, move) == Refusal(code, message, field)


def test_y5_a_pile_that_was_just_flipped_is_named():
    refused = laid(flipped=[0, 1]).refused(0, FlipPile(0, 1))
    says = "The pile at row 0, column 1 was flipped in the turn before."
    assert refused == Refusal("JUST_FLIPPED", says, "row")


def test_y3_a_space_that_is_not_open_is_named():
    refused = laid(holds="9C").refused(0, PlaceCard(0, 0))
    says = "K♠ lies face-up at row 0, column 0: the space is not open."
    assert refused == Refusal("SPACE_NOT_OPEN", says, "row")


def test_y6_the_card_that_cannot_be_taken_is_named():
    field = [["7C | 3S", "3D | 4H"], ["| 2C", "| 5C"]]
    script = laid(field=field)
    assert script.refused(0, MoveCard(0, 0, 0, 1)) == Refusal(
        "CARD_TOO_HIGH", "3♠ does not take 4♥ at row 0, column 1, which is worth more.", "to_row"
    )
    assert script.refused(0, MoveCard(0, 0, 1, 0)) == Refusal(
        "OWN_CARD", "2♣ at row 1, column 0 is your own.", "to_row"
    )


def test_the_descriptions_do_not_repeat_whose_codes_they_are():
    assert not [text for text in REFUSALS.values() if "FLIP" in text]
