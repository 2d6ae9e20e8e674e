"""Errands: work that is under way beside whoever began it, so that a stop can wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Errands:
    """Tasks that nobody else holds on to; the event loop alone would let them be collected."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something. What it raises is its own to handle."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something to the end, even if the caller goes away. Errors: what it raises."""
        return await asyncio.shield(self.run(work))

    async def done(self, timeout: float | None = None) -> None:
        """Wait for what is under way now, for so many seconds at the most."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=timeout)
