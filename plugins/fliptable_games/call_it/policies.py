"""Ways to play Call It and Flip: there is nothing to decide but the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fliptable import Between, Choices, MoveRange, Policy, Seat
from fliptable_games.call_it.vocabulary import Call

if TYPE_CHECKING:
    from random import Random

CERTAIN = (340, 350, 360, 370, 380)
"""The targets that are hit by the last card at the latest (C8); the lower, the fewer flips it takes."""


def low(view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
    """Call the lowest target that is allowed: the quickest wins."""
    targets = _targets(moves[0])
    return Call(targets[0]) if targets else moves[0]


def sure(view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
    """Call the lowest target that is a certain win, 340 where it is allowed, though it takes 50 flips."""
    targets = _targets(moves[0])
    return Call(next((one for one in CERTAIN if one in targets), targets[0])) if targets else moves[0]


def _targets(move: Any) -> Sequence[int]:
    """What may be called; nothing once there is a target."""
    match move:
        case MoveRange(fields={"target": Between(least, most)}):
            return range(least, most + 1)
        case MoveRange(fields={"target": Choices(values)}):
            return values
    return ()


POLICIES: Mapping[str, Policy] = {"low": low, "sure": sure}
"""By their names."""
