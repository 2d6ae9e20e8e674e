"""A solo table whose decks and clock are laid down beforehand, without a server around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from fliptable.chance import StackedChance
from fliptable.deadlines import tick
from fliptable.decide import Decision, play
from fliptable.events import Commit, Visibility
from fliptable.evolve import fold
from fliptable.lobby import leave
from fliptable.opening import Opening, open_table
from fliptable.plugins import Registry
from fliptable.projection import view_round, view_run
from fliptable.records import RoundRecord, records_of
from fliptable.rules import Context, Refusal
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Status, Table

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
HOST = "ply_ann"

WIN = "10C JC QC"  # 30 is hit with the third card
BUST = "9C 10D JD KC"  # 29, then over 30 with the fourth


class Solo:
    """One player at one table. Refusals come back as values; what is accepted is kept in ``log``."""

    def __init__(self, registry: Registry, mode: str, options: Any, now: datetime, more: dict[str, Any]):
        self.registry = registry
        self.now = now
        self.log: list[Commit] = []
        part = registry.mode(mode)
        opening: dict[str, Any] = {
            "id": "tbl_1",
            "code": "ABCDEF",
            "secret": b"secret",
            "game": "call-it",
            "mode": mode,
            "game_options": registry.game("call-it").Options(),
            "mode_options": part.Options() if options is None else options,
            "seats": 1,
            "local_seats": (),
            "visibility": Visibility.UNLISTED,
            "host": HOST,
            "host_name": "Ann",
        }
        opening = {**opening, **more}
        decision = open_table(registry, Opening(**opening), now, b"shared")
        self.table: Table = decision.table
        self._keep(decision)

    def _keep(self, decision: Decision) -> None:
        commit = Commit(self.table.id, len(self.log) + 1, decision.now, tuple(decision.events))
        self.log.append(commit)
        self.table = decision.table.having(version=commit.version, updated_at=commit.at)

    def _do(self, command: Callable[[Decision], Refusal | None]) -> Refusal | None:
        decision = Decision(self.table, self.now, b"shared")
        refusal = command(decision)
        if refusal is not None:
            assert decision.events == []
            return refusal
        self._keep(decision)
        return None

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def tick(self) -> bool:
        """Apply a deadline that has come, as of its own time."""
        due = self.table.deadline()
        if due is None or due > self.now:
            return False
        decision = Decision(self.table, due, b"shared")
        happened = tick(decision)
        if happened:
            self._keep(decision)
        return happened

    def move(self, name: str, **fields: Any) -> Refusal | None:
        kinds = {kind.__name__: kind for kind in self.table.game.moves}
        return self._do(lambda decision: play(decision, 0, kinds[name](**fields)))

    def call(self, target: int) -> Refusal | None:
        return self.move("Call", target=target)

    def flip(self, times: int = 1) -> Refusal | None:
        for _ in range(times):
            refusal = self.move("Flip")
            if refusal is not None:
                return refusal
        return None

    def leave(self) -> Refusal | None:
        return self._do(lambda decision: leave(decision, HOST))

    def round(self, target: int = 30) -> None:
        """Play a whole round with the deck as it lies."""
        assert self.call(target) is None
        number = self.table.round.number if self.table.round else 0
        while self.table.round.number == number and self.table.round.outcome is None:
            assert self.flip() is None

    @property
    def run(self) -> Any:
        return view_run(self.table, frozenset((0,)))

    @property
    def hand(self) -> Any:
        return view_round(self.table, self.table.round, frozenset((0,))).hands[0]

    @property
    def over(self) -> str | None:
        assert (self.table.status is Status.OVER) == (self.table.over_reason is not None)
        return self.table.over_reason

    @property
    def events(self) -> list[Any]:
        return [event for commit in self.log for event in commit.events]

    def named(self, name: str) -> list[Any]:
        """The events of that class name, in order."""
        return [event for event in self.events if type(event).__name__ == name]

    @property
    def records(self) -> list[RoundRecord]:
        """What the log adds to the records."""
        found, before = [], None
        for commit in self.log:
            after = fold(self.registry, [commit], before)
            assert after is not None
            found.append(records_of(before, commit, after))
            before = after
        return [record for record in found if record is not None]

    @property
    def scores(self) -> list[tuple[str, int]]:
        """The scores among them, as the name of the metric and the value."""
        return [(score.metric.name, score.value) for record in self.records for score in record.scores]

    def check_storage(self) -> None:
        """The log alone, as documents, gives the same table; so does a snapshot of it."""
        codec = self.registry.codec
        stored = [
            Commit(one.table, one.version, one.at, tuple(codec.unpack(codec.pack(e)) for e in one.events))
            for one in self.log
        ]
        assert fold(self.registry, stored) == self.table
        assert from_snapshot(self.registry, to_snapshot(self.table)) == self.table


Open = Callable[..., Solo]


@pytest.fixture
def solo(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open a table in a mode, with the decks of its rounds to come; without decks they are fair."""
    opened: list[Solo] = []

    def open_solo(
        mode: str, decks: Sequence[str] | None = None, options: Any = None, now: datetime = NOON, **more: Any
    ) -> Solo:
        if decks is not None:
            stacks = [deck.split() for deck in decks]

            def context(decision: Decision, deck: str | None = None) -> Context:
                used = len(decision.table.shuffles)
                mine = [stacks[used]] if used < len(stacks) else []
                return Context(decision.now, StackedChance(*mine, used=used))

            monkeypatch.setattr(Decision, "context", context)
        opened.append(Solo(more.pop("registry", registry), mode, options, now, more))
        return opened[-1]

    yield open_solo
    for one in opened:
        one.check_storage()
