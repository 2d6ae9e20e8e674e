"""The table service: the one way in to tables, for whatever speaks for players.

It loads tables, makes the moves at each wait for one another, decides again after losing a race
against another worker, and tells subscribers once a commit is stored.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeVar

from fliptable import attendance
from fliptable.blame import blaming
from fliptable.cache import Live, TableCache
from fliptable.days import DayPlan, day_plan
from fliptable.deadlines import tick
from fliptable.decide import Decision
from fliptable.events import Commit, SeatDisconnected, SeatTaken
from fliptable.evolve import fold, stamped
from fliptable.feed import Update
from fliptable.following import Following
from fliptable.heads import HeadWriter
from fliptable.ids import clean_code, derived_id
from fliptable.lobbyfeed import LobbyFeed
from fliptable.log import ClaimTaken, Head, KeyTaken, Store, Unavailable, VersionTaken
from fliptable.modes import Session
from fliptable.neighbours import Neighbours
from fliptable.opening import Opening, OpeningRefused, open_table
from fliptable.plugins import Registry
from fliptable.presence import Presence, watched
from fliptable.projection import seed_of
from fliptable.records import counted
from fliptable.requests import (
    Command,
    Numbers,
    Observer,
    Refused,
    Request,
    utc_now,
)
from fliptable.rules import Refusal
from fliptable.snapshot import to_snapshot
from fliptable.table import Shuffle, Status, Table
from fliptable.tablelog import TableLog
from fliptable.timers import Timers

logger = logging.getLogger("fliptable.service")

T = TypeVar("T")

SNAPSHOT_EVERY = 64
_ATTEMPTS = 20
_MOST_DUE = 10_000
"""A table at which more was due at once has a plugin that never has enough."""


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
        self._shared_secret = shared_secret
        self._shared_store = shared_store
        self._cache = TableCache(cached_tables)
        self.lobby = LobbyFeed()
        self._heads = HeadWriter(store, self._listed)
        self._timers = Timers(clock, self.get)
        self._presence = Presence(secrets.token_hex(8), store.roster, self._attend, shared_store)
        self._log = TableLog(registry, store)
        self._following = Following(self._cache, self._log, self._presence, self.get, self._load, queue)
        self._neighbours = Neighbours(store, self._cache, self.lobby, self._timers, clock, self._catch_up)
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._observers: list[Observer] = []
        self._background: set[asyncio.Task[Any]] = set()
        self._commits = 0
        self._refusals = 0

    def observe(self, observer: Observer) -> None:
        """Call an observer after each commit that this worker stores. What it raises is logged."""
        self._observers.append(observer)

    def unobserve(self, observer: Observer) -> None:
        """Do not call an observer any more."""
        self._observers.remove(observer)

    def _observed(self, before: Table | None, update: Update) -> None:
        for observer in self._observers:
            try:
                observer(before, update)
            except Exception:
                logger.exception("a commit of table %s could not be observed", update.table.id)

    async def start(self) -> None:
        """Set the timers of stored tables, and follow what other workers write, if there are any."""
        # The timers come first, so that nothing is left out; presence asks for tables that may be due.
        await self._neighbours.start(self._shared_store)
        await self._presence.start(self._grace)

    def _listed(self, heads: Iterable[Head]) -> None:
        if not self._shared_store:
            self.lobby.publish(heads)

    async def stop(self) -> None:
        """Interrupt every subscription and finish what is under way."""
        self._following.stopping = True
        self.lobby.close()
        await self._timers.close()
        await self._presence.close()
        await self._neighbours.stop()
        self._following.stop()
        if self._background:
            await asyncio.wait(self._background, timeout=10)
        await self._heads.close()

    def numbers(self) -> Numbers:
        """What this worker has done and has in hand."""
        feeds = sum(len(live.feeds) for live in self._cache)
        return Numbers(len(self._cache), feeds, self._commits, self._refusals)

    async def open(self, opening: Opening) -> Update:
        """Open a table. Errors: OpeningRefused, PluginMissing, CodeTaken, Unavailable."""
        wanted = self.registry.mode(opening.mode).challenge(opening.mode_options)
        if wanted is not None:
            opening = replace(opening, challenge=await self.store.challenges.find(clean_code(wanted)))
        with blaming(opening.id, self.registry.game(opening.game), self.registry.mode(opening.mode)):
            decision = open_table(self.registry, opening, self.clock(), self._shared_secret)
        claim = decision.claim
        commit = Commit(
            opening.id,
            1,
            decision.now,
            tuple(decision.events),
            actor=opening.host,
            claim=None if claim is None else claim.key,
        )
        commit = counted(None, commit, decision.table)
        try:
            await self.store.append(commit)
        except ClaimTaken:
            assert claim is not None
            holder = await self.store.find_claim(claim.key)
            raise OpeningRefused(claim.refusal, holder) from None
        live = self._cache.add(stamped(None, decision.table, commit))
        update = Update(commit, live.table)
        await self._made(None, live, update)
        return update

    def id_for(self, player: str, key: str) -> str:
        """The id of the table that a player opens under an idempotency key."""
        return derived_id("table", self._shared_secret, f"open {player} {key}")

    async def claimed(self, game: str, mode: str, player: str) -> str | None:
        """The id of the table with which the player has used up what the mode gives them once, if any.

        Errors: PluginMissing, Unavailable.
        """
        part = self.registry.mode(mode)
        session = Session(part.Options(), 1, self.clock(), self.registry.game(game).id)
        claim = part.claim(session, player)
        return None if claim is None else await self.store.find_claim(claim.key)

    def day_plan(self, game: str, mode: str, day: date) -> DayPlan:
        """What a mode of days has everybody play on a date. Errors: FutureDay, NotDaily, PluginMissing."""
        return day_plan(self.registry, game, mode, day, self.clock(), self._shared_secret)

    def seed_of(self, shuffle: Shuffle) -> str | None:
        """The seed of a shuffle in hex once anybody may know it."""
        return seed_of(shuffle, self._shared_secret, self.clock())

    async def get(self, table_id: str, version: int | None = None) -> Table:
        """The table as it stands, or as it stood at ``version`` or later.

        Errors: TableNotFound, PluginMissing, UnreadableLog, Unavailable.
        """
        table = (await self._load(table_id)).table
        due = table.deadline()
        behind = self._shared_store and (version is None or table.version < version)
        if behind or (due is not None and due <= self.clock()):
            return await self._to_the_end(self._refreshed(table_id))
        return table

    async def _refreshed(self, table_id: str) -> Table:
        async with self._hold(table_id) as live:
            await self._refresh(live)
            return live.table

    @asynccontextmanager
    async def _hold(self, table_id: str) -> AsyncIterator[Live]:
        """The table in memory, for one request at a time."""
        with self._cache.using(table_id):
            while True:
                live = await self._load(table_id)
                async with live.lock:
                    # Its state may have come into doubt while this request waited.
                    if self._cache.peek(table_id) is live:
                        yield live
                        return

    async def find_code(self, code: str) -> str | None:
        """The id of the table with that short code."""
        return await self.store.find_code(code)

    async def act(self, table_id: str, request: Request, command: Command) -> Update | Refused:
        """Carry out a request. Once it is under way it is finished, even if the caller goes away.

        Errors: TableNotFound, PluginMissing, UnreadableLog, Unavailable, and what a plugin raises.
        """
        return await self._to_the_end(self._act(table_id, request, command))

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish what was begun even if the caller goes away; :meth:`stop` waits for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return await asyncio.shield(task)

    async def _act(self, table_id: str, request: Request, command: Command) -> Update | Refused:
        async with self._hold(table_id) as live:
            answer = await self._decide(live, request, command)
            if request.present:
                self._presence.seen(answer.table, request.player)
            return answer

    async def _decide(self, live: Live, request: Request, command: Command) -> Update | Refused:
        """Decide until it is stored, or until a table that is up to date gives another answer.

        A commit to a table that is behind fails; any other answer of it may be wrong, since the caller
        may have seen already what another worker did.
        """
        behind = self._shared_store
        for _ in range(_ATTEMPTS):
            answer = await self._decide_once(live, request, command)
            if answer is None:
                continue
            if behind and not (isinstance(answer, Update) and answer.commit.events):
                behind = False
                version = live.table.version
                await self._catch_up(live)
                if live.table.version != version:
                    continue
            self._refusals += isinstance(answer, Refused)
            return answer
        raise Unavailable(f"table {live.table.id} was too busy; the request was not carried out")

    async def _decide_once(self, live: Live, request: Request, command: Command) -> Update | Refused | None:
        """Decide and store; None when another worker was first."""
        # One look at the clock, so that nothing is accepted at or after a deadline.
        now = max(self.clock(), live.table.updated_at)
        await self._apply_deadlines(live, now)
        table = live.table
        earlier = await self._earlier(live, request)
        if earlier is not None:
            return earlier
        if request.expected_version not in (None, table.version):
            return Refused(_stale(table, request.expected_version), table)
        if request.present and not await self._let_back(live, request.player):
            return None
        table = live.table
        decision = Decision(table, max(now, table.updated_at), self._shared_secret)
        with blaming(table.id, table.game, table.mode):
            refusal = command(decision)
        if refusal is not None:
            return Refused(refusal, table)
        if not decision.events:
            return Update(Commit(table.id, table.version, table.updated_at, ()), table)
        return await self._commit(live, decision, request)

    async def _let_back(self, live: Live, player: str) -> bool:
        """Whoever asks for something is there, also without a subscription.

        False when that was to be stored and another worker was first.
        """
        table = live.table
        seat = table.seat_of(player)
        if seat is None or table.seats[seat].connected or not watched(table):
            return True
        decision = Decision(table, max(self.clock(), table.updated_at), self._shared_secret)
        with blaming(table.id, table.game, table.mode):
            attendance.reconnected(decision, player)
        return not decision.events or await self._commit(live, decision) is not None

    async def _earlier(self, live: Live, request: Request) -> Update | Refused | None:
        """What an earlier request with the same idempotency key was answered."""
        if request.key is None:
            return None
        version = live.keys.get((request.player, request.key))
        commit: Commit | None
        if version is not None:
            commit = (await self.store.read(live.table.id, version - 1, 1))[0]
        elif live.keys_complete:
            return None
        else:
            commit = await self.store.find_key(live.table.id, request.player, request.key)
        if commit is None:
            return None
        if commit.digest != request.digest:
            message = "The idempotency key was already used at this table for another request."
            return Refused(Refusal("KEY_REUSED", message, "idempotencyKey"), live.table)
        async for update in self.updates(live.table.id, commit.version - 1, commit.version):
            return update
        return None

    async def _commit(self, live: Live, decision: Decision, request: Request | None = None) -> Update | None:
        """Store what was decided and tell everybody; None when another worker was first."""
        table = live.table
        commit = Commit(
            table.id,
            table.version + 1,
            decision.now,
            tuple(decision.events),
            None if request is None else request.player,
            None if request is None else request.key,
            None if request is None else request.digest,
        )
        commit = counted(table, commit, decision.table)
        try:
            await self.store.append(commit)
        except (VersionTaken, KeyTaken):
            await self._catch_up(live)
            return None
        except Unavailable:
            # Nobody knows whether it was stored: only the log can say, at the next load.
            self._cache.drop(live)
            raise
        update = Update(commit, stamped(table, decision.table, commit))
        live.advance(update)
        await self._made(table, live, update)
        return update

    async def _made(self, before: Table | None, live: Live, update: Update) -> None:
        """Tell everybody of a commit that this worker made."""
        await self._tell(live, update)
        for event in update.commit.events:
            if type(event) is SeatTaken and event.player is not None:
                self._presence.expect(update.table, event.player)
        self._observed(before, update)
        self.registry.committed(update.commit)

    async def _tell(self, live: Live, update: Update) -> None:
        self._commits += 1
        for feed in live.feeds:
            feed.put(update)
        for event in update.commit.events:
            if type(event) is SeatDisconnected:
                self._presence.told(update.table, event.seat)
        self._timers.note(update.table.id, update.table.deadline())
        if self._heads.note(live) and update.table.status is not Status.OVER:
            # What the lobby and the timers go by changes rarely, so the caller can wait for it; a
            # table that is over but still listed is found out when it is looked at.
            await self._heads.flush()
        if update.commit.version % SNAPSHOT_EVERY == 0:
            task = asyncio.create_task(self._snapshot(update.table))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _snapshot(self, table: Table) -> None:
        try:
            await self.store.save_snapshot(to_snapshot(table))
        except Unavailable as error:
            logger.warning("no snapshot of table %s: %s", table.id, error)
        except Exception:
            logger.exception("no snapshot of table %s", table.id)

    async def _apply_deadlines(self, live: Live, now: datetime) -> None:
        """Let happen what was due by now, each at its own time."""
        lost = 0
        for _ in range(_MOST_DUE):
            due = live.table.deadline()
            if due is None or due > now:
                return
            decision = Decision(live.table, due, self._shared_secret)
            if not tick(decision):
                return
            if await self._commit(live, decision) is None:
                lost += 1
                if lost == _ATTEMPTS:
                    break
        raise Unavailable(f"table {live.table.id} was too busy to let happen what was due")

    async def _refresh(self, live: Live) -> None:
        if self._shared_store:
            await self._catch_up(live)
        await self._apply_deadlines(live, self.clock())

    async def _catch_up(self, live: Live) -> None:
        """Apply what others stored since, and tell this worker's subscribers."""
        for commit in await self.store.read(live.table.id, live.table.version):
            table = fold(self.registry, [commit], live.table)
            assert table is not None
            update = Update(commit, table)
            live.advance(update)
            await self._tell(live, update)

    async def _load(self, table_id: str) -> Live:
        live = self._cache.get(table_id)
        if live is not None:
            return live
        loading = self._loading.get(table_id)
        if loading is None:
            loading = asyncio.create_task(self._read(table_id))
            self._loading[table_id] = loading
        return await asyncio.shield(loading)

    async def _read(self, table_id: str) -> Live:
        try:
            return await self._fold(table_id)
        finally:
            del self._loading[table_id]

    async def _fold(self, table_id: str) -> Live:
        table, commits, complete = await self._log.latest(table_id)
        live = self._cache.add(table, keys_complete=complete)
        live.remember(commits)
        # The lists may have missed the last change before a crash.
        self._heads.note(live)
        self._timers.note(table_id, table.deadline())
        return live

    def updates(self, table_id: str, after: int, upto: int) -> AsyncIterator[Update]:
        """The stored updates with versions above ``after`` and up to ``upto``, each with its table."""
        return self._log.updates(table_id, after, upto)

    def follows(self, table_id: str, player: str) -> bool:
        """Whether a player has a subscription to the table on this worker."""
        return self._following.follows(table_id, player)

    def subscribe(
        self, table_id: str, after: int | None = None, player: str | None = None
    ) -> AsyncGenerator[Update, None]:
        """What happens at a table after a version; see :meth:`Following.subscribe`."""
        return self._following.subscribe(table_id, after, player)

    def looked(self, table: Table, player: str) -> None:
        """A player looks at a table: one who sits there is there, also without a subscription."""
        seat = table.seat_of(player)
        if seat is None or not watched(table):
            return
        self._presence.seen(table, player)
        if not table.seats[seat].connected:
            task = asyncio.create_task(self._say_back(table.id, player))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _say_back(self, table_id: str, player: str) -> None:
        try:
            await self._attend(table_id, player, lambda: True)
        except Exception as error:
            logger.warning("table %s could not be told that player %s is back: %s", table_id, player, error)

    async def _attend(self, table_id: str, player: str, there: Callable[[], bool]) -> None:
        """Tell a table that a player is there or is not."""

        def command(decision: Decision) -> None:
            if watched(decision.table):
                (attendance.reconnected if there() else attendance.disconnected)(decision, player)

        await self.act(table_id, Request(player, present=False), command)

    async def _grace(self, table_id: str) -> float:
        return (await self.get(table_id)).opening.house.grace_seconds


def _stale(table: Table, expected: int | None) -> Refusal:
    message = f"The table is at version {table.version}, not at the expected {expected}."
    return Refusal("STALE_VERSION", message, "expectedVersion")
