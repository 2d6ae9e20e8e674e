"""Who of those seated is there: what follows when somebody's connection is gone, or is back.

Pure, as everything that decides. Whether somebody is there is found out by the service.
"""

from __future__ import annotations

from datetime import timedelta

from fliptable.decide import Decision
from fliptable.events import SeatDisconnected, SeatReconnected, TablePaused, TableResumed
from fliptable.lobby import pass_host_on
from fliptable.rules import Seat
from fliptable.table import Status, Table


def disconnected(decision: Decision, player: str) -> None:
    """A player is not there any more: tell the table, go on without them or wait (R6, R7)."""
    seat = decision.table.seat_of(player)
    if seat is None or not decision.table.seats[seat].connected or decision.table.status is Status.OVER:
        return
    decision.emit(SeatDisconnected(seat))
    if player == decision.table.host:
        _replace_host(decision, seat)
    if decision.table.status is Status.PLAYING:
        if _too_few(decision.table):
            until = decision.now + timedelta(seconds=decision.table.opening.house.wait_seconds)
            decision.emit(TablePaused(until))
        else:
            go_on_without(decision, seat)


def reconnected(decision: Decision, player: str) -> None:
    """A player is there again, at the same seat and with the same score (R6)."""
    seat = decision.table.seat_of(player)
    if seat is None or decision.table.seats[seat].connected or decision.table.status is Status.OVER:
        return
    decision.emit(SeatReconnected(seat))
    _tell_game(decision, seat, back=True)
    if decision.table.status is Status.PAUSED and not _too_few(decision.table):
        decision.emit(TableResumed())
        for index, place in enumerate(decision.table.seats):
            if place.player is not None and not place.connected:
                go_on_without(decision, index)


def go_on_without(decision: Decision, seat: Seat) -> None:
    """Let the game skip a seat whose player is not there."""
    _tell_game(decision, seat, back=False)
    decision.settle()


def _tell_game(decision: Decision, seat: Seat, back: bool) -> None:
    current = decision.table.playable
    if current is None or current.outcome is not None:
        return
    game, ctx = decision.table.game, decision.context()
    events = (game.present if back else game.absent)(current.state, seat, ctx)
    decision.emit_all(events, ctx.chance, current.number)


def _replace_host(decision: Decision, seat: Seat) -> None:
    others = [place for place in decision.table.seats if place.player not in (None, decision.table.host)]
    if any(place.connected for place in others):
        pass_host_on(decision, seat)


def _too_few(table: Table) -> bool:
    there = sum(place.held and place.connected for place in table.seats)
    return there < table.mode.quorum(table.run)
