"""Who of those seated is there: what follows when somebody's connection is gone, or is back.

Pure, as everything that decides. Whether somebody is there is found out by the service.
"""

from __future__ import annotations

from fliptable.decide import Decision
from fliptable.events import SeatDisconnected, SeatReconnected, TableResumed
from fliptable.lobby import pass_host_on
from fliptable.rules import Seat
from fliptable.table import Place, Status


def disconnected(decision: Decision, player: str) -> None:
    """A player is not there any more: tell the table, go on without them or wait (R6, R7).

    Local seats are without anybody, too, when their host is and nobody can be host instead.
    """
    table = decision.table
    seat = table.seat_of(player)
    if seat is None or not table.seats[seat].connected or table.status is Status.OVER:
        return
    decision.emit(SeatDisconnected(seat))
    if player == table.host and any(_there(place) for place in decision.table.seats):
        pass_host_on(decision, seat)
    if table.status is Status.PLAYING and not decision.wait_for_players():
        for one in sorted(decision.table.absent() - table.absent()):
            _tell_game(decision, one, back=False)


def reconnected(decision: Decision, player: str) -> None:
    """A player is there again, at the same seat and with the same score (R6).

    Where the host is not there, because nobody was, they become it (R7).
    """
    table = decision.table
    seat = table.seat_of(player)
    if seat is None or table.seats[seat].connected or table.status is Status.OVER:
        return
    decision.emit(SeatReconnected(seat))
    host = table.seat_of(table.host)
    if host is not None and not decision.table.seats[host].connected:
        pass_host_on(decision, host)
    for one in sorted(decision.table.present() - table.present()):
        _tell_game(decision, one, back=True)
    quorum = table.mode.quorum(decision.table.run)
    if decision.table.status is Status.PAUSED and len(decision.table.present()) >= quorum:
        decision.emit(TableResumed())
        # Whoever went before the pause or during it is only missed now.
        for one in sorted(decision.table.absent()):
            _tell_game(decision, one, back=False)


def _there(place: Place) -> bool:
    return place.player is not None and place.connected


def _tell_game(decision: Decision, seat: Seat, back: bool) -> None:
    """Let the game go on without a seat, or with it again."""
    current = decision.table.playable
    if current is None or decision.table.status is Status.OVER:
        return
    game, ctx = decision.table.game, decision.context()
    events = (game.present if back else game.absent)(current.state, seat, ctx)
    decision.emit_all(events, ctx.chance, current.number)
    decision.settle()
