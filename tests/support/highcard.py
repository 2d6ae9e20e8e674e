"""A small game with everything that a game may have, for the engine's tests.

High card: everybody is dealt a card that only they see; in turn, each swaps it for the next card of
the pile as often as they like, or keeps it. The highest card scores its value. The pile goes on
between rounds; when it is empty the discarded cards are shuffled, in the middle of a round too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any, ClassVar

from fliptable import (
    Between,
    Chance,
    Choices,
    Context,
    Events,
    Game,
    MoveRange,
    Outcome,
    Private,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Shuffled,
    Viewer,
)

DECK = tuple(str(value) for value in range(1, 10))


class Style(Enum):
    """How proudly a card is kept."""

    SHY = "SHY"
    BOLD = "BOLD"


@dataclass(frozen=True)
class HighOptions:
    """Options."""

    double: Annotated[bool, "Whether points count twice."] = False
    least: Annotated[int, "The lowest bonus."] = 0

    def __post_init__(self) -> None:
        """Keep it small."""
        if self.least > 9:
            raise ValueError("least: it can be 9 at most")


@dataclass(frozen=True)
class HighTerms:
    """Terms."""

    style: Style = Style.SHY
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Left:
    """What goes on to the next round."""

    pile: tuple[str, ...]
    discards: tuple[str, ...]
    shuffle: int


@dataclass(frozen=True)
class HighState:
    """A round."""

    options: HighOptions
    terms: HighTerms
    pile: tuple[str, ...]
    discards: tuple[str, ...]
    shuffle: int
    hands: tuple[str, ...]
    kept: tuple[bool, ...]
    gone: tuple[bool, ...]
    turn: int = 0


@dataclass(frozen=True)
class Swap:
    """Swap the card for the next one."""


@dataclass(frozen=True)
class Keep:
    """Keep the card."""

    bonus: Annotated[int, "A number to boast with."] = 0
    style: Annotated[Style, "How."] = Style.SHY


@dataclass(frozen=True)
class Dealt:
    """A card came to a seat."""

    seat: int
    card: str

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} gets a {self.card}."


@dataclass(frozen=True)
class DealtUnseen:
    """A card came to a seat, unseen."""

    seat: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} gets a card."


@dataclass(frozen=True)
class Kept:
    """A seat keeps its card."""

    seat: int
    bonus: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} keeps the card."


@dataclass(frozen=True)
class Gone:
    """A seat is out of the round."""

    seat: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is gone."


@dataclass(frozen=True)
class HighView:
    """What is seen of a round."""

    hands: tuple[str | None, ...]
    kept: tuple[bool, ...]
    left: int
    style: Style


class HighCard(Game[HighState, Any]):
    """See the module."""

    id = "high-card"
    name = "High Card"
    graphql = "HighCard"
    summary = "Keep the highest card."
    rules = "Keep the highest card."
    seats = range(1, 4)
    Options = HighOptions
    Terms = HighTerms
    State = HighState
    Carry = Left | None
    View = HighView
    moves = (Swap, Keep)
    events = (Dealt, DealtUnseen, Kept, Gone)
    results = frozenset({Result.SCORED})
    refusals: ClassVar[Mapping[str, str]] = {"NO_CARDS": "There is no card left to swap for."}

    def begin(self, setup: Setup) -> HighState:
        left = setup.carry or Left((), (), 0)
        gone = tuple([seat in setup.gone for seat in range(setup.seats)])
        return HighState(
            setup.options,
            setup.terms,
            left.pile,
            left.discards if left.shuffle else DECK,
            left.shuffle,
            ("",) * setup.seats,
            (False,) * setup.seats,
            gone,
        )

    def deal(self, state: HighState, ctx: Context) -> Events:
        events: list[Any] = []
        for seat in [seat for seat, gone in enumerate(state.gone) if not gone]:
            state = self._draw(state, seat, ctx, events)
        return events

    def _draw(self, state: HighState, seat: Seat, ctx: Context, events: list[Any]) -> HighState:
        new: list[Any] = []
        if not state.pile:
            new.append(ctx.chance.shuffle(state.discards, "discards" if state.shuffle else "deck"))
        pile = state.pile or new[0].order
        new.append(Private(Dealt(seat, pile[0]), frozenset({seat}), DealtUnseen(seat)))
        for event in new:
            state = self.evolve(state, event.event if isinstance(event, Private) else event)
        events.extend(new)
        return state

    def _over(self, state: HighState) -> bool:
        return all(kept or gone for kept, gone in zip(state.kept, state.gone, strict=True))

    def to_act(self, state: HighState) -> Collection[Seat]:
        if self._over(state):
            return ()
        seats = len(state.hands)
        order = [(state.turn + step) % seats for step in range(seats)]
        return [next(one for one in order if not state.kept[one] and not state.gone[one])]

    def legal_moves(self, state: HighState, seat: Seat) -> Sequence[Any]:
        least = state.options.least
        fields = {"bonus": Between(least, least + 9), "style": Choices(tuple(Style))}
        keep = MoveRange(Keep(least), fields)
        return [Swap(), keep] if state.pile or state.discards else [keep]

    def decide(self, state: HighState, seat: Seat, move: Any, ctx: Context) -> Events | Refusal:
        if isinstance(move, Keep):
            least = state.options.least
            if not least <= move.bonus <= least + 9:
                return Refusal("INVALID_VALUE", f"The bonus is from {least} to {least + 9}.", "bonus")
            return [Kept(seat, move.bonus)]
        if not state.pile and not state.discards:
            return Refusal("NO_CARDS", "There is no card left to swap for.")
        events: list[Any] = []
        self._draw(state, seat, ctx, events)
        return events

    def evolve(self, state: HighState, event: Any) -> HighState:
        if isinstance(event, Shuffled):
            return replace(state, pile=event.order, discards=(), shuffle=event.shuffle)
        if isinstance(event, Dealt):
            old = state.hands[event.seat]
            hands = _put(state.hands, event.seat, event.card)
            discards = (*state.discards, old) if old else state.discards
            return replace(state, pile=state.pile[1:], hands=hands, discards=discards)
        if isinstance(event, Kept):
            return replace(state, kept=_put(state.kept, event.seat, True), turn=event.seat)
        if isinstance(event, Gone):
            return replace(state, gone=_put(state.gone, event.seat, True))
        return state

    def view(self, state: HighState, viewer: Viewer) -> HighView:
        over = self._over(state)
        hands = [card if over or seat in viewer else None for seat, card in enumerate(state.hands)]
        return HighView(tuple(hands), state.kept, len(state.pile), state.terms.style)

    def outcome(self, state: HighState) -> Outcome | None:
        if not self._over(state):
            return None
        values = [0 if gone else int(card) for card, gone in zip(state.hands, state.gone, strict=True)]
        best = max(values)
        times = 2 if state.options.double else 1
        return Outcome(
            tuple([SeatOutcome(Result.SCORED, value * times if value == best else 0) for value in values])
        )

    def leave(self, state: HighState, seat: Seat, ctx: Context) -> Events:
        return [] if state.gone[seat] else [Gone(seat)]

    def carry(self, state: HighState) -> Left:
        return Left(state.pile, (*state.discards, *[card for card in state.hands if card]), state.shuffle)

    def hides(self, state: HighState) -> Collection[int]:
        return () if self._over(state) and not state.pile else {state.shuffle} - {0}

    def cards_left(self, state: HighState) -> int:
        return len(state.pile)

    def shuffle_unknown(self, state: HighState, viewer: Viewer, chance: Chance) -> HighState:
        over = self._over(state)
        secret = [
            seat for seat in range(len(state.hands)) if state.hands[seat] and not over and seat not in viewer
        ]
        mixed = chance.shuffle([*state.pile, *[state.hands[seat] for seat in secret]]).order
        hands = list(state.hands)
        for seat, card in zip(secret, mixed, strict=False):
            hands[seat] = card
        return replace(state, pile=tuple(mixed[len(secret) :]), hands=tuple(hands))


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])
