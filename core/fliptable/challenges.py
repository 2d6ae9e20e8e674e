"""Custom challenges: a game, a fixed or free target and constraints, under a short code (call-it M8).

Pure: what a challenge is, and whether any order of the cards can win it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from fliptable.codec import options_of
from fliptable.constraints import Constraint, Demand
from fliptable.owners import FIRST_VERSION, Owner
from fliptable.rules import Game, Refusal


@dataclass(frozen=True, slots=True)
class ChosenConstraint:
    """A constraint by its id, with its options as a plain document."""

    id: str
    """The id of the constraint."""
    options: dict[str, Any] = field(default_factory=dict)
    """Its options, as they are stored."""
    version: str = FIRST_VERSION
    """The version of the constraint that the options are of."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a player made for others to play. It never changes."""

    code: str
    """The short code under which others find it."""
    title: str
    """What its author calls it."""
    game: str
    """The id of the game whose rounds it is about."""
    target: int | None
    """The target that has to be called; None: whoever plays it calls one."""
    constraints: tuple[ChosenConstraint, ...]
    """What has to be met besides winning."""
    author: str
    """The id of the player who made it."""
    author_name: str
    """What that player was called then."""
    created_at: datetime
    """When it was made, in UTC."""


class Parts(Protocol):
    """What is loaded, as far as challenges need it."""

    def game(self, id: str) -> Game[Any, Any]:
        """The game of that id. Errors: PluginMissing."""
        ...

    def constraint(self, id: str) -> Constraint:
        """The constraint of that id. Errors: PluginMissing."""
        ...


@dataclass(frozen=True, slots=True)
class Condition:
    """A constraint with its options: one condition of a challenge."""

    constraint: Constraint
    """The constraint, as a plugin brings it."""
    options: Any
    """Its options, an instance of the constraint's ``Options``."""

    @property
    def text(self) -> str:
        """What it asks, in a few words."""
        return self.constraint.text(self.options)

    @property
    def demand(self) -> Demand:
        """What is known of what it asks of the winning cards."""
        return self.constraint.demand(self.options) or Demand()


def conditions_of(parts: Parts, chosen: Sequence[ChosenConstraint]) -> list[Condition]:
    """The conditions that chosen constraints stand for.

    Errors: PluginMissing; OtherVersion where options are none of the constraint that is loaded.
    """
    return [_condition(parts.constraint(one.id), one) for one in chosen]


def _condition(constraint: Constraint, chosen: ChosenConstraint) -> Condition:
    owner = Owner.of("constraint", constraint, "challenge")
    options = owner.as_now("Options", chosen.options, chosen.version)
    try:
        return Condition(constraint, options_of(constraint.Options, options))
    except (TypeError, ValueError) as error:
        raise owner.unreadable("Options", chosen.version) from error


def impossible(game: Game[Any, Any], target: int | None, conditions: Sequence[Condition]) -> Refusal | None:
    """Why no order of the cards can win under all conditions; None when one can or nobody knows.

    ``target`` is None while it is free. The field of the refusal is ``target`` or ``constraints``.
    """

    def reach(*some: Condition) -> Collection[int] | None:
        return game.targets([one.demand for one in some])

    within = reach(*conditions)
    if within is None or (target in within if target is not None else within):
        return None
    if target is not None and target not in (reach() or ()):
        return Refusal("CHALLENGE_IMPOSSIBLE", f"No order of the cards reaches exactly {target}.", "target")
    for place, one in enumerate(conditions):
        if not reach(one):
            return _refusal(f"No round can be won {one.text}.")
        for other in conditions[:place]:
            if not reach(other, one):
                return _refusal(f"No round can be won {other.text} and {one.text}.")
    if target is None or not within:
        return _refusal(f"No round can be won {_all(conditions)}.")
    alone = next((one for one in conditions if target not in (reach(one) or ())), None)
    how = alone.text if alone is not None else _all(conditions)
    return Refusal("CHALLENGE_IMPOSSIBLE", f"No order of the cards reaches {target} {how}.", "target")


def _refusal(message: str) -> Refusal:
    return Refusal("CHALLENGE_IMPOSSIBLE", message, "constraints")


def _all(conditions: Sequence[Condition]) -> str:
    *rest, last = [one.text for one in conditions]
    return f"{', '.join(rest)} and {last}" if rest else last
