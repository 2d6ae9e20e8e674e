"""A round of FLIP and what each event makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from fliptable import Shuffled
from fliptable_games.flip.layout import Layout
from fliptable_games.flip.letters import LETTER_OF, run_of
from fliptable_games.flip.vocabulary import (
    CameBack,
    DrawReason,
    Drew,
    GaveUp,
    Moved,
    Passed,
    PileFlipped,
    Placed,
    Stalemate,
    TurnBegan,
    WentOut,
    Won,
)

FIELD = "field"
"""What the shuffle of the field is called (Y2)."""

STARTING_ORDER = "starting order"
"""What the shuffle is called whose first seat begins (Y2)."""

NOWHERE = -1
"""Instead of a space: none."""


class Phase(Enum):
    """What the round waits for: a card to be placed (Y3), the action (Y4), or nothing more."""

    DRAW = "DRAW"
    """The drawn card has to be placed (Y3)."""
    ACTION = "ACTION"
    """The seat flips a pile, moves a card or does nothing (Y4)."""
    OVER = "OVER"
    """The game is over."""


@dataclass(slots=True)
class FlipState:
    """One round. It is never changed in place; :func:`evolve` makes new ones.

    Cards are letters (see :mod:`.letters`), runs of cards are strings with the bottom card first,
    decks have the top card first. ``out`` and so on are sets of seats as bits, 1 for seat 0.
    """

    layout: Layout
    decks: tuple[str, ...]
    down: tuple[str, ...] = ()
    """The face-down run of each space."""
    up: tuple[str, ...] = ()
    """The face-up run of each space, on top of the face-down one."""
    player: int = 0
    drawn: str = ""
    """The card that the player has drawn and not placed."""
    placed: int = NOWHERE
    """Where a card was placed in this turn."""
    flipped: int = NOWHERE
    """The space that was flipped in the turn played just before, or in this one once it has ended."""
    turns: int = 0
    drawless: int = 0
    """How many turns in a row have ended without a card drawn (Y12)."""
    idle: int = 0
    """Who has, in a row, taken turns without placing, flipping or moving (Y12)."""
    out: int = 0
    """Who is out (Y10), those who gave up not among them."""
    left: int = 0
    """Who gave up."""
    seen: dict[str, int] = field(default_factory=dict)
    """How often each position has begun a turn since the last card was drawn; see :func:`position`."""
    winner: int | None = None
    draw: DrawReason | None = None

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.winner is not None or self.draw is not None

    @property
    def phase(self) -> Phase:
        """What the round waits for."""
        if self.over:
            return Phase.OVER
        return Phase.DRAW if self.drawn else Phase.ACTION

    def inside(self) -> list[int]:
        """The seats that are in, in seat order."""
        gone = self.out | self.left
        return [seat for seat in range(self.layout.seats) if not gone >> seat & 1]

    def absent(self) -> int:
        """The seats with an empty deck and no card on top of a pile, as bits (Y10)."""
        there = self.left
        for seat, deck in enumerate(self.decks):
            if deck:
                there |= 1 << seat
        bit = self.layout.bit
        for run in self.up:
            if run:
                there |= bit[run[-1]]
        return (1 << self.layout.seats) - 1 & ~there


def position(state: FlipState, player: int) -> str:
    """The whole field, whose turn it is and what Y5 forbids: what Y12 compares.

    The decks are not in it: a draw makes them what they never were before, so that positions are
    counted anew from each draw. Hidden cards stand in it as they are, so it is shown to nobody.
    """
    return f"{player}:{state.flipped}:{'.'.join(state.down)}:{'.'.join(state.up)}"


def evolve(state: FlipState, event: Any) -> FlipState:
    """The round after an event. The state it was given stays as it was."""
    apply = _EVENTS.get(type(event))
    return apply(state, event) if apply is not None else state


def _put(runs: tuple[str, ...], space: int, run: str) -> tuple[str, ...]:
    return (*runs[:space], run, *runs[space + 1 :])


def _shuffled(state: FlipState, event: Shuffled) -> FlipState:
    names = state.layout.deck_names
    if event.name == FIELD:
        taken = state.layout.field_cards
        return replace(
            state,
            decks=tuple([deck[taken:] for deck in state.decks]),
            down=tuple([LETTER_OF[code] for code in event.order]),
            up=("",) * len(event.order),
        )
    if event.name in names:
        return replace(state, decks=_put(state.decks, names.index(event.name), run_of(event.order)))
    return state


def _began(state: FlipState, event: TurnBegan) -> FlipState:
    key = position(state, event.seat)
    return FlipState(
        state.layout,
        state.decks,
        state.down,
        state.up,
        event.seat,
        "",
        NOWHERE,
        state.flipped,
        state.turns + 1,
        state.drawless,
        state.idle,
        state.out,
        state.left,
        {**state.seen, key: state.seen.get(key, 0) + 1},
    )


def _drew(state: FlipState, event: Drew) -> FlipState:
    deck = state.decks[event.seat]
    return FlipState(
        state.layout,
        _put(state.decks, event.seat, deck[1:]),
        state.down,
        state.up,
        state.player,
        deck[0],
        NOWHERE,
        state.flipped,
        state.turns,
        0,
        state.idle,
        state.out,
        state.left,
    )


def _placed(state: FlipState, event: Placed) -> FlipState:
    space = event.row * state.layout.columns + event.column
    return FlipState(
        state.layout,
        state.decks,
        state.down,
        _put(state.up, space, state.drawn),
        state.player,
        "",
        space,
        state.flipped,
        state.turns,
        0,
        0,
        state.out,
        state.left,
        state.seen,
    )


def _acted(
    state: FlipState, down: tuple[str, ...], up: tuple[str, ...], flipped: int, idle: int
) -> FlipState:
    """The end of a turn's action; a turn with a card drawn placed it."""
    return FlipState(
        state.layout,
        state.decks,
        down,
        up,
        state.player,
        "",
        state.placed,
        flipped,
        state.turns,
        state.drawless + 1 if state.placed == NOWHERE else 0,
        idle,
        state.out,
        state.left,
        state.seen,
    )


def _flipped(state: FlipState, event: PileFlipped) -> FlipState:
    space = event.row * state.layout.columns + event.column
    down, up = state.down, state.up
    return _acted(state, _put(down, space, up[space][::-1]), _put(up, space, down[space][::-1]), space, 0)


def _moved(state: FlipState, event: Moved) -> FlipState:
    columns = state.layout.columns
    start, goal = event.row * columns + event.column, event.to_row * columns + event.to_column
    up = list(state.up)
    run = up[start]
    up[start] = run[:-1]
    up[goal] += run[-1]
    return _acted(state, state.down, tuple(up), NOWHERE, 0)


def _passed(state: FlipState, event: Passed) -> FlipState:
    idle = state.idle | 1 << event.seat if state.placed == NOWHERE else 0
    return _acted(state, state.down, state.up, NOWHERE, idle)


def _out(state: FlipState, event: WentOut) -> FlipState:
    return replace(state, out=state.out | 1 << event.seat)


def _back(state: FlipState, event: CameBack) -> FlipState:
    return replace(state, out=state.out & ~(1 << event.seat))


def _gave_up(state: FlipState, event: GaveUp) -> FlipState:
    """An unplaced card goes back to its deck; who stays starts the rows of Y12 anew."""
    decks, drawn, bit = state.decks, state.drawn, 1 << event.seat
    if drawn and state.player == event.seat:
        decks, drawn = _put(decks, event.seat, drawn + decks[event.seat]), ""
    return replace(
        state, decks=decks, drawn=drawn, out=state.out & ~bit, left=state.left | bit, idle=0, seen={}
    )


def _won(state: FlipState, event: Won) -> FlipState:
    return replace(state, winner=event.seat)


def _stalemate(state: FlipState, event: Stalemate) -> FlipState:
    return replace(state, draw=event.reason)


_EVENTS: dict[type, Callable[[FlipState, Any], FlipState]] = {
    Shuffled: _shuffled,
    TurnBegan: _began,
    Drew: _drew,
    Placed: _placed,
    PileFlipped: _flipped,
    Moved: _moved,
    Passed: _passed,
    WentOut: _out,
    CameBack: _back,
    GaveUp: _gave_up,
    Won: _won,
    Stalemate: _stalemate,
}
