"""How a constraint stands in a scripted round."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_type_hints

from fliptable.codec import options_of
from fliptable.constraints import Constraint, ConstraintStatus
from fliptable.rules import Seat
from fliptable.testing.members import choices_in, listed
from fliptable.testing.rounds import RoundScript


def constraint_status(
    constraint: Constraint, script: RoundScript, *seats: Seat, **options: Any
) -> ConstraintStatus:
    """How a constraint stands in a round, for who sees it from these seats; from the first one, without any.

    Options are given as a challenge stores them, for example ``rank="K"``, or choices by their names,
    ``suit="CLUBS"``, or as they are, ``suit=Suit.CLUBS``. Errors: ValueError names an option that does not
    fit, and of a choice which there are.
    """
    view = script.view(*(seats or (0,)))
    hints = get_type_hints(constraint.Options)
    stored = {name: _stored(name, value, hints.get(name)) for name, value in options.items()}
    chosen: Any = options_of(constraint.Options, stored)
    return constraint.status(chosen, view, script.outcome is not None)


def _stored(name: str, value: Any, hint: Any) -> Any:
    """An option as it is stored. Errors: ValueError says which choices there are."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple | set | frozenset):
        return [_stored(name, one, hint) for one in value]
    choices = list(choices_in(hint))
    if not choices or value is None or value in [one.value for one in choices]:
        return value
    found = next((one for one in choices if one.name == value), None)
    if found is None:
        raise ValueError(f"{name}: {value!r} is no choice; there are {listed(choices)}")
    return found.value
