"""Games that break a law in odd ways: late, for one seat or value alone, or by what they were made with.

``ODD_GAMES`` has for each what makes it, the law, and a part of what is said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from highcard import HighCard, HighState, Keep, Kept

from fliptable import MoveRange, Refusal
from fliptable.testing import OneCard, Sealed


class LooksOver(Sealed):
    """Of three seats the last one sees what the first has written, but only if the second wrote a 3."""

    def view(self, state: Any, viewer: Any) -> Any:
        seen = super().view(state, viewer)
        if len(state.numbers) < 3 or 2 not in viewer or state.numbers[1] != 3 or not state.waiting:
            return seen
        return replace(seen, numbers=(state.numbers[0] or None, *seen.numbers[1:]))


class Halves(HighCard):
    """The second seat's boast of 7 is half of it."""

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Keep) and move.bonus == 7 and seat == 1:
            return [Kept(seat, 3.5)]  # type: ignore[arg-type]
        return super().decide(state, seat, move, ctx)


class Outside(HighCard):
    """The example of a range lies outside of it, once the second seat has kept its card."""

    def legal_moves(self, state: HighState, seat: int) -> Sequence[Any]:
        *others, last = super().legal_moves(state, seat)
        return [*others, MoveRange(Keep(99), last.fields) if state.turn == 1 else last]


class OddError(Exception):
    """It cannot be made with one argument."""

    def __init__(self, turn: int, discards: int) -> None:
        super().__init__(f"turn {turn} and {discards} discards")


class CountsOnTwo(HighCard):
    """It cannot say how a round stands in which one has left and a card was swapped."""

    def outcome(self, state: HighState) -> Any:
        if sum(state.gone) == 1 and state.discards:
            raise OddError(state.turn, len(state.discards))
        return super().outcome(state)


class Mood(Enum):
    """How something is said."""

    GLAD = "GLAD"
    SAD = "SAD"


@dataclass(frozen=True)
class Tone:
    """How something is said, and how loudly."""

    mood: Mood = Mood.GLAD
    volume: int = 0


@dataclass(frozen=True)
class Say:
    """Say something and keep the card."""

    tone: Tone = Tone()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heard:
    """Something was said."""

    seat: int
    tone: Tone
    words: tuple[str, ...]

    def text(self, names: Sequence[str]) -> str:
        if self.words and self.tone.mood is Mood.SAD:
            return "\n".join(self.words)
        return f"{names[self.seat]} says something."


QUOTED = ("it's", 'a "b"\\n', "ü\t")


class Talks(HighCard):
    """What is said sadly has several lines."""

    moves = (*HighCard.moves, Say)
    events = (*HighCard.events, Heard)

    def legal_moves(self, state: HighState, seat: int) -> Sequence[Any]:
        said = [Say(Tone(mood, loud), words) for mood in Mood for loud in (0, 5) for words in ((), QUOTED)]
        return [*super().legal_moves(state, seat), *said]

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        if not isinstance(move, Say):
            return super().decide(state, seat, move, ctx)
        if move not in self.legal_moves(state, seat):
            return Refusal("INVALID_VALUE", "Nobody says that.", "words")
        return [
            Heard(seat, move.tone, move.words),
            *super().decide(state, seat, Keep(state.options.least), ctx),
        ]


class Limited(OneCard):
    """It is made with a limit, beyond which it shows nothing."""

    def __init__(self, limit: int, *, names: tuple[str, ...] = ("Ann",), deep: bool = False) -> None:
        self.limit = limit
        self._names = names
        self.deep = deep

    def view(self, state: Any, viewer: Any) -> Any:
        if state.drawn >= self.limit and (self.deep or len(self._names) > 1):
            raise ValueError(f"no more than {self.limit}")
        return super().view(state, viewer)


class Tuned(OneCard):
    """It goes by a function that it was made with."""

    def __init__(self, allowed: Callable[[int], bool]) -> None:
        self.allowed = allowed

    def view(self, state: Any, viewer: Any) -> Any:
        if not self.allowed(state.drawn):
            raise ValueError("not allowed")
        return super().view(state, viewer)


ODD_GAMES: Sequence[tuple[Callable[[], Any], str, str]] = [
    (LooksOver, "nothing leaks", "seat 2 can tell hidden things apart: view.numbers[0] is"),
    (Halves, "events", "Kept(seat=1, bonus=3.5): it cannot be stored and read: Expected `int`, got `float`"),
    (Outside, "moves", "the legal move Keep(bonus=99) is refused: INVALID_VALUE: The bonus is from 0 to 9."),
    (CountsOnTwo, "answers", "raises OddError: turn 0 and 1 discards"),
    (Talks, "events", "the sentence of Heard(seat=0, tone=Tone(mood=Mood.SAD), words="),
    (lambda: Limited(1, deep=True), "answers", "raises ValueError: no more than 1"),
    (lambda: Limited(0, names=("Ann", "Bob")), "answers", "raises ValueError: no more than 0"),
]
"""What makes the game, the law, and a part of what is said."""
