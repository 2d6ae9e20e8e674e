"""Games and modes that break a law of tables together, for the tests of the kit.

``BROKEN_TABLES`` has for each pair the law and a part of what is said of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brokengames import GoesAstray, MissingHandler, MutatingRefusal, NoTurn, Unlisted
from brokenmodes import Remembers, Short, TellsSecrets
from highcard import HighCard
from leakygames import DealsOpenly, LeakingView, ShowsHands

from fliptable import hookimpl
from fliptable.plugins import Registry
from fliptable.testing import OneCard, Sealed


class RevealsAtOnce(HighCard):
    """It hides nothing, as far as it says."""

    def hides(self, state: Any) -> Sequence[int]:
        return ()


class FloatingRun(Short):
    """It counts rounds in parts."""

    def evolve(self, run: Any, event: Any) -> Any:
        after = super().evolve(run, event)
        object.__setattr__(after, "played", float(after.played))
        return after


def registry_of(game: Any, mode: Any) -> Registry:
    """A game and a mode, with nothing else."""

    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [game]

        @hookimpl
        def fliptable_modes(self) -> list[Any]:
            return [mode]

    registry = Registry()
    registry.register(Brings(), "brings")
    return registry


BROKEN_TABLES: Sequence[tuple[str, type[Any], type[Any], str]] = [
    ("answers", MissingHandler, Short, "raises NotImplementedError: no handler for TurnedUp"),
    ("storage", OneCard, FloatingRun, "the run: it cannot be stored and read: Expected `int`, got `float`"),
    (
        "replay",
        OneCard,
        Remembers,
        "the log alone does not give the table that was reached: table.run.said is 12 and by",
    ),
    ("turns", NoTurn, Short, "the round runs, and nobody is to act"),
    ("moves", Unlisted, Short, "is not among the legal moves, and is accepted"),
    ("moves", MutatingRefusal, Short, "moves are refused, and change the table"),
    ("seeds", RevealsAtOnce, Short, "all seeds are revealed, while"),
    ("trails", GoesAstray, Short, "is not card 2 of shuffle 1, which is"),
    ("nothing leaks", LeakingView, Short, "can tell hidden things apart: round.cards[0] is"),
    ("nothing leaks", ShowsHands, Short, "can tell hidden things apart: round.hands[0] is"),
    (
        "events leak nothing",
        DealsOpenly,
        Short,
        "when the round is dealt, a spectator is told what they cannot",
    ),
    ("nothing leaks", Sealed, TellsSecrets, "learns it from the mode"),
]
"""The law, the game and the mode, and a part of what is said."""
