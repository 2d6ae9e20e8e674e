"""A table's state as a document, to fold from instead of from the first commit."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fliptable.codec import pack, unpack
from fliptable.events import TableCreated
from fliptable.evolve import Catalogue, created
from fliptable.log import Snapshot
from fliptable.modes import Mode
from fliptable.rules import Game, Outcome
from fliptable.table import Place, Round, Shuffle, Status, Table

FORM = 5
"""The form of the state; a snapshot of another form is not used."""


def to_snapshot(table: Table) -> Snapshot:
    """The snapshot of a table as it stands."""
    state = {
        "form": FORM,
        "plugins": _plugins(table.game, table.mode),
        "played_with": list(table.played_with),
        "opening": pack(table.opening),
        "created_at": table.created_at,
        "updated_at": table.updated_at,
        "status": table.status.value,
        "host": table.host,
        "seats": pack(table.seats),
        "run": pack(table.run),
        "round": pack(table.round),
        "staged": pack(table.staged),
        "carry": pack(table.carry),
        "scores": list(table.scores),
        "shuffles": pack(table.shuffles),
        "over_reason": table.over_reason,
        "paused_until": table.paused_until,
        "clocks": list(table.clocks),
        "rematch": table.rematch,
        "barred": sorted(table.barred),
        "local_names": list(table.local_names),
        "host_plays": table.host_plays,
    }
    return Snapshot(table.id, table.version, state)


def from_snapshot(catalogue: Catalogue, snapshot: Snapshot) -> Table | None:
    """The table of a snapshot; None when it was made by another form or version of a plugin.

    Errors: PluginMissing.
    """
    state = snapshot.state
    if state.get("form") != FORM:
        return None
    opening = unpack(state["opening"], TableCreated)
    if state["plugins"] != _plugins(catalogue.game(opening.game), catalogue.mode(opening.mode)):
        return None
    table = created(catalogue, snapshot.table, opening, state["created_at"])
    return table.having(
        played_with=tuple(state["played_with"]),
        version=snapshot.version,
        updated_at=unpack(state["updated_at"], datetime),
        status=Status(state["status"]),
        host=state["host"],
        seats=unpack(state["seats"], tuple[Place, ...]),
        run=unpack(state["run"], table.mode.Run),
        round=_round(table.game, state["round"]),
        staged=_round(table.game, state["staged"]),
        carry=unpack(state["carry"], table.game.Carry | None),
        scores=tuple(state["scores"]),
        shuffles=unpack(state["shuffles"], tuple[Shuffle, ...]),
        over_reason=state["over_reason"],
        paused_until=state["paused_until"],
        clocks=tuple(state["clocks"]),
        rematch=state["rematch"],
        barred=frozenset(state["barred"]),
        local_names=tuple(state["local_names"]),
        host_plays=state["host_plays"],
    )


def _plugins(*parts: Game[Any, Any] | Mode[Any]) -> list[str]:
    return [f"{part.id} {part.version}" for part in parts]


def _round(game: Game[Any, Any], document: dict[str, Any] | None) -> Round | None:
    if document is None:
        return None
    outcome = document["outcome"]
    return Round(
        document["number"],
        unpack(document["state"], game.State),
        None if outcome is None else unpack(outcome, Outcome),
    )
