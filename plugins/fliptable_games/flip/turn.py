"""A turn: what can be done in it and what that leads to (flip Y3-Y12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fliptable import Private, Refusal, Seat
from fliptable_games.flip.letters import CARD_OF, cards_of
from fliptable_games.flip.state import FlipState, evolve, position
from fliptable_games.flip.vocabulary import (
    AnyMove,
    CameBack,
    DrawReason,
    Drew,
    DrewUnseen,
    FlipPile,
    GaveUp,
    MoveCard,
    Moved,
    Passed,
    PassTurn,
    PileFlipped,
    PlaceCard,
    Placed,
    Stalemate,
    TurnBegan,
    WentOut,
    Won,
)

OCCURRENCES = 3
"""How often a position has to begin a turn for the game to be drawn (Y12)."""

REFUSALS = {
    "PLACE_FIRST": "The drawn card has to be placed before anything else.",
    "NOTHING_TO_PLACE": "The player holds no drawn card.",
    "SPACE_NOT_OPEN": "A card can be placed only where no card lies face-up.",
    "NO_PILE": "There is no card on the space.",
    "JUST_FLIPPED": "The pile was flipped in the turn before.",
    "NOT_YOUR_CARD": "No face-up card of the player is on top of the pile.",
    "JUST_PLACED": "A card that was placed in this turn cannot move.",
    "NOT_ADJACENT": "The two spaces are not adjacent.",
    "OWN_CARD": "A card cannot move onto a card of its own player.",
    "CARD_TOO_HIGH": "The card on top of the other pile is worth more.",
}
"""The codes with which FLIP refuses moves."""

PASS = PassTurn()


def legal_moves(state: FlipState, seat: Seat) -> Sequence[AnyMove]:
    """Every move that the player, who is to act, can make: places (Y3), or actions (Y4)."""
    layout, up = state.layout, state.up
    if state.drawn:
        places = layout.places
        return [places[space] for space, run in enumerate(up) if not run]
    down, placed, flipped = state.down, state.placed, state.flipped
    flips, steps, takes, mine = layout.flips, layout.steps, layout.takes, layout.own[seat]
    moves: list[AnyMove] = []
    for space, run in enumerate(up):
        if run:
            if space != flipped:
                moves.append(flips[space])
            card = run[-1]
            if card in mine and space != placed:
                can = takes[card]
                moves += [step for goal, step in steps[space] if up[goal][-1:] in can]
        elif down[space] and space != flipped:
            moves.append(flips[space])
    moves.append(PASS)
    return moves


def decide(state: FlipState, seat: Seat, move: AnyMove) -> Sequence[Any] | Refusal:
    """The events of a move of the player who is to act, or the refusal."""
    if isinstance(move, PlaceCard):
        return _place(state, seat, move)
    if state.drawn:
        card = CARD_OF[state.drawn].text
        return Refusal("PLACE_FIRST", f"You have drawn {card}: place it on an open space first.")
    if isinstance(move, FlipPile):
        return _flip(state, seat, move)
    if isinstance(move, MoveCard):
        return _move(state, seat, move)
    return _end_turn(state, Passed(seat))


def time_up(state: FlipState, seat: Seat) -> Sequence[Any]:
    """The player's time is up: a drawn card goes to the first open space (Y3), and they pass (Y4)."""
    events: list[Any] = []
    if state.drawn:
        placed = decide(state, seat, legal_moves(state, seat)[0])
        assert not isinstance(placed, Refusal), placed.message
        events.extend(placed)
        for event in placed:
            state = evolve(state, event)
    return [*events, *_end_turn(state, Passed(seat))]


def _outside(state: FlipState, row: int, column: int, to: str = "") -> Refusal | None:
    layout = state.layout
    for name, value, size in (("row", row, layout.rows), ("column", column, layout.columns)):
        if not 0 <= value < size:
            message = f"There is no {name} {value}; the field has {name}s 0 to {size - 1}."
            return Refusal("INVALID_VALUE", message, to + name)
    return None


def _space(row: int, column: int) -> str:
    return f"row {row}, column {column}"


def _place(state: FlipState, seat: Seat, move: PlaceCard) -> Sequence[Any] | Refusal:
    """Place the drawn card on an open space (Y3)."""
    if not state.drawn:
        return Refusal("NOTHING_TO_PLACE", "You hold no drawn card: flip a pile, move a card or pass.")
    row, column = move.row, move.column
    wrong = _outside(state, row, column)
    if wrong is not None:
        return wrong
    run = state.up[row * state.layout.columns + column]
    if run:
        says = f"{CARD_OF[run[-1]].text} lies face-up at {_space(row, column)}: the space is not open."
        return Refusal("SPACE_NOT_OPEN", says, "row")
    return [Placed(seat, CARD_OF[state.drawn], row, column)]


def _flip(state: FlipState, seat: Seat, move: FlipPile) -> Sequence[Any] | Refusal:
    """Turn a pile upside-down (Y5)."""
    row, column = move.row, move.column
    wrong = _outside(state, row, column)
    if wrong is not None:
        return wrong
    space = row * state.layout.columns + column
    down, up = state.down[space], state.up[space]
    if not down and not up:
        return Refusal("NO_PILE", f"There is no card at {_space(row, column)} to flip.", "row")
    if space == state.flipped:
        says = f"The pile at {_space(row, column)} was flipped in the turn before."
        return Refusal("JUST_FLIPPED", says, "row")
    return _end_turn(state, PileFlipped(seat, row, column, len(up), cards_of(down[::-1])))


def _move(state: FlipState, seat: Seat, move: MoveCard) -> Sequence[Any] | Refusal:
    """Move a card to an adjacent space, taking what is on top there (Y6-Y8)."""
    row, column, to_row, to_column = move.row, move.column, move.to_row, move.to_column
    wrong = _outside(state, row, column) or _outside(state, to_row, to_column, "to_")
    if wrong is not None:
        return wrong
    layout, up = state.layout, state.up
    start, goal = row * layout.columns + column, to_row * layout.columns + to_column
    here, there = _space(row, column), _space(to_row, to_column)
    card, target = up[start][-1:], up[goal][-1:]
    if card not in layout.own[seat]:
        says = f"{CARD_OF[card].text} at {here} is not yours." if card else f"No card lies face-up at {here}."
        return Refusal("NOT_YOUR_CARD", says, "row")
    if start == state.placed:
        says = f"{CARD_OF[card].text} at {here} was placed in this turn: it cannot move yet."
        return Refusal("JUST_PLACED", says, "row")
    if goal not in layout.neighbours[start]:
        says = f"A card moves to an adjacent space only, and {there} is not adjacent to {here}."
        return Refusal("NOT_ADJACENT", says, "to_row" if abs(to_row - row) > 1 else "to_column")
    if target not in layout.takes[card]:
        if target in layout.own[seat]:
            return Refusal("OWN_CARD", f"{CARD_OF[target].text} at {there} is your own.", "to_row")
        says = f"{CARD_OF[card].text} does not take {CARD_OF[target].text} at {there}, which is worth more."
        return Refusal("CARD_TOO_HIGH", says, "to_row")
    taken = CARD_OF[target] if target else None
    return _end_turn(state, Moved(seat, CARD_OF[card], row, column, to_row, to_column, taken))


def _end_turn(state: FlipState, action: Any) -> list[Any]:
    """The action, who is out by it (Y10), the end of the game (Y11, then Y12) or the next turn."""
    events = [action]
    after = evolve(state, action)
    if after.out or not all(after.decks):
        absent = after.absent()
        for seat in range(after.layout.seats):
            if (absent ^ after.out) >> seat & 1:
                change = WentOut(seat) if absent >> seat & 1 else CameBack(seat)
                events.append(change)
                after = evolve(after, change)
    inside = after.inside()
    if len(inside) < 2:
        events.append(_last(inside))
    elif after.drawless >= after.layout.turn_limit:
        events.append(Stalemate(DrawReason.TURN_LIMIT))
    elif after.idle and all(after.idle >> seat & 1 for seat in inside):
        events.append(Stalemate(DrawReason.ALL_IDLE))
    else:
        events += begin_turn(after, _next(after.player, inside))
    return events


def _last(inside: list[Seat]) -> Any:
    return Won(inside[0]) if inside else Stalemate(DrawReason.NOBODY_IN)


def _next(player: Seat, inside: list[Seat]) -> Seat:
    """The next seat clockwise that is in."""
    for seat in inside:
        if seat > player:
            return seat
    return inside[0]


def first_turn(state: FlipState, seat: Seat) -> list[Any]:
    """The beginning of the game, with the turn of the seat or of the next one that is in."""
    inside = state.inside()
    return begin_turn(state, _next(seat - 1, inside)) if len(inside) > 1 else [_last(inside)]


def begin_turn(state: FlipState, seat: Seat) -> list[Any]:
    """A turn, with the card that is drawn as it begins (Y3), or a draw by repetition (Y12)."""
    deck = state.decks[seat]
    if deck and not all(state.up):
        drew = Private(Drew(seat, CARD_OF[deck[0]]), frozenset((seat,)), DrewUnseen(seat))
        return [TurnBegan(seat), drew]
    if state.seen.get(position(state, seat), 0) + 1 >= OCCURRENCES:
        return [Stalemate(DrawReason.REPETITION)]
    return [TurnBegan(seat)]


def give_up(state: FlipState, seat: Seat) -> list[Any]:
    """A seat leaves for good: the last one in wins, else the game goes on without it."""
    if state.over or state.left >> seat & 1:
        return []
    gone = GaveUp(seat)
    after = evolve(state, gone)
    inside = after.inside()
    if len(inside) < 2:
        return [gone, _last(inside)]
    if seat == state.player:
        return [gone, *begin_turn(after, _next(seat, inside))]
    return [gone]
