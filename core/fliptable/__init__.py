"""Fliptable: the engine of a server for flip card games, and the contract of its plugins."""

from fliptable.cards import CARD, STANDARD_DECK, PlayingCard, Rank, Suit
from fliptable.challenges import Challenge, ChosenConstraint, Condition, Parts, conditions_of, impossible
from fliptable.chance import Chance, Shuffled
from fliptable.constraints import Constraint, ConstraintStatus, Demand
from fliptable.events import Commit
from fliptable.hookspecs import hookimpl
from fliptable.house import Visibility
from fliptable.ids import clean_code
from fliptable.limits import MAX_INT, Between, Needed, check_limits
from fliptable.modes import Claim, Mode, RoundPlan, Session
from fliptable.queries import PluginQuery
from fliptable.quoting import quoted
from fliptable.refusals import REFUSALS
from fliptable.rules import (
    SPECTATOR,
    CardTrail,
    Choices,
    Context,
    Events,
    Game,
    MoveRange,
    NoOptions,
    Outcome,
    Policy,
    Private,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Several,
    Viewer,
)
from fliptable.scores import Better, Metric

__all__ = [
    "CARD",
    "MAX_INT",
    "REFUSALS",
    "SPECTATOR",
    "STANDARD_DECK",
    "Better",
    "Between",
    "CardTrail",
    "Challenge",
    "Chance",
    "Choices",
    "ChosenConstraint",
    "Claim",
    "Commit",
    "Condition",
    "Constraint",
    "ConstraintStatus",
    "Context",
    "Demand",
    "Events",
    "Game",
    "Metric",
    "Mode",
    "MoveRange",
    "Needed",
    "NoOptions",
    "Outcome",
    "Parts",
    "PlayingCard",
    "PluginQuery",
    "Policy",
    "Private",
    "Rank",
    "Refusal",
    "Result",
    "RoundPlan",
    "Seat",
    "SeatOutcome",
    "Session",
    "Setup",
    "Several",
    "Shuffled",
    "Suit",
    "Viewer",
    "Visibility",
    "check_limits",
    "clean_code",
    "conditions_of",
    "hookimpl",
    "impossible",
    "quoted",
]
