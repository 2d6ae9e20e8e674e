"""The kit's fixtures, which pytest finds wherever Fliptable is installed, and golden playthroughs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fliptable import Private
from fliptable.testing import START, Golden, OneCard, RoundScript, playthrough, stacked, transcript
from fliptable.testing.toys import TurnedUp, TurnUp, WalkedOff

CARDS = "2H 3C"


def test_there_is_a_fixture_for_each_part_of_the_kit(
    check_game: Callable[..., None], stacked: Callable[..., Any], fake_clock: Any
) -> None:
    check_game(OneCard(), seeds=[0])
    script = RoundScript(OneCard(), stacked(CARDS), seats=2, clock=fake_clock)
    script.play(0, TurnUp())
    assert fake_clock() == START and fake_clock.advance(1) > START


def test_a_golden_playthrough(golden: Golden, stacked: Callable[..., Any]) -> None:
    script = RoundScript(OneCard(), stacked(CARDS), seats=2)
    script.play(0, TurnUp())
    script.play(1, TurnUp())
    golden("one-card", transcript(script.events[1:], ["Ann", "Bob"]))


def test_a_golden_playthrough_says_where_it_differs(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"there is no .*/here\.txt; `pytest --regenerate-golden`"):
        Golden(tmp_path, False)("here", "one\n")
    Golden(tmp_path, True)("here", "one\ntwo\n")
    Golden(tmp_path, False)("here", "one\ntwo\n")
    with pytest.raises(AssertionError, match="line 2:\n  two\nis now\n  three"):
        Golden(tmp_path, False)("here", "one\nthree\n")


def test_golden_playthroughs_that_nothing_is_held_against_are_told_or_taken_away(tmp_path: Path) -> None:
    for name in ("here", "gone"):
        Golden(tmp_path, True)(name, "one\n")
    Golden(tmp_path, False).no_others(["here", "gone"])
    with pytest.raises(AssertionError, match=r"nothing is held against .*/gone\.txt; `pytest --regenerate-"):
        Golden(tmp_path, False).no_others(["here"])
    Golden(tmp_path, True).no_others(["here"])
    assert [path.name for path in tmp_path.iterdir()] == ["here.txt"]


def test_a_playthrough_is_a_round_to_be_read() -> None:
    script = RoundScript(OneCard(), stacked("2H 3C"), seats=2)
    script.follow("0: turn-up")
    script.leave(1)
    assert playthrough(script, ["Ann", "Bob"], lambda state: [f"{state.drawn} drawn"]) == (
        "Shuffle 1: deck, 52 in all.\n    0 drawn\n"
        "\n> 0: turn-up\n  Ann turns up 2♥.\n    1 drawn\n"
        "\n> 1 leaves\n  Bob has left the round.\n    1 drawn\n"
    )
    assert playthrough(script, ["Ann", "Bob"]).startswith("Shuffle 1: deck, 52 in all.\n\n> 0: turn-up\n")


def test_a_transcript_says_who_sees_what() -> None:
    hidden = Private(WalkedOff(1), frozenset({1}), WalkedOff(0))
    assert transcript([hidden]) == "WalkedOff(seat=1)  [to seats [1]; others see WalkedOff(seat=0)]\n"
    assert TurnedUp in OneCard.events
