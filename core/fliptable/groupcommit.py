"""Group commit: writes that are ready at the same time go out together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class GroupCommit(Generic[T]):
    """Collects what arrives while a write is under way and writes it in one go after it."""

    def __init__(
        self,
        write: Callable[[Sequence[T]], Awaitable[Sequence[Exception | None]]],
        most: int = 256,
        lanes: int = 2,
    ) -> None:
        """``write`` stores items and answers, for each, None or what went wrong with it.

        At most ``most`` items go into a write and at most ``lanes`` writes are under way at once.
        """
        self._write = write
        self._most = most
        self._lanes = lanes
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._writers: set[asyncio.Task[None]] = set()

    async def add(self, item: T) -> None:
        """Store one item; returns once it is stored. Errors: whatever the write says of it."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, done))
        if len(self._writers) < self._lanes:
            writer = asyncio.create_task(self._drain())
            self._writers.add(writer)
            writer.add_done_callback(self._writers.discard)
        await done

    async def _drain(self) -> None:
        current = asyncio.current_task()
        assert current is not None
        # One turn of the loop lets everything that is ready now join the first write.
        await asyncio.sleep(0)
        while self._waiting:
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            try:
                results = await self._write([item for item, _ in batch])
            except Exception as error:
                results = [error] * len(batch)
            for (_, done), result in zip(batch, results, strict=True):
                if done.done():
                    continue
                if result is None:
                    done.set_result(None)
                else:
                    done.set_exception(result)
        # At once, and not when the loop comes to it: whoever adds something until then has to start a writer.
        self._writers.discard(current)

    async def close(self) -> None:
        """Wait for the writes under way."""
        if self._writers:
            await asyncio.wait(set(self._writers))
