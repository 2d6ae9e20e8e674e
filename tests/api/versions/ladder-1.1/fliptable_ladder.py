"""Ladder and Laps, version 1.1: options, an event and the state of both have changed since 1.0.

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

    rungs: Annotated[int, "How many rungs it has, 2 to 9."] = 3

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not 2 <= self.rungs <= 9:
            raise ValueError(f"rungs: {self.rungs} is not from 2 to 9")


@dataclass(frozen=True, slots=True)
class Step:
    """Turn up a card."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """A card was turned up."""

    seat: Annotated[int, "Whose turn it was."]
    code: Annotated[str, "The card."]
    up: Annotated[bool, "Whether it is a rung up."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[self.seat]} turns up {CARD[self.code]} and {'climbs' if self.up else 'stays'}."


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
    cards: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...] = ()
    gone: frozenset[int] = frozenset()

    @property
    def heights(self) -> tuple[int, ...]:
        """How high each seat is."""
        return tuple([sum(code[-1] in "HD" for code in cards) for cards in self.cards])

    @property
    def drawn(self) -> int:
        """How many cards were turned up."""
        return sum(map(len, self.cards))


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
    version = "1.1"

    def begin(self, setup: Setup) -> LadderState:
        return LadderState(setup.options.rungs, ((),) * setup.seats, gone=setup.gone)

    def deal(self, state: LadderState, ctx: Context) -> Events:
        return [ctx.chance.shuffle(STANDARD_DECK)]

    def to_act(self, state: LadderState) -> Sequence[Seat]:
        staying = [seat for seat in range(len(state.cards)) if seat not in state.gone]
        return [staying[state.drawn % len(staying)]] if staying and self.outcome(state) is None else []

    def legal_moves(self, state: LadderState, seat: Seat) -> Sequence[Step]:
        return [Step()]

    def decide(self, state: LadderState, seat: Seat, move: Step, ctx: Context) -> Events:
        code = state.deck[state.drawn]
        return [Stepped(seat, code, code[-1] in "HD")]

    def evolve(self, state: LadderState, event: Any) -> LadderState:
        match event:
            case Shuffled():
                return replace(state, deck=event.order)
            case Stepped():
                cards = [
                    (*codes, event.code) if seat == event.seat else codes
                    for seat, codes in enumerate(state.cards)
                ]
                return replace(state, cards=tuple(cards))
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
        return [CardTrail(Stepped, "code")]

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if version == "1.0" and kind == "Options":
            return {"rungs": 6 if document["long"] else 3}
        if version == "1.0" and kind == "Stepped":
            code = document["card"]
            return {"seat": document["seat"], "code": code, "up": code[-1] in "HD"}
        return super().migrate(kind, document, version)

    def shuffle_unknown(self, state: LadderState, viewer: Viewer, chance: Chance) -> LadderState:
        return replace(
            state, deck=(*state.deck[: state.drawn], *chance.shuffle(state.deck[state.drawn :]).order)
        )


@dataclass(frozen=True, slots=True)
class LapsOptions:
    """How long it goes on."""

    rounds: Annotated[int, "How many rounds."] = 2


@dataclass(frozen=True, slots=True)
class LapsRun:
    """How it stands."""

    left: int
    wins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LapsView:
    """How it stands, for everybody."""

    left: Annotated[int, "How many rounds are left."]
    wins: Annotated[tuple[int, ...], "How many rounds each seat has won."]


@dataclass(frozen=True, slots=True)
class LapDone:
    """A round is over."""

    winners: Annotated[tuple[int, ...], "Who has won it."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{' and '.join([names[seat] for seat in self.winners]) or 'Nobody'} wins the lap."


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
    version = "1.1"
    metrics = (Metric("laps-won", "Laps won", "laps", Better.HIGHER),)

    def begin(self, session: Session) -> LapsRun:
        return LapsRun(session.options.rounds, (0,) * session.seats)

    def round_over(self, run: LapsRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [LapDone(tuple(outcome.winners))]

    def over(self, run: LapsRun) -> str | None:
        return "PLAYED" if run.left == 0 else None

    def evolve(self, run: LapsRun, event: Any) -> LapsRun:
        wins = [count + (seat in event.winners) for seat, count in enumerate(run.wins)]
        return replace(run, wins=tuple(wins), left=run.left - 1)

    def scores(self, run: LapsRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return {"laps-won": run.wins[seat]}

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if version == "1.0" and kind == "Options":
            return {"rounds": document["laps"]}
        if version == "1.0" and kind == "LapDone":
            winner = document["winner"]
            return {"winners": () if winner is None else (winner,)}
        return super().migrate(kind, document, version)

    def view(self, run: LapsRun, viewer: Viewer) -> LapsView:
        return LapsView(run.left, run.wins)


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Ladder()]


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    return [Laps()]
