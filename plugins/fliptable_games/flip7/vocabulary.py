"""The words of Flip 7: its options and moves, and the codes that events and views use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from fliptable_games.flip7.scoring import REFUSALS as LINE_REFUSALS


class Rules(Enum):
    """Which of the two rule sets a table plays by."""

    OFFICIAL = "OFFICIAL"
    """The publisher's rules."""
    HOSTED = "HOSTED"
    """The host site's rules: no deal, and in a Flip Three every action card waits for the third card."""


class LineStatus(Enum):
    """Where a seat stands in the round: ACTIVE is in, all others are out."""

    ACTIVE = "ACTIVE"
    """The seat may still take cards."""
    STAYED = "STAYED"
    """The seat banked its points."""
    FROZEN = "FROZEN"
    """A Freeze banked its points."""
    BUST = "BUST"
    """A number came twice; the round gives no points."""
    FLIP_SEVEN = "FLIP_SEVEN"
    """Seven different numbers lie in front of the seat."""
    LEFT = "LEFT"
    """The player left the table."""


REASONS = {
    LineStatus.STAYED.value: "The seat stayed and banked its points.",
    LineStatus.FROZEN.value: "A Freeze banked the seat's points.",
    LineStatus.BUST.value: "A number came twice: the line scores nothing.",
    LineStatus.FLIP_SEVEN.value: "Seven different numbers lie in the seat's line, which ended the round.",
    LineStatus.LEFT.value: "The player left the table.",
}
"""How a round ended for a seat, and what that means."""


class Phase(Enum):
    """What the round is at: the deal, turns, or nothing more."""

    DEAL = "DEAL"
    """Everybody gets a first card."""
    TURNS = "TURNS"
    """One seat after the other hits or stays."""
    OVER = "OVER"
    """The round is over."""


class Why(Enum):
    """Why a card was turned up."""

    DEAL = "DEAL"
    """It is the seat's card of the deal."""
    HIT = "HIT"
    """The seat wanted a card."""
    FLIP_THREE = "FLIP_THREE"
    """The seat has to take three cards."""


class StayReason(Enum):
    """Why a line was banked: the seat's wish, nothing left to draw, or somebody's seven numbers."""

    CHOSEN = "CHOSEN"
    """The seat wished to."""
    NOTHING_TO_DRAW = "NOTHING_TO_DRAW"
    """No card was left to draw."""
    FLIP_SEVEN = "FLIP_SEVEN"
    """Somebody has seven numbers, which ends the round."""


class DiscardReason(Enum):
    """Why an action card went to the discard pile without any effect."""

    TAKER_BUST = "TAKER_BUST"
    """Whoever took the three cards is bust (F14)."""
    FLIP_SEVEN = "FLIP_SEVEN"
    """The round is over (F15)."""
    NO_TARGET = "NO_TARGET"
    """Nobody can get it (F17, F21)."""
    TARGET_OUT = "TARGET_OUT"
    """Whoever it was for is out by now (F13)."""
    HOLDS_ONE = "HOLDS_ONE"
    """Whoever it was for holds a Second Chance by now (F18)."""
    LEFT = "LEFT"
    """Whoever had to assign it has left the table."""


class Place(Enum):
    """Where an action card lay: just turned up, set aside in a Flip Three, or assigned and waiting."""

    TURNED_UP = "TURNED_UP"
    """It was just turned up."""
    SET_ASIDE = "SET_ASIDE"
    """It was set aside in a Flip Three."""
    ASSIGNED = "ASSIGNED"
    """It was assigned and waited for its effect."""


class ChoiceKind(Enum):
    """What a seat has to decide: to take the optional card of the deal, or who gets an action card."""

    OPTIONAL_CARD = "OPTIONAL_CARD"
    """Whether to take the optional card of the deal."""
    FREEZE = "FREEZE"
    """Who gets the Freeze."""
    FLIP_THREE = "FLIP_THREE"
    """Who gets the Flip Three."""
    SECOND_CHANCE = "SECOND_CHANCE"
    """Who gets the Second Chance."""


@dataclass(frozen=True, slots=True)
class Flip7Options:
    """How a table plays Flip 7."""

    rules: Annotated[
        Rules,
        "OFFICIAL: the publisher's rules. HOSTED: the host site's: no deal, and in a Flip Three every"
        " action card waits for the third card.",
    ] = Rules.OFFICIAL


@dataclass(frozen=True, slots=True)
class Hit:
    """Take a card."""

    def label(self) -> str:
        """What to call it on a button."""
        return "Hit"


@dataclass(frozen=True, slots=True)
class Stay:
    """Bank the line and be out."""

    def label(self) -> str:
        """What to call it on a button."""
        return "Stay"


@dataclass(frozen=True, slots=True)
class Assign:
    """Say who gets the action card that waits for a decision."""

    to: Annotated[int, "The seat that gets the card."]

    def label(self) -> str:
        """What to call it on a button."""
        return "Give the action card away"


Move = Hit | Stay | Assign

REFUSALS = {
    **LINE_REFUSALS,
    "EMPTY_LINE": "A stay needs at least one card in front of the seat.",
    "CHOICE_OPEN": "An action card waits: who gets it has to be decided first.",
    "NO_CHOICE_OPEN": "No action card waits for a decision.",
    "NOT_A_TARGET": "The action card cannot go to that seat.",
}
"""The refusal codes of the game, and that of a line that somebody describes."""
