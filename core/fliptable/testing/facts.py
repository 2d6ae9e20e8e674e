"""What a state says, as facts, and which of them somebody knows: those that are so in all worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from fliptable.chance import Shuffled
from fliptable.testing.storage import storable

Fact = tuple[str, Any]
"""A place in the stored state and what is there."""


def card_codes(codes: Iterable[str], events: Iterable[Any]) -> frozenset[str]:
    """The codes of all cards: those that a game lists, and those that were shuffled."""
    shuffled = [event.cards for event in events if isinstance(event, Shuffled)]
    return frozenset(codes).union(*shuffled)


def facts(state: Any, cards: Collection[str]) -> frozenset[Fact]:
    """What is where in a state. That a card is in a list is a fact too, wherever in the list it is."""
    return frozenset(_facts(storable(state), "", cards))


def gone(one: Any, other: Any, told: tuple[Any, Any], cards: Collection[str]) -> bool:
    """Whether two states have nothing left of what made them differ.

    Nor have they where other cards are in play, since a card is out of the game or was never kept; unless
    one of them keeps a card that the other lacks, and ``told``, what is told in each, has that very card
    there alone.
    """
    if facts(one, cards) == facts(other, cards):
        return True
    here, there = _of(one, cards), _of(other, cards)
    said, instead = _of(told[0], cards), _of(told[1], cards)
    return here != there and not ((here - there) & (said - instead) or (there - here) & (instead - said))


def exchanged(after: Any, orders: Sequence[Sequence[str]], random: Random) -> list[tuple[str, ...]] | None:
    """Shuffles in which the cards lie otherwise that the state does not keep; None where they are too few."""
    cards = frozenset(card for order in orders for card in order)
    kept = _of(after, cards)
    places = [
        (number, place)
        for number, order in enumerate(orders)
        for place, card in enumerate(order)
        if not kept[card]
    ]
    if len(places) < 2:
        return None
    mixed = [orders[number][place] for number, place in places]
    random.shuffle(mixed)
    found = [list(order) for order in orders]
    for (number, place), card in zip(places, mixed, strict=True):
        found[number][place] = card
    return [tuple(order) for order in found]


def alike(one: Any, other: Any, worlds: Iterable[Any], cards: Collection[str]) -> bool:
    """Whether two states cannot be told apart by somebody who takes the first for any of the worlds.

    They can where the second lacks what all worlds have, or has what none has.
    """
    ours, theirs = facts(one, cards), facts(other, cards)
    lost, new = ours - theirs, {fact for fact in theirs - ours if not _is_place(fact, cards)}
    for world in worlds:
        there = facts(world, cards)
        lost &= there
        new -= there
        if not lost and not new:
            return True
    return False


def _is_place(fact: Fact, cards: Collection[str]) -> bool:
    """Whether it is the place of a card within a list: that the list has the card says enough."""
    return fact[0].endswith("]") and fact[1] in cards


def _facts(document: Any, path: str, cards: Collection[str]) -> Iterator[Fact]:
    if isinstance(document, dict):
        yield f"{path}.keys", tuple(document)
        for key, value in document.items():
            yield from _facts(value, f"{path}.{key}", cards)
    elif isinstance(document, list | tuple):
        yield f"{path}.length", len(document)
        for index, value in enumerate(document):
            yield from _facts(value, f"{path}[{index}]", cards)
            if isinstance(value, str) and value in cards:
                yield f"{path}.has", value
    elif isinstance(document, str) and document not in cards and len(document) > 1:
        # Piles may be kept as one string, of which a part is known.
        yield from _facts(list(document), path, cards)
    else:
        yield path, document


def _of(state: Any, cards: Collection[str]) -> Counter[str]:
    """How often the state has each card."""
    return Counter(_cards(storable(state), cards))


def _cards(document: Any, cards: Collection[str]) -> Iterator[str]:
    if isinstance(document, dict):
        document = list(document.values())
    if isinstance(document, list | tuple):
        for value in document:
            yield from _cards(value, cards)
    elif isinstance(document, str):
        yield from [document] if document in cards else [one for one in document if one in cards]
