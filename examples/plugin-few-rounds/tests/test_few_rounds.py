"""How Few Rounds goes on and ends, and the laws that every mode has to keep."""

from __future__ import annotations

from fliptable.testing import OneCard, RunScript, Sealed, check_mode
from fliptable_api.testing import check_api

from fliptable_few_rounds import FewRoundsMode, FewRoundsOptions


def test_it_keeps_the_laws() -> None:
    # Without `games`, tables of every installed game that it supports are played, which takes longer.
    check_mode(FewRoundsMode(), games=[OneCard(), Sealed()])


def test_it_can_be_played_over_graphql() -> None:
    check_api(FewRoundsMode())


def test_points_add_up_until_the_last_round() -> None:
    script = RunScript(FewRoundsMode(), FewRoundsOptions(rounds=2), seats=2)
    script.rounds((3, 0))
    assert script.over is None
    script.rounds((3, 0))
    assert script.over == "PLAYED"
    assert script.run.points == (6, 0)
    assert script.view().leaders == (0,)
