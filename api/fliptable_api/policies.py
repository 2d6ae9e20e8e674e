"""Policies by name: those that play every game, those of a game, and functions of one's own."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from fliptable import Game, MoveRange, Policy, Seat
from fliptable.testing import any_move
from fliptable_api.naming import first_sentence


class BadPolicy(ValueError):
    """There is no such policy, or it gave no legal move."""


def lot(view: Any, seat: Seat, moves: Any, random: Random) -> Any:
    """Any legal move."""
    return any_move(view, seat, moves, random)


def first(view: Any, seat: Seat, moves: Any, random: Random) -> Any:
    """The first legal move, of a range its example."""
    return moves[0].example if isinstance(moves[0], MoveRange) else moves[0]


POLICIES: dict[str, Policy] = {"random": lot, "first": first}
"""The policies that know no game, by name."""


def policies_of(game: Game[Any, Any]) -> dict[str, Policy]:
    """Every policy that plays a game, by name."""
    return {**POLICIES, **game.policies}


def meanings_of(game: Game[Any, Any]) -> dict[str, str]:
    """What the policies of the game's own do, in a sentence, by name."""
    return {name: first_sentence(policy.__doc__) for name, policy in game.policies.items()}


def find_policy(name: str, game: Game[Any, Any]) -> Policy:
    """A policy by its name, or ``module:function``. Errors: BadPolicy."""
    known = policies_of(game)
    if name in known:
        return known[name]
    module, _, function = name.partition(":")
    if not function:
        names = ", ".join(known)
        raise BadPolicy(f"{game.name} has no policy {name!r}; it has {names}, and takes module:function")
    here = str(Path.cwd())
    if here not in sys.path:
        # As Python itself does for a program that lies there.
        sys.path.append(here)
    try:
        found: Policy = getattr(import_module(module), function)
    except Exception as error:
        raise BadPolicy(f"the policy {name!r} cannot be had: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise BadPolicy(
            f"the policy {name!r} is {found!r}, and not a function of view, seat, moves and random"
        )
    return found
