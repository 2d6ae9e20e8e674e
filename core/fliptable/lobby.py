"""Who sits at a table: joining, getting ready, starting, leaving, and who is the host.

Pure, as everything that decides: a request becomes events, or a refusal that says why not.
"""

from __future__ import annotations

from fliptable.blame import as_exception
from fliptable.decide import ABANDONED, Decision
from fliptable.events import HostChanged, RematchOpened, SeatLeft, SeatReady, SeatTaken
from fliptable.modes import seat_counts
from fliptable.rules import Refusal, Seat
from fliptable.table import Status, Table


def join(decision: Decision, player: str, name: str) -> Refusal | None:
    """Seat a player at the first free seat; one who already sits here changes nothing."""
    table = decision.table
    if table.seat_of(player) is not None:
        return None
    if player in table.barred:
        return Refusal("SENT_AWAY", "The host of this table has sent you away.")
    if table.status is not Status.OPEN:
        return _past_start(table)
    for index, place in enumerate(table.seats):
        if not place.held:
            decision.emit(SeatTaken(index, name, player))
            return None
    return Refusal("TABLE_FULL", f"All {len(table.seats)} seats of the table are taken.")


def ready(decision: Decision, player: str, is_ready: bool) -> Refusal | None:
    """A seated player says whether they are ready for the start."""
    table = decision.table
    seat = table.seat_of(player)
    if seat is None:
        return NOT_SEATED
    if table.status is not Status.OPEN:
        return _past_start(table)
    if table.seats[seat].ready != is_ready:
        decision.emit(SeatReady(seat, is_ready))
    return None


def start(decision: Decision, player: str) -> Refusal | None:
    """Begin the session on the host's word, with the seats that are taken; free ones are taken away."""
    table = decision.table
    if table.host != player:
        return Refusal("NOT_HOST", "Only the host can start the table.")
    if table.status is not Status.OPEN:
        return _past_start(table)
    taken = sum(place.held for place in table.seats)
    allowed = seat_counts(table.game, table.mode)
    if taken not in allowed:
        return Refusal(
            "SEATS_FREE",
            f"{taken} of {len(table.seats)} seats are taken, and {table.game.name} in the mode "
            f"{table.mode.id} cannot be played by so many.",
        )
    try:
        table.game.check(table.game_options, taken)
    except ValueError as error:
        return Refusal("SEATS_FREE", f"With {taken} seats the table cannot start: {error}.")
    decision.start()
    return None


def kick(decision: Decision, player: str, seat: Seat) -> Refusal | None:
    """The host sends a player away for good; what they lose is what they would lose by leaving."""
    table = decision.table
    refusal = _hosting(table, player, seat)
    if refusal is not None:
        return refusal
    if table.seats[seat].player == player:
        return Refusal(
            "INVALID_VALUE", "The host cannot send themself away; leave the table instead.", "seat"
        )
    _depart(decision, [seat], kicked=True)
    return None


def hand_over(decision: Decision, player: str, seat: Seat) -> Refusal | None:
    """The host makes another player the host."""
    table = decision.table
    refusal = _hosting(table, player, seat)
    if refusal is not None:
        return refusal
    heir = table.seats[seat].player
    if heir is None:
        return Refusal("INVALID_VALUE", f"Seat {seat} is local, so nobody there could be the host.", "seat")
    if not table.seats[seat].connected:
        return Refusal("INVALID_VALUE", f"{table.names[seat]} is not there to be the host.", "seat")
    if heir != table.host:
        decision.emit(HostChanged(seat, heir))
    return None


def _hosting(table: Table, player: str, seat: Seat) -> Refusal | None:
    if table.host != player:
        return Refusal("NOT_HOST", "Only the host of the table can do this.")
    if table.status is Status.OVER:
        return Refusal("TABLE_OVER", "The table is over.")
    if not 0 <= seat < len(table.seats) or not table.seats[seat].held:
        return Refusal("INVALID_VALUE", f"Nobody sits at seat {seat}.", "seat")
    return None


def rematch(decision: Decision, player: str, new_table: str) -> Refusal | None:
    """Somebody who sat at a table that is over wants the same people at a new one.

    The first to ask decides which table that is; later ones change nothing.
    """
    table = decision.table
    if table.seat_of(player) is None and table.host != player:
        return NOT_SEATED
    if table.status is not Status.OVER:
        return Refusal("TABLE_NOT_OVER", "The table is not over yet.")
    if table.rematch is None:
        decision.emit(RematchOpened(new_table))
    return None


def leave(decision: Decision, player: str) -> Refusal | None:
    """A player leaves for good: they lose the round as the game has it, running or dealt ahead.

    The host takes the local seats along, and the next connected player clockwise becomes host (R7);
    without any player the table is over.
    """
    table = decision.table
    seat = table.seat_of(player)
    if seat is None and table.host != player:
        return NOT_SEATED
    if table.status is Status.OVER:
        return Refusal("TABLE_OVER", "The table is over.")
    gone = [seat] if seat is not None else []
    if table.host == player:
        gone += [index for index, place in enumerate(table.seats) if place.local]
    _depart(decision, gone, host_goes=table.host == player)
    return None


def _depart(decision: Decision, seats: list[Seat], *, kicked: bool = False, host_goes: bool = False) -> None:
    table = decision.table
    current = table.round
    held = any(place.held for index, place in enumerate(table.seats) if index not in seats)
    # A host without a seat waits at an open table for others to come.
    decision.deserted = not held and (host_goes or table.status is not Status.OPEN)
    if table.status in _UNDER_WAY and current is not None and current.outcome is None:
        try:
            decision.forfeit(seats)
            decision.settle()
        except BaseException as error:
            if not decision.deserted:
                raise
            # With nobody left, the table need not go on, and nobody is kept at it.
            decision.begin_again(table, as_exception(error))
    for seat in seats:
        decision.emit(SeatLeft(seat, table.names[seat], kicked))
    if decision.deserted:
        # A round that was only dealt ahead counts for nobody.
        if decision.table.status is not Status.OVER:
            decision.end(ABANDONED)
        return
    if decision.table.staged is not None:
        decision.forfeit(seats)
        decision.settle()
    if host_goes:
        # Clockwise from the host's seat, or the first local one; failing both, from the first of all.
        pass_host_on(decision, seats[0] if seats else -1)
    decision.wait_for_players()


def pass_host_on(decision: Decision, seat: Seat) -> None:
    """Make the next connected player clockwise from a seat the host (R7), or failing that the next one."""
    table = decision.table
    count = len(table.seats)
    clockwise = [(seat + step) % count for step in range(1, count + 1)]
    players = [index for index in clockwise if table.seats[index].player not in (None, table.host)]
    for index in [index for index in players if table.seats[index].connected] or players:
        heir = table.seats[index].player
        assert heir is not None
        decision.emit(HostChanged(index, heir))
        return


_UNDER_WAY = (Status.PLAYING, Status.PAUSED)
NOT_SEATED: Refusal = Refusal("NOT_SEATED", "You have no seat at this table.")
"""What somebody is told who has no seat and would need one."""


def _past_start(table: Table) -> Refusal:
    if table.status is Status.OVER:
        return Refusal("TABLE_OVER", "The table is over.")
    return Refusal("TABLE_STARTED", "The table has already started.")
