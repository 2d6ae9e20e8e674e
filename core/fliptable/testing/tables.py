"""A whole table in memory: scripted play through the same decisions as the server's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from random import Random
from typing import Any

from fliptable import attendance, deadlines, decide, lobby
from fliptable.challenges import Challenge
from fliptable.chance import StackedChance
from fliptable.decide import Decision
from fliptable.events import Commit
from fliptable.evolve import stamped
from fliptable.house import HouseRules, Visibility
from fliptable.opening import Opening, open_table
from fliptable.plugins import Registry
from fliptable.rules import Context, Refusal, Seat
from fliptable.table import Status, Table
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play, Return
from fliptable.testing.broken import ANSWERS, LawBroken
from fliptable.testing.clock import FakeClock
from fliptable.testing.following import MOST_MOVES, Policy, any_move
from fliptable.testing.reading import TableReading


class TableScript(TableReading):
    """A table that a test plays request by request. ``commits`` is its log, ``table`` its state.

    Each entry of ``players`` is a player, by name, who has taken a seat; the first one opens the
    table. Their ids are their names in lower case, and a player is taken by the name too. With ``chance``
    the decks are stacked.
    """

    def __init__(
        self,
        catalogue: Registry,
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
        id: str = "tbl_script",
    ) -> None:
        """Opens the table, lets everybody sit down, and starts it when all seats are taken.

        Errors: OpeningRefused when the mode does not open such a table.
        """
        self.catalogue = catalogue
        self.clock: FakeClock = clock or FakeClock()
        self.commits: list[Commit] = []
        self._chance = chance
        self._shared_secret = shared_secret
        host = players[0].lower()
        wanted = len(players) + len(local_seats) if seats is None else seats
        opening = Opening(
            id=id,
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
        who = self._known(player or self.table.host)
        self.do(who, lambda decision: lobby.start(decision, who))

    def play(self, seat: Seat, *moves: Any) -> None:
        """Play moves of a seat. Errors: AssertionError when one is refused."""
        for move in moves:
            self.do(None, partial(decide.play, seat=seat, move=move))

    def next_round(self, player: str | None = None) -> None:
        """Ask for the next round. Errors: AssertionError when that is refused."""
        who = self._known(player or self.table.host)
        self.do(who, lambda decision: decide.next_round(decision, who))

    def leave(self, player: str) -> None:
        """Let a player leave. Errors: AssertionError when that is refused."""
        who = self._known(player)
        self.do(who, lambda decision: lobby.leave(decision, who))

    def hand_over(self, player: str, seat: Seat) -> None:
        """Let the host make another seat's player the host. Errors: AssertionError when that is refused."""
        who = self._known(player)
        self.do(who, lambda decision: lobby.hand_over(decision, who, seat))

    def disconnect(self, player: str) -> None:
        """Let a player's connection go, for longer than the grace period."""
        self._let(lambda decision: attendance.disconnected(decision, self._known(player)))

    def reconnect(self, player: str) -> None:
        """Let a player be there again."""
        self._let(lambda decision: attendance.reconnected(decision, self._known(player)))

    def _known(self, player: str) -> str:
        """The id of a player who is named by it, or by name."""
        ids = {self.table.host, *[place.player for place in self.table.seats]}
        return player if player in ids else player.lower()

    def _let(self, happen: Callable[[Decision], None]) -> None:
        def command(decision: Decision) -> None:
            happen(decision)

        self.attempt(None, command)

    def hold_deadline(self) -> None:
        """See that the mode's deadline is a time that can be compared. Errors: AssertionError."""
        table = self.table
        due = table.mode.deadline(table.run) if table.status is Status.PLAYING else None
        if due is not None and due.tzinfo is None:
            told = f"deadline of the mode {table.mode.id!r} gives {due!r}, which is in no zone"
            raise LawBroken(ANSWERS, f"{told}; it has to be in UTC")

    def tick(self) -> bool:
        """Apply the deadlines that have come by the clock; whether there was one.

        Errors: AssertionError when the mode gives one that is in no zone.
        """
        self.hold_deadline()
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

    def preview(self, seat: Seat, move: Any) -> list[Any]:
        """What a move would lead to now, without playing it. Errors: AssertionError when it is refused."""
        before = deepcopy(self._chance)
        decision = self._decision_type()(self.table, self.clock(), self._shared_secret)
        refusal = decide.play(decision, seat, move)
        self._chance = before
        assert refusal is None, f"{refusal.code}: {refusal.message}"
        return decision.events

    def play_on(self, random: Random, policy: Policy = any_move, *, moves: int = MOST_MOVES) -> None:
        """Play legal moves, and ask for next rounds, until the table is over, or so many moves.

        Errors: AssertionError when something is refused or nobody can move.
        """
        while self.table.status is Status.PLAYING and moves:
            if self.table.playable is None:
                self.next_round()
                continue
            seats = [seat for seat in self.to_act if self.legal_moves(seat)]
            assert seats, "the table goes on, and nobody has a legal move"
            seat = random.choice(seats)
            view = self.table.game.view(self.state, frozenset({seat}))
            self.play(seat, policy(view, seat, self.legal_moves(seat), random))
            moves -= 1

    def take(self, action: Action, said: str = "") -> Sequence[Any]:
        """Let an action happen; its events. Errors: AssertionError when it is refused.

        A seat that leaves, is away or is back is its player; one that is out of time has the clock go
        on until it is.
        """
        known = len(self.commits)
        if isinstance(action, Play):
            self.play(action.seat, action.move)
        elif isinstance(action, NextRound):
            self.next_round()
        elif isinstance(action, Expire):
            ends = dict(self.table.turn_ends())
            assert action.seat in ends, f"no time runs for seat {action.seat}"
            self.clock.set(ends[action.seat])
            self.tick()
        else:
            player = self.table.seats[action.seat].player
            assert player is not None, f"nobody sits at seat {action.seat}"
            ways = {Leave: self.leave, Drop: self.disconnect, Return: self.reconnect}
            ways[type(action)](player)
        return [event for commit in self.commits[known:] for event in commit.events]

    def refused_action(self, action: Action) -> Refusal:
        """The refusal of an action, which has to be a move or the wish for the next round."""
        if isinstance(action, Play):
            return self.refused_move(action.seat, action.move)
        assert isinstance(action, NextRound), f"{action} cannot be refused"
        return self.refused(lambda decision: decide.next_round(decision, self.table.host))

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
        commit = Commit(decision.table.id, version, decision.now, tuple(decision.events), actor)
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
