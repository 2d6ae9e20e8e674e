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

from fliptable.codec import options_of
from fliptable.events import (
    HostChanged,
    RoundBegan,
    RoundDealt,
    RoundOver,
    SeedRevealed,
    TableOver,
    TurnExpired,
)
from fliptable.house import HouseRules
from fliptable.opening import OpeningRefused
from fliptable.plugins import PluginMissing, Registry, load_plugins
from fliptable.records import Tally
from fliptable.table import Status
from fliptable.testing.cases import WrittenCase, hold_facts, read_cases, round_facts
from fliptable.testing.clock import START, FakeClock
from fliptable.testing.conformance import check_game, variants
from fliptable.testing.constraintlaws import check_constraint
from fliptable.testing.decks import shuffled, stacked, suited
from fliptable.testing.following import Policy, Reader, any_move
from fliptable.testing.golden import Golden, playthrough, transcript
from fliptable.testing.laws import LAWS
from fliptable.testing.leaks import another_world, seen_of
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
    random_move,
)
from fliptable.testing.recordbook import RecordBook
from fliptable.testing.regression import check_case
from fliptable.testing.rounds import RoundScript, Step
from fliptable.testing.runs import RunScript
from fliptable.testing.standing import constraint_status
from fliptable.testing.storage import storage_trouble
from fliptable.testing.tablelaws import check_table
from fliptable.testing.tables import TableScript
from fliptable.testing.toys import OneCard
from fliptable.testing.wording import each_move, read_action, read_move, write_action, write_move

__all__ = [
    "LAWS",
    "START",
    "Action",
    "Case",
    "Drop",
    "Expire",
    "FakeClock",
    "Golden",
    "HostChanged",
    "HouseRules",
    "Leave",
    "NextRound",
    "OneCard",
    "OpeningRefused",
    "Play",
    "Playout",
    "PluginMissing",
    "Policy",
    "Reader",
    "RecordBook",
    "Registry",
    "Return",
    "RoundBegan",
    "RoundDealt",
    "RoundOver",
    "RoundScript",
    "RunScript",
    "SeedRevealed",
    "Status",
    "Step",
    "TableOver",
    "TableScript",
    "Tally",
    "TurnExpired",
    "WrittenCase",
    "another_world",
    "any_move",
    "check_case",
    "check_constraint",
    "check_game",
    "check_mode",
    "check_table",
    "constraint_status",
    "each_move",
    "hold_facts",
    "load_plugins",
    "options_of",
    "play_random",
    "playthrough",
    "random_move",
    "read_action",
    "read_cases",
    "read_move",
    "round_facts",
    "seen_of",
    "shuffled",
    "stacked",
    "storage_trouble",
    "suited",
    "transcript",
    "variants",
    "write_action",
    "write_move",
]
