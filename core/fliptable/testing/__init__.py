"""The rule writer's kit: scripted play with stacked decks, random play, and the conformance run.

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
from fliptable.testing.laws import LAWS
from fliptable.testing.playout import Case, Playout, play_random
from fliptable.testing.rounds import RoundScript, stacked
from fliptable.testing.tablelaws import check_table
from fliptable.testing.tables import TableScript

__all__ = [
    "LAWS",
    "START",
    "Case",
    "FakeClock",
    "Playout",
    "RoundScript",
    "TableScript",
    "check_game",
    "check_table",
    "play_random",
    "stacked",
    "variants",
]
