"""Classic: one round, then the table is over (call-it M1). It works for every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fliptable import Mode, Outcome, Session, Viewer, hookimpl


@dataclass(frozen=True, slots=True)
class ClassicRun:
    """Whether the one round was played."""

    played: bool = False


@dataclass(frozen=True, slots=True)
class ClassicView:
    """A session of one round."""

    played: Annotated[bool, "Whether the round is over."]


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """The one round of the session was played."""

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "That was the only round."


REASONS = {"PLAYED": "The one round of the session is over."}
"""Why a session is over, and what that means."""


class Classic(Mode[ClassicRun]):
    """One round of any game."""

    id = "classic"
    name = "Classic"
    graphql = "Classic"
    summary = "One round, and that is it."
    Run = ClassicRun
    View = ClassicView
    events = (RoundPlayed,)
    reasons = REASONS

    def begin(self, session: Session) -> ClassicRun:
        """Nothing is played yet."""
        return ClassicRun()

    def round_over(self, run: ClassicRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        """The first round is the last."""
        return [RoundPlayed()]

    def over(self, run: ClassicRun) -> str | None:
        """Over once the round was played."""
        return "PLAYED" if run.played else None

    def evolve(self, run: ClassicRun, event: Any) -> ClassicRun:
        """Remember that the round was played."""
        return ClassicRun(played=True)

    def view(self, run: ClassicRun, viewer: Viewer) -> ClassicView:
        """The same for everybody."""
        return ClassicView(run.played)


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Classic."""
    return [Classic()]
