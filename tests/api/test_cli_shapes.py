"""What `fliptable play` prints of rounds of any shape."""

from __future__ import annotations

from graphql import build_schema, graphql_sync

from fliptable_api.cli.shapes import TYPES, Shapes, lines_of

CARD = {"text": "2♣"}


def test_what_a_viewer_does_not_see_has_its_place_in_a_list() -> None:
    assert lines_of({"chosen": [None, CARD]}, ()) == ["  chosen - 2♣"]
    assert lines_of({"hands": [[CARD, CARD], None]}, ()) == ["  hands (2♣ 2♣) -"]
    assert lines_of({"hands": [None, {"seat": 1, "cards": [CARD]}]}, ("Ann", "Bob")) == [
        "  hands:",
        "    - Bob, cards 2♣",
    ]


def test_lists_of_lists_are_selected_too() -> None:
    schema = build_schema(
        "type Query { r: R } type PlayingCard { text: String! } type R { hands: [[PlayingCard!]!]! }"
    )
    answer = graphql_sync(schema, TYPES)
    assert answer.data is not None
    assert "hands { text }" in Shapes(answer.data["__schema"]["types"]).selection("R")
