"""The 94 cards of Flip 7, as codes: ``"0"`` to ``"12"``, ``"+2"`` to ``"+10"``, ``"x2"``, and actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

FREEZE = "FREEZE"
FLIP_THREE = "FLIP3"
SECOND_CHANCE = "CHANCE"
DOUBLE = "x2"

NUMBER: Mapping[str, int] = {str(number): number for number in range(13)}
"""What each number card counts."""

PLUS: Mapping[str, int] = {f"+{points}": points for points in (2, 4, 6, 8, 10)}
"""What each plus-card adds."""

MODIFIERS: tuple[str, ...] = (*PLUS, DOUBLE)
"""The codes of the modifiers."""

ACTIONS: tuple[str, ...] = (FREEZE, FLIP_THREE, SECOND_CHANCE)
"""The codes of the action cards."""

COPIES: Mapping[str, int] = {
    **{code: max(number, 1) for code, number in NUMBER.items()},
    **dict.fromkeys(MODIFIERS, 1),
    **dict.fromkeys(ACTIONS, 3),
}
"""How many cards of each code the deck has."""

DECK: tuple[str, ...] = tuple(Counter(COPIES).elements())
"""The deck as it lies before its first shuffle: numbers, modifiers, actions, each from the lowest."""

PLAIN: int = sum(copies for code, copies in COPIES.items() if code not in ACTIONS)
"""How many cards of the deck are numbers or modifiers."""

SEVEN = 7
"""How many different numbers end a round."""

BONUS = 15
"""What seven different numbers add to a line."""

_NAMES = {FREEZE: "Freeze", FLIP_THREE: "Flip Three", SECOND_CHANCE: "Second Chance", DOUBLE: "×2"}


def card_text(code: str) -> str:
    """The card as people say it, for example ``Second Chance``."""
    return _NAMES.get(code, code)


def a_card(code: str) -> str:
    """The card with its article, for example ``an 8`` or ``a Freeze``."""
    article = "an" if code in {"8", "11"} else "a"
    return f"{article} {card_text(code)}"
