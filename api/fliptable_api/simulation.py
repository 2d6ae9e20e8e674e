"""Many rounds of a game without a server: sessions played by policies, and what comes of them in numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from random import Random
from typing import Any

from fliptable import MoveRange, Result, projection
from fliptable.events import RoundOver
from fliptable.plugins import load_plugins
from fliptable.table import Status
from fliptable.testing import TableScript
from fliptable.testing.playout import random_move

Policy = Callable[[Any, int, Sequence[Any], Random], Any]
"""Given what the seat sees, the seat, its legal moves (moves and MoveRanges) and chance: a move."""

MOST_MOVES = 20_000
"""A round that is not over after so many moves is given up."""
MOST_ROUNDS = 25
"""So many rounds of a session are played; some modes go on for ever."""
Z = 1.959963984540054
"""The quantile of the normal distribution for intervals of 95 per cent."""


class BadPolicy(ValueError):
    """There is no such policy, or it gave no legal move."""


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


def lot(view: Any, seat: int, moves: Sequence[Any], random: Random) -> Any:
    """Any legal move."""
    return random_move(random.choice(moves), random)


def first(view: Any, seat: int, moves: Sequence[Any], random: Random) -> Any:
    """The first legal move, of a range its example."""
    return moves[0].example if isinstance(moves[0], MoveRange) else moves[0]


POLICIES: dict[str, Policy] = {"random": lot, "first": first}
"""The policies that know no game, by name."""


def policy(name: str) -> Policy:
    """A policy by its name, or ``module:function``. Errors: BadPolicy."""
    if name in POLICIES:
        return POLICIES[name]
    module, _, function = name.partition(":")
    if not function:
        raise BadPolicy(f"{name!r} is none of {', '.join(POLICIES)}, and not module:function")
    try:
        found: Policy = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise BadPolicy(f"{name!r} cannot be had: {error}") from None
    return found


def play_session(plan: Plan, number: int) -> list[Row]:
    """Play one session; its rounds, seat by seat. Errors: BadPolicy, OpeningRefused, PluginMissing."""
    registry = _registry()
    deciders = [policy(name) for name in plan.policies]
    random = Random(f"{plan.seed} {number}")
    secret = sha256(f"simulation {plan.seed} {number}".encode()).digest()
    script = TableScript(
        registry,
        plan.game,
        plan.mode,
        local_seats=[f"Seat {seat}" for seat in range(2, plan.seats + 1)],
        game_options=plan.game_options,
        mode_options=plan.mode_options,
        secret=secret,
        shared_secret=secret,
    )
    if script.table.status is Status.OPEN:
        script.start()
    rows: list[Row] = []
    moves = rounds = 0
    while script.table.status is Status.PLAYING and moves < MOST_MOVES and rounds < MOST_ROUNDS:
        table = script.table
        seen = len(script.commits)
        if table.playable is None:
            script.next_round()
        else:
            seat = random.choice(projection.to_act(table))
            legal = [
                MoveRange(one.move, one.fields) if one.fields else one.move
                for one in projection.legal_moves(table, frozenset({seat}))
            ]
            if not legal:
                # The mode leaves no move at this moment; it goes on with time.
                script.clock.advance(1)
                script.tick()
                moves += 1
                continue
            view = table.game.view(table.playable.state, frozenset({seat}))
            move = deciders[seat % len(deciders)](view, seat, legal, random)
            script.clock.advance(1)
            script.tick()
            if script.table.version != table.version:
                continue
            try:
                script.play(seat, move)
            except AssertionError as error:
                raise BadPolicy(f"{plan.policies[seat % len(deciders)]} played {move}: {error}") from None
            moves += 1
        for commit in script.commits[seen:]:
            for event in commit.events:
                if isinstance(event, RoundOver):
                    rounds += 1
                    rows += [
                        Row(number, event.number, seat, one.result.value, one.points, moves, one.measures)
                        for seat, one in enumerate(event.outcome.seats)
                    ]
                    moves = 0
    return rows


_REGISTRIES: list[Any] = []


def _registry() -> Any:
    """The installed plugins, loaded once a process."""
    if not _REGISTRIES:
        _REGISTRIES.append(load_plugins(strict=False))
    return _REGISTRIES[0]


def _batch(plan: Plan, numbers: Sequence[int]) -> list[list[Row]]:
    return [play_session(plan, number) for number in numbers]


def simulate(plan: Plan, rounds: int, processes: int) -> Iterator[list[Row]]:
    """Play sessions until there are so many rounds; the rows of each round, the same for the same seed."""
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
            raise BadPolicy("no round came to an end")


def _sessions(plan: Plan, rounds: int, processes: int) -> Iterator[list[Row]]:
    """Sessions in order, played ahead by several processes; at most as many as there are rounds wanted."""
    if processes == 1:
        yield from (play_session(plan, number) for number in range(rounds))
        return
    size = max(1, min(50, rounds // (4 * processes)))
    batches = [range(start, min(start + size, rounds)) for start in range(0, rounds, size)]
    with ProcessPoolExecutor(processes) as pool:
        ahead = [pool.submit(_batch, plan, numbers) for numbers in batches[: 2 * processes]]
        waiting = iter(batches[2 * processes :])
        try:
            while ahead:
                sessions = ahead.pop(0).result()
                following = next(waiting, None)
                if following is not None:
                    ahead.append(pool.submit(_batch, plan, following))
                yield from sessions
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval of 95 per cent."""

    count: int
    mean: float
    low: float
    high: float
    deviation: float
    least: int
    most: int


def mean_of(values: Sequence[int]) -> Mean:
    """The mean of some numbers; the interval is that of the normal approximation."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1) if count > 1 else 0.0
    margin = Z * math.sqrt(variance / count)
    return Mean(count, mean, mean - margin, mean + margin, math.sqrt(variance), min(values), max(values))


def share(hits: int, count: int) -> tuple[float, float, float]:
    """A share with Wilson's interval of 95 per cent."""
    part = hits / count
    middle = part + Z**2 / (2 * count)
    margin = Z * math.sqrt(part * (1 - part) / count + Z**2 / (4 * count**2))
    scale = 1 + Z**2 / count
    return part, max(0.0, (middle - margin) / scale), min(1.0, (middle + margin) / scale)


def summary(plan: Plan, rows: Sequence[Row]) -> dict[str, Any]:
    """Statistics of all seats together and of each, as plain values for JSON."""
    seats = sorted({row.seat for row in rows})
    return {
        "game": plan.game,
        "mode": plan.mode,
        "seats": plan.seats,
        "policies": list(plan.policies),
        "seed": plan.seed,
        "rounds": len({(row.session, row.round) for row in rows}),
        "all": _statistics(rows),
        "by_seat": [
            {"seat": seat, **_statistics([row for row in rows if row.seat == seat])} for seat in seats
        ],
    }


def _statistics(rows: Sequence[Row]) -> dict[str, Any]:
    results = Counter(row.result for row in rows)
    known = [result.value for result in Result if results[result.value]]
    names = sorted({name for row in rows for name in row.measures})
    numbers = {
        "points": [row.points for row in rows],
        "moves": [row.moves for row in rows if row.seat == rows[0].seat],
    }
    for name in names:
        numbers[name] = [row.measures[name] for row in rows if name in row.measures]
    return {
        "results": {
            name: dict(zip(("share", "low", "high"), share(results[name], len(rows)), strict=True))
            for name in known
        },
        "numbers": {name: _plain(mean_of(values)) for name, values in numbers.items()},
    }


def _plain(mean: Mean) -> dict[str, Any]:
    return {name: getattr(mean, name) for name in Mean.__slots__}


def values_of(rows: Iterable[Row], name: str) -> list[int]:
    """The values of a number of the rounds: points, moves, or one of the measures."""
    if name in ("points", "moves"):
        return [getattr(row, name) for row in rows]
    return [row.measures[name] for row in rows if name in row.measures]


def bins(values: Sequence[int], most: int = 20) -> list[tuple[int, int, int]]:
    """How many values lie in each of at most so many ranges: low, high (both included) and the count."""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / most))
    counts = Counter((value - low) // width for value in values)
    return [
        (low + width * index, low + width * (index + 1) - 1, counts[index])
        for index in range((high - low) // width + 1)
    ]
