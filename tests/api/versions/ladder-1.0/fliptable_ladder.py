"""Ladder and Laps, version 1.0: a game and a mode whose next version stores other things.

In turn, everybody turns up a card of one deck. A red one is a rung up. Whoever is on top first wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fliptable import (
    CARD,
    STANDARD_DECK,
    Better,
    CardTrail,
    Chance,
    Context,
    Events,
    Game,
    Metric,
    Mode,
    Outcome,
    PlayingCard,
    Result,
    Seat,
    SeatOutcome,
    Session,
    Setup,
    Shuffled,
    Viewer,
    hookimpl,
)


@dataclass(frozen=True, slots=True)
class LadderOptions:
    """How high the ladder is."""

    long: Annotated[bool, "Whether it has six rungs, not three."] = False


@dataclass(frozen=True, slots=True)
class Step:
    """Turn up a card."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """A card was turned up."""

    seat: Annotated[int, "Whose turn it was."]
    card: Annotated[PlayingCard, "The card."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} turns up {self.card}."


@dataclass(frozen=True, slots=True)
class Jumped:
    """A seat has left the ladder."""

    seat: Annotated[int, "Who left."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} jumps off."


@dataclass(frozen=True, slots=True)
class LadderView:
    """The ladder as everybody sees it."""

    heights: Annotated[tuple[int, ...], "How high each seat is."]
    rungs: Annotated[int, "How high the ladder is."]


@dataclass(frozen=True, slots=True)
class LadderState:
    """The round."""

    rungs: int
    heights: tuple[int, ...]
    deck: tuple[str, ...] = ()
    drawn: int = 0
    gone: frozenset[int] = frozenset()


class Ladder(Game[LadderState, Step]):
    """Ladder."""

    id = "ladder"
    name = "Ladder"
    graphql = "Ladder"
    summary = "Red cards are rungs up."
    rules = "Turn up cards; a red one is a rung up. Whoever is on top first wins."
    seats = range(1, 5)
    Options = LadderOptions
    State = LadderState
    View = LadderView
    moves = (Step,)
    events = (Stepped, Jumped)
    default_mode = "laps"

    def begin(self, setup: Setup) -> LadderState:
        return LadderState(6 if setup.options.long else 3, (0,) * setup.seats, gone=setup.gone)

    def deal(self, state: LadderState, ctx: Context) -> Events:
        return [ctx.chance.shuffle(STANDARD_DECK)]

    def to_act(self, state: LadderState) -> Sequence[Seat]:
        staying = [seat for seat in range(len(state.heights)) if seat not in state.gone]
        return [staying[state.drawn % len(staying)]] if staying and self.outcome(state) is None else []

    def legal_moves(self, state: LadderState, seat: Seat) -> Sequence[Step]:
        return [Step()]

    def decide(self, state: LadderState, seat: Seat, move: Step, ctx: Context) -> Events:
        return [Stepped(seat, CARD[state.deck[state.drawn]])]

    def evolve(self, state: LadderState, event: Any) -> LadderState:
        match event:
            case Shuffled():
                return replace(state, deck=event.order)
            case Stepped():
                up = event.card.value[-1] in "HD"
                heights = [h + (up and seat == event.seat) for seat, h in enumerate(state.heights)]
                return replace(state, heights=tuple(heights), drawn=state.drawn + 1)
            case Jumped():
                return replace(state, gone=state.gone | {event.seat})
            case _:
                return state

    def view(self, state: LadderState, viewer: Viewer) -> LadderView:
        return LadderView(state.heights, state.rungs)

    def outcome(self, state: LadderState) -> Outcome | None:
        if max(state.heights) < state.rungs and len(state.gone) < len(state.heights):
            return None
        ends = [Result.WON if height == state.rungs else Result.LOST for height in state.heights]
        return Outcome(
            tuple([SeatOutcome(end, height) for end, height in zip(ends, state.heights, strict=True)])
        )

    def leave(self, state: LadderState, seat: Seat, ctx: Context) -> Events:
        return [Jumped(seat)]

    def trails(self, options: Any, seats: int) -> Sequence[CardTrail]:
        return [CardTrail(Stepped)]

    def shuffle_unknown(self, state: LadderState, viewer: Viewer, chance: Chance) -> LadderState:
        return replace(
            state, deck=(*state.deck[: state.drawn], *chance.shuffle(state.deck[state.drawn :]).order)
        )


@dataclass(frozen=True, slots=True)
class LapsOptions:
    """How long it goes on."""

    laps: Annotated[int, "How many rounds."] = 2


@dataclass(frozen=True, slots=True)
class LapsRun:
    """How it stands."""

    laps: int
    wins: tuple[int, ...]
    done: int = 0


@dataclass(frozen=True, slots=True)
class LapsView:
    """How it stands, for everybody."""

    left: Annotated[int, "How many rounds are left."]
    wins: Annotated[tuple[int, ...], "How many rounds each seat has won."]


@dataclass(frozen=True, slots=True)
class LapDone:
    """A round is over."""

    winner: Annotated[int | None, "Who has won it."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "Nobody wins the lap." if self.winner is None else f"{names[self.winner]} wins the lap."


class Laps(Mode[LapsRun]):
    """Some rounds."""

    id = "laps"
    name = "Laps"
    graphql = "Laps"
    summary = "Some rounds, each for itself."
    Options = LapsOptions
    Run = LapsRun
    View = LapsView
    events = (LapDone,)
    metrics = (Metric("laps-won", "Laps won", "laps", Better.HIGHER),)

    def begin(self, session: Session) -> LapsRun:
        return LapsRun(session.options.laps, (0,) * session.seats)

    def round_over(self, run: LapsRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [LapDone(outcome.winners[0] if outcome.winners else None)]

    def over(self, run: LapsRun) -> str | None:
        return "PLAYED" if run.done == run.laps else None

    def evolve(self, run: LapsRun, event: Any) -> LapsRun:
        wins = [count + (seat == event.winner) for seat, count in enumerate(run.wins)]
        return replace(run, wins=tuple(wins), done=run.done + 1)

    def scores(self, run: LapsRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return {"laps-won": run.wins[seat]}

    def view(self, run: LapsRun, viewer: Viewer) -> LapsView:
        return LapsView(run.laps - run.done, run.wins)


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Ladder()]


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    return [Laps()]
