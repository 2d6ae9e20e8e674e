"""What happens at a table by itself once its time has come. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from fliptable.decide import NOT_ENOUGH_PLAYERS, Decision
from fliptable.events import (
    RoundBegan,
    TurnExpired,
)
from fliptable.rules import Seat
from fliptable.table import Status


def tick(decision: Decision) -> bool:
    """Apply a deadline that has come (``decision.now`` is the deadline itself); False when none has."""
    table = decision.table
    due = table.deadline()
    if due is None or due > decision.now:
        return False
    if table.status is Status.PAUSED:
        decision.end(NOT_ENOUGH_PLAYERS)
        return True
    if table.mode.deadline(table.run) == due:
        decision.emit_of_mode(table.mode.at_deadline(table.run, due))
        decision.end_if_over()
    elif table.playable is not None:
        _expire(decision, [seat for seat, ends in table.turn_ends() if ends <= due])
    return bool(decision.events)


def _expire(decision: Decision, seats: Sequence[Seat]) -> None:
    """Do what the game has a seat do whose time is up, as long as the seat is still to act."""
    began = decision.table.playable
    for seat in seats:
        current = decision.table.playable
        if current is None or began is None or current.number != began.number:
            return
        if decision.table.status is not Status.PLAYING:
            return
        if seat not in decision.table.game.to_act(current.state):
            continue
        decision.emit(TurnExpired(seat))
        if current is decision.table.staged:
            decision.emit(RoundBegan(current.number))
        ctx = decision.context()
        events = decision.table.game.expired(current.state, seat, ctx)
        decision.emit_all(events, ctx.chance, current.number)
        decision.settle()
