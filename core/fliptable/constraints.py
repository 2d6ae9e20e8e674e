"""The contract of a constraint: a condition on a round that a custom challenge adds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from fliptable.migrations import unchanged
from fliptable.rules import NoOptions


class ConstraintStatus(Enum):
    """How a constraint stands: nothing can undo MET, nothing can mend FAILED, else OPEN."""

    MET = "MET"
    """It is met, and nothing can undo that."""
    OPEN = "OPEN"
    """It can still be met or failed."""
    FAILED = "FAILED"
    """It is failed, and nothing can mend that."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a constraint asks of the cards that win a round, in terms that a game can reckon with.

    A game that knows its deck can tell from demands whether any order of it meets them all.
    """

    least: int = 0
    """The fewest cards."""
    most: int | None = None
    """The most cards; None: as many as there are."""
    includes: tuple[frozenset[str], ...] = ()
    """Of each of these sets, at least one card, as codes."""
    excludes: frozenset[str] = frozenset()
    """None of these cards, as codes."""
    highest: bool = False
    """Whether cards that can be read in several ways have to be read as high as they go."""


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
    source: str = ""
    """Who brings it, plugin and distribution; filled in when it is loaded."""
    version: ClassVar[str] = "1.0"
    """Numbers with dots between them, stored with every challenge; raise it when stored options change
    their meaning. An earlier version refuses what a later one has stored."""
    games: ClassVar[Sequence[str]]
    """The ids of the games whose rounds it can look at."""
    Options: ClassVar[type] = NoOptions
    """Its parameters. ``__post_init__`` raises ValueError("field: why")."""

    @abstractmethod
    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        """How it stands for a round, running or over, as whoever looks at it sees the round."""

    def text(self, options: Any) -> str:
        """What it asks, in a few words for a list, for example "in exactly 5 flips"."""
        return self.name

    def demand(self, options: Any) -> Demand | None:
        """What it asks of the winning cards, so that challenges nobody can win are found out.

        None, the default, when that cannot be put as a demand: then nothing is known of it beforehand.
        """
        return None

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        """What an earlier version of the constraint has stored, as this one would have stored it.

        ``kind`` is "Options", and ``document`` has them as plain values. It is asked whenever a challenge
        is read, and never for what a later version has stored, which is refused. The default takes what
        the same major version has stored as it is. Errors: ValueError says what cannot be read any more.
        """
        return unchanged(self.id, self.version, document, version)
