"""What a viewer sees of a round of FLIP (Y13)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fliptable import PlayingCard, Seat, Suit, Viewer
from fliptable_games.flip.board import draw_board
from fliptable_games.flip.layout import DeckKind
from fliptable_games.flip.letters import CARD_OF, cards_of
from fliptable_games.flip.state import FlipState, Phase
from fliptable_games.flip.vocabulary import COLUMN, ROW, DrawReason


@dataclass(frozen=True, slots=True)
class PileView:
    """The pile of one space: face-down cards below, face-up cards on top of them."""

    row: Annotated[int, ROW]
    column: Annotated[int, COLUMN]
    face_down: Annotated[int, "How many cards lie face-down."]
    face_up: Annotated[tuple[PlayingCard, ...], "The face-up cards, the top one last."]
    owner: Annotated[int | None, "The seat whose card is on top face-up; null for an open space."]
    flipped_last_turn: Annotated[bool, "Whether the pile was flipped in the turn before: not again now (Y5)."]
    revealed: Annotated[
        tuple[PlayingCard, ...] | None, "The face-down cards, the top one last, once the round is over."
    ]


@dataclass(frozen=True, slots=True)
class DeckView:
    """A seat's deck and how the seat stands."""

    seat: Annotated[int, "Whose deck it is."]
    deck: Annotated[DeckKind, "The colour or suit of its cards."]
    suits: Annotated[tuple[Suit, ...], "The suits of its cards."]
    cards_left: Annotated[int, "How many cards are left to draw."]
    out: Annotated[bool, "Whether the seat is out: no card left, none on top of a pile (Y10)."]
    gave_up: Annotated[bool, "Whether the seat left the game for good."]


@dataclass(frozen=True, slots=True)
class FlipView:
    """A round of FLIP as somebody sees it."""

    phase: Annotated[Phase, "Whether the drawn card is to be placed, or the action to be taken."]
    player: Annotated[int | None, "The seat whose turn it is; null when the round is over."]
    turn: Annotated[int, "The number of the turn, from 1; skipped turns are not counted."]
    rows: Annotated[int, "How many rows the field has."]
    columns: Annotated[int, "How many columns the field has."]
    diagonals: Annotated[bool, "Whether spaces that share a corner are adjacent too."]
    piles: Annotated[tuple[PileView, ...], "The pile of each space, row by row."]
    decks: Annotated[tuple[DeckView, ...], "One deck a seat, in seat order."]
    unused: Annotated[tuple[Suit, ...], "The suits that are not played with."]
    drawn: Annotated[PlayingCard | None, "The card to be placed, for its owner alone."]
    drawless_turns: Annotated[int, "How many turns in a row have ended without a card drawn."]
    turn_limit: Annotated[int, "How many such turns make the game a draw."]
    winner: Annotated[int | None, "The seat that has won."]
    draw_reason: Annotated[DrawReason | None, "Why the game was drawn, if it was."]
    board: Annotated[str, "The field as text, for a terminal."]


def view_of(state: FlipState, viewer: Viewer) -> FlipView:
    """The round for a viewer: of face-down cards only how many, of decks only how large (Y13)."""
    layout, over = state.layout, state.over
    drawn = CARD_OF[state.drawn] if state.drawn and (over or state.player in viewer) else None
    view = FlipView(
        phase=state.phase,
        player=None if over else state.player,
        turn=state.turns,
        rows=layout.rows,
        columns=layout.columns,
        diagonals=layout.diagonals,
        piles=tuple([_pile(state, space) for space in layout.spaces]),
        decks=tuple([_deck(state, seat) for seat in range(layout.seats)]),
        unused=layout.unused,
        drawn=drawn,
        drawless_turns=state.drawless,
        turn_limit=layout.turn_limit,
        winner=state.winner,
        draw_reason=state.draw,
        board="",
    )
    return replace(view, board=draw_board(view))


def _pile(state: FlipState, space: int) -> PileView:
    row, column = divmod(space, state.layout.columns)
    down, up = state.down[space], state.up[space]
    return PileView(
        row=row,
        column=column,
        face_down=len(down),
        face_up=cards_of(up),
        owner=state.layout.owner[up[-1]] if up else None,
        flipped_last_turn=space == state.flipped,
        revealed=cards_of(down) if state.over else None,
    )


def _deck(state: FlipState, seat: Seat) -> DeckView:
    deck = state.layout.decks[seat]
    return DeckView(
        seat=seat,
        deck=deck,
        suits=deck.suits,
        cards_left=len(state.decks[seat]),
        out=bool(state.out >> seat & 1),
        gave_up=bool(state.left >> seat & 1),
    )
