"""Two versions of a game or mode: what the old one has stored is read by the new one, as a server does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, fields
from random import Random
from typing import Any

from fliptable import projection
from fliptable.codec import UnknownEvent
from fliptable.commits import from_document, to_document
from fliptable.evolve import fold
from fliptable.migrations import OtherVersion
from fliptable.modes import Mode
from fliptable.plugins import Registry
from fliptable.snapshot import to_snapshot
from fliptable.table import Table
from fliptable.terms import stored_terms
from fliptable.testing.actions import Play, TableAction
from fliptable.testing.broken import Broken, raised
from fliptable.testing.differences import difference
from fliptable.testing.literals import shown
from fliptable.testing.tableplay import TablePlay, TableSetting

_LIKELY: Mapping[str, Any] = {"waits": (1, 30), "waiting": 0.1, "leaving": 0.02, "dropping": 0.02}
_BRIEFLY = 2
"""So many actions the new version goes on for after each of the old one's; at last it goes on for long."""


@dataclass(frozen=True)
class Upgrade:
    """A table of the old version, and what reads it."""

    old: Any
    new: Any
    where: TableSetting
    registry: Registry
    """With the new version."""
    steps: int

    def hold(self) -> Iterator[tuple[Broken, Sequence[TableAction]]]:
        """Play with the old version; what is broken after which actions."""
        play: TablePlay | None = None
        try:
            random = Random(f"{self.old.id} {self.where.seats} {self.where.seed}")
            play = self.where.open()
            known = 0
            for step in range(self.steps + 1):
                last = play.over or step == self.steps
                for broken in self.look(play, known, self.steps if last else _BRIEFLY):
                    yield broken, play.actions
                known = len(play.script.commits)
                if last:
                    return
                play.take(play.draw(random, **_LIKELY))
        except BaseException as error:
            yield raised(error, self.new, self.old), [] if play is None else play.actions

    def look(self, play: TablePlay, known: int, steps: int) -> Iterator[Broken]:
        """What is broken by reading a table, of which ``known`` commits were read, and by going on."""
        pack = self.where.registry.codec
        documents = [to_document(pack, commit) for commit in play.script.commits]
        yield from self._read(play, documents, known)
        yield from self._goes_on(play, documents, steps)

    def _read(self, play: TablePlay, documents: Sequence[dict[str, Any]], known: int) -> Iterator[Broken]:
        for document in documents[known:]:
            for event in document["e"]:
                if event["@"] == "table/RoundDealt":
                    yield from self._terms(event["terms"])
                else:
                    yield from self._unpacked(event)
        table = _fold(self.registry, documents)
        yield from self._told(play, table)
        yield from _meaning(play.table, table)

    def _unpacked(self, event: dict[str, Any]) -> Iterator[Broken]:
        event = event["event"] if event["@"] == "private" else event
        kind, stored = self._stored(event)
        said = f"what {self.old.version} has stored as {kind}, {shown(stored)},"
        try:
            self.registry.codec.unpack(event)
        except UnknownEvent:
            names = ", ".join(one.__name__ for one in self.new.events)
            yield Broken(
                "readable",
                f"{said} is no event of {self.new.version}, which has {names}: events are found by the names "
                f"of their classes, so {kind} has to stay among them",
            )
        except ValueError as error:
            cause = error.__cause__ or error
            yield Broken("readable", f"{said} cannot be read: {type(cause).__name__}: {cause}")
        if event["@"].startswith((f"{_owner(self.new)}/", "table/TableCreated")):
            given = deepcopy(stored)
            first = self.new.migrate(kind, given, self.old.version)
            changed = difference(stored, given, kind, "and after it was asked")
            if changed is not None:
                told = f"`migrate` changes what it is given, so copy it, {{**document, …}}: {changed}"
                yield Broken("purity", told)
            again = self.new.migrate(kind, deepcopy(stored), self.old.version)
            changed = difference(first, again, kind, "and, asked again,")
            if changed is not None:
                yield Broken("purity", f"`migrate` gives another answer each time: {changed}")

    def _terms(self, stored: Mapping[str, Any]) -> Iterator[Broken]:
        known = {name: value for name, value in stored.items() if name in _names(self.old.Terms)}
        if isinstance(self.new, Mode) or not known:
            return
        said = f"what {self.old.version} has stored as Terms, {shown(known)},"
        try:
            stored_terms(self.new, stored, self.old.version)
        except OtherVersion as error:
            cause = error.__cause__ or error
            yield Broken("readable", f"{said} cannot be read: {type(cause).__name__}: {cause}")
        lost = known.keys() & self.new.migrate("Terms", dict(stored), self.old.version).keys()
        lost -= _names(self.new.Terms)
        if lost:
            told = f"{said} has lost {min(lost)!r}: {self.new.version} has no such term"
            yield Broken("readable", f"{told}, and `migrate` leaves it as it was")

    def _stored(self, event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        if event["@"] == "table/TableCreated":
            part = "mode" if isinstance(self.new, Mode) else "game"
            return "Options", event[f"{part}_options"]
        return event["@"].partition("/")[2], {
            key: value for key, value in event.items() if key not in ("@", "@v")
        }

    def _told(self, play: TablePlay, table: Table) -> Iterator[Broken]:
        nobody = frozenset[int]()
        before = projection.seen_events(play.script.events, nobody, play.table.open_rounds())
        codec = play.script.catalogue.codec
        again = [self.registry.codec.unpack(codec.pack(event)) for event in play.script.events]
        after = projection.seen_events(again, nobody, table.open_rounds())
        if len(before) != len(after):
            yield Broken("events", f"everybody is told {len(before)} events, and now {len(after)}")
        for event in after:
            text = event.text(table.names)
            if not text.strip() or "\n" in text:
                yield Broken("events", f"the sentence of {shown(event)} is {text!r}")

    def _goes_on(self, old: TablePlay, documents: Sequence[dict[str, Any]], steps: int) -> Iterator[Broken]:
        script = copy(old.script)
        script.clock = copy(script.clock)
        script.catalogue = self.registry
        script.commits = [from_document(self.registry.codec, one) for one in documents]
        script.table = script.refold()
        play = TablePlay(script, self.where)
        random = Random(len(documents))
        for _ in range(steps):
            if play.over:
                break
            action = play.draw(random, **_LIKELY)
            refusal = play.take(action)
            if refusal is not None and isinstance(action, Play):
                told = f"{refusal.code}: {refusal.message}"
                yield Broken("goes on", f"{self.new.version} refuses its own legal move {action}: {told}")
                return
        later = script.commits[len(documents) :]
        whole = [*documents, *[to_document(self.registry.codec, commit) for commit in later]]
        changed = difference(
            to_snapshot(script.table).state,
            to_snapshot(_fold(self.registry, whole)).state,
            "",
            "and, read again,",
        )
        if changed is not None:
            yield Broken(
                "goes on", f"the table that {self.new.version} goes on with is not read again: {changed}"
            )


def _names(kind: type) -> frozenset[str]:
    return frozenset([field.name for field in fields(kind)])


def _owner(part: Any) -> str:
    return f"mode:{part.id}" if isinstance(part, Mode) else str(part.id)


def _fold(registry: Registry, documents: Iterable[dict[str, Any]]) -> Table:
    table = fold(registry, [from_document(registry.codec, one) for one in documents])
    assert table is not None
    return table


def _meaning(old: Table, new: Table) -> Iterator[Broken]:
    told = difference(_standing(old), _standing(new), "", "and in the new version")
    if told is not None:
        yield Broken("meaning", told)


def _standing(table: Table) -> dict[str, Any]:
    current = table.playable or table.round
    outcome = None if current is None else table.game.outcome(current.state)
    ends = None if outcome is None else [(one.result.name, one.points) for one in outcome.seats]
    return {
        "to_act": projection.to_act(table),
        "outcome": ends,
        "mode.over": table.mode.over(table.run),
        "mode.deadline": table.mode.deadline(table.run),
    }
