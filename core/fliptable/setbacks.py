"""Setbacks: what fails by itself again and again is tried more and more rarely, and told of once."""

from __future__ import annotations

from typing import Generic, TypeVar

from fliptable.blame import blame_of

K = TypeVar("K")

_MOST = 600.0
"""Seconds between two tries at the most."""
_DOUBLINGS = 30


class Setbacks(Generic[K]):
    """How often something has failed in a row, for each of many things."""

    def __init__(self) -> None:
        """Nothing has failed."""
        self._failures: dict[K, int] = {}

    def first(self, key: K) -> bool:
        """Count a failure; whether it is the first in a row, which is the one to tell of."""
        self._failures[key] = self._failures.get(key, 0) + 1
        return self._failures[key] == 1

    def pause(self, key: K, seconds: float) -> float:
        """How many seconds to wait before the next try: ``seconds`` at first, each time twice as long."""
        doublings = min(max(self._failures.get(key, 0) - 1, 0), _DOUBLINGS)
        return min(seconds * 2.0**doublings, _MOST)

    def forget(self, key: K) -> None:
        """It has not failed this time, or nobody tries it any more."""
        self._failures.pop(key, None)


def fault_of(error: Exception) -> str:
    """Whose fault something was, and what, in one line."""
    return f"{blame_of(error) or 'no plugin is named'}: {type(error).__name__}: {error}"
