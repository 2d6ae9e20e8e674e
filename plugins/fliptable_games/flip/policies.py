"""A way to play FLIP that is quickly said, for simulations and to compare others with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fliptable import PlayingCard, Policy, Seat
from fliptable_games.flip.letters import LETTER_OF, beats
from fliptable_games.flip.view import FlipView, PileView
from fliptable_games.flip.vocabulary import FlipPile, MoveCard, PlaceCard

if TYPE_CHECKING:
    from random import Random


def greedy(view: FlipView, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
    """Do what leaves the most cards of one's own on top of piles and the fewest of others.

    It looks no further than the move, and remembers nothing. A drawn card goes where it threatens most
    and is least threatened.
    """
    worth = [_worth(view, seat, move) for move in moves]
    best = max(worth)
    return random.choice([move for move, one in zip(moves, worth, strict=True) if one == best])


def _worth(view: FlipView, seat: Seat, move: Any) -> float:
    match move:
        case PlaceCard():
            return _threats(view, seat, move)
        case FlipPile():
            pile = _pile(view, move.row, move.column)
            # Of what lies face-down nobody knows whose the lowest card is.
            return -_side(pile.owner, seat)
        case MoveCard():
            left = _pile(view, move.row, move.column)
            under = left.face_up[-2:-1]
            uncovered = _side(_owner(view, under[0]), seat) if under else 0
            return uncovered - _side(_pile(view, move.to_row, move.to_column).owner, seat)
    return 0


def _side(owner: int | None, seat: Seat) -> int:
    return 0 if owner is None else 1 if owner == seat else -1


def _owner(view: FlipView, card: PlayingCard) -> int | None:
    return next((deck.seat for deck in view.decks if card.suit in deck.suits), None)


def _threats(view: FlipView, seat: Seat, move: PlaceCard) -> int:
    """How many cards next to a space the drawn card takes, less those that take it."""
    assert view.drawn is not None
    card, count = LETTER_OF[view.drawn.value], 0
    for pile in view.piles:
        down, across = abs(pile.row - move.row), abs(pile.column - move.column)
        near = down + across == 1 or (view.diagonals and down == across == 1)
        if near and pile.owner not in (None, seat):
            other = LETTER_OF[pile.face_up[-1].value]
            count += beats(card, other) - beats(other, card)
    return count


def _pile(view: FlipView, row: int, column: int) -> PileView:
    return view.piles[row * view.columns + column]


POLICIES: Mapping[str, Policy] = {"greedy": greedy}
"""By their names."""
