"""A game that raises an exception at the place that its option names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any

from fliptable import Context, Events, Game, Outcome, Result, Seat, SeatOutcome, Setup, Viewer, hookimpl

SECRET = "the king of hearts is next"


class Where(Enum):
    """Where it goes wrong, from the second step on."""

    NOWHERE = "NOWHERE"
    DECIDE = "DECIDE"
    EVOLVE = "EVOLVE"
    VIEW = "VIEW"
    TEXT = "TEXT"
    LEGAL_MOVES = "LEGAL_MOVES"
    TO_ACT = "TO_ACT"
    OUTCOME = "OUTCOME"
    DEAL = "DEAL"
    TYPE = "TYPE"
    ATTRIBUTE = "ATTRIBUTE"


@dataclass(frozen=True)
class TrapOptions:
    """Where it goes wrong."""

    where: Annotated[Where, "Where it goes wrong."] = Where.NOWHERE


@dataclass(frozen=True)
class Step:
    """Take a step."""


@dataclass(frozen=True)
class Stepped:
    """A step was taken."""

    seat: int
    number: Annotated[int, "Which."]
    where: Where = Where.NOWHERE

    def text(self, names: Sequence[str]) -> str:
        if self.where is Where.TEXT and self.number > 1:
            raise RuntimeError(SECRET)
        if self.where is Where.ATTRIBUTE and self.number > 1:
            raise AttributeError(SECRET)
        return f"{names[self.seat]} takes step {self.number}."


@dataclass(frozen=True)
class TrapState:
    """How many steps were taken."""

    where: Where
    seats: int
    steps: int = 0


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

    def begin(self, setup: Setup) -> TrapState:
        return TrapState(setup.options.where, setup.seats)

    def deal(self, state: TrapState, ctx: Context) -> Events:
        if state.where is Where.DEAL:
            raise RuntimeError(SECRET)
        return []

    def to_act(self, state: TrapState) -> Collection[Seat]:
        self._check(state, Where.TO_ACT)
        return () if state.steps >= 5 else range(state.seats)

    def legal_moves(self, state: TrapState, seat: Seat) -> Sequence[Any]:
        self._check(state, Where.LEGAL_MOVES)
        return [Step()]

    def decide(self, state: TrapState, seat: Seat, move: Any, ctx: Context) -> Events:
        self._check(state, Where.DECIDE)
        return [Stepped(seat, state.steps + 1, state.where)]

    def evolve(self, state: TrapState, event: Any) -> TrapState:
        if isinstance(event, Stepped):
            self._check(state, Where.EVOLVE)
            return replace(state, steps=state.steps + 1)
        return state

    def view(self, state: TrapState, viewer: Viewer) -> TrapView:
        self._check(state, Where.VIEW)
        if state.where is Where.TYPE and state.steps > 0:
            return TrapView(SECRET)  # type: ignore[arg-type]
        if state.where is Where.ATTRIBUTE and state.steps > 0:
            raise AttributeError(SECRET)
        return TrapView(state.steps)

    def outcome(self, state: TrapState) -> Outcome | None:
        if state.steps > 1:
            self._check(state, Where.OUTCOME)
        return Outcome((SeatOutcome(Result.DRAWN),) * state.seats) if state.steps >= 5 else None

    def leave(self, state: TrapState, seat: Seat, ctx: Context) -> Events:
        return []


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Trap()]
