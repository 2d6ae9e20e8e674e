"""Case files: what is read from them, what is held against a round, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fliptable.testing import OneCard, RoundScript, hold_facts, read_cases, round_facts, stacked

ONE = """
[[case]]
name = "red wins"
cites = ["O1", "O2"]
deck = "2H 3C"
moves = ["turn", "0: turn -> NOT_YOUR_TURN", "1: turn"]
then.winners = [0]
then.points = [1, 0]
then.results = ["WON", "LOST"]
then.over = true
then.events = ["Shuffled", "TurnedUp"]
then.without = ["WalkedOff"]
"""


def written(folder: Path, text: str, name: str = "a.toml") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def played(deck: str = "2H 3C") -> RoundScript:
    return RoundScript(OneCard(), stacked(deck), seats=2)


def test_a_case_is_played(tmp_path: Path) -> None:
    (case,) = read_cases(written(tmp_path, ONE), keys=["deck"])
    assert str(case) == "O1+O2: red wins" and case.cites == ("O1", "O2") and case.file == "a.toml"
    assert case["deck"] == "2H 3C" and "seats" not in case and case.get("seats", 2) == 2
    case.play(played(case["deck"]))
    with pytest.raises(AssertionError, match=r"winners is \[1\], and should be \[0\]"):
        case.play(played("2C 3H"))


def test_the_facts_can_be_the_games_own(tmp_path: Path) -> None:
    text = '[[case]]\nname = "one"\nmoves = ["turn"]\nthen.cards = { first = "2♥" }\nthen.to_act = [1]\n'
    (case,) = read_cases(written(tmp_path, text))
    assert str(case) == "one"
    case.play(played(), lambda script: {"cards": {"first": str(script.view().cards[0]), "second": None}})
    with pytest.raises(AssertionError, match="cards of first is '3♥', and should be '2♥'"):
        case.play(played(), lambda script: {"cards": {"first": "3♥"}})
    with pytest.raises(AssertionError, match="cards: there is no 'first'; 'first_card' is meant"):
        case.play(played(), lambda script: {"cards": {"first_card": "3♥"}})


def test_files_of_a_folder_come_in_order_and_each_value_makes_a_case(tmp_path: Path) -> None:
    written(tmp_path, '[[case]]\nname = "b"\nrules = ["X", "Y"]\n', "2.toml")
    written(tmp_path, '[[case]]\nname = "a"\ncites = ["R1"]\n', "1.toml")
    cases = read_cases(tmp_path, each={"rules": ["X"]})
    assert [str(case) for case in cases] == ["R1 X: a", "X: b", "Y: b"]
    assert [case["rules"] for case in cases] == ["X", "X", "Y"]
    assert [str(case) for case in read_cases(tmp_path / "1.toml")] == ["R1: a"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[[case]]\nname = "a"\ndek = ""\n', "a.toml, case 1: there is no key 'dek'; 'deck' is meant?"),
        ('[[case]]\nname = "a"\nzzz = ""\n', "no key 'zzz'; there are cites, deck, moves, name, then"),
        ('[[case]]\nname = "a"\n[[case]]\ndeck = ""\n', "a.toml, case 2: it has no name"),
        ('[[case]]\nname = "a"\n[[case]]\nname = "a"\n', "a.toml: there is a case 'a' in a.toml already"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint.replace("?", r"\?")):
        read_cases(written(tmp_path, text), keys=["deck"])


@pytest.mark.parametrize(
    ("expected", "complaint"),
    [
        ({"legal": ["flip"]}, r"legal: \['turn'\] should be \['flip'\]"),
        ({"can": ["turn", "flip"]}, "can: flip cannot be played"),
        ({"cannot": ["turn", "flip"]}, "cannot: turn can be played"),
        ({"events": ["TurnedUp", "Shuffled"]}, "events: TurnedUp is not there in this order: Shuffled"),
        ({"without": ["Shuffled"]}, "without: Shuffled happened"),
        ({"over": True}, "over is False, and should be True"),
        ({"reason": []}, "nothing looks at 'reason'; 'reasons' is meant?"),
    ],
)
def test_what_a_round_lacks_is_told(expected: dict[str, object], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        hold_facts(expected, round_facts(played()))


def test_what_holds_of_a_running_round() -> None:
    expected = {"legal": ["turn"], "can": ["turn"], "cannot": ["flip"], "to_act": [0], "over": False}
    hold_facts({**expected, "winners": [], "results": [], "reasons": []}, round_facts(played()))
