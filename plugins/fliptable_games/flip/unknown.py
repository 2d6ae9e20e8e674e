"""What a viewer cannot know of a round, put in another order (Y13)."""

from __future__ import annotations

from dataclasses import replace

from fliptable import Chance, Viewer
from fliptable_games.flip.letters import CARD_OF, run_of
from fliptable_games.flip.state import FlipState


def shuffle_unknown(state: FlipState, viewer: Viewer, chance: Chance) -> FlipState:
    """A round that the viewer cannot tell from this one.

    Unknown are the decks, the face-down cards and a card that somebody else has drawn. What is
    public of them stays: a deck holds cards of its own colour or suit alone, so whichever of those
    are neither in the deck nor in sight lie in the field; where, and which of them, is open. In the
    positions that were counted the same cards are exchanged, so equal ones stay equal.
    """
    if state.over:
        return state
    lying = "".join(state.down)
    held = list(state.decks)
    if state.player not in viewer:
        held[state.player] = state.drawn + held[state.player]
    dealt: list[str] = []
    rest = ""
    for seat, deck in enumerate(held):
        own = state.layout.own[seat]
        pool = _shuffled(deck + "".join([card for card in lying if card in own]), chance)
        dealt.append(pool[: len(deck)])
        rest += pool[len(deck) :]
    before = "".join(held) + lying
    after = "".join(dealt) + _shuffled(rest, chance)
    exchange = str.maketrans(before, after)
    return replace(
        state,
        decks=tuple([deck.translate(exchange) for deck in state.decks]),
        drawn=state.drawn.translate(exchange),
        down=tuple([run.translate(exchange) for run in state.down]),
        seen={key.translate(exchange): count for key, count in state.seen.items()},
    )


def _shuffled(run: str, chance: Chance) -> str:
    return run_of(chance.shuffle([CARD_OF[letter].value for letter in run], "unknown").order)
