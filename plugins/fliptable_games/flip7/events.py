"""What happens in a round of Flip 7. Whatever is turned up is public, so every event is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fliptable_games.flip7.cards import SECOND_CHANCE, a_card, card_text
from fliptable_games.flip7.vocabulary import DiscardReason, Place, StayReason, Why

_CODE = "The card's code: 0 to 12, +2 +4 +6 +8 +10, x2, FREEZE, FLIP3 or CHANCE."


@dataclass(frozen=True, slots=True)
class DealerNamed:
    """A round begins with this dealer (F28)."""

    seat: Annotated[int, "The dealer."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is the dealer."


@dataclass(frozen=True, slots=True)
class CardTurned:
    """The next card was turned up. A new number or a modifier lies in the seat's line from now on."""

    seat: Annotated[int, "Who it was turned up for."]
    card: Annotated[str, _CODE]
    why: Annotated[Why, "Whether it was dealt, asked for, or one of a Flip Three's cards."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        verb = _VERBS[self.why]
        return f"{names[self.seat]} {verb} {a_card(self.card)}."


_VERBS = {Why.DEAL: "is dealt", Why.HIT: "hits and gets", Why.FLIP_THREE: "flips"}


@dataclass(frozen=True, slots=True)
class CardSetAside:
    """An action card turned up in a Flip Three waits until the three cards are taken (F13, F18)."""

    seat: Annotated[int, "Who takes the three cards."]
    card: Annotated[str, _CODE]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"The {card_text(self.card)} is set aside."


@dataclass(frozen=True, slots=True)
class Assigned:
    """It was settled who gets an action card; it takes effect after those that were assigned before."""

    seat: Annotated[int, "Who assigned it."]
    card: Annotated[str, _CODE]
    to: Annotated[int, "Who gets it."]
    forced: Annotated[bool, "Whether nobody else could get it, so that nothing was asked (F21)."] = False

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        whom = "themself" if self.to == self.seat else names[self.to]
        card = card_text(self.card)
        if self.card == SECOND_CHANCE and self.to == self.seat:
            return f"{names[self.seat]} keeps the {card}."
        if self.forced:
            return f"The {card} of {names[self.seat]} can only go to {whom}."
        return f"{names[self.seat]} gives the {card} to {whom}."


@dataclass(frozen=True, slots=True)
class SecondChanceTaken:
    """A seat holds a Second Chance from now on (F16, F17, F18)."""

    seat: Annotated[int, "Who holds it."]
    by: Annotated[int, "Who had to keep it or give it away."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        source = "" if self.by == self.seat else f" from {names[self.by]}"
        return f"{names[self.seat]} holds a Second Chance{source}."


@dataclass(frozen=True, slots=True)
class SavedBySecondChance:
    """A second copy of a number and the Second Chance that saved the line went to the discard pile (F19)."""

    seat: Annotated[int, "Whose line was saved."]
    card: Annotated[str, _CODE]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"A Second Chance saves {names[self.seat]} from the second {self.card}."


@dataclass(frozen=True, slots=True)
class Busted:
    """A second copy of a number: the line scores nothing (F9)."""

    seat: Annotated[int, "Who is bust."]
    card: Annotated[str, _CODE]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is bust with the second {self.card}."


@dataclass(frozen=True, slots=True)
class Stayed:
    """A seat banked its line and is out (F8, F23, F27)."""

    seat: Annotated[int, "Who is out."]
    points: Annotated[int, "What the line scores."]
    reason: Annotated[StayReason, "Why."] = StayReason.CHOSEN

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        why = " since there is nothing to draw" if self.reason is StayReason.NOTHING_TO_DRAW else ""
        verb = "banks" if self.reason is StayReason.FLIP_SEVEN else "stays with"
        return f"{names[self.seat]} {verb} {self.points}{why}."


@dataclass(frozen=True, slots=True)
class Frozen:
    """A Freeze took effect: the seat banked its line and is out (F11)."""

    seat: Annotated[int, "Who is frozen."]
    by: Annotated[int, "Who assigned the Freeze."]
    points: Annotated[int, "What the line scores."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is frozen with {self.points}."


@dataclass(frozen=True, slots=True)
class FlipThreeBegan:
    """A Flip Three took effect: the seat takes the next three cards (F12)."""

    seat: Annotated[int, "Who takes the cards."]
    by: Annotated[int, "Who assigned the Flip Three."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} has to flip three."


@dataclass(frozen=True, slots=True)
class FlipThreeEnded:
    """A Flip Three is done with and its card went to the discard pile (F12)."""

    seat: Annotated[int, "Who took the cards."]
    taken: Annotated[int, "How many cards were taken."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        cards = "one card" if self.taken == 1 else f"{self.taken or 'no'} cards"
        return f"The Flip Three of {names[self.seat]} ends after {cards}."


@dataclass(frozen=True, slots=True)
class FlippedSeven:
    """Seven different numbers: the round is over for everybody (F23)."""

    seat: Annotated[int, "Who has them."]
    points: Annotated[int, "What the line scores, the bonus of 15 included."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} flips seven: {self.points} points."


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """An action card went to the discard pile without any effect."""

    seat: Annotated[int, "Who turned it up or, once it is assigned, who it was for."]
    card: Annotated[str, _CODE]
    place: Annotated[Place, "Where it lay."]
    reason: Annotated[DiscardReason, "Why."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        why = _REASONS[self.reason].format(name=names[self.seat])
        return f"The {card_text(self.card)} is discarded: {why}."


_REASONS = {
    DiscardReason.TAKER_BUST: "{name} is bust",
    DiscardReason.FLIP_SEVEN: "the round is over",
    DiscardReason.NO_TARGET: "nobody can get it",
    DiscardReason.TARGET_OUT: "{name} is out",
    DiscardReason.HOLDS_ONE: "{name} holds one",
    DiscardReason.LEFT: "{name} has left",
}


@dataclass(frozen=True, slots=True)
class SeatGone:
    """A seat left the table for good; if it was in, it is out and banks nothing."""

    seat: Annotated[int, "Who left."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} is out of the round."


EVENTS: tuple[type, ...] = (
    DealerNamed,
    CardTurned,
    CardSetAside,
    Assigned,
    SecondChanceTaken,
    SavedBySecondChance,
    Busted,
    Stayed,
    Frozen,
    FlipThreeBegan,
    FlipThreeEnded,
    FlippedSeven,
    CardDiscarded,
    SeatGone,
)
"""The events of the game, besides the shuffles."""
