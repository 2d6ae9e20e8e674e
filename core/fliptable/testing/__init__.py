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
from fliptable.testing.actions import (
    Action,
    Drop,
    Expire,
    Leave,
    NextRound,
    Play,
    Return,
    TableAction,
    Wait,
)
from fliptable.testing.cases import WrittenCase, hold_facts, read_cases, round_facts
from fliptable.testing.clock import START, FakeClock
from fliptable.testing.conformance import GAME_LAWS, check_game
from fliptable.testing.constraintlaws import CONSTRAINT_LAWS, check_constraint
from fliptable.testing.constrainttrials import check_constraint_case
from fliptable.testing.decks import shuffled, stacked, suited
from fliptable.testing.following import Policy, Reader, any_move
from fliptable.testing.gametrials import check_case
from fliptable.testing.golden import Golden, playthrough, transcript
from fliptable.testing.laws import LAWS
from fliptable.testing.leaks import another_world, seen_of
from fliptable.testing.modelaws import MODE_LAWS, check_mode, check_mode_case
from fliptable.testing.moves import random_move
from fliptable.testing.playout import Case, Playout, play_random
from fliptable.testing.recordbook import RecordBook
from fliptable.testing.rounds import RoundScript, Step
from fliptable.testing.runs import RunScript
from fliptable.testing.sealed import Sealed
from fliptable.testing.standing import constraint_status
from fliptable.testing.storage import storage_trouble
from fliptable.testing.tablechecks import check_table, check_table_case
from fliptable.testing.tablelaws import TABLE_LAWS
from fliptable.testing.tables import TableScript
from fliptable.testing.toys import OneCard
from fliptable.testing.upgrades import MIGRATION_LAWS, check_migration, check_migration_case
from fliptable.testing.variants import variants
from fliptable.testing.wording import each_move, read_action, read_move, write_action, write_move

__all__ = [
    "CONSTRAINT_LAWS",
    "GAME_LAWS",
    "LAWS",
    "MIGRATION_LAWS",
    "MODE_LAWS",
    "START",
    "TABLE_LAWS",
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
    "Sealed",
    "SeedRevealed",
    "Status",
    "Step",
    "TableAction",
    "TableOver",
    "TableScript",
    "Tally",
    "TurnExpired",
    "Wait",
    "WrittenCase",
    "another_world",
    "any_move",
    "check_case",
    "check_constraint",
    "check_constraint_case",
    "check_game",
    "check_migration",
    "check_migration_case",
    "check_mode",
    "check_mode_case",
    "check_table",
    "check_table_case",
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
