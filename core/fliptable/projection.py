"""What leaves a table: events, moves and views as somebody's eyes see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fliptable.rules import MoveRange, Private, Seat, Viewer
from fliptable.shuffle import derive_seed
from fliptable.table import Round, Shuffle, Status, Table


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A move that a seat could play now: a move, or a range of moves with an example."""

    seat: Seat
    move: Any
    fields: dict[str, Any]


def seen(event: Any, viewer: Viewer, open_rounds: frozenset[int] = frozenset()) -> Any | None:
    """The event as the viewer sees it; None when the viewer sees nothing of it."""
    if type(event) is not Private:
        return event
    if event.to & viewer or event.round in open_rounds:
        return event.event
    return event.public


def seen_events(events: Iterable[Any], viewer: Viewer, open_rounds: frozenset[int]) -> list[Any]:
    """The events of a commit as the viewer sees them, in order."""
    shown = [seen(event, viewer, open_rounds) for event in events]
    return [event for event in shown if event is not None]


def to_act(table: Table) -> list[Seat]:
    """The seats that may move now, in seat order."""
    current = table.playable
    if table.status is not Status.PLAYING or current is None:
        return []
    return sorted(table.game.to_act(current.state))


def legal_moves(table: Table, viewer: Viewer) -> list[LegalMove]:
    """Every move that the viewer's seats could play now."""
    current = table.playable
    if table.status is not Status.PLAYING or current is None:
        return []
    game = table.game
    moves: list[LegalMove] = []
    for seat in sorted(viewer & frozenset(game.to_act(current.state))):
        for move in game.legal_moves(current.state, seat):
            if isinstance(move, MoveRange):
                moves.append(LegalMove(seat, move.example, dict(move.fields)))
            else:
                moves.append(LegalMove(seat, move, {}))
    return moves


def may_ask_next_round(table: Table, viewer: Viewer, is_host: bool) -> bool:
    """Whether the viewer may have the next round dealt now."""
    waiting = table.status is Status.PLAYING and table.playable is None
    return waiting and (bool(viewer) or is_host)


def seed_of(shuffle: Shuffle, shared_secret: bytes, now: datetime) -> str | None:
    """The seed of a shuffle in hex once anybody may know it: it was revealed, or its time has come."""
    if shuffle.shared and shuffle.until is not None and now >= shuffle.until:
        return derive_seed(shared_secret, shuffle.label).hex()
    return shuffle.seed


def view_round(table: Table, round: Round, viewer: Viewer) -> Any:
    """The round as the viewer sees it, as the game's View."""
    return table.game.view(round.state, viewer)


def view_run(table: Table, viewer: Viewer) -> Any:
    """The run as the viewer sees it, as the mode's View."""
    return table.mode.view(table.run, viewer)
