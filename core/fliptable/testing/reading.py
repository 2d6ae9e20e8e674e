"""What a test may ask of a scripted table: what is seen at it, what is recorded, whether it can be stored."""

from __future__ import annotations

from typing import Any

from fliptable import projection
from fliptable.chance import Shuffled
from fliptable.events import Commit, RoundOver
from fliptable.evolve import fold
from fliptable.plugins import Registry
from fliptable.projection import Prompt
from fliptable.records import RoundRecord, records_of
from fliptable.rules import Game, MoveRange, Outcome, Seat, Viewer
from fliptable.shuffle import verify
from fliptable.table import Table
from fliptable.testing.clock import FakeClock
from fliptable.testing.following import Following
from fliptable.testing.persistence import log_complaints


class TableReading(Following):
    """A table and its log."""

    catalogue: Registry
    clock: FakeClock
    table: Table
    commits: list[Commit]
    _shared_secret: bytes

    @property
    def played(self) -> Game[Any, Any]:
        """The game that is played."""
        return self.table.game

    @property
    def events(self) -> list[Any]:
        """Everything that happened, in order."""
        return [event for commit in self.commits for event in commit.events]

    @property
    def state(self) -> Any:
        """The state of the round that a move would go to, or of the last one."""
        current = self.table.playable or self.table.round
        assert current is not None, "no round was dealt"
        return current.state

    @property
    def to_act(self) -> list[Seat]:
        """The seats that may move now, in order."""
        return projection.to_act(self.table)

    @property
    def outcomes(self) -> list[Outcome]:
        """How the rounds ended that are over, as the mode has judged them."""
        return [event.outcome for event in self.of(RoundOver)]

    @property
    def over(self) -> str | None:
        """Why the table is over; None while it is not."""
        return self.table.over_reason

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the seats so far."""
        return self.table.scores

    @property
    def prompt(self) -> Prompt | None:
        """What whoever runs the table should ask next."""
        return projection.prompt(self.table)

    def viewer(self, player: str) -> Viewer:
        """The seats that a player sees for."""
        return self.table.viewer(player)

    def legal_moves(self, seat: Seat) -> list[Any | MoveRange]:
        """What the seat could play now, as far as the mode allows it."""
        return [
            MoveRange(one.move, one.fields) if one.fields else one.move
            for one in projection.legal_moves(self.table, frozenset({seat}))
        ]

    def view(self, *seats: Seat) -> Any:
        """The running or the last round as somebody at these seats sees it; a spectator without any."""
        assert self.table.round is not None, "no round has begun"
        return projection.view_round(self.table, self.table.round, frozenset(seats))

    def run(self, *seats: Seat) -> Any:
        """The run, as the mode shows it to somebody at these seats or to a spectator."""
        return projection.view_run(self.table, frozenset(seats))

    def seen(self, *seats: Seat) -> list[Any]:
        """What somebody at these seats, or a spectator, is told of what happened."""
        return projection.seen_events(self.events, frozenset(seats), self.table.open_rounds())

    @property
    def said(self) -> list[str]:
        """What happened in sentences, as everybody may read them."""
        return [event.text(self.table.names) for event in self.seen()]

    def seed(self, number: int = 1) -> str | None:
        """The seed of a shuffle in hex, if anybody may know it now by the clock."""
        shuffle = self.table.shuffles[number - 1]
        return projection.seed_of(shuffle, self._shared_secret, self.clock())

    @property
    def records(self) -> list[RoundRecord]:
        """What the table adds to the records, commit by commit."""
        found, before = [], None
        for commit in self.commits:
            after = fold(self.catalogue, [commit], before)
            assert after is not None
            record = records_of(before, commit, after)
            found += [] if record is None else [record]
            before = after
        return found

    @property
    def entered(self) -> list[tuple[str, int]]:
        """The scores that it enters there, each the name of a metric and a value."""
        return [(score.metric.name, score.value) for record in self.records for score in record.scores]

    def refold(self, catalogue: Registry | None = None) -> Table:
        """The table that the log alone gives. Errors: PluginMissing, where the catalogue lacks a plugin."""
        table = fold(catalogue or self.catalogue, self.commits)
        assert table is not None
        return table

    def check_log(self) -> None:
        """Hold what a server relies on: the stored log gives the table, and so does a snapshot of it.

        Errors: AssertionError says what does not survive.
        """
        complaints = log_complaints(self.catalogue, self.catalogue.codec, self.commits, self.table)
        complaint = next(complaints, None)
        assert complaint is None, complaint

    def check_seeds(self) -> None:
        """Hold that the seeds that are known by now give the orders that were committed to.

        Errors: AssertionError names the shuffle.
        """
        for number, event in enumerate(self.of(Shuffled), start=1):
            seed = self.seed(number)
            if seed is not None:
                wrong = verify(bytes.fromhex(seed), event.commitment, event.cards, event.order)
                assert wrong is None, f"shuffle {number}: {wrong}"
