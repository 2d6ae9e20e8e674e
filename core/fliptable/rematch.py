"""A rematch: the same people and options at a new table."""

from __future__ import annotations

import secrets

from fliptable import lobby
from fliptable.ids import new_code, new_id
from fliptable.log import CodeTaken, VersionTaken
from fliptable.modes import seat_counts
from fliptable.opening import Opening
from fliptable.requests import Refused, Request, TableNotFound
from fliptable.service import TableService
from fliptable.table import Table


async def rematch(service: TableService, table_id: str, player: str) -> Table | Refused:
    """The table of a rematch, opened unless somebody else was quicker.

    Errors: those of :meth:`TableService.act`, and OpeningRefused.
    """
    wanted = new_id("table")
    answer = await service.act(
        table_id, Request(player), lambda decision: lobby.rematch(decision, player, wanted)
    )
    if isinstance(answer, Refused):
        return answer
    old = answer.table
    assert old.rematch is not None
    while True:
        # The old table knows the new one's id before it is there, so that a crash between the two
        # leaves something that the next to ask completes.
        try:
            return await service.get(old.rematch)
        except TableNotFound:
            pass
        try:
            await service.open(_again(old, old.rematch, player))
        except (VersionTaken, CodeTaken):
            continue


def _again(old: Table, table_id: str, asker: str) -> Opening:
    """What opens the new table: the host, if seated, then the others as they sat, local seats last."""
    people = {place.player: place.name for place in old.seats if place.player is not None}
    local = tuple([place.name for place in old.seats if place.local])
    host = old.host if local or old.host in people else asker
    host_name = people.get(host, old.opening.host_name)
    guests = [(player, name) for player, name in people.items() if player != host]
    needed = len(local) + len(guests) + (host in people)
    allowed = seat_counts(old.game, old.mode)
    return Opening(
        id=table_id,
        code=new_code(),
        secret=secrets.token_bytes(32),
        game=old.game.id,
        mode=old.mode.id,
        game_options=old.game_options,
        mode_options=old.mode_options,
        seats=next((count for count in allowed if count >= needed), needed),
        local_seats=local,
        visibility=old.visibility,
        host=host,
        host_name=host_name,
        house=old.opening.house,
        guests=tuple(guests),
        host_plays=host in people,
    )
