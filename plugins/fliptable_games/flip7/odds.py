"""What one more card would do to a line, exactly and from public information only.

Every card that was turned up is public, so the composition of the draw pile is: the 94 cards less
those in front of players, in the discard pile, set aside, waiting or being resolved. Its order is
not used. When the draw pile is empty, the next card comes from the discard pile, which is shuffled.

The odds are about that one card and nothing after it: an action card that is turned up changes no
score by itself, whoever it is given to, and a Second Chance that is turned up helps only later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fliptable_games.flip7.cards import BONUS, COPIES, DOUBLE, NUMBER, PLUS, SEVEN
from fliptable_games.flip7.state import Flip7State, Line, in_flight


@dataclass(frozen=True, slots=True)
class Ratio:
    """An exact fraction."""

    numerator: Annotated[int, "The numerator; negative when it is a loss."]
    denominator: Annotated[int, "The denominator: how many cards the next one can be."]
    value: Annotated[float, "The fraction as a decimal number."]


@dataclass(frozen=True, slots=True)
class Odds:
    """What the next card would do to a seat's line, by the composition of the pile it comes from."""

    seat: Annotated[int, "Whose line it is about."]
    bust: Annotated[Ratio, "The probability that the next card busts the line."]
    flip_seven: Annotated[Ratio, "The probability that the next card is its seventh number."]
    gain: Annotated[Ratio, "By how many points the next card changes the score of the line on average."]


def unseen(state: Flip7State) -> Counter[str]:
    """How many cards of each code the draw pile has, by what is in view elsewhere."""
    pile = Counter(COPIES)
    for line in state.lines:
        pile.subtract(line.codes())
    pile.subtract(state.discard)
    pile.subtract(in_flight(state))
    return +pile


def next_card(state: Flip7State) -> Counter[str]:
    """The cards that the next one can be; none when there is nothing to draw (F26, F27)."""
    if state.plain == 0:
        return Counter()
    return unseen(state) or Counter(state.discard)


def odds(seat: int, line: Line, pile: Mapping[str, int]) -> Odds:
    """The odds of one more card from a pile of that composition (F9, F19, F23, F24)."""
    size = sum(pile.values())
    score = line.points
    bust = seven = gain = 0
    double = DOUBLE in line.modifiers
    for code, copies in pile.items():
        number = NUMBER.get(code)
        if number is None:
            gain += copies * (sum(line.numbers) if code == DOUBLE else PLUS.get(code, 0))
        elif number not in line.numbers:
            last = len(line.numbers) + 1 == SEVEN
            seven += copies * last
            gain += copies * (number * (1 + double) + BONUS * last)
        elif not line.second_chance:
            bust += copies
            gain -= copies * score
    return Odds(seat, _ratio(bust, size), _ratio(seven, size), _ratio(gain, size))


def _ratio(numerator: int, size: int) -> Ratio:
    denominator = size or 1
    return Ratio(numerator, denominator, numerator / denominator)
