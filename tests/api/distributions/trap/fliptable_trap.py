"""A game that raises an exception at the place that its option names."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any

from fliptable import (
    Context,
    Events,
    Game,
    Outcome,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Viewer,
    hookimpl,
)

SECRET = "the king of hearts is next"


class Where(Enum):
    """Where it goes wrong, from the second step on."""

    NOWHERE = "NOWHERE"
    DECIDE = "DECIDE"
    EVOLVE = "EVOLVE"
    VIEW = "VIEW"
    VIEW_OF_THE_OTHER = "VIEW_OF_THE_OTHER"
    TEXT = "TEXT"
    LEGAL_MOVES = "LEGAL_MOVES"
    TO_ACT = "TO_ACT"
    OUTCOME = "OUTCOME"
    DEAL = "DEAL"
    TYPE = "TYPE"
    ATTRIBUTE = "ATTRIBUTE"
    NOT_AN_EVENT = "NOT_AN_EVENT"
    EXPIRED = "EXPIRED"
    CODE = "CODE"
    REFUSED = "REFUSED"
    EXIT = "EXIT"
    INTERRUPT = "INTERRUPT"
    CANCEL = "CANCEL"
    GENERATOR = "GENERATOR"
    RECURSION = "RECURSION"
    MEMORY = "MEMORY"


ENDS = {
    Where.EXIT: SystemExit(SECRET),
    Where.INTERRUPT: KeyboardInterrupt(SECRET),
    Where.CANCEL: asyncio.CancelledError(SECRET),
    Where.GENERATOR: GeneratorExit(SECRET),
    Where.MEMORY: MemoryError(SECRET),
}


def shown() -> bool:
    """Whether somebody looks at a table, while none is changed."""
    frame: Any = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__") in ("fliptable_api.nodes", "fliptable_api.playnodes"):
            return True
        frame = frame.f_back
    return False


@dataclass(frozen=True)
class TrapOptions:
    """Where it goes wrong."""

    where: Annotated[Where, "Where it goes wrong."] = Where.NOWHERE
    late: Annotated[bool, "Whether only when somebody looks."] = False


@dataclass(frozen=True)
class Step:
    """Take a step."""


@dataclass(frozen=True)
class Stepped:
    """A step was taken."""

    seat: int
    number: Annotated[int, "Which."]
    where: Where = Where.NOWHERE
    late: bool = False

    def text(self, names: Sequence[str]) -> str:
        if self.number > 1 and (shown() or not self.late):
            if self.where is Where.TEXT:
                raise RuntimeError(SECRET)
            if self.where is Where.ATTRIBUTE:
                raise AttributeError(SECRET)
        return f"{names[self.seat]} takes step {self.number}."


@dataclass(frozen=True)
class TrapState:
    """How many steps were taken."""

    where: Where
    seats: int
    steps: int = 0
    late: bool = False


@dataclass(frozen=True)
class TrapView:
    """How many steps were taken."""

    steps: Annotated[int, "How many."]


class Trap(Game[TrapState, Any]):
    """Five steps, one of which may fail."""

    id = "trap"
    name = "Trap"
    graphql = "Trap"
    summary = "Mind your step."
    rules = "Mind your step."
    seats = range(1, 3)
    Options = TrapOptions
    State = TrapState
    View = TrapView
    moves = (Step,)
    events = (Stepped,)

    def _check(self, state: TrapState, where: Where) -> None:
        if state.where is where and state.steps > 0:
            raise RuntimeError(SECRET)

    def _check_shown(self, state: TrapState, where: Where) -> None:
        """The state after the second step cannot be looked at, or any when somebody does."""
        if state.steps > 1 or (state.late and shown()):
            self._check(state, where)

    def begin(self, setup: Setup) -> TrapState:
        return TrapState(setup.options.where, setup.seats, late=setup.options.late)

    def deal(self, state: TrapState, ctx: Context) -> Events:
        if state.where is Where.DEAL:
            raise RuntimeError(SECRET)
        return []

    def to_act(self, state: TrapState) -> Collection[Seat]:
        self._check_shown(state, Where.TO_ACT)
        if state.where is Where.VIEW_OF_THE_OTHER:
            return () if state.steps >= 5 else (0,)
        return () if state.steps >= 5 else range(state.seats)

    def legal_moves(self, state: TrapState, seat: Seat) -> Sequence[Any]:
        self._check_shown(state, Where.LEGAL_MOVES)
        if state.where is Where.REFUSED and shown() and state.steps > 0:
            raise RuntimeError(SECRET)
        return [Step()]

    def decide(self, state: TrapState, seat: Seat, move: Any, ctx: Context) -> Events | Refusal:
        self._check(state, Where.DECIDE)
        if state.steps > 0:
            if state.where is Where.NOT_AN_EVENT:
                return [SECRET]
            if state.where is Where.CODE:
                return Refusal("NO_SUCH_CODE", SECRET)
            if state.where is Where.REFUSED:
                return Refusal("INVALID_VALUE", "Not now.")
            if state.where is Where.RECURSION:
                return self.decide(state, seat, move, ctx)
            if state.where in ENDS:
                raise ENDS[state.where]
        return [Stepped(seat, state.steps + 1, state.where, state.late)]

    def evolve(self, state: TrapState, event: Any) -> TrapState:
        if isinstance(event, Stepped):
            self._check(state, Where.EVOLVE)
            return replace(state, steps=state.steps + 1)
        return state

    def view(self, state: TrapState, viewer: Viewer) -> TrapView:
        self._check_shown(state, Where.VIEW)
        if 1 in viewer:
            self._check(state, Where.VIEW_OF_THE_OTHER)
        if state.where is Where.TYPE and state.steps > 0:
            return TrapView(SECRET)  # type: ignore[arg-type]
        if state.where is Where.ATTRIBUTE and state.steps > 0 and shown():
            raise AttributeError(SECRET)
        return TrapView(state.steps)

    def outcome(self, state: TrapState) -> Outcome | None:
        if state.steps > 1:
            self._check(state, Where.OUTCOME)
        return Outcome((SeatOutcome(Result.DRAWN),) * state.seats) if state.steps >= 5 else None

    def expired(self, state: TrapState, seat: Seat, ctx: Context) -> Events:
        if state.where is Where.EXPIRED:
            raise RuntimeError(SECRET)
        return []

    def leave(self, state: TrapState, seat: Seat, ctx: Context) -> Events:
        return []


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Trap()]
