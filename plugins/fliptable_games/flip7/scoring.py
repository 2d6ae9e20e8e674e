"""What a line is worth, and scoring a line that somebody describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated

from fliptable import Refusal, quoted
from fliptable_games.flip7.cards import (
    BONUS,
    COPIES,
    DOUBLE,
    MODIFIERS,
    NUMBER,
    PLUS,
    SECOND_CHANCE,
    SEVEN,
    card_text,
)


def worth(numbers: Collection[int], modifiers: Iterable[str]) -> int:
    """The points of a line that is not bust: different numbers, and modifiers (flip7 F24)."""
    total = sum(numbers)
    extra = BONUS if len(numbers) == SEVEN else 0
    for code in modifiers:
        extra += total if code == DOUBLE else PLUS[code]
    return total + extra


@dataclass(frozen=True, slots=True)
class Flip7Line:
    """A line of Flip 7 as it lies in front of a player."""

    numbers: Annotated[
        tuple[int, ...], "The number cards, 0 to 12, in any order; of a bust line also the second copy."
    ] = ()
    modifiers: Annotated[tuple[str, ...], "The modifiers: +2 +4 +6 +8 +10 x2."] = ()
    second_chance: Annotated[bool, "Whether a Second Chance lies there unused."] = False
    bust: Annotated[bool, "Whether the line is bust."] = False

    def codes(self) -> list[str]:
        """The cards of the line as codes."""
        chance = [SECOND_CHANCE] if self.second_chance else []
        return [*map(str, self.numbers), *self.modifiers, *chance]


@dataclass(frozen=True, slots=True)
class Flip7LineScore:
    """What a line scores; the total is the sum of the four parts before it."""

    numbers: Annotated[int, "The sum of the numbers; 0 for a bust line, as are all other parts."]
    doubled: Annotated[int, "What ×2 adds: the sum of the numbers once more, or 0 without ×2."]
    plus: Annotated[int, "What the plus-cards add."]
    bonus: Annotated[int, "15 for seven different numbers, else 0."]
    total: Annotated[int, "The points of the line."]
    flip_seven: Annotated[bool, "Whether the line has seven different numbers."]
    bust: Annotated[bool, "Whether the line is bust."]


def score_line(line: Flip7Line) -> Flip7LineScore | Refusal:
    """The breakdown of a line (flip7 F9, F23, F24), or why there can be no such line.

    A bust line may show the second copy of a number or leave it out.
    """
    wrong = _unknown(line) or _too_many(line) or (_not_bust(line) if line.bust else _not_alive(line))
    if wrong is not None:
        return wrong
    if line.bust:
        return Flip7LineScore(0, 0, 0, 0, 0, flip_seven=False, bust=True)
    total = sum(line.numbers)
    doubled = total if DOUBLE in line.modifiers else 0
    plus = sum(PLUS[code] for code in line.modifiers if code != DOUBLE)
    seven = len(line.numbers) == SEVEN
    bonus = BONUS if seven else 0
    return Flip7LineScore(total, doubled, plus, bonus, total + doubled + plus + bonus, seven, bust=False)


def over_the_deck(codes: Iterable[str]) -> str | None:
    """Why the cards cannot all come from one deck, as a sentence; None when they can."""
    for code, copies in Counter(codes).items():
        if copies > COPIES[code]:
            return (
                f"There are {copies} copies of the {card_text(code)}, but the deck has only {COPIES[code]}."
            )
    return None


def _unknown(line: Flip7Line) -> Refusal | None:
    for number in line.numbers:
        if str(number) not in NUMBER:
            return _bad("numbers", f"There is no number card {number}: they go from 0 to 12.")
    for code in line.modifiers:
        if code not in MODIFIERS:
            known = " ".join(MODIFIERS)
            return _bad("modifiers", f"There is no modifier {quoted(code)}: the modifiers are {known}.")
    return None


def _pairs(line: Flip7Line) -> list[int]:
    return [number for number, copies in Counter(line.numbers).items() if copies > 1]


def _not_alive(line: Flip7Line) -> Refusal | None:
    """Why the line cannot be one that is not bust."""
    pairs = _pairs(line)
    if pairs:
        return _bad("numbers", f"The line has more than one {pairs[0]}, but it does not say that it is bust.")
    if len(line.numbers) > SEVEN:
        return _bad(
            "numbers",
            f"The line has {len(line.numbers)} numbers, but the seventh ends the round.",
        )
    return None


def _not_bust(line: Flip7Line) -> Refusal | None:
    """Why the line cannot be a bust one."""
    pairs = _pairs(line)
    if len(pairs) > 1 or len(line.numbers) - len(set(line.numbers)) > 1:
        return _bad("numbers", "A line is bust with its first pair; it cannot have more equal numbers.")
    if len(set(line.numbers)) >= SEVEN:
        return _bad("numbers", "Seven different numbers end the round; such a line is not bust.")
    if line.second_chance:
        return _bad("second_chance", "A line with a Second Chance is not bust: it is used up first.")
    return None


def _too_many(line: Flip7Line) -> Refusal | None:
    for field, codes in (("numbers", list(map(str, line.numbers))), ("modifiers", list(line.modifiers))):
        for code, copies in Counter(codes).items():
            if copies > COPIES[code]:
                has = f"{copies} copies of the {card_text(code)}"
                return _bad(field, f"The line has {has}, but the deck has only {COPIES[code]}.")
    return None


def _bad(field: str, message: str) -> Refusal:
    return Refusal("BAD_LINE", message, field)


REFUSALS = {"BAD_LINE": "A line as it was described cannot lie on the table; the message says why."}
"""The codes with which a line is refused."""
