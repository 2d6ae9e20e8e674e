"""The announcer: whoever has to hear of a stored commit hears of it here."""

from __future__ import annotations

import logging

from fliptable.blame import blaming
from fliptable.cache import Live
from fliptable.events import SeatDisconnected, SeatTaken
from fliptable.feed import Update
from fliptable.heads import HeadWriter
from fliptable.plugins import Registry
from fliptable.presence import Presence
from fliptable.requests import Observer
from fliptable.setbacks import fault_of
from fliptable.table import Status, Table
from fliptable.timers import Timers

logger: logging.Logger = logging.getLogger("fliptable.service")


class Announcer:
    """Tells a table's followers, its timer, the lists and presence; and of its own commits, observers."""

    def __init__(self, registry: Registry, heads: HeadWriter, timers: Timers, presence: Presence) -> None:
        """The plugins of the registry observe what this worker commits, as do those added later."""
        self._registry = registry
        self._heads = heads
        self._timers = timers
        self._presence = presence
        self._observers: list[Observer] = []
        self.commits: int = 0
        """How many commits this worker made."""

    def observe(self, observer: Observer) -> None:
        """Call an observer after each commit that this worker stores. What it raises is logged."""
        self._observers.append(observer)

    def unobserve(self, observer: Observer) -> None:
        """Do not call an observer any more."""
        self._observers.remove(observer)

    async def made(self, before: Table | None, live: Live, update: Update) -> None:
        """Tell of a commit that this worker made: besides what any commit needs, its observers hear."""
        self.commits += 1
        await self.stored(live, update)
        for event in update.commit.events:
            if type(event) is SeatTaken and event.player is not None:
                self._presence.expect(update.table, event.player)
        for observer in self._observers:
            try:
                observer(before, update)
            except Exception:
                logger.exception("a commit of table %s could not be observed", update.table.id)
        self._registry.committed(update.commit)

    async def stored(self, live: Live, update: Update) -> None:
        """Tell of a commit, whichever worker made it."""
        for feed in live.feeds:
            feed.put(update)
        for event in update.commit.events:
            if type(event) is SeatDisconnected:
                self._presence.told(update.table, event.seat)
        if self._noted(live) and update.table.status is not Status.OVER:
            # What the lobby and the timers go by changes rarely, so the caller can wait for it; a
            # table that is over but still listed is found out when it is looked at.
            await self._heads.flush()

    def loaded(self, live: Live) -> None:
        """Tell of a table that was read from its log: the lists may have missed its last change."""
        self._noted(live)

    def _noted(self, live: Live) -> bool:
        """Whether something that lists show is different now. What a plugin raises at it is logged."""
        table = live.table
        try:
            with blaming(table.id, table.game, table.mode):
                self._timers.note(table.id, table.deadline())
                return self._heads.note(live)
        except Exception as error:
            logger.exception(
                "a table has no timer here, and lists may show it as it was: %s", fault_of(error)
            )
            return False
