"""The law of moves: what is listed is accepted, and all else is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from fliptable.projection import label
from fliptable.refusals import REFUSALS
from fliptable.rules import Game, Refusal, Seat
from fliptable.testing.actions import Play
from fliptable.testing.broken import about
from fliptable.testing.differences import changes
from fliptable.testing.leaks import some_seats
from fliptable.testing.literals import shown
from fliptable.testing.moves import as_fields, samples, strangers
from fliptable.testing.playout import Playout
from fliptable.testing.storage import int_trouble, storable, storage_trouble


def moves(playout: Playout, random: Random) -> Iterator[str]:
    """Listed moves are accepted, all others are refused with a code that is declared, and change nothing."""
    game, state = playout.game, playout.state
    acting = some_seats(game.to_act(state), random)
    legal = {seat: list(game.legal_moves(state, seat)) for seat in acting}
    for seat, listed in legal.items():
        for move in listed:
            for one in samples(move, random):
                yield from _listed(game, one)
                with about(seat, one):
                    result = game.decide(state, seat, one, playout.context())
                if isinstance(result, Refusal):
                    told = f"{result.code}: {result.message}"
                    yield f"seat {seat}: the legal move {shown(one)} is refused: {told}"
    others = [action.move for action in playout.actions if isinstance(action, Play)]
    cards = game.all_cards(state) or ()
    for seat, listed in legal.items():
        theirs = [next(samples(move, random)) for other in legal if other != seat for move in legal[other]]
        yield from _refused(playout, seat, strangers(game.moves, listed, [*theirs, *others], cards, random))


def _listed(game: Game[Any, Any], move: Any) -> Iterator[str]:
    if type(move) not in game.moves:
        yield f"the legal move {shown(move)} is of no class in moves; add {type(move).__name__} to them"
        return
    trouble = int_trouble(move) or storage_trouble(move, type(move))
    if trouble:
        yield f"the legal move {shown(move)}: {trouble}"
    text = label(move)
    if not text.strip() or "\n" in text:
        yield f"the label of the legal move {shown(move)} is {text!r}"


def _refused(playout: Playout, seat: Seat, tried: Sequence[Any]) -> Iterator[str]:
    """Complaints about how moves are refused that are not among the legal ones."""
    game, state = playout.game, playout.state
    before = storable(state)
    for one in tried:
        with about(seat, one):
            result = game.decide(state, seat, one, playout.context())
        if not isinstance(result, Refusal):
            yield f"seat {seat}: {shown(one)} is not among the legal moves, and is accepted"
        else:
            yield from _refusal(game, one, result)
    if storable(state) != before:
        changed = changes(before, storable(state), "state")
        # One by one only where something is wrong, since it takes long.
        for one in tried:
            before = storable(state)
            game.decide(state, seat, one, playout.context())
            again = changes(before, storable(state), "state")
            if again is not None:
                yield f"seat {seat}: {shown(one)} is refused, and changes the state: {again}"
                return
        which = ", ".join(map(shown, tried))
        yield f"seat {seat}: one of {which} is refused, and changes the state: {changed}"


def _refusal(game: Game[Any, Any], move: Any, refusal: Refusal) -> Iterator[str]:
    if refusal.code not in REFUSALS and refusal.code not in game.refusals:
        yield f"the refusal code {refusal.code} is neither the table's nor declared in the game's refusals"
    if not refusal.message.strip():
        yield f"the refusal {refusal.code} of {shown(move)} says nothing"
    if refusal.field is not None and refusal.field not in as_fields(move):
        yield f"the refusal {refusal.code} names the field {refusal.field!r}, which {shown(move)} has not"
