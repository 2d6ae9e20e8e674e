"""What modes have wished for rounds of an earlier version of a game, as a new version reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import fields
from typing import Any, Final

from fliptable.codec import pack
from fliptable.migrations import OtherVersion
from fliptable.rules import Game
from fliptable.terms import stored_terms
from fliptable.testing.broken import Broken, in_words
from fliptable.testing.differences import difference
from fliptable.testing.literals import shown
from fliptable.testing.variants import variants

_TERMS: Final = "Terms"
_FOREIGN: Final = {"wish_of_another_game": 1}
"""What modes may wish for that no game knows."""


def all_terms(old: Game[Any, Any], new: Game[Any, Any]) -> Iterator[Broken]:
    """What is broken by reading whatever some mode may have wished for.

    That is any of the terms of the old version, and what it does not know.
    """
    for one in variants(old.Terms):
        whole = pack(one)
        for name, value in whole.items():
            yield from read_terms(old, new, {name: value})
        if whole:
            yield from read_terms(old, new, {**whole, **_FOREIGN})
            yield from read_terms(old, new, _FOREIGN)


def read_terms(old: Game[Any, Any], new: Game[Any, Any], stored: Mapping[str, Any]) -> Iterator[Broken]:
    """What is broken by reading what a mode has wished for."""
    if not stored:
        return  # Then nothing is asked of the game.
    names = _names(old.Terms)
    said = f"what {old.version} has stored as {_TERMS}, {shown(stored)},"
    try:
        stored_terms(new, stored, old.version)
    except OtherVersion as error:
        told = f"{said} cannot be read: {in_words(error.__cause__ or error)}"
        if set(stored) != names:
            told += (
                "; a mode need not wish for every term, and may wish for what the game does not know, so "
                "`migrate` cannot count on any name, and lets those be that it does not know"
            )
        yield Broken("readable", told)
        return
    given = deepcopy(dict(stored))
    now = new.migrate(_TERMS, given, old.version)
    changed = difference(dict(stored), given, _TERMS, "and after it was asked")
    if changed is not None:
        yield Broken(
            "purity", f"`migrate` changes what it is given, so copy it, {{**document, …}}: {changed}"
        )
    changed = difference(now, new.migrate(_TERMS, deepcopy(dict(stored)), old.version), _TERMS, "and, again,")
    if changed is not None:
        yield Broken("purity", f"`migrate` gives another answer each time: {changed}")
    lost = (stored.keys() & names & now.keys()) - _names(new.Terms)
    if lost:
        told = f"{said} has lost {min(lost)!r}: {new.version} has no such term"
        yield Broken("readable", f"{told}, and `migrate` leaves it as it was")


def _names(kind: type) -> frozenset[str]:
    return frozenset([field.name for field in fields(kind)])


__all__ = ["all_terms", "read_terms"]
