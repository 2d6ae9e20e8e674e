"""Whether what a mode says of a game can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from fliptable.codec import pack, unpack
from fliptable.defaults import needed
from fliptable.limits import MAX_INT, Between, limits_of
from fliptable.modes import Mode
from fliptable.rules import Game
from fliptable.signatures import ContractBroken


def vet_pair(game: Game[Any, Any], mode: Mode[Any]) -> None:
    """See that a mode has seats, limits and defaults of its options at a game that it supports.

    Errors: ContractBroken names the method and the option; whatever the mode raises.
    """
    if not mode.supports(game):
        return
    seats = mode.seats(game)
    if not isinstance(seats, range):
        raise ContractBroken(
            f"mode {mode.id!r}: seats gives {seats!r} at the game {game.id!r}, and not a range"
        )
    limits = mode.limits(game)
    if not isinstance(limits, Mapping):
        raise ContractBroken(
            f"mode {mode.id!r}: limits gives {limits!r} at the game {game.id!r}, and not a mapping of "
            "names of options to Between(…)"
        )
    for name, allowed in limits.items():
        for complaint in _complaints(mode.Options, name, allowed):
            raise ContractBroken(f"mode {mode.id!r}: limits at the game {game.id!r}: {complaint}")
    _suggested(game, mode)


def _suggested(game: Game[Any, Any], mode: Mode[Any]) -> None:
    """See that what a game suggests for options of a mode can be one. Errors: ContractBroken names it."""
    if needed(game.Options):
        return  # It may go by what has to be chosen.
    whose = f"game {game.id!r}: suggest gives"
    suggested = game.suggest(mode.id, game.Options())
    if not isinstance(suggested, Mapping):
        raise ContractBroken(
            f"{whose} {suggested!r} for the mode {mode.id!r}, and not a mapping of names of options to values"
        )
    try:
        hints = get_type_hints(mode.Options)
    except NameError:
        return
    for name in suggested.keys() & hints.keys():
        try:
            # A choice may be written as it is stored: games know no classes of modes.
            stored = pack(suggested[name])
            same = pack(unpack(stored, hints[name])) == stored
        except (TypeError, ValueError):
            same = False
        if not same:
            raise ContractBroken(
                f"{whose} {suggested[name]!r} for {name} of the mode {mode.id!r}, which cannot be one"
            )


def _complaints(options: type, name: str, allowed: Any) -> list[str]:
    known = [field.name for field in fields(options)]
    if name not in known:
        return [f"there is no option {name!r}; there are {', '.join(known) or 'none'}"]
    if not isinstance(allowed, Between):
        return [f"that of {name} is {allowed!r}, and has to be a Between(…)"]
    if allowed.low > allowed.high:
        return [f"nothing is within those of {name}, {allowed}"]
    own = limits_of(options).get(name, Between(-MAX_INT - 1))
    if allowed.low < own.low or allowed.high > own.high:
        return [f"that of {name} is {allowed}, and reaches beyond the option's own, {own}"]
    return []


__all__ = ["vet_pair"]
