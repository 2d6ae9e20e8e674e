"""A whole table in memory: scripted play through the same decisions as the server's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from fliptable import attendance, deadlines, decide, lobby
from fliptable.challenges import Challenge
from fliptable.chance import StackedChance
from fliptable.decide import Decision
from fliptable.events import Commit, HouseRules, Visibility
from fliptable.evolve import Catalogue, fold, stamped
from fliptable.opening import Opening, open_table
from fliptable.rules import Context, Refusal, Seat, Viewer
from fliptable.table import Table
from fliptable.testing.clock import FakeClock


class TableScript:
    """A table that a test plays request by request. ``commits`` is its log, ``table`` its state.

    Each entry of ``players`` is a player, by name, who has taken a seat; the first one opens the
    table. Their ids are their names in lower case. With ``chance`` the decks are stacked.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        game: str,
        mode: str = "classic",
        *,
        players: Sequence[str] = ("Ann",),
        local_seats: Sequence[str] = (),
        seats: int | None = None,
        game_options: Any = None,
        mode_options: Any = None,
        challenge: Challenge | None = None,
        chance: StackedChance | None = None,
        secret: bytes = bytes(32),
        shared_secret: bytes = bytes(32),
        clock: FakeClock | None = None,
        house: HouseRules | None = None,
    ) -> None:
        """Opens the table, lets everybody sit down, and starts it when all seats are taken."""
        self.catalogue = catalogue
        self.clock = clock or FakeClock()
        self.commits: list[Commit] = []
        self._chance = chance
        self._shared_secret = shared_secret
        host = players[0].lower()
        wanted = len(players) + len(local_seats) if seats is None else seats
        opening = Opening(
            id="tbl_script",
            code="SCRIPT",
            secret=secret,
            game=game,
            mode=mode,
            game_options=catalogue.game(game).Options() if game_options is None else game_options,
            mode_options=catalogue.mode(mode).Options() if mode_options is None else mode_options,
            seats=wanted,
            local_seats=tuple(local_seats),
            visibility=Visibility.PUBLIC,
            host=host,
            host_name=players[0],
            challenge=challenge,
            house=house or HouseRules(),
        )
        decision = open_table(catalogue, opening, self.clock(), shared_secret, kind=self._decision_type())
        self.table: Table = self._commit(decision, host)
        for name in players[1:]:
            self.join(name)
        if len(players) > 1 and all(place.held for place in self.table.seats):
            self.start()

    def join(self, name: str) -> None:
        """Let a player sit down. Errors: AssertionError when that is refused."""
        self.do(name.lower(), lambda decision: lobby.join(decision, name.lower(), name))

    def start(self, player: str | None = None) -> None:
        """Start the session, as the host or somebody else. Errors: AssertionError when refused."""
        who = player or self.table.host
        self.do(who, lambda decision: lobby.start(decision, who))

    def play(self, seat: Seat, *moves: Any) -> None:
        """Play moves of a seat. Errors: AssertionError when one is refused."""
        for move in moves:
            self.do(None, partial(decide.play, seat=seat, move=move))

    def next_round(self, player: str | None = None) -> None:
        """Ask for the next round. Errors: AssertionError when that is refused."""
        who = player or self.table.host
        self.do(who, lambda decision: decide.next_round(decision, who))

    def leave(self, player: str) -> None:
        """Let a player leave. Errors: AssertionError when that is refused."""
        self.do(player, lambda decision: lobby.leave(decision, player))

    def disconnect(self, player: str) -> None:
        """Let a player's connection go, for longer than the grace period."""
        self._let(lambda decision: attendance.disconnected(decision, player))

    def reconnect(self, player: str) -> None:
        """Let a player be there again."""
        self._let(lambda decision: attendance.reconnected(decision, player))

    def _let(self, happen: Callable[[Decision], None]) -> None:
        def command(decision: Decision) -> None:
            happen(decision)

        self.attempt(None, command)

    def tick(self) -> bool:
        """Apply the deadlines that have come by the clock; whether there was one."""
        ticked = False
        while (due := self.table.deadline()) is not None and due <= self.clock():
            decision = self._decision_type()(self.table, due, self._shared_secret)
            if not deadlines.tick(decision):
                break
            ticked = True
            self._commit(decision, None)
        return ticked

    def do(self, actor: str | None, command: Callable[[Decision], Refusal | None]) -> None:
        """Carry out a request. Errors: AssertionError with the refusal."""
        refusal = self.attempt(actor, command)
        assert refusal is None, f"{refusal.code}: {refusal.message}"

    def refused(self, command: Callable[[Decision], Refusal | None]) -> Refusal:
        """The refusal of a request. Errors: AssertionError when it is granted."""
        refusal = self.attempt(None, command)
        assert refusal is not None, "the request was granted"
        return refusal

    def refused_move(self, seat: Seat, move: Any) -> Refusal:
        """The refusal of a move. Errors: AssertionError when it is accepted."""
        return self.refused(lambda decision: decide.play(decision, seat, move))

    @property
    def events(self) -> list[Any]:
        """Everything that happened, in order."""
        return [event for commit in self.commits for event in commit.events]

    def viewer(self, player: str) -> Viewer:
        """The seats that a player sees for."""
        return self.table.viewer(player)

    def refold(self) -> Table:
        """The table that the log alone gives."""
        table = fold(self.catalogue, self.commits)
        assert table is not None
        return table

    def attempt(self, actor: str | None, command: Callable[[Decision], Refusal | None]) -> Refusal | None:
        """Carry out a request; the refusal if it is refused."""
        before = deepcopy(self._chance)
        decision = self._decision_type()(self.table, self.clock(), self._shared_secret)
        refusal = command(decision)
        if refusal is not None:
            self._chance = before
            return refusal
        if decision.events:
            self.table = self._commit(decision, actor)
        return None

    def _commit(self, decision: Decision, actor: str | None) -> Table:
        version = len(self.commits) + 1
        commit = Commit("tbl_script", version, decision.now, tuple(decision.events), actor)
        before = self.table if self.commits else None
        self.commits.append(commit)
        self.table = stamped(before, decision.table, commit)
        return self.table

    def _decision_type(self) -> type[Decision]:
        script = self

        class StackedDecision(Decision):
            def context(self, deck: str | None = None) -> Context:
                if script._chance is None:
                    return super().context(deck)
                script._chance.used = len(self.table.shuffles)
                return Context(self.now, script._chance)

        return StackedDecision
