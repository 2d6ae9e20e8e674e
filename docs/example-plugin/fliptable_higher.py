"""Higher or Lower: say whether the next card is higher, as often as it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any

from fliptable import (
    CARD,
    STANDARD_DECK,
    Between,
    CardTrail,
    Chance,
    Choices,
    Context,
    Events,
    Game,
    MoveRange,
    Outcome,
    PlayingCard,
    Refusal,
    Result,
    SeatOutcome,
    Setup,
    Shuffled,
    Viewer,
    check_limits,
    hookimpl,
)

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
REFUSALS = {"NO_SUCH_CARD": "No card is lower than a two or higher than an ace (Higher or Lower)."}


class Call(Enum):
    """What is said of the next card."""

    HIGHER = "HIGHER"
    LOWER = "LOWER"


# The words of the game: what may be chosen, played and seen, and what happens.


@dataclass(frozen=True, slots=True)
class HigherOptions:
    """How Higher or Lower is played."""

    wanted: Annotated[int, Between(1, 20), "How many right calls win."] = 5

    def __post_init__(self) -> None:
        check_limits(self)


@dataclass(frozen=True, slots=True)
class Guess:
    """Say what the next card will be."""

    call: Annotated[Call, "Higher or lower than the card that lies there."]


@dataclass(frozen=True, slots=True)
class Turned:
    """A card was turned up."""

    card: Annotated[PlayingCard, "The card."]

    def text(self, names: Sequence[str]) -> str:
        return f"The {self.card} is turned up."


@dataclass(frozen=True, slots=True)
class GuessedRight:
    """The call was right."""

    seat: Annotated[int, "Who made it."]
    right: Annotated[int, "How many calls were right so far."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is right, {self.right} in all."


@dataclass(frozen=True, slots=True)
class Failed:
    """The call was wrong, as it is for an equal card, or nobody is left to make one."""

    seat: Annotated[int, "Who failed."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has lost."


@dataclass(frozen=True, slots=True)
class HigherView:
    """A round of Higher or Lower as anybody sees it."""

    card: Annotated[PlayingCard | None, "The card that lies there."]
    right: Annotated[int, "How many calls were right so far."]
    wanted: Annotated[int, "How many of them win."]
    cards_left: Annotated[int, "How many cards the deck has left."]


@dataclass(frozen=True, slots=True)
class HigherState:
    """The round, the order of the deck included. It is stored, so it has plain values only."""

    wanted: int
    deck: tuple[str, ...] = ()
    turned: int = 0
    right: int = 0
    failed: bool = False

    @property
    def over(self) -> bool:
        return self.failed or self.right == self.wanted


# The rules.


class Higher(Game[HigherState, Guess]):
    """Higher or Lower, for one."""

    id = "higher"
    name = "Higher or Lower"
    graphql = "Higher"
    summary = "Say whether the next card is higher or lower. An equal card is neither."
    rules = "Call five cards in a row. Twos are low, aces high."
    seats = range(1, 2)
    Options = HigherOptions
    State = HigherState
    View = HigherView
    moves = (Guess,)
    events = (Turned, GuessedRight, Failed)
    refusals = REFUSALS
    results = frozenset((Result.WON, Result.LOST))

    def begin(self, setup: Setup) -> HigherState:
        return HigherState(setup.options.wanted)

    def deal(self, state: HigherState, ctx: Context) -> Events:
        shuffled = ctx.chance.shuffle(STANDARD_DECK)
        return [shuffled, Turned(CARD[shuffled.order[0]])]

    def to_act(self, state: HigherState) -> Sequence[int]:
        return () if state.over else (0,)

    def legal_moves(self, state: HigherState, seat: int) -> Sequence[MoveRange]:
        calls = tuple(call for call in Call if call is not self._hopeless(state))
        return [MoveRange(Guess(calls[0]), {"call": Choices(calls)})]

    def decide(self, state: HigherState, seat: int, move: Guess, ctx: Context) -> Events | Refusal:
        if move.call is self._hopeless(state):
            return Refusal("NO_SUCH_CARD", f"No card is {move.call.value.lower()} than this one.", "call")
        now, then = state.deck[state.turned - 1], state.deck[state.turned]
        gap = height(then) - height(now)
        right = gap > 0 if move.call is Call.HIGHER else gap < 0
        return [Turned(CARD[then]), GuessedRight(seat, state.right + 1) if right else Failed(seat)]

    def evolve(self, state: HigherState, event: Any) -> HigherState:
        match event:
            case Shuffled():
                return replace(state, deck=event.order)
            case Turned():
                return replace(state, turned=state.turned + 1)
            case GuessedRight():
                return replace(state, right=event.right)
            case Failed():
                return replace(state, failed=True)
            case _:
                return state

    def view(self, state: HigherState, viewer: Viewer) -> HigherView:
        card = CARD[state.deck[state.turned - 1]] if state.turned else None
        return HigherView(card, state.right, state.wanted, len(state.deck) - state.turned)

    def outcome(self, state: HigherState) -> Outcome | None:
        if not state.over:
            return None
        result, points = (Result.LOST, 0) if state.failed else (Result.WON, 1)
        return Outcome((SeatOutcome(result, points, measures={"right": state.right}),))

    def leave(self, state: HigherState, seat: int, ctx: Context) -> Events:
        return [Failed(seat)]

    def trails(self, options: HigherOptions, seats: int) -> Sequence[CardTrail]:
        return [CardTrail(Turned)]

    def shuffle_unknown(self, state: HigherState, viewer: Viewer, chance: Chance) -> HigherState:
        hidden = chance.shuffle(state.deck[state.turned :]).order
        return replace(state, deck=(*state.deck[: state.turned], *hidden))

    def _hopeless(self, state: HigherState) -> Call | None:
        at = height(state.deck[state.turned - 1])
        return Call.LOWER if at == 0 else Call.HIGHER if at == len(RANKS) - 1 else None


def height(code: str) -> int:
    """How high a card is: 0 for a two, 12 for an ace."""
    return RANKS.index(code[:-1])


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Higher()]
