"""Snatch, and what a rule writer may do wrong with its events, for the tests of the kit."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from fliptable import Private, Refusal

sys.path.append(str(Path(__file__).parents[2] / "examples" / "plugin-snatch"))

from fliptable_snatch import Answer, Choose, Snatch, SnatchState


@dataclass(frozen=True, slots=True)
class Muttered:
    """Something is said, for all to hear."""

    seat: Annotated[int, "Who says it."]
    what: Annotated[str, "What is said."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} mutters: {self.what}"


class _Telling(Snatch):
    events = (*Snatch.events, Muttered)

    def evolve(self, state: SnatchState, event: Any) -> SnatchState:
        return state if isinstance(event, Muttered) else super().evolve(state, event)


class _Muttering(_Telling):
    """After each move something is said."""

    def decide(self, state: SnatchState, seat: int, move: Any, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        said = self.said(state, seat, move)
        if isinstance(events, Refusal) or said is None:
            return events
        return [*events, Muttered(seat, said)]

    def said(self, state: SnatchState, seat: int, move: Any) -> str | None:
        raise NotImplementedError


class TellsChoices(Snatch):
    """Everybody is told which card was chosen."""

    def decide(self, state: SnatchState, seat: int, move: Any, ctx: Any) -> Any:
        events = super().decide(state, seat, move, ctx)
        if isinstance(events, Refusal):
            return events
        return [event.event if isinstance(event, Private) else event for event in events]


class MuttersOthers(_Muttering):
    """Each move tells the hand of another seat."""

    def said(self, state: SnatchState, seat: int, move: Any) -> str | None:
        return f"I see {' '.join(state.hands[(seat + 1) % len(state.hands)])}"


class MuttersOwn(_Muttering):
    """Each move tells the hand of whoever moves."""

    def said(self, state: SnatchState, seat: int, move: Any) -> str | None:
        return " ".join(state.hands[seat])


class CountsHearts(_Muttering):
    """Each move tells how many hearts whoever moves has."""

    def said(self, state: SnatchState, seat: int, move: Any) -> str | None:
        return f"{sum(card.endswith('H') for card in state.hands[seat])} hearts"


class MuttersAtAnswers(_Muttering):
    """A move that names no card tells the hand of whoever moves."""

    def said(self, state: SnatchState, seat: int, move: Any) -> str | None:
        return " ".join(state.hands[seat]) if isinstance(move, Answer) and state.hands[seat] else None


class TellsOnLeaving(_Telling):
    """Who leaves shows the hand, and it stays where it is."""

    def leave(self, state: SnatchState, seat: int, ctx: Any) -> Any:
        return [*super().leave(state, seat, ctx), Muttered(seat, " ".join(state.hands[seat]))]


class RefusalTells(Snatch):
    """Whoever names a card that they have not is told what another seat has."""

    def decide(self, state: SnatchState, seat: int, move: Any, ctx: Any) -> Any:
        result = super().decide(state, seat, move, ctx)
        if isinstance(result, Refusal) and isinstance(move, Choose):
            other = state.hands[(seat + 1) % len(state.hands)]
            return replace(result, message=f"Not that one; they have {' '.join(other)}.")
        return result
