"""Chance as an argument: the only way a game gets anything random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Protocol

from fliptable.shuffle import commitment, derive_seed, number, shuffle


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A pile was shuffled; its commitment is public, its order is not.

    A game puts this event first among those that depend on it and takes ``order`` in ``evolve``.
    """

    shuffle: Annotated[int, "The number of the shuffle at its table, from 1."]
    name: Annotated[str, "What was shuffled, for example deck."]
    commitment: Annotated[str, "The SHA-256 of the seed, in hex."]
    cards: Annotated[tuple[str, ...], "The pile before the shuffle, as card codes."]
    order: Annotated[tuple[str, ...], "The pile after the shuffle, top first, as card codes."]
    label: Annotated[str, "What the seed was derived for."]
    until: Annotated[datetime | None, "When the seed becomes known, where other tables play from it too."] = (
        None
    )

    @property
    def size(self) -> int:
        """How many cards the pile has."""
        return len(self.cards)

    def covered(self) -> Shuffled:
        """The shuffle as everybody sees it until its seed is revealed: how many cards, and not which."""
        return replace(self, cards=("?",) * len(self.cards), order=())

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"Shuffle {self.shuffle}: {self.name}, {len(self.cards)} in all."


class Chance(Protocol):
    """What a game may ask of chance. Every call is a use with a number and a seed of its own."""

    def shuffle(self, cards: Sequence[str], name: str = "deck") -> Shuffled:
        """Shuffle card codes. The event must be among those that the decision returns."""
        ...

    def number(self, name: str, span: range) -> int:
        """A number that goes with the seed of the next shuffle; the same name, the same number."""
        ...


class FairChance:
    """Chance derived from a secret, so that every use can be verified once its seed is revealed."""

    def __init__(self, secret: bytes, used: int, label: str | None = None) -> None:
        """``used`` shuffles came before; ``label`` replaces the table's own for a shared deck."""
        self._secret = secret
        self._label = label
        self.used: int = used
        self._first = used

    def shuffle(self, cards: Sequence[str], name: str = "deck") -> Shuffled:
        """Shuffle card codes with the next seed; see :class:`Chance`."""
        label = self._next_label()
        self.used += 1
        seed = derive_seed(self._secret, label)
        return Shuffled(self.used, name, commitment(seed), tuple(cards), shuffle(seed, cards), label)

    def number(self, name: str, span: range) -> int:
        """A number from the next seed; see :class:`Chance`."""
        return number(derive_seed(self._secret, self._next_label()), name, span)

    def _next_label(self) -> str:
        used = self.used + 1
        return self.label(used - self._first if self._label else used, self._label)

    @staticmethod
    def label(number: int, shared: str | None = None) -> str:
        """The label of the table's use of chance ``number``, or of a deck shared between tables."""
        return f"{shared}/{number}" if shared else f"shuffle/{number}"


class StackedChance:
    """Chance with the outcome laid down beforehand, for tests and scripted play.

    Each shuffle puts the next stack's cards on top, in order, and leaves the rest as it lay.
    """

    def __init__(self, *stacks: Iterable[str], used: int = 0) -> None:
        """One iterable of card codes for each shuffle to come; later ones stay unshuffled."""
        self._stacks = [tuple(stack) for stack in stacks]
        self.used: int = used

    def shuffle(self, cards: Sequence[str], name: str = "deck") -> Shuffled:
        """Put the next stack on top of the pile. Errors: ValueError names a card it lacks."""
        self.used += 1
        rest = list(cards)
        top = self._stacks.pop(0) if self._stacks else ()
        for card in top:
            if card not in rest:
                raise ValueError(f"the {name} has no card {card!r} left to stack on top")
            rest.remove(card)
        return Shuffled(self.used, name, commitment(b""), tuple(cards), (*top, *rest), "stacked")

    def number(self, name: str, span: range) -> int:
        """The first number of the span."""
        return span[0]


class LooseChance:
    """Chance from a quick generator, without seeds: for simulations, never for a table."""

    def __init__(self, permute: Callable[[list[str]], None], used: int = 0) -> None:
        """``permute`` puts a list in random order in place, for example ``random.Random(1).shuffle``."""
        self._permute = permute
        self.used: int = used

    def shuffle(self, cards: Sequence[str], name: str = "deck") -> Shuffled:
        """Shuffle with the given generator."""
        self.used += 1
        order = list(cards)
        self._permute(order)
        return Shuffled(self.used, name, "", tuple(cards), tuple(order), "loose")

    def number(self, name: str, span: range) -> int:
        """A number of the span, by the given generator."""
        places = [str(place) for place in range(len(span))]
        self._permute(places)
        return span[int(places[0])]
