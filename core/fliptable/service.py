"""The table service: the one way in to tables, for whatever speaks for players.

It loads tables, makes the moves at each wait for one another, decides again after losing a race
against another worker, and tells subscribers once a commit is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from fliptable import attendance
from fliptable.blame import blaming
from fliptable.cache import Live, TableCache
from fliptable.days import DayPlan, day_plan
from fliptable.deadlines import tick
from fliptable.decide import Decision
from fliptable.events import Commit, SeatDisconnected, SeatTaken
from fliptable.evolve import fold, stamped
from fliptable.feed import Feed, Update
from fliptable.heads import HeadWriter
from fliptable.ids import clean_code
from fliptable.lobbyfeed import LobbyFeed
from fliptable.log import ClaimTaken, Head, KeyTaken, Store, Unavailable, VersionTaken
from fliptable.modes import Session
from fliptable.opening import Opening, OpeningRefused, open_table
from fliptable.plugins import PluginMissing, Registry
from fliptable.presence import Presence, watched
from fliptable.projection import seed_of
from fliptable.records import counted
from fliptable.rules import Refusal
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Shuffle, Status, Table
from fliptable.timers import Timers

logger = logging.getLogger("fliptable.service")

T = TypeVar("T")

Observer = Callable[[Table | None, Update], None]
"""Told of a commit: the table before it (None: there was none), the commit and the table after it."""

Command = Callable[[Decision], Refusal | None]
"""A request to a table: it emits events into the decision, or says why not."""

SNAPSHOT_EVERY = 64
_ATTEMPTS = 20
_MOST_DUE = 10_000
"""A table at which more was due at once has a plugin that never has enough."""
_PAGE = 100
_MOST_TIMERS = 1_000_000
_LOOK_AFTER = 2.0
"""Seconds between two looks at the deadlines of others' tables."""
_AGAIN = 0.5
"""Seconds until another try for subscribers when the database was away."""
FAR = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for something, and under which conditions."""

    player: str
    key: str | None = None
    digest: str | None = None
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal, with the table as it stands."""

    refusal: Refusal
    table: Table


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a worker has done and has in hand."""

    tables: int
    subscriptions: int
    commits: int
    refusals: int


class TableNotFound(LookupError):
    """There is no table of that id."""


class Interrupted(Exception):
    """The server stops before the table is over; the subscription can be resumed."""


class UnknownVersion(ValueError):
    """The table has not reached that version."""


def utc_now() -> datetime:
    """The present, to the millisecond, as the database keeps it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


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
        self._queue = queue
        self._cache = TableCache(cached_tables)
        self.lobby = LobbyFeed()
        self._heads = HeadWriter(store, self._listed)
        self._timers = Timers(clock, self.get)
        self._presence = Presence(secrets.token_hex(8), store.roster, self._attend, shared_store)
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._observers: list[Observer] = []
        self._background: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self._commits = 0
        self._refusals = 0
        self._followers: list[asyncio.Task[None]] = []
        self._following = asyncio.Event()

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
        await self._find_deadlines(FAR)
        await self._presence.start(self._grace)
        if self._shared_store:
            work = (self._follow(), self._look_after(), self._follow_heads())
            self._followers = [asyncio.create_task(one) for one in work]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_AFTER):
                    await self._following.wait()

    def _listed(self, heads: Iterable[Head]) -> None:
        if not self._shared_store:
            self.lobby.publish(heads)

    async def _follow_heads(self) -> None:
        """With several workers, what is listed is heard of from the store, whoever wrote it."""
        async for head in self.store.watch_heads():
            if head is not None:
                self.lobby.publish([head])
            elif self._following.is_set():
                # Something may have been missed, and only a new look at the lists can tell.
                self.lobby.close()
            self._following.set()

    async def _find_deadlines(self, until: datetime) -> None:
        for head in await self.store.due_heads(until, _MOST_TIMERS):
            self._timers.note(head.table, head.deadline)

    async def _look_after(self) -> None:
        """Take over, now and then, the deadlines of workers that are gone."""
        while True:
            await asyncio.sleep(_LOOK_AFTER)
            try:
                await self._find_deadlines(self.clock())
            except Unavailable as error:
                logger.warning("deadlines could not be looked up: %s", error)

    async def stop(self) -> None:
        """Interrupt every subscription and finish what is under way."""
        self._stopping = True
        self.lobby.close()
        await self._timers.close()
        await self._presence.close()
        for follower in self._followers:
            follower.cancel()
        await asyncio.gather(*self._followers, return_exceptions=True)
        for live in self._cache:
            for feed in live.feeds:
                feed.close()
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

    async def get(self, table_id: str) -> Table:
        """The table as it stands. Errors: TableNotFound, PluginMissing, UnreadableLog, Unavailable."""
        table = (await self._load(table_id)).table
        due = table.deadline()
        if self._shared_store or (due is not None and due <= self.clock()):
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
            return await self._decide(live, request, command)

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
        decision = Decision(table, max(now, table.updated_at), self._shared_secret)
        with blaming(table.id, table.game, table.mode):
            refusal = command(decision)
        if refusal is not None:
            return Refused(refusal, table)
        if not decision.events:
            return Update(Commit(table.id, table.version, table.updated_at, ()), table)
        return await self._commit(live, decision, request)

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
        table = await self._start_from(table_id, None)
        start = 0 if table is None else table.version
        commits = await self.store.read(table_id, start)
        table = fold(self.registry, commits, table)
        if table is None:
            raise TableNotFound(table_id)
        live = self._cache.add(table, keys_complete=start == 0)
        live.remember(commits)
        # The lists may have missed the last change before a crash.
        self._heads.note(live)
        self._timers.note(table_id, table.deadline())
        return live

    async def _start_from(self, table_id: str, most: int | None) -> Table | None:
        """The latest snapshot that is not beyond version ``most``, as a table."""
        snapshot = await self.store.load_snapshot(table_id)
        if snapshot is None or (most is not None and snapshot.version > most):
            return None
        try:
            return from_snapshot(self.registry, snapshot)
        except PluginMissing:
            raise
        except Exception:
            logger.exception("the snapshot of table %s is of no use", table_id)
            return None

    async def updates(self, table_id: str, after: int, upto: int) -> AsyncIterator[Update]:
        """The stored updates with versions above ``after`` and up to ``upto``, each with its table."""
        if after >= upto:
            return
        table = await self._start_from(table_id, after)
        version = 0 if table is None else table.version
        while version < upto:
            commits = await self.store.read(table_id, version, min(_PAGE, upto - version))
            if not commits:
                return
            for commit in commits:
                table = fold(self.registry, [commit], table)
                assert table is not None
                version = commit.version
                if version > after:
                    yield Update(commit, table)

    def follows(self, table_id: str, player: str) -> bool:
        """Whether a player has a subscription to the table on this worker."""
        live = self._cache.peek(table_id)
        return live is not None and any(feed.player == player for feed in live.feeds)

    async def subscribe(
        self, table_id: str, after: int | None = None, player: str | None = None
    ) -> AsyncIterator[Update]:
        """What happens at a table after a version: what is stored, then what comes, until it is over.

        Without ``after`` it begins with the latest update. Errors: those of :meth:`get`,
        UnknownVersion, TooSlow, and Interrupted when the server stops.
        """
        table = await self.get(table_id)
        if after is not None and not 0 <= after <= table.version:
            raise UnknownVersion(f"the table is at version {table.version}; after may be 0 to that")
        done = table.version - 1 if after is None else after
        entered = player if watched(table) else None
        if entered is not None:
            self._presence.enter(table, entered)
        try:
            while not (table.status is Status.OVER and done >= table.version):
                try:
                    async with aclosing(self._follow_from(table_id, done, player)) as updates:
                        async for update in updates:
                            done, table = update.commit.version, update.table
                            yield update
                except Unavailable as error:
                    logger.warning("the subscribers of table %s have to wait: %s", table_id, error)
                    await asyncio.sleep(_AGAIN)
        finally:
            if entered is not None:
                last = self._cache.peek(table_id)
                self._presence.leave(table if last is None else last.table, entered)

    async def _follow_from(
        self, table_id: str, done: int, player: str | None
    ) -> AsyncGenerator[Update, None]:
        """What happens at a table after a version, until it is over or its state comes into doubt.

        Errors: as of :meth:`subscribe`.
        """
        if self._stopping:
            raise Interrupted
        with self._cache.using(table_id):
            live = await self._load(table_id)
        if self._cache.peek(table_id) is not live:
            return
        feed = Feed(self._queue, player)
        live.feeds.add(feed)
        try:
            # From here on the feed has everything, so the log is read up to this version only.
            table = live.table
            async for update in self.updates(table_id, done, table.version):
                done = update.commit.version
                yield update
            while not (table.status is Status.OVER and done >= table.version):
                next_update = await feed.get()
                if next_update is None:
                    return
                if next_update.commit.version > done:
                    done, table = next_update.commit.version, next_update.table
                    yield next_update
        finally:
            live.feeds.discard(feed)

    async def _attend(self, table_id: str, player: str, there: Callable[[], bool]) -> None:
        """Tell a table that a player is there or is not."""

        def command(decision: Decision) -> None:
            if watched(decision.table):
                (attendance.reconnected if there() else attendance.disconnected)(decision, player)

        await self.act(table_id, Request(player), command)

    async def _grace(self, table_id: str) -> float:
        return (await self.get(table_id)).opening.house.grace_seconds

    async def _follow(self) -> None:
        """Bring tables that are in memory up to date when another worker wrote to them."""
        async for change in self.store.watch():
            if change is None:
                # Anything may have been missed by those who follow a table here.
                for live in self._cache:
                    if live.feeds:
                        await self._follow_up(live, live.table.version + 1)
                continue
            table_id, version = change
            found = self._cache.peek(table_id)
            if found is not None:
                await self._follow_up(found, version)

    async def _follow_up(self, live: Live, version: int) -> None:
        """Catch up with what others stored, unless the table is at that version already."""
        if live.table.version >= version:
            return
        async with live.lock:
            if live.table.version < version:
                try:
                    await self._catch_up(live)
                except Exception:
                    logger.exception("could not follow table %s", live.table.id)
                    self._cache.drop(live)


def _stale(table: Table, expected: int | None) -> Refusal:
    message = f"The table is at version {table.version}, not at the expected {expected}."
    return Refusal("STALE_VERSION", message, "expectedVersion")
