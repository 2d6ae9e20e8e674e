"""The rules of Parley, and the laws."""

from fliptable import CARD
from fliptable.testing import RoundScript, check_game, stacked
from fliptable_api.testing import check_api
from fliptable_parley import Demand, Lay, Parley


def test_it_keeps_the_laws() -> None:
    check_game(Parley())
    check_api(Parley())


def test_a_demand_is_answered_in_the_middle_of_a_turn() -> None:
    script = RoundScript(Parley(), stacked("2C 3C 4C 5C 6C 7C 2D 3D 4D 5D 6D KD"), seats=2)
    assert script.refused(0, Lay(CARD["KD"])).field == "card"
    script.play(0, Lay(CARD["2C"]))
    script.play(1, Lay(CARD["KD"]), Demand(0))
    assert list(script.to_act) == [0]
    script.play(0, Lay(CARD["3C"]))
    assert CARD["3C"] in script.view(1).hands[1] and script.view(0).hands[1] is None
