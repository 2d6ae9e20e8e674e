"""Many rounds of a game without a server: sessions that are played by policies."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from textwrap import shorten
from traceback import extract_tb
from typing import Any

from fliptable import MoveRange, Policy, Seat, projection
from fliptable.blame import as_exception, named
from fliptable.events import RoundOver
from fliptable.plugins import PluginMissing, Registry, load_plugins
from fliptable.table import Status, Table
from fliptable.testing import OpeningRefused, TableScript
from fliptable.testing.moves import covers
from fliptable_api.policies import BadPolicy, find_policy

MOST_MOVES = 20_000
"""A round that is not over after so many moves is given up."""
MOST_ROUNDS = 25
"""So many rounds of a session are played; some modes go on for ever."""
_SHOWN = 200
"""So much of what a policy saw is told, in characters."""


class CannotPlay(Exception):
    """No session can be played like that."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated."""

    game: str
    mode: str
    seats: int
    policies: tuple[str, ...]
    game_options: Any = None
    mode_options: Any = None
    seed: int = 0

    def policy_of(self, seat: Seat) -> str:
        """The name of the policy that plays for a seat; they take turns if there are too few."""
        return self.policies[seat % len(self.policies)]


@dataclass(frozen=True, slots=True)
class Row:
    """How a round ended for a seat."""

    session: int
    round: int
    seat: int
    result: str
    points: int
    moves: int
    measures: dict[str, int] = field(default_factory=dict)


class _Session:
    """A table that is played by policies from its start on."""

    def __init__(self, plan: Plan, number: int) -> None:
        self.plan = plan
        self.number = number
        registry = _registry()
        game = registry.game(plan.game)
        self.policies: dict[str, Policy] = {name: find_policy(name, game) for name in plan.policies}
        self.random = Random(f"{plan.seed} {number}")
        secret = sha256(f"simulation {plan.seed} {number}".encode()).digest()
        self.script = TableScript(
            registry,
            plan.game,
            plan.mode,
            local_seats=[f"Seat {seat}" for seat in range(2, plan.seats + 1)],
            game_options=plan.game_options,
            mode_options=plan.mode_options,
            secret=secret,
            shared_secret=secret,
        )
        self.moves = 0
        if self.script.table.status is Status.OPEN:
            self.script.start()

    @property
    def table(self) -> Table:
        return self.script.table

    def play(self) -> Iterator[Row]:
        """Play on; how each round ended, seat by seat. Errors: BadPolicy."""
        rounds = 0
        while self.table.status is Status.PLAYING and self.moves < MOST_MOVES and rounds < MOST_ROUNDS:
            seen = len(self.script.commits)
            self._step()
            ends = [
                event
                for commit in self.script.commits[seen:]
                for event in commit.events
                if isinstance(event, RoundOver)
            ]
            for event in ends:
                rounds += 1
                for seat, one in enumerate(event.outcome.seats):
                    values = one.result.value, one.points, self.moves, one.measures
                    yield Row(self.number, event.number, seat, *values)
                self.moves = 0

    def _step(self) -> None:
        """The next round, or a move of a seat that is to act, or what happens with time."""
        table = self.table
        if table.playable is None:
            self.script.next_round()
            return
        seat = self.random.choice(projection.to_act(table))
        legal = [
            MoveRange(one.move, one.fields) if one.fields else one.move
            for one in projection.legal_moves(table, frozenset({seat}))
        ]
        # Without a legal move, the mode leaves none at this moment; it goes on with time.
        move = self._choice(seat, legal) if legal else None
        self.script.clock.advance(1)
        self.script.tick()
        if not legal:
            self.moves += 1
        elif table.version == self.table.version:
            try:
                self.script.play(seat, move)
            except AssertionError as error:
                raise BadPolicy(f"{self._position(seat)} played {move}: {error}") from None
            self.moves += 1

    def _choice(self, seat: Seat, legal: Sequence[Any]) -> Any:
        """What the policy of a seat plays. Errors: BadPolicy."""
        assert self.table.playable is not None
        view = self.table.game.view(self.table.playable.state, frozenset({seat}))
        try:
            move = self.policies[self.plan.policy_of(seat)](view, seat, legal, self.random)
        except BaseException as error:
            told = f"{self._position(seat)} raised {_raised(error)}.\nIt saw: {_short(view)}"
            raise BadPolicy(told) from None
        if move not in legal and not any(covers(one, move) for one in legal):
            wrong = (
                "gave None instead of a move"
                if move is None
                else f"played {_short(move)}, which is not legal"
            )
            told = f"{wrong}.\nLegal moves: {_short(legal)}\nIt saw: {_short(view)}"
            raise BadPolicy(f"{self._position(seat)} {told}")
        return move

    def _position(self, seat: Seat) -> str:
        """Which policy it was, and where."""
        number = 1 if self.table.round is None else self.table.round.number
        if self.table.staged is not None and self.table.playable is self.table.staged:
            number = self.table.staged.number
        return (
            f"the policy {self.plan.policy_of(seat)!r}, at seat {seat} after {self.moves} moves of round "
            f"{number} in session {self.number} of seed {self.plan.seed},"
        )


def _short(value: Any) -> str:
    return shorten(repr(value), _SHOWN, placeholder=" …")


def _raised(error: BaseException) -> str:
    """What plugin code has raised, and where. Errors: KeyboardInterrupt for Ctrl-C."""
    told, at = as_exception(error), extract_tb(error.__traceback__)[-1]
    what = str(told) if told is not error else f"{type(error).__name__}: {error}"
    return f"{what} ({Path(at.filename).name}, line {at.lineno})"


def play_session(plan: Plan, number: int) -> list[Row]:
    """Play one session; its rounds, seat by seat. Errors: BadPolicy, CannotPlay, PluginMissing."""
    try:
        return list(_Session(plan, number).play())
    except OpeningRefused as error:
        raise CannotPlay(str(error)) from None
    except (BadPolicy, PluginMissing):
        raise
    except BaseException as error:
        parts = _registry().game(plan.game), _registry().mode(plan.mode)
        who = f"{named('game', parts[0])}, {named('mode', parts[1])}"
        told = f"session {number} of seed {plan.seed} broke off, with {who}: {_raised(error)}"
        raise CannotPlay(told) from error


@cache
def _registry() -> Registry:
    """The installed plugins, loaded once a process."""
    return load_plugins(strict=False)


def _batch(plan: Plan, numbers: Sequence[int]) -> list[list[Row]]:
    return [play_session(plan, number) for number in numbers]


def simulate(plan: Plan, rounds: int, processes: int) -> Iterator[list[Row]]:
    """Play sessions until there are so many rounds; the rows of each round, the same for the same seed.

    Errors: BadPolicy, CannotPlay.
    """
    done = 0
    for session in _sessions(plan, rounds, processes):
        by_round: dict[int, list[Row]] = {}
        for row in session:
            by_round.setdefault(row.round, []).append(row)
        for rows in by_round.values():
            yield rows
            done += 1
            if done == rounds:
                return
        if not by_round and not done:
            raise CannotPlay("no round came to an end")


def _sessions(plan: Plan, rounds: int, processes: int) -> Iterator[list[Row]]:
    """Sessions in order, played ahead by several processes; at most as many as there are rounds wanted."""
    if processes == 1:
        yield from (play_session(plan, number) for number in range(rounds))
        return
    size = max(1, min(50, rounds // (4 * processes)))
    batches = [range(start, min(start + size, rounds)) for start in range(0, rounds, size)]
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, initializer=_undisturbed)
    try:
        ahead = [pool.submit(_batch, plan, numbers) for numbers in batches[: 2 * processes]]
        waiting = iter(batches[2 * processes :])
        while ahead:
            sessions = ahead.pop(0).result()
            following = next(waiting, None)
            if following is not None:
                ahead.append(pool.submit(_batch, plan, following))
            yield from sessions
    finally:
        # What is still played ahead is of no use to anybody, and may take long.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _undisturbed() -> None:
    """Leave Ctrl-C, of which the whole group of processes hears, to the process that waits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
