"""How a constraint stands in a scripted round."""

from __future__ import annotations

from typing import Any

from fliptable.codec import options_of
from fliptable.constraints import Constraint, ConstraintStatus
from fliptable.rules import Seat
from fliptable.testing.rounds import RoundScript


def constraint_status(
    constraint: Constraint, script: RoundScript, *seats: Seat, **options: Any
) -> ConstraintStatus:
    """How a constraint stands in a round, for who sees it from these seats; from the first one, without any.

    Options are given as a challenge stores them, for example ``rank="K"``. Errors: ValueError names an
    option that does not fit.
    """
    view = script.view(*(seats or (0,)))
    chosen: Any = options_of(constraint.Options, options)
    return constraint.status(chosen, view, script.outcome is not None)
