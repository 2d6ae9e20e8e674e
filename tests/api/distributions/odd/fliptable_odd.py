"""A plugin whose view has a field that GraphQL has no type for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fliptable import Game, Mode, Outcome, Session, Viewer, hookimpl


@dataclass(frozen=True)
class OddRun:
    """Nothing."""


@dataclass(frozen=True)
class OddView:
    """Something odd."""

    odd: complex = 0


class Odd(Mode[OddRun]):
    """A mode with an odd view."""

    id = "odd"
    name = "Odd"
    graphql = "Odd"
    summary = "Odd."
    Run = OddRun
    View = OddView

    def begin(self, session: Session) -> OddRun:
        return OddRun()

    def round_over(self, run: OddRun, outcome: Outcome, now: Any) -> list[Any]:
        return []

    def over(self, run: OddRun) -> str | None:
        return None

    def evolve(self, run: OddRun, event: Any) -> OddRun:
        return run

    def view(self, run: OddRun, viewer: Viewer) -> OddView:
        return OddView()

    def supports(self, game: Game[Any, Any]) -> bool:
        return True


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    return [Odd()]
