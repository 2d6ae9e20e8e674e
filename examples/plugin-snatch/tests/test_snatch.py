"""The rules of Snatch, and the laws that every game has to keep."""

from fliptable_snatch import Answer, Choose, Snatch

from fliptable import CARD
from fliptable.testing import RoundScript, check_game, stacked
from fliptable_api.testing import check_api


def dealt() -> RoundScript:
    return RoundScript(Snatch(), stacked("2C 3C 4C KD QD JD"), seats=2)


def test_it_keeps_the_laws_and_plays_over_graphql() -> None:
    check_game(Snatch())
    check_api(Snatch())


def test_nobody_sees_a_choice_before_all_have_chosen() -> None:
    script = dealt()
    script.play(1, Choose(CARD["KD"]))
    assert script.view(0).chosen == (None, None) and script.view(1).chosen == (None, CARD["KD"])
    script.play(0, Choose(CARD["2C"]))
    assert script.view().chosen == (CARD["2C"], CARD["KD"])


def test_the_lowest_is_asked_before_the_trick_is_taken_and_snatches_once() -> None:
    script = dealt()
    script.play(0, Choose(CARD["2C"]))
    script.play(1, Choose(CARD["KD"]))
    assert script.refused(0, Choose(CARD["3C"])).code == "ILLEGAL_MOVE"
    script.play(0, Answer(snatch=True), Choose(CARD["3C"]))
    script.play(1, Choose(CARD["QD"]))
    assert script.state.tricks == (1, 1) and script.to_act == [0, 1]
    assert script.refused(0, Choose(CARD["2C"])).code == "INVALID_VALUE"
