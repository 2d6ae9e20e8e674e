"""What a mode wishes for a round, and what of it a game knows. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from fliptable.codec import options_of
from fliptable.owners import Owner
from fliptable.rules import Game

T = TypeVar("T")


def known_terms(game: Game[Any, Any], terms: Mapping[str, T]) -> dict[str, T]:
    """Those of a mode's wishes that the game knows."""
    known = {field.name for field in fields(game.Terms)}
    return {name: value for name, value in terms.items() if name in known}


def terms_of(game: Game[Any, Any], terms: Mapping[str, Any]) -> Any:
    """A game's Terms with those of the mode's wishes that the game knows."""
    return options_of(game.Terms, known_terms(game, terms))


def stored_terms(game: Game[Any, Any], terms: Mapping[str, Any], version: str) -> Any:
    """A game's Terms from what was stored when a version of it dealt the round. Errors: OtherVersion."""
    owner = Owner.of("game", game)
    # Where a mode had no wishes, there is nothing to be read in another way.
    now = owner.as_now("Terms", dict(terms), version) if terms else terms
    try:
        return terms_of(game, now)
    except (TypeError, ValueError) as error:
        raise owner.unreadable("Terms", version) from error
