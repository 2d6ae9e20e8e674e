"""What lies otherwise in another state: which card lies where another one did, and what else differs."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

Path = tuple[Hashable, ...]
"""The way to a part of a stored state."""
_ROW = (list, tuple)
_WHOLE = (dict, list, tuple)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What makes another state of one: every card goes by another name, and a few things are put instead."""

    names: Mapping[str, str]
    """The cards that lie elsewhere, and what lies there instead."""
    others: Mapping[Path, tuple[Any, Any]]
    """What is no card and differs, in the one and in the other."""
    unkept: bool
    """Whether cards come in that were nowhere, so that others have to go where those were."""


def exchange(one: Any, other: Any, cards: Collection[str], random: Random) -> Exchange | None:
    """What makes the other of two stored states of the first; None where no exchange of cards does.

    It does not where the two are not made of the same parts, nor where one of two equal cards lies
    elsewhere and the other one does not.
    """
    names: dict[str, str] = {}
    others: dict[Path, tuple[Any, Any]] = {}
    for path, here, there in _apart(one, other, cards, ()):
        if isinstance(here, _WHOLE) or isinstance(there, _WHOLE):
            return None
        if here in cards and there in cards:
            if names.setdefault(here, there) != there:
                return None
        else:
            others[path] = here, there
    coming = sorted(set(names.values()) - set(names))
    going = sorted(set(names) - set(names.values()))
    if len(coming) != len(going):
        return None
    random.shuffle(going)
    names.update(zip(coming, going, strict=True))
    left = _apart(renamed(one, names, cards, tuple), other, cards, ())
    return Exchange(names, others, bool(coming)) if all(path in others for path, _, _ in left) else None


def same_cards(one: Any, other: Any, cards: Collection[str]) -> bool:
    """Whether each card lies in the one where it lies in the other."""
    return not any(
        isinstance(value, _WHOLE) or value in cards
        for _, here, there in _apart(one, other, cards, ())
        for value in (here, there)
    )


def apart_from(one: Any, other: Any, cards: Collection[str]) -> list[Path]:
    """Where two states differ in what is no card."""
    return [
        path
        for path, here, there in _apart(one, other, cards, ())
        if not (isinstance(here, _WHOLE) or isinstance(there, _WHOLE) or (here in cards and there in cards))
    ]


def renamed(document: Any, names: Mapping[str, str], cards: Collection[str], row: type = list) -> Any:
    """The document, made anew of dicts and such rows, with the cards by other names.

    A pile may be one string.
    """
    if isinstance(document, str):
        if document in names:
            return names[document]
        return (
            "".join([names.get(card, card) for card in document]) if _is_pile(document, cards) else document
        )
    if isinstance(document, dict):
        return {key: renamed(value, names, cards, row) for key, value in document.items()}
    if isinstance(document, _ROW):
        return row([renamed(value, names, cards, row) for value in document])
    return document


def found(document: Any, path: Path) -> Any:
    """What is there in a document. Errors: LookupError, TypeError where nothing is."""
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> None:
    """Put something there. Errors: LookupError, TypeError where nothing is."""
    found(document, path[:-1])[path[-1]] = value


def parts(one: Any, change: Exchange, cards: Collection[str]) -> Iterator[tuple[Path, Any, Any]]:
    """Each place at which the change leads to something else: what lies there, and what lies there then."""
    other = renamed(one, change.names, cards)
    for path, (_, new) in change.others.items():
        put(other, path, new)
    return _apart(one, other, cards, ())


def written(path: Path) -> str:
    """A path as it is written, such as ``state.hands[0]``."""
    return "state" + "".join([f"[{key}]" if isinstance(key, int) else f".{key}" for key in path])


def _apart(one: Any, other: Any, cards: Collection[str], path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """The parts of two documents that are not equal; whole lists where one is longer."""
    if one == other and type(one) is type(other):
        return
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key, value in one.items():
            yield from _apart(value, other[key], cards, (*path, key))
    elif isinstance(one, _ROW) and isinstance(other, _ROW) and len(one) == len(other):
        for place, (here, there) in enumerate(zip(one, other, strict=True)):
            yield from _apart(here, there, cards, (*path, place))
    elif _is_pile(one, cards) and _is_pile(other, cards) and len(one) == len(other):
        for place, (here, there) in enumerate(zip(one, other, strict=True)):
            if here != there:
                yield (*path, place), here, there
    else:
        yield path, one, other


def _is_pile(document: Any, cards: Collection[str]) -> bool:
    """Whether a string is a pile of cards of one letter each."""
    if not isinstance(document, str) or len(document) < 2 or document in cards:
        return False
    return all(one in cards for one in document)
