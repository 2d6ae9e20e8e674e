"""The table service: the one way in to tables, for whatever speaks for players.

The way of a move from here: :mod:`fliptable.tablekeeper` has the table in memory and lets one request
at a time at it; :mod:`fliptable.referee` decides by the rules; :mod:`fliptable.tablewriter` stores the
commit; :mod:`fliptable.announcer` tells whoever has to hear of it, first of all those who follow the
table (:mod:`fliptable.following`).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from dataclasses import replace
from datetime import date, datetime

from fliptable import attendance
from fliptable.announcer import Announcer
from fliptable.blame import asking, blaming
from fliptable.cache import TableCache
from fliptable.days import DayPlan, day_plan
from fliptable.decide import Decision
from fliptable.errands import Errands
from fliptable.feed import Update
from fliptable.following import Following
from fliptable.heads import HeadWriter
from fliptable.ids import clean_code, derived_id
from fliptable.lobbyfeed import LobbyFeed
from fliptable.log import ClaimTaken, Head, Store, Unavailable
from fliptable.modes import Session
from fliptable.neighbours import Neighbours
from fliptable.opening import Opening, OpeningRefused, open_table
from fliptable.plugins import Registry
from fliptable.presence import Presence, watched
from fliptable.projection import seed_of
from fliptable.referee import Referee
from fliptable.requests import Command, Numbers, Observer, Refused, Request, utc_now
from fliptable.setbacks import Setbacks, fault_of
from fliptable.table import Shuffle, Table
from fliptable.tablekeeper import TableKeeper
from fliptable.tablelog import TableLog
from fliptable.tablewriter import TableWriter
from fliptable.timers import Timers

logger: logging.Logger = logging.getLogger("fliptable.service")


class TableService:
    """All tables of one worker."""

    def __init__(
        self,
        registry: Registry,
        store: Store,
        *,
        clock: Callable[[], datetime] = utc_now,
        shared_secret: bytes = b"",
        shared_store: bool = False,
        cached_tables: int = 20_000,
        queue: int = 256,
    ) -> None:
        """``shared_store`` says that other workers write to the store too.

        At most ``cached_tables`` idle tables stay in memory; a subscriber may be ``queue`` updates
        behind before it is cut off.
        """
        self.registry = registry
        self.store = store
        self.clock = clock
        self.lobby: LobbyFeed = LobbyFeed()
        self._shared_secret = shared_secret
        self._shared_store = shared_store
        self._errands = Errands()
        self._setbacks: Setbacks[tuple[str, str]] = Setbacks()
        self._cache = TableCache(cached_tables)
        self._log = log = TableLog(registry, store)
        self._heads = HeadWriter(store, self._listed)
        self._timers = Timers(clock, self._due)
        self._presence = Presence(secrets.token_hex(8), store.roster, self._attend, shared_store)
        self._announcer = Announcer(registry, self._heads, self._timers, self._presence)
        self._keeper = TableKeeper(self._cache, log, self._announcer)
        self._writer = writer = TableWriter(registry, store, self._cache, self._announcer, self._errands)
        self._referee = Referee(store, log, writer, clock, shared_secret, shared_store)
        self._following = Following(self._cache, self._keeper, log, self._presence, self.get, queue)
        self._neighbours = Neighbours(store, self._cache, self.lobby, self._timers, clock, writer.catch_up)

    async def start(self) -> None:
        """Set the timers of stored tables, and follow what other workers write, if there are any."""
        # The timers come first, so that nothing is left out; presence asks for tables that may be due.
        await self._neighbours.start(self._shared_store)
        await self._presence.start(self._grace)

    def interrupt(self) -> None:
        """End every subscription with Interrupted, and those that are yet to come; all else goes on."""
        self._following.stop()
        self.lobby.stop()

    async def stop(self) -> None:
        """Interrupt every subscription and finish what is under way."""
        self._following.stopping = True
        self.lobby.stop()
        await self._timers.close()
        await self._presence.close()
        await self._neighbours.stop()
        self._following.stop()
        await self._errands.done(timeout=10)
        await self._heads.close()

    def observe(self, observer: Observer) -> None:
        """Call an observer after each commit that this worker stores. What it raises is logged."""
        self._announcer.observe(observer)

    def unobserve(self, observer: Observer) -> None:
        """Do not call an observer any more."""
        self._announcer.unobserve(observer)

    def numbers(self) -> Numbers:
        """What this worker has done and has in hand."""
        feeds = sum(len(live.feeds) for live in self._cache)
        return Numbers(len(self._cache), feeds, self._announcer.commits, self._referee.refusals)

    async def open(self, opening: Opening) -> Update:
        """Open a table. Once it is stored it is told of, even if the caller goes away.

        Errors: OpeningRefused, PluginMissing, CodeTaken, VersionTaken (the id is in use), Unavailable.
        """
        game, mode = self.registry.game(opening.game), self.registry.mode(opening.mode)
        with asking("mode", mode):
            wanted = mode.challenge(opening.mode_options)
        if wanted is not None:
            opening = replace(opening, challenge=await self.store.challenges.find(clean_code(wanted)))
        with blaming(opening.id, game, mode):
            decision = open_table(self.registry, opening, self.clock(), self._shared_secret)
        try:
            return await self._errands.finish(self._writer.open(decision, opening.host))
        except ClaimTaken:
            claim = decision.claim
            assert claim is not None
            holder = await self.store.find_claim(claim.key)
            raise OpeningRefused(claim.refusal, holder) from None

    async def act(self, table_id: str, request: Request, command: Command) -> Update | Refused:
        """Carry out a request. Once it is under way it is finished, even if the caller goes away.

        Errors: TableNotFound, PluginMissing, UnreadableLog, Unavailable, and what a plugin raises.
        """
        return await self._errands.finish(self._act(table_id, request, command))

    async def _act(self, table_id: str, request: Request, command: Command) -> Update | Refused:
        async with self._keeper.hold(table_id) as live:
            answer = await self._referee.answer(live, request, command)
            if request.present:
                self._presence.seen(answer.table, request.player)
            return answer

    async def get(self, table_id: str, version: int | None = None) -> Table:
        """The table as it stands, or as it stood at ``version`` or later.

        Where a plugin fails at what is due, the table is as it is stored, and its timer tells of it.
        Errors: TableNotFound, PluginMissing, UnreadableLog, Unavailable.
        """
        table = (await self._keeper.load(table_id)).table
        behind = self._shared_store and (version is None or table.version < version)
        if behind or self._is_due(table):
            table, _ = await self._errands.finish(self._refreshed(table_id))
        return table

    def _is_due(self, table: Table) -> bool:
        try:
            due = table.deadline()
        except Exception:
            return True  # What is wrong with it is found out, and told, where it is let happen.
        return due is not None and due <= self.clock()

    async def _refreshed(self, table_id: str) -> tuple[Table, Exception | None]:
        async with self._keeper.hold(table_id) as live:
            fault = await self._referee.refresh(live)
            return live.table, fault

    async def _due(self, table_id: str) -> None:
        """Let happen what is due at a table. Errors: as of :meth:`get`, and what a plugin raises."""
        _, fault = await self._errands.finish(self._refreshed(table_id))
        if fault is not None:
            raise fault

    def subscribe(
        self, table_id: str, after: int | None = None, player: str | None = None
    ) -> AsyncGenerator[Update, None]:
        """What happens at a table after a version; see :meth:`Following.subscribe`."""
        return self._following.subscribe(table_id, after, player)

    def follows(self, table_id: str, player: str) -> bool:
        """Whether a player has a subscription to the table on this worker."""
        return self._following.follows(table_id, player)

    def updates(self, table_id: str, after: int, upto: int) -> AsyncIterator[Update]:
        """The stored updates with versions above ``after`` and up to ``upto``, each with its table.

        Errors: PluginMissing, UnreadableLog, Unavailable.
        """
        return self._log.updates(table_id, after, upto)

    async def find_code(self, code: str) -> str | None:
        """The id of the table with that short code. Errors: Unavailable."""
        return await self.store.find_code(code)

    def id_for(self, player: str, key: str) -> str:
        """The id of the table that a player opens under an idempotency key."""
        return derived_id("table", self._shared_secret, f"open {player} {key}")

    async def claimed(self, game: str, mode: str, player: str) -> str | None:
        """The id of the table with which the player has used up what the mode gives them once, if any.

        Errors: PluginMissing, Unavailable.
        """
        part = self.registry.mode(mode)
        with asking("mode", part):
            session = Session(part.Options(), 1, self.clock(), self.registry.game(game).id)
            claim = part.claim(session, player)
        return None if claim is None else await self.store.find_claim(claim.key)

    def day_plan(self, game: str, mode: str, day: date) -> DayPlan:
        """What a mode of days has everybody play on a date. Errors: FutureDay, NotDaily, PluginMissing."""
        with asking("mode", self.registry.mode(mode)):
            return day_plan(self.registry, game, mode, day, self.clock(), self._shared_secret)

    def seed_of(self, shuffle: Shuffle) -> str | None:
        """The seed of a shuffle in hex once anybody may know it."""
        return seed_of(shuffle, self._shared_secret, self.clock())

    def looked(self, table: Table, player: str) -> None:
        """A player looks at a table: one who sits there is there, also without a subscription."""
        seat = table.seat_of(player)
        if seat is None or not watched(table):
            return
        self._presence.seen(table, player)
        if not table.seats[seat].connected:
            self._errands.run(self._say_back(table.id, player))

    async def _say_back(self, table_id: str, player: str) -> None:
        try:
            await self._attend(table_id, player, lambda: True)
        except Unavailable as error:
            logger.warning("table %s could not be told that player %s is back: %s", table_id, player, error)
        except Exception as error:
            if self._setbacks.first((table_id, player)):
                sentence = "table %s cannot be told that player %s is back: %s"
                logger.error(sentence, table_id, player, fault_of(error), exc_info=error)
        else:
            self._setbacks.forget((table_id, player))

    async def _attend(self, table_id: str, player: str, there: Callable[[], bool]) -> None:
        """Tell a table that a player is there or is not."""

        def command(decision: Decision) -> None:
            if watched(decision.table):
                (attendance.reconnected if there() else attendance.disconnected)(decision, player)

        await self.act(table_id, Request(player, present=False, anyway=True), command)

    async def _grace(self, table_id: str) -> float:
        return (await self.get(table_id)).opening.house.grace_seconds

    def _listed(self, heads: Iterable[Head]) -> None:
        """With several workers, the lobby hears of what is listed from the store."""
        if not self._shared_store:
            self.lobby.publish(heads)
