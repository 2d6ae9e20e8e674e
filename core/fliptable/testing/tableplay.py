"""A table that is played action by action, so that the same can be played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from random import Random
from typing import Any

from fliptable import decide, lobby, projection
from fliptable.challenges import Challenge
from fliptable.decide import Decision
from fliptable.house import HouseRules
from fliptable.plugins import Registry
from fliptable.projection import LegalMove
from fliptable.rules import Game, MoveRange, Refusal, Seat
from fliptable.table import Status, Table
from fliptable.testing.actions import Drop, Leave, NextRound, Play, Return, TableAction, Wait
from fliptable.testing.broken import LawBroken, about
from fliptable.testing.installed import registry_with
from fliptable.testing.literals import Literals
from fliptable.testing.moves import covers, random_move
from fliptable.testing.shrinking import is_default, more_default
from fliptable.testing.storage import storage_trouble
from fliptable.testing.tables import TableScript
from fliptable.testing.watchdog import called
from fliptable.testing.watching import watched

PLAYERS = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")
"""Who plays; seats beyond them are local ones."""
_WAIT_SECONDS = 60


@dataclass(frozen=True)
class TableSetting:
    """What a table starts from."""

    game: Game[Any, Any]
    mode: Any
    seats: int
    players: int
    """How many of the seats are those of players; the others are local ones, which the host acts for."""
    seed: int = 0
    game_options: Any = None
    mode_options: Any = None
    challenge: Challenge | None = None
    turn_seconds: int | None = None
    watch: bool = False
    """Whether the mode is held to its contract at every question."""
    given: Registry | None = field(default=None, compare=False, repr=False)
    """Where the game and the mode are registered, if they are already."""

    @classmethod
    def of(
        cls, game: Game[Any, Any], mode: Any, seats: int | None, players: int | None = None, **more: Any
    ) -> TableSetting:
        """A setting with the fewest seats where no number is given, and as few local ones as can be."""
        count = min(mode.seats(game)) if seats is None else seats
        return cls(game, mode, count, min(count, len(PLAYERS)) if players is None else players, **more)

    def __getstate__(self) -> dict[str, Any]:
        # Another process has a registry of its own.
        kept = {name: value for name, value in self.__dict__.items() if name != "registry"}
        return {**kept, "given": None}

    @cached_property
    def registry(self) -> Registry:
        """The installed plugins with the game and the mode."""
        return self.given or registry_with([self.game], watched(self.mode) if self.watch else self.mode)

    @property
    def secret(self) -> bytes:
        """What the decks go by."""
        return sha256(f"table {self.seed}".encode()).digest()

    def open(self) -> TablePlay:
        """A new table. Errors: OpeningRefused, LawBroken, and whatever the plugins raise."""
        with called():
            return self._open()

    def _open(self) -> TablePlay:
        chosen = self.mode.Options() if self.mode_options is None else self.mode_options
        trouble = storage_trouble(chosen, self.mode.Options)
        if trouble:
            raise LawBroken("storage", f"the options: {trouble}")
        script = TableScript(
            self.registry,
            self.game.id,
            self.mode.id,
            players=PLAYERS[: self.players],
            local_seats=[f"Local {number}" for number in range(1, self.seats - self.players + 1)],
            game_options=self.game_options,
            mode_options=self.mode_options,
            challenge=self.challenge,
            secret=self.secret,
            shared_secret=self.secret,
            house=HouseRules(turn_seconds=self.turn_seconds, wait_seconds=_WAIT_SECONDS),
        )
        return TablePlay(script, self)

    def having(self, **changes: Any) -> TableSetting:
        """The same with some things changed, and with the same registry."""
        return replace(self, **changes, given=self.registry)

    def simpler(self) -> Iterator[TableSetting]:
        """Fewer seats, no local ones, no time limit, options at their defaults."""
        for count in sorted(self.mode.seats(self.game)):
            if count < self.seats:
                yield self.having(seats=count, players=min(count, self.players))
        if self.players < min(self.seats, len(PLAYERS)):
            yield self.having(players=min(self.seats, len(PLAYERS)))
        if self.turn_seconds is not None:
            yield self.having(turn_seconds=None)
        for name in ("game_options", "mode_options"):
            if getattr(self, name) is not None:
                yield self.having(**{name: None})
                for one in more_default(getattr(self, name)):
                    yield self.having(**{name: one})

    def chosen(self) -> dict[str, Any]:
        """What differs from the defaults, by name."""
        options = {"game_options": self.game.Options, "mode_options": self.mode.Options}
        given = {name: getattr(self, name) for name in options}
        found = {
            name: value
            for name, value in given.items()
            if value is not None and not is_default(value, options[name])
        }
        if self.challenge is not None:
            found["challenge"] = self.challenge
        if self.turn_seconds is not None:
            found["turn_seconds"] = self.turn_seconds
        if self.players != min(self.seats, len(PLAYERS)):
            found["players"] = self.players
        return found

    def words(self) -> list[str]:
        """The same for a person."""
        return [
            Literals().write(value) if is_dataclass(value) else f"{name.replace('_', ' ')} {value}"
            for name, value in self.chosen().items()
        ]


@dataclass
class TablePlay:
    """A table, and what was done at it."""

    script: TableScript
    setting: TableSetting
    actions: list[TableAction] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.script.table

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        return self.table.status is Status.OVER

    def legal_moves(self) -> list[LegalMove]:
        """What whoever is to act could play now, as far as the mode allows it."""
        with called():
            return projection.legal_moves(self.table, frozenset(range(len(self.table.seats))))

    def lists(self, action: Play) -> bool:
        """Whether a move is among the legal ones."""
        legal = [one for one in self.legal_moves() if one.seat == action.seat]
        return any(covers(MoveRange(one.move, one.fields), action.move) for one in legal)

    def take(self, action: TableAction) -> Refusal | None:
        """Let an action happen, or say why it cannot."""
        about_it = about(action.seat, action.move) if isinstance(action, Play) else nullcontext()
        with called(), about_it:
            return self._take(action)

    def _take(self, action: TableAction) -> Refusal | None:
        script, table = self.script, self.table
        refusal: Refusal | None = None
        if isinstance(action, Wait):
            script.clock.advance(action.seconds)
            script.tick()
        elif isinstance(action, NextRound):
            refusal = script.attempt(table.host, lambda decision: decide.next_round(decision, table.host))
        elif isinstance(action, Play):
            refusal = script.attempt(None, partial(decide.play, seat=action.seat, move=action.move))
        else:
            refusal = self._comes_or_goes(action)
        if refusal is None:
            self.actions.append(action)
        return refusal

    def ahead(self, seat: Seat, move: Any) -> Decision | None:
        """What a move would lead to, without playing it; None when it is refused."""
        decision = Decision(self.table, self.script.clock(), self.setting.secret)
        with about(seat, move):
            return None if decide.play(decision, seat, move) else decision

    def _comes_or_goes(self, action: Leave | Drop | Return) -> Refusal | None:
        place = self.table.seats[action.seat] if action.seat < len(self.table.seats) else None
        if place is None or place.player is None:
            return Refusal("NOT_SEATED", f"No player sits at {action.seat}.")
        player = place.player
        if isinstance(action, Leave):
            return self.script.attempt(player, lambda decision: lobby.leave(decision, player))
        if isinstance(action, Drop):
            self.script.disconnect(player)
        else:
            self.script.reconnect(player)
        return None

    def draw(
        self, random: Random, *, waits: Sequence[float], waiting: float, leaving: float, dropping: float
    ) -> TableAction:
        """What happens next, by lot. Each number is how likely it is in a step."""
        table = self.table
        there = [seat for seat, one in enumerate(table.seats) if one.player is not None and one.connected]
        gone = [seat for seat, one in enumerate(table.seats) if one.player is not None and not one.connected]
        if random.random() < waiting:
            return Wait(random.choice(waits))
        if len(there) + len(gone) > 1 and random.random() < leaving:
            return Leave(random.choice([*there, *gone]))
        if there and len(table.seats) > 1 and random.random() < dropping:
            return Drop(random.choice(there))
        if gone and (table.status is Status.PAUSED or random.random() < 3 * dropping):
            return Return(random.choice(gone))
        if table.playable is None:
            return NextRound() if table.status is Status.PLAYING else Wait(_WAIT_SECONDS)
        legal = self.legal_moves()
        if not legal:
            return Wait(_WAIT_SECONDS)
        one = random.choice(legal)
        return Play(
            one.seat, random_move(MoveRange(one.move, one.fields) if one.fields else one.move, random)
        )
