"""Whether a table can be shown and played on: asked before a commit is stored. Pure.

What a plugin raises at it hurts only the request that would have made such a table; stored, it would be
in the way of everybody.
"""

from __future__ import annotations

from typing import Any

from fliptable import projection
from fliptable.decide import BrokenPlugin
from fliptable.events import TABLE_EVENTS, Commit
from fliptable.rules import Private, Seat, Viewer
from fliptable.table import Round, Status, Table

_OWN = frozenset(TABLE_EVENTS)
_NOBODY: Viewer = frozenset()


def ask_ahead(before: Table | None, after: Table, commit: Commit) -> None:
    """Ask plugins what everybody who reads the table and its log will ask them, and whoever goes on.

    These are the sentences of the events, who is to act, and what those see: their legal moves, the round
    and the run; spectators, where nobody is to act. What fails for other eyes hurts those alone. A table
    that could not be shown before either may go on. Errors: BrokenPlugin, and what a plugin raises.
    """
    names = after.names
    for event in commit.events:
        kind = type(event)
        if kind in _OWN:
            continue
        if kind is Private:
            _tell(event.event, names)
            event = event.public
        if event is not None:
            _tell(event, names)
    if before is not None and _same(before, after):
        return
    try:
        _show(after)
    except Exception:
        if before is None or _shows(before):
            raise


def _tell(event: Any, names: tuple[str, ...]) -> None:
    text = event.text(names)
    if not isinstance(text, str):
        raise BrokenPlugin(f"the text of {type(event).__name__} is {text!r}, not a sentence")


def _same(before: Table, after: Table) -> bool:
    """Whether plugins would be asked of nothing new."""
    return (
        before.run is after.run
        and before.status is after.status
        and _state(before.round) is _state(after.round)
        and _state(before.staged) is _state(after.staged)
    )


def _state(round: Round | None) -> Any:
    return None if round is None else round.state


def _show(table: Table) -> None:
    """Errors: BrokenPlugin, and what a plugin raises."""
    if table.status is Status.OPEN:
        return
    seats = range(len(table.seats))
    lookers: dict[Viewer, None] = {}
    if table.status is Status.PLAYING and table.playable is not None:
        acting = table.game.to_act(table.playable.state)
        for seat in acting:
            if type(seat) is not int or seat not in seats:
                raise BrokenPlugin(f"{seat!r} is to act, which is no seat of {len(seats)}")
            lookers[_eyes(table, seat)] = None
    for viewer in lookers or (_NOBODY,):
        projection.legal_moves(table, viewer)
        if table.round is not None:
            projection.view_round(table, table.round, viewer)
        projection.view_run(table, viewer)


def _eyes(table: Table, seat: Seat) -> Viewer:
    """The seats whose eyes they have who act for a seat."""
    place = table.seats[seat]
    return table.viewer(table.host if place.local else place.player) or frozenset({seat})


def _shows(table: Table) -> bool:
    try:
        _show(table)
    except Exception:
        return False
    return True
