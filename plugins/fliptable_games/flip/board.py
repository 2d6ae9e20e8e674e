"""The field as text, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fliptable_games.flip.view import DeckView, FlipView, PileView

SHOWN = 3
"""How many face-up cards of a pile are written out, from the top; the rest are counted."""


def draw_board(view: FlipView) -> str:
    """The field and the decks as lines of text. It is made from a view, so it knows nothing hidden."""
    cells = [_cell(pile) for pile in view.piles]
    width = max(len(cell) for cell in cells)
    lines = ["   " + "  ".join([f"{column:<{width}}" for column in range(view.columns)])]
    for row in range(view.rows):
        line = cells[row * view.columns : (row + 1) * view.columns]
        lines.append(f"{row:<3}" + "  ".join([f"{cell:<{width}}" for cell in line]))
    lines.append("")
    lines.extend([_deck(view, deck) for deck in view.decks])
    lines.extend(["", "2▒: two cards face-down; the last card of a pile is on top; *: just flipped"])
    return "\n".join([line.rstrip() for line in lines])


def _cell(pile: PileView) -> str:
    parts = [f"{pile.face_down}▒"] if pile.face_down else []
    covered = len(pile.face_up) - SHOWN
    if covered > 0:
        parts.append(f"+{covered}")
    parts.extend([card.text for card in pile.face_up[-SHOWN:]])
    return (" ".join(parts) or "·") + ("*" if pile.flipped_last_turn else "")


def _deck(view: FlipView, deck: DeckView) -> str:
    signs = "".join([suit.symbol for suit in deck.suits])
    says = [f"{deck.cards_left} to draw"]
    if deck.gave_up:
        says.append("gave up")
    elif deck.out:
        says.append("out")
    if view.winner == deck.seat:
        says.append("has won")
    elif view.player == deck.seat:
        says.append(f"is to {'place' if view.phase.value == 'DRAW' else 'act'}")
        if view.drawn is not None:
            says.append(f"holds {view.drawn.text}")
    return f"{signs} seat {deck.seat}: {', '.join(says)}"
