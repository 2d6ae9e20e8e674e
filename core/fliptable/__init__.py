"""Fliptable: the engine of a server for flip card games, and the contract of its plugins."""

from fliptable.cards import CARD, STANDARD_DECK, PlayingCard, Rank, Suit
from fliptable.chance import Chance, Shuffled
from fliptable.constraints import Constraint, ConstraintStatus
from fliptable.events import Commit, Visibility
from fliptable.hookspecs import hookimpl
from fliptable.modes import Claim, Mode, RoundPlan, Session
from fliptable.refusals import REFUSALS
from fliptable.rules import (
    MAX_INT,
    SPECTATOR,
    Between,
    CardTrail,
    Choices,
    Context,
    Events,
    Game,
    MoveRange,
    NoOptions,
    Outcome,
    Private,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Viewer,
)

__all__ = [
    "CARD",
    "MAX_INT",
    "REFUSALS",
    "SPECTATOR",
    "STANDARD_DECK",
    "Between",
    "CardTrail",
    "Chance",
    "Choices",
    "Claim",
    "Commit",
    "Constraint",
    "ConstraintStatus",
    "Context",
    "Events",
    "Game",
    "Mode",
    "MoveRange",
    "NoOptions",
    "Outcome",
    "PlayingCard",
    "Private",
    "Rank",
    "Refusal",
    "Result",
    "RoundPlan",
    "Seat",
    "SeatOutcome",
    "Session",
    "Setup",
    "Shuffled",
    "Suit",
    "Viewer",
    "Visibility",
    "hookimpl",
]
