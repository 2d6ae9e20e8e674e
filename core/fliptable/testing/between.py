"""The worlds between two worlds: from one to the other, card by card.

Two worlds that a viewer cannot tell apart differ in much: a shuffled deck, all hands. What is told of one
thing and shown of another is told apart by worlds that differ in one thing alone.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from pickle import dumps, loads
from random import Random
from typing import Any

from fliptable.codec import unpack
from fliptable.testing.storage import storable
from fliptable.testing.worlds import Draws, World

_Path = tuple[Hashable, ...]
_SIZE = "size"
_STRING = "a string:"


class Way:
    """Worlds from ``start`` to ``end``, both included, each with one thing more as it is at the end.

    A card changes places with the one that lies where it belongs, so that none is lost. There are only
    the two where they are not made of the same parts.
    """

    def __init__(
        self,
        start: World,
        end: World,
        kind: type,
        cards: Collection[str],
        random: Random | None,
        known: dict[int, Any],
    ) -> None:
        """``kind`` is the class of their states; without ``random`` there are only the two.

        ``known`` keeps the parts of the end, for other ways that end there.
        """
        self._ends = start, end
        self._kind = kind
        self._changes: list[dict[_Path, Any]] = [{}]
        if random is None:
            return
        if id(end) not in known:
            known[id(end)] = end, dict(_leaves(_split(_document(end), cards), ()))
        _, target = known[id(end)]
        document = _split(_document(start), cards)
        values = dict(_leaves(document, ()))
        if values.keys() != target.keys():
            return
        wrong = [path for path, value in target.items() if values[path] != value]
        if any(path[-1] == _SIZE for path in wrong):
            return
        random.shuffle(wrong)
        self._changes = list(_changes(values, target, wrong, cards))
        self._start = dumps(document)
        self._strings = _STRING in target.values()

    @property
    def last(self) -> int:
        """The place of the end; the start is at 0."""
        return max(1, len(self._changes))

    def __getitem__(self, place: int) -> World:
        """The world at a place."""
        if place in (0, self.last):
            return self._ends[place > 0]
        changed: dict[_Path, Any] = {}
        for change in self._changes[:place]:
            changed.update(change)
        document = loads(self._start)
        for path, value in changed.items():
            part = document
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] = value
        orders = tuple([tuple(order) for order in document["orders"]])
        return World(
            unpack(_joined(document["state"]) if self._strings else document["state"], self._kind),
            Draws(orders, document["numbers"]),
        )


def _changes(
    before: Mapping[_Path, Any], target: Mapping[_Path, Any], wrong: list[_Path], cards: Collection[str]
) -> Iterator[dict[_Path, Any]]:
    """What has to be changed, step by step, until nothing is wrong."""
    values = {path: before[path] for path in wrong}
    lying: dict[Hashable, set[_Path]] = {}
    for path in wrong:
        lying.setdefault((_pile(path), values[path]), set()).add(path)
    for path in wrong:
        old, new, pile = values[path], target[path], _pile(path)
        if old == new:
            continue
        change = {path: new}
        if isinstance(old, str) and isinstance(new, str) and old in cards and new in cards:
            olds, news = lying[pile, old], lying.get((pile, new), set())
            if len(olds) == len(news):
                # All at once, since a state may note in two places where a card is.
                change = {**dict.fromkeys(olds, new), **dict.fromkeys(news, old)}
            else:
                change |= {one: old for one in sorted(news, key=repr)[:1] if target[one] != new}
        for one, value in change.items():
            lying[_pile(one), values[one]].discard(one)
            lying.setdefault((_pile(one), value), set()).add(one)
        values.update(change)
        yield change


def _pile(path: _Path) -> _Path:
    """Where a card may change places: within the state, or within one shuffle."""
    return path[:2] if path[0] == "orders" else path[:1]


def _document(world: World) -> dict[str, Any]:
    draws = world.draws or Draws()
    return {
        "state": storable(world.state),
        "orders": [list(order) for order in draws.orders],
        "numbers": dict(draws.numbers),
    }


def _leaves(document: Any, path: _Path) -> Iterator[tuple[_Path, Any]]:
    if isinstance(document, dict):
        yield (*path, _SIZE), tuple(document)
        for key, value in document.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(document, list | tuple):
        yield (*path, _SIZE), len(document)
        for index, value in enumerate(document):
            yield from _leaves(value, (*path, index))
    else:
        yield path, document


def _is_pile(document: Any, cards: Collection[str]) -> bool:
    """Whether a string is a pile of cards of one letter each."""
    if not isinstance(document, str) or len(document) < 2 or document in cards:
        return False
    return all(one in cards for one in document)


def _split(document: Any, cards: Collection[str]) -> Any:
    """The document with lists for piles that are strings, each with a mark in front that is no card."""
    if isinstance(document, dict):
        return {key: _split(value, cards) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [_split(value, cards) for value in document]
    return [_STRING, *document] if _is_pile(document, cards) else document


def _joined(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: _joined(value) for key, value in document.items()}
    if isinstance(document, list):
        return "".join(document[1:]) if document[:1] == [_STRING] else [_joined(value) for value in document]
    return document
