"""A clock that stands still until it is told to go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When tests begin, unless they say otherwise."""


class FakeClock:
    """Call it for the present; it moves by :meth:`advance` and :meth:`set` alone."""

    def __init__(self, now: datetime = START) -> None:
        """``now`` has a time zone."""
        self.now: datetime = now

    def __call__(self) -> datetime:
        """The present."""
        return self.now

    def advance(self, seconds: float) -> datetime:
        """Let that many seconds pass; the time it is then."""
        self.now += timedelta(seconds=seconds)
        return self.now

    def set(self, now: datetime) -> datetime:
        """Put the clock to a time."""
        self.now = now
        return now
