"""What `fliptable play` prints of rounds of any shape."""

from __future__ import annotations

from fliptable_api.cli.shapes import lines_of

CARD = {"text": "2♣"}


def test_what_a_viewer_does_not_see_has_its_place_in_a_list() -> None:
    assert lines_of({"chosen": [None, CARD]}, ()) == ["  chosen - 2♣"]
    assert lines_of({"hands": [[CARD, CARD], None]}, ()) == ["  hands (2♣ 2♣) -"]
    assert lines_of({"hands": [None, {"seat": 1, "cards": [CARD]}]}, ("Ann", "Bob")) == [
        "  hands:",
        "    - Bob, cards 2♣",
    ]
