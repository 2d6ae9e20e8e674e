"""What may happen at a table: each request becomes events, or a refusal that says why not.

Pure: nothing here reads a clock, draws a random number or stores anything.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from fliptable.chance import FairChance, Shuffled
from fliptable.codec import pack
from fliptable.events import (
    RoundBegan,
    RoundDealt,
    RoundOver,
    SeedRevealed,
    TableOver,
    TablePaused,
    TableStarted,
    TableUpgraded,
)
from fliptable.evolve import evolve
from fliptable.modes import Claim
from fliptable.refusals import CODE
from fliptable.rules import Context, Game, Private, Refusal, Seat
from fliptable.shuffle import derive_seed
from fliptable.table import SHARED, Status, Table
from fliptable.terms import known_terms

ABANDONED = "ABANDONED"
"""Why a table is over that everybody has left, whatever its mode would say of the round they left."""
NOT_ENOUGH_PLAYERS = "NOT_ENOUGH_PLAYERS"
"""Why a table is over that has waited for players for as long as it may, or would in vain."""
REASONS: Mapping[str, str] = MappingProxyType(
    {
        ABANDONED: "Everybody has left the table.",
        NOT_ENOUGH_PLAYERS: "The table has waited for players for as long as it may, or would wait in vain.",
    }
)
"""Why a table may be over whatever is played, besides the reasons of its mode."""


class BrokenPlugin(Exception):
    """A plugin broke the contract in a way that would harm its table; nothing was changed."""


class Decision:
    """The events decided so far and the table as they leave it."""

    def __init__(self, table: Table, now: datetime, shared_secret: bytes = b"") -> None:
        """``shared_secret`` is the server's, for decks that tables share."""
        self.table: Table = table
        self.now = now
        self.events: list[Any] = []
        self.claim: Claim | None = None
        self.deserted = False
        """Whether nobody is left at the table when all this has happened."""
        self.fault: Exception | None = None
        """What a plugin has raised where that could not stop what was asked."""
        self._shared_secret = shared_secret

    def emit(self, event: Any) -> None:
        """Add an event and apply it."""
        table = self.table
        if not self.events and table.played_with != table.loaded:
            # First of all, so that a worker with the earlier versions refuses the table from here on.
            upgraded = TableUpgraded(table.game.id, table.game.version, table.mode.id, table.mode.version)
            self.events.append(upgraded)
            self.table = evolve(table, upgraded)
        self.events.append(event)
        self.table = evolve(self.table, event)

    def begin_again(self, table: Table, fault: Exception) -> None:
        """Go on from the table as it was, without what a plugin has failed at."""
        self.table = table
        self.events.clear()
        self.fault = fault

    def emit_all(self, events: Sequence[Any], chance: Any, round: int) -> None:
        """Add a game's events.

        Errors: BrokenPlugin for one that it does not declare, and for a shuffle that is not announced.
        """
        game = self.table.game
        for event in events:
            if type(event) is Private:
                for one in (event.event, event.public):
                    if one is not None and type(one) not in game.events:
                        raise _undeclared("game", game, one)
                event = Private(event.event, event.to, event.public, round)
            elif type(event) is not Shuffled and type(event) not in game.events:
                raise _undeclared("game", game, event)
            self.emit(event)
        if chance.used != len(self.table.shuffles):
            raise BrokenPlugin(f"{self.table.game.id} shuffled without the Shuffled event among its events")

    def emit_of_mode(self, events: Sequence[Any]) -> None:
        """Add a mode's events. Errors: BrokenPlugin for one that it does not declare."""
        mode = self.table.mode
        for event in events:
            if type(event) not in mode.events:
                raise _undeclared("mode", mode, event)
            self.emit(event)

    def context(self, deck: str | None = None) -> Context:
        """Time and chance for the game."""
        table = self.table
        used = len(table.shuffles)
        if deck is None:
            return Context(self.now, FairChance(table.secret, used))
        return Context(self.now, FairChance(self._shared_secret, used, SHARED + deck))

    def start(self) -> None:
        """Begin the session with its first round."""
        self.emit(TableStarted())
        self.prepare_round()
        self.settle()
        self.wait_for_players()

    def prepare_round(self) -> None:
        """Set up the next round; it begins at once unless the game deals ahead."""
        table = self.table
        plan = table.mode.plan_for(table.run, self.now, table.present())
        number = table.round.number + 1 if table.round is not None else 1
        ahead = table.game.deals_ahead and table.round is not None
        ctx = self.context(plan.deck)
        draws = known_terms(table.game, plan.draws)
        drawn = {name: ctx.chance.number(name, span) for name, span in draws.items()}
        self.emit(RoundDealt(number, pack({**plan.terms, **drawn}), ahead))
        staged = self.table.staged
        assert staged is not None
        if not ahead:
            self.emit(RoundBegan(number))
        events = table.game.deal(staged.state, ctx)
        if plan.until is not None:
            events = [replace(one, until=plan.until) if type(one) is Shuffled else one for one in events]
        self.emit_all(events, ctx.chance, number)

    def forfeit(self, seats: Sequence[Seat]) -> None:
        """Let seats leave the round that is running or waits for its first move."""
        for seat in seats:
            current = self.table.playable
            if current is None or self.table.game.outcome(current.state) is not None:
                return
            ctx = self.context()
            events = self.table.game.leave(current.state, seat, ctx)
            self.emit_all(events, ctx.chance, current.number)

    def settle(self) -> None:
        """See whether the round, and with it the session, is over; reveal what may be revealed."""
        table = self.table
        ahead = table.staged
        if ahead is not None and ahead is table.playable and table.game.outcome(ahead.state) is not None:
            # Also a round that waits for its first move can end, when somebody leaves.
            self.emit(RoundBegan(ahead.number))
            table = self.table
        current = table.round
        if current is not None and current.outcome is None:
            outcome = table.game.outcome(current.state)
            if outcome is not None:
                view = table.game.view(current.state, frozenset())
                outcome = table.mode.judge(table.run, outcome, view)
                for one in outcome.seats:
                    if one.reason is not None and not _is_code(one.reason):
                        raise BrokenPlugin(f"a round is over for the reason {one.reason!r}, which is no code")
                self.emit(RoundOver(current.number, outcome))
                self.reveal()
                self.emit_of_mode(table.mode.round_over(self.table.run, outcome, self.now))
                if not self.end_if_over() and table.game.deals_ahead:
                    self.prepare_round()
                return
        self.reveal()
        self.end_if_over()

    def end_if_over(self) -> bool:
        """Close the table when its mode says that the session is over."""
        mode = self.table.mode
        reason = mode.over(self.table.run)
        if reason is not None and not _is_code(reason):
            raise BrokenPlugin(f"the mode {mode.id} is over for the reason {reason!r}, which is no code")
        if reason is None or self.table.status is Status.OVER:
            return False
        self.end(ABANDONED if self.deserted else reason)
        return True

    def wait_for_players(self) -> bool:
        """Let the table wait when fewer are there than its mode needs (call-it R6); whether it does.

        When so many have left for good that there will never be enough, it is over.
        """
        table = self.table
        if table.status not in (Status.PLAYING, Status.PAUSED):
            return False
        needed = table.mode.quorum(table.run)
        if sum(place.held for place in table.seats) < needed:
            self.end(NOT_ENOUGH_PLAYERS)
        elif table.status is Status.PLAYING and len(table.present()) < needed:
            self.emit(TablePaused(self.now + timedelta(seconds=table.opening.house.wait_seconds)))
        return self.table.status is not Status.PLAYING

    def end(self, reason: str) -> None:
        """Close the table and reveal every seed of its own."""
        self.emit(TableOver(reason))
        self.reveal(everything=True)

    def reveal(self, everything: bool = False) -> None:
        """Reveal the seeds of the shuffles that no longer hide anything that matters."""
        table = self.table
        sealed = [one for one in table.shuffles if one.seed is None and not one.shared]
        if not sealed:
            return
        hidden = () if everything else self._hidden()
        for one in sealed:
            if hidden is not None and one.number not in hidden:
                seed = derive_seed(table.secret, one.label)
                self.emit(SeedRevealed(one.number, seed.hex()))

    def _hidden(self) -> Collection[int]:
        table = self.table
        hidden: set[int] = set()
        for one in (table.round, table.staged):
            if one is None:
                continue
            says = table.game.hides(one.state)
            if says is None:
                # The default of Game.hides: all of the round's shuffles while it runs.
                says = (
                    [s.number for s in table.shuffles if s.round == one.number] if one.outcome is None else ()
                )
            hidden.update(says)
        return hidden


def _is_code(reason: Any) -> bool:
    return isinstance(reason, str) and CODE.fullmatch(reason) is not None


def _undeclared(kind: str, part: Any, event: Any) -> BrokenPlugin:
    return BrokenPlugin(f"the {kind} {part.id} has {event!r} happen, which is none of its events")


def next_round(decision: Decision, player: str) -> Refusal | None:
    """Deal the next round of a game that does not deal ahead; anybody who is seated may ask for it."""
    table = decision.table
    refusal = _running(table)
    if refusal is not None:
        return refusal
    if not table.viewer(player) and table.host != player:
        return Refusal("NOT_SEATED", "You have no seat at this table.")
    if table.playable is not None:
        return Refusal("ROUND_RUNNING", "The round is still running.")
    decision.prepare_round()
    decision.settle()
    return None


def play(decision: Decision, seat: Seat, move: Any) -> Refusal | None:
    """Play a seat's move."""
    table = decision.table
    refusal = _running(table)
    if refusal is not None:
        return refusal
    current = table.playable
    if current is None:
        return Refusal("ROUND_OVER", "The round is over; ask for the next one.")
    game: Game[Any, Any] = table.game
    if seat not in game.to_act(current.state):
        return Refusal("NOT_YOUR_TURN", _turn_sentence(table, game.to_act(current.state)))
    ctx = decision.context()
    events = game.decide(current.state, seat, move, ctx)
    if isinstance(events, Refusal):
        return events
    of_mode = table.mode.moved(table.run, seat, move, decision.now)
    if isinstance(of_mode, Refusal):
        return of_mode
    if current is table.staged:
        decision.emit(RoundBegan(current.number))
    decision.emit_of_mode(of_mode)
    decision.emit_all(events, ctx.chance, current.number)
    decision.settle()
    return None


def _running(table: Table) -> Refusal | None:
    if table.status is Status.OPEN:
        return Refusal("NOT_STARTED", "The table has not started yet.")
    if table.status is Status.PAUSED:
        return Refusal("TABLE_PAUSED", "The table is paused.")
    if table.status is Status.OVER:
        return Refusal("TABLE_OVER", "The table is over.")
    return None


def _turn_sentence(table: Table, seats: Collection[Seat]) -> str:
    names = [table.names[seat] for seat in sorted(seats)]
    return f"It is the turn of {' and '.join(names)}." if names else "Nobody is to move now."
