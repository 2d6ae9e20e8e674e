"""The rule writer's kit: scripted play with stacked decks, random play, and the conformance run.

A game's tests begin like this::

    from fliptable.testing import RoundScript, check_game, stacked

    def test_conformance():
        check_game(MyGame())

    def test_a_pair_wins():
        script = RoundScript(MyGame(), stacked("AS AH"), seats=2)
        script.play(0, Draw(), Draw())
        assert script.outcome.winners == [0]
"""

from fliptable.testing.clock import START, FakeClock
from fliptable.testing.conformance import check_game, variants
from fliptable.testing.constraintlaws import check_constraint
from fliptable.testing.golden import transcript
from fliptable.testing.laws import LAWS
from fliptable.testing.modelaws import check_mode
from fliptable.testing.playout import (
    Action,
    Case,
    Drop,
    Expire,
    Leave,
    NextRound,
    Play,
    Playout,
    Return,
    play_random,
)
from fliptable.testing.regression import check_case
from fliptable.testing.rounds import RoundScript, stacked
from fliptable.testing.tablelaws import check_table
from fliptable.testing.tables import TableScript
from fliptable.testing.toys import OneCard

__all__ = [
    "LAWS",
    "START",
    "Action",
    "Case",
    "Drop",
    "Expire",
    "FakeClock",
    "Leave",
    "NextRound",
    "OneCard",
    "Play",
    "Playout",
    "Return",
    "RoundScript",
    "TableScript",
    "check_case",
    "check_constraint",
    "check_game",
    "check_mode",
    "check_table",
    "play_random",
    "stacked",
    "transcript",
    "variants",
]
