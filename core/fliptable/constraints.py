"""The contract of a constraint: a condition on a round that a custom challenge adds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import Any, ClassVar

from fliptable.rules import NoOptions


class ConstraintStatus(Enum):
    """How a constraint stands: nothing can undo MET, nothing can mend FAILED, else OPEN."""

    MET = "MET"
    OPEN = "OPEN"
    FAILED = "FAILED"


class Constraint(ABC):
    """A condition on a round. Subclass it, fill in the class variables, register an instance."""

    id: ClassVar[str]
    """The name that stored challenges refer to: lower case and hyphens, never changed."""
    name: ClassVar[str]
    """What people call the constraint."""
    graphql: ClassVar[str]
    """The prefix of its GraphQL types, in PascalCase."""
    summary: ClassVar[str]
    """One line for the catalogue."""
    games: ClassVar[Sequence[str]]
    """The ids of the games whose rounds it can look at."""
    Options: ClassVar[type] = NoOptions
    """Its parameters. ``__post_init__`` raises ValueError("field: why")."""

    @abstractmethod
    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        """How it stands for a round, running or over, as the player sees the round."""
