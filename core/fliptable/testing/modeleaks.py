"""Whether a mode tells what a game hides: of two moves that look the same, which one it was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from fliptable import projection
from fliptable.chance import Shuffled
from fliptable.decide import Decision
from fliptable.rules import MoveRange, Private, Viewer
from fliptable.testing.broken import about
from fliptable.testing.differences import apart
from fliptable.testing.leaks import some_seats, viewers
from fliptable.testing.literals import shown
from fliptable.testing.moves import samples
from fliptable.testing.tableplay import TablePlay

_PAIRS = 3
"""So many pairs of moves are held against each other for each seat."""


def mode_leaks(play: TablePlay, random: Random) -> Iterator[str]:
    """Of two moves that somebody cannot tell apart in the game, they cannot tell them apart by the mode."""
    for seat in some_seats(projection.to_act(play.table), random):
        moves = [
            one
            for legal in play.legal_moves()
            if legal.seat == seat
            for one in samples(MoveRange(legal.move, legal.fields), random)
        ]
        pairs = list(combinations(moves[:12], 2))
        for one, other in random.sample(pairs, min(_PAIRS, len(pairs))):
            here, there = play.ahead(seat, one), play.ahead(seat, other)
            if here is None or there is None or not any(type(event) is Private for event in here.events):
                continue  # Where nothing is hidden, everybody can tell them apart.
            for viewer in viewers(len(play.table.seats), random):
                if _of_game(here, viewer) != _of_game(there, viewer):
                    continue
                with about(seat, one):
                    ours = _of_mode(here, viewer)
                with about(seat, other):
                    theirs = _of_mode(there, viewer)
                for name, value in ours.items():
                    if value != (another := theirs[name]):
                        who = f"whoever sees for seats {sorted(viewer)}" if viewer else "a spectator"
                        yield (
                            f"{who} cannot tell from the game whether seat {seat} plays {shown(one)} or "
                            f"{shown(other)}, and learns it from the mode: {apart(value, another, name)}"
                        )
                        return


def _of_game(decision: Decision, viewer: Viewer) -> list[Any]:
    table, events = decision.table, decision.events
    kinds = (*table.game.events, Shuffled)
    plain = [(event, event.event if type(event) is Private else event) for event in events]
    own = [event for event, inside in plain if type(inside) in kinds]
    current = table.round
    return [
        projection.seen_events(own, viewer, frozenset()),
        None if current is None else projection.view_round(table, current, viewer),
        None if current is None else current.outcome,
        projection.to_act(table),
    ]


def _of_mode(decision: Decision, viewer: Viewer) -> dict[str, Any]:
    table, events = decision.table, decision.events
    own = [event for event in events if type(event) in table.mode.events]
    return {
        "what happens": projection.seen_events(own, viewer, frozenset()),
        "the run": projection.view_run(table, viewer),
        "the deadline": table.deadline(),
    }
