"""Whether the log of a table, as it is stored, gives the table back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fliptable.codec import EventCodec
from fliptable.events import Commit
from fliptable.evolve import Catalogue, fold
from fliptable.rules import Private
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Table


def log_complaints(
    catalogue: Catalogue, codec: EventCodec, commits: Sequence[Commit], table: Table
) -> Iterator[str]:
    """What of a table does not survive its storage: its events, the fold over them, or a snapshot."""
    stored = []
    for commit in commits:
        events = []
        for event in commit.events:
            again = codec.unpack(codec.pack(event))
            if again != event:
                yield f"{event} is {again} after storage"
            yield from _sentence(event, table.names)
            events.append(again)
        stored.append(replace(commit, events=tuple(events)))
    snapshot = to_snapshot(table)
    folded = fold(catalogue, stored)
    if folded is None or to_snapshot(folded) != snapshot:
        yield "the fold over the stored log is not the table that was reached"
    restored = from_snapshot(catalogue, snapshot)
    if restored is None or to_snapshot(restored) != snapshot:
        yield "the table does not survive a snapshot"


def _sentence(event: Any, names: Sequence[str]) -> Iterator[str]:
    for one in (event.event, event.public) if isinstance(event, Private) else (event,):
        if one is not None:
            text = one.text(names)
            if not text.strip() or "\n" in text:
                yield f"the sentence of {one} is {text!r}"
