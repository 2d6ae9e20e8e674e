"""The rules of Snatch, and the laws that every game has to keep."""

from pathlib import Path

import pytest

from fliptable_snatch import Choose, Snatch
from fliptable import CARD
from fliptable.testing import RoundScript, WrittenCase, check_game, read_cases, stacked
from fliptable_api.testing import check_api

HANDS = "2C 3C 4C KD QD JD"


def dealt(hands: str = HANDS) -> RoundScript:
    return RoundScript(Snatch(), stacked(hands), seats=2)


@pytest.mark.parametrize("case", read_cases(Path(__file__).parent / "cases", keys=["hands"]), ids=str)
def test_case(case: WrittenCase) -> None:
    case.play(dealt(case.get("hands", HANDS)), lambda script: {"tricks": list(script.view().tricks)})


def test_it_keeps_the_laws_and_plays_over_graphql() -> None:
    check_game(Snatch())
    check_api(Snatch())


def test_nobody_sees_a_choice_before_all_have_chosen() -> None:
    script = dealt()
    script.play(1, Choose(CARD["KD"]))
    assert script.view(0).chosen == (None, None) and script.view(1).chosen == (None, CARD["KD"])
    script.play(0, Choose(CARD["2C"]))
    assert script.view().chosen == (CARD["2C"], CARD["KD"])
