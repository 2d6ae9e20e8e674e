"""What came of simulated rounds, in numbers: means and shares with their intervals, and histograms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fliptable import Result
from fliptable_api.simulation import Plan, Row

Z = 1.959963984540054
"""The quantile of the normal distribution for intervals of 95 per cent."""


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
    low, high = (middle - margin) / scale, (middle + margin) / scale
    # All and none are limits, which what is reckoned with floats may miss.
    return part, max(0.0, min(part, low)), min(1.0, max(part, high))


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
            {
                "seat": seat,
                "policy": plan.policy_of(seat),
                **_statistics([row for row in rows if row.seat == seat]),
            }
            for seat in seats
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
