"""Decks for tests: laid down card by card, or shuffled as a seed has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from fliptable.cards import Suit
from fliptable.chance import LooseChance, StackedChance

_SUITS = [suit.value for suit in Suit]


def stacked(*stacks: str | Iterable[str], used: int = 0) -> StackedChance:
    """Chance that lays these cards on top, one stack a shuffle, written ``"10H AS 2C"`` or as codes.

    Cards are written in the codes of the game, whatever they are; those that a stack does not name lie
    below it, unshuffled. ``used`` shuffles came before.
    """
    codes = [stack.split() if isinstance(stack, str) else stack for stack in stacks]
    return StackedChance(*codes, used=used)


def shuffled(seed: int | str | Random = 0, used: int = 0) -> LooseChance:
    """Chance that shuffles as a seed has it, the same each time; or with a generator, as it goes on."""
    random = seed if isinstance(seed, Random) else Random(seed)
    return LooseChance(random.shuffle, used)


def suited(ranks: str) -> str:
    """Standard cards of these ranks, in suits as they come: ``"10 10 A"`` is ``"10C 10D AC"``.

    Errors: ValueError for more than four of a rank.
    """
    found: Counter[str] = Counter()
    cards = []
    for rank in ranks.split():
        if found[rank] == len(_SUITS):
            raise ValueError(f"{ranks!r}: there are only {len(_SUITS)} cards of the rank {rank}")
        cards.append(rank + _SUITS[found[rank]])
        found[rank] += 1
    return " ".join(cards)
