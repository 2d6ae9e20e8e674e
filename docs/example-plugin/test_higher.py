"""The rules of Higher or Lower, and the laws that every game has to keep."""

from fliptable_higher import Call, Guess, Higher, HigherOptions

from fliptable import Result
from fliptable.testing import RoundScript, check_game, stacked
from fliptable_api.testing import check_api


def test_it_keeps_the_laws() -> None:
    check_game(Higher())


def test_it_goes_over_graphql() -> None:
    check_api(Higher())


def test_five_right_calls_win() -> None:
    script = RoundScript(Higher(), stacked("2C 3C 4C 5C 6C 7C"))
    for _ in range(5):
        script.play(0, Guess(Call.HIGHER))
    assert script.outcome is not None
    assert script.outcome.seats[0].result is Result.WON


def test_an_equal_card_loses() -> None:
    script = RoundScript(Higher(), stacked("7C 7D"), options=HigherOptions(wanted=3))
    script.play(0, Guess(Call.LOWER))
    assert script.outcome is not None
    assert script.outcome.seats[0].result is Result.LOST


def test_nothing_is_lower_than_a_two() -> None:
    script = RoundScript(Higher(), stacked("2C"))
    refusal = script.refused(0, Guess(Call.LOWER))
    assert (refusal.code, refusal.field) == ("NO_SUCH_CARD", "call")
