"""One Card with methods that give what they may not, or go by what they are not given, for the kit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from fliptable import Refusal
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState, TurnedUp


class Thing:
    """It cannot be stored."""


@dataclass(frozen=True, slots=True)
class ThingState(OneCardState):
    """The round, with more."""

    thing: Any = None
    pairs: dict[Any, str] = field(default_factory=dict[Any, str])


class KeepsAThing(OneCard):
    """A part of its state is no value."""

    State = ThingState

    def begin(self, setup: Any) -> ThingState:
        return ThingState(("",) * setup.seats, setup.gone, thing=Thing())


class KeepsPairs(KeepsAThing):
    """The keys of a part of its state are pairs."""

    def begin(self, setup: Any) -> ThingState:
        return ThingState(("",) * setup.seats, setup.gone, pairs={(1, 2): "x"})


class GivesNothing(OneCard):
    """For the event that a card was turned up, nothing comes back."""

    def evolve(self, state: OneCardState, event: Any) -> Any:
        return None if isinstance(event, TurnedUp) else super().evolve(state, event)


class AsksItself(GivesNothing):
    """It applies its events itself, to see what follows."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        (event,) = super().decide(state, seat, move, ctx)  # type: ignore[misc]
        return [event] if self.evolve(state, event).waiting else [event, event]


class RefusesEvents(OneCard):
    """Who turns up a card is refused when it has happened."""

    def evolve(self, state: OneCardState, event: Any) -> Any:
        if isinstance(event, TurnedUp):
            return Refusal("ILLEGAL_MOVE", "No.")
        return super().evolve(state, event)


class Leaves(OneCard):
    """It ends the process."""

    def leave(self, state: OneCardState, seat: int, ctx: Any) -> Any:
        raise SystemExit(1)


_COUNT = [0]


class Counts(OneCard):
    """Every fiftieth time it is asked, it refuses a move."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        _COUNT[0] += 1
        return super().decide(state, seat, move, ctx) if _COUNT[0] % 50 else Refusal("ILLEGAL_MOVE", "No.")


class Remembers(OneCard):
    """It refuses what was asked before."""

    last: Any = None

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        if self.last == seat:
            return Refusal("ILLEGAL_MOVE", "Not twice.")
        self.last = seat
        return super().decide(state, seat, move, ctx)


class Watch:
    """It has a clock."""

    def now(self) -> float:
        return time.monotonic()

    @property
    def late(self) -> bool:
        return time.monotonic() > 0


_WATCH = Watch()


class LooksAtAWatch(OneCard):
    """The clock is in a method of something else."""

    def leave(self, state: OneCardState, seat: int, ctx: Any) -> Any:
        _WATCH.now()
        return super().leave(state, seat, ctx)


class HasAWatch(OneCard):
    """The clock is in a property of something that the game has."""

    watch = Watch()

    def leave(self, state: OneCardState, seat: int, ctx: Any) -> Any:
        return super().leave(state, seat, ctx) if self.watch.late else []


class MakesAWatch(OneCard):
    """The clock is in something that is made there."""

    def leave(self, state: OneCardState, seat: int, ctx: Any) -> Any:
        Watch().now()
        return super().leave(state, seat, ctx)


def made() -> type[OneCard]:
    """A game of which all classes are made here."""

    @dataclass(frozen=True)
    class Part:
        """A part of a view."""

        number: Annotated[int, "A number."] = 1

    @dataclass(frozen=True)
    class Whole:
        """A view."""

        part: Annotated[Part, "A part."]

    class Made(OneCard):
        """Its view cannot be read where it was not made."""

        View = Whole  # type: ignore[assignment]

        def view(self, state: OneCardState, viewer: Any) -> Any:
            return Whole(Part())

    return Made


def changed(game: type[OneCard]) -> type[OneCard]:
    """A game that shows the next card, made here."""

    class Shows(game):  # type: ignore[misc, valid-type]
        """It shows what is to come."""

        def view(self, state: OneCardState, viewer: Any) -> Any:
            return super().view(replace(state, cards=state.deck[: len(state.cards)]), viewer)

    return Shows


Made = made()
NotShown = changed(OneCard)

_NO_STATE = "evolve gives None, which is no OneCardState, for TurnedUp(seat=0, card=PlayingCard."

RAW_GAMES: Sequence[tuple[str, type[Any], str]] = [
    ("storage", KeepsAThing, "the state: ThingState.thing is a Thing, which cannot be stored: "),
    ("storage", KeepsPairs, 'the state: ThingState.pairs is {(1, 2): "x"}, which cannot be stored: '),
    ("storage", Made, "an annotation names what is not found at the top of its module: name 'Part'"),
    ("answers", GivesNothing, _NO_STATE),
    ("answers", AsksItself, _NO_STATE),
    ("answers", RefusesEvents, 'evolve gives Refusal(code="ILLEGAL_MOVE", message="No."), which is no'),
    ("answers", Leaves, "Leaves.leave (rawgames.py, line "),
    ("purity", LooksAtAWatch, "leave calls Watch.now, which uses time; time and chance are arguments"),
    ("purity", HasAWatch, "leave calls Watch.late, which uses time; time and chance are arguments"),
    ("purity", MakesAWatch, "leave calls Watch.now, which uses time; time and chance are arguments"),
    ("purity", Counts, "decide(TurnUp()) gives "),
    ("purity", Remembers, "decide sets self.last, and one object serves all tables at once"),
]
"""The law, the game that breaks it, and a part of what is said."""
