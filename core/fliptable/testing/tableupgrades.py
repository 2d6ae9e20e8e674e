"""Two versions of a game or mode: what the old one has stored is read by the new one, as a server does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from fliptable import projection
from fliptable.codec import UnknownEvent
from fliptable.commits import from_document, to_document
from fliptable.evolve import fold
from fliptable.migrations import OtherVersion
from fliptable.modes import Mode
from fliptable.plugins import Registry
from fliptable.rules import Game
from fliptable.snapshot import to_snapshot
from fliptable.table import Table
from fliptable.testing.actions import Play, TableAction
from fliptable.testing.broken import Broken, raised
from fliptable.testing.differences import difference
from fliptable.testing.literals import shown
from fliptable.testing.tableplay import TablePlay, TableSetting
from fliptable.testing.termupgrades import all_terms, read_terms

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
    others: tuple[Any, Any] | None = None
    """Both versions of what it is played with, a mode or a game, where that changes too."""

    @property
    def pairs(self) -> Sequence[tuple[Any, Any]]:
        """All that changes, each with the old and the new version."""
        return [(self.old, self.new), *([] if self.others is None else [self.others])]

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
        for old, new in self.pairs if known == 0 else ():
            if isinstance(old, Game):
                yield from all_terms(old, new)
        yield from self._read(play, documents, known)
        yield from self._goes_on(play, documents, steps)

    def _read(self, play: TablePlay, documents: Sequence[dict[str, Any]], known: int) -> Iterator[Broken]:
        for document in documents[known:]:
            for event in document["e"]:
                if event["@"] == "table/RoundDealt":
                    for old, new in self.pairs:
                        if isinstance(old, Game):
                            yield from read_terms(old, new, event["terms"])
                else:
                    yield from self._unpacked(event)
        table = _fold(self.registry, documents)
        yield from self._told(play, table)
        yield from _meaning(play.table, table)

    def _unpacked(self, event: dict[str, Any]) -> Iterator[Broken]:
        event = event["event"] if event["@"] == "private" else event
        opening = event["@"] == "table/TableCreated"
        owner, _, kind = event["@"].partition("/")
        concerned = [one for one in self.pairs if opening or owner == _owner(one[1])]
        try:
            self.registry.codec.unpack(event)
        except UnknownEvent:
            old, new = concerned[0] if concerned else self.pairs[0]
            names = ", ".join(one.__name__ for one in new.events)
            yield Broken(
                "readable",
                f"{_said(old, kind, event)} is no event of {new.version}, which has {names}: events are "
                f"found by the names of their classes, so {kind} has to stay among them",
            )
        except ValueError as error:
            cause = error.__cause__ or error
            part = error.part if isinstance(error, OtherVersion) else ""
            old, _ = next((one for one in concerned if part == _part(one[0])), self.pairs[0])
            told = f"{_said(old, kind, event)} cannot be read: {type(cause).__name__}: {cause}"
            yield Broken("readable", told)
        for old, new in concerned:
            yield from _pure(old, new, *_stored(old, kind, event))

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


def _owner(part: Any) -> str:
    return f"mode:{part.id}" if isinstance(part, Mode) else str(part.id)


def _part(part: Any) -> str:
    return f"{'mode' if isinstance(part, Mode) else 'game'} {part.id!r}"


def _stored(part: Any, kind: str, event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What is stored of a part with an event, and of which kind it is: the opening has the options."""
    if event["@"] == "table/TableCreated":
        return "Options", event[f"{'mode' if isinstance(part, Mode) else 'game'}_options"]
    return kind, {key: value for key, value in event.items() if key not in ("@", "@v")}


def _said(old: Any, kind: str, event: dict[str, Any]) -> str:
    name, stored = _stored(old, kind, event)
    return f"what {old.version} has stored as {name}, {shown(stored)},"


def _pure(old: Any, new: Any, kind: str, stored: dict[str, Any]) -> Iterator[Broken]:
    given = deepcopy(stored)
    first = new.migrate(kind, given, old.version)
    changed = difference(stored, given, kind, "and after it was asked")
    if changed is not None:
        yield Broken(
            "purity", f"`migrate` changes what it is given, so copy it, {{**document, …}}: {changed}"
        )
    again = new.migrate(kind, deepcopy(stored), old.version)
    changed = difference(first, again, kind, "and, asked again,")
    if changed is not None:
        yield Broken("purity", f"`migrate` gives another answer each time: {changed}")


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
