"""The referee: decides what is asked of a table, again and again until the answer stands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from fliptable import attendance
from fliptable.blame import blame, blaming
from fliptable.cache import Live
from fliptable.deadlines import tick
from fliptable.decide import Decision
from fliptable.events import Commit
from fliptable.feed import Update
from fliptable.log import Store, Unavailable
from fliptable.migrations import UnreadableLog
from fliptable.plugins import PluginMissing
from fliptable.presence import watched
from fliptable.requests import Command, Refused, Request
from fliptable.rules import Refusal
from fliptable.setbacks import fault_of
from fliptable.table import Table
from fliptable.tablelog import TableLog
from fliptable.tablewriter import TableWriter

logger: logging.Logger = logging.getLogger("fliptable.service")

_ATTEMPTS = 20
"""How many races against other workers a request may lose."""
_MOST_DUE = 10_000
"""A table at which more was due at once has a plugin that never has enough."""


class Referee:
    """Answers requests to tables in memory. A table's lock is held meanwhile."""

    def __init__(
        self,
        store: Store,
        log: TableLog,
        writer: TableWriter,
        clock: Callable[[], datetime],
        shared_secret: bytes,
        shared_store: bool,
    ) -> None:
        """``shared_store`` says that other workers write to the store too."""
        self._store = store
        self._log = log
        self._writer = writer
        self._clock = clock
        self._shared_secret = shared_secret
        self._shared_store = shared_store
        self.refusals: int = 0
        """How many requests were refused."""

    async def refresh(self, live: Live) -> Exception | None:
        """Let a table know what others stored and what is due by now.

        What a plugin raises at what is due is the answer, and the table is as it is stored then.
        Errors: UnreadableLog, Unavailable, and what a plugin raises at what others stored.
        """
        if self._shared_store:
            await self._writer.catch_up(live)
        return await self._let_due(live, self._clock())

    async def answer(self, live: Live, request: Request, command: Command) -> Update | Refused:
        """Decide until it is stored, or until a table that is up to date gives another answer.

        A commit to a table that is behind fails; any other answer of it may be wrong, since the caller
        may have seen already what another worker did. Errors: UnreadableLog, Unavailable, and what a
        plugin raises.
        """
        behind = self._shared_store
        for _ in range(_ATTEMPTS):
            answer = await self._decide(live, request, command)
            if answer is None:
                continue
            if behind and not (isinstance(answer, Update) and answer.commit.events):
                behind = False
                version = live.table.version
                await self._writer.catch_up(live)
                if live.table.version != version:
                    continue
            self.refusals += isinstance(answer, Refused)
            return answer
        raise Unavailable(f"table {live.table.id} was too busy; the request was not carried out")

    async def _decide(self, live: Live, request: Request, command: Command) -> Update | Refused | None:
        """Decide and store; None when another worker was first."""
        # One look at the clock, so that nothing is accepted at or after a deadline.
        now = max(self._clock(), live.table.updated_at)
        fault = await self._let_due(live, now)
        table = live.table
        earlier = await self._earlier(live, request)
        if earlier is not None:
            return earlier
        if request.expected_version not in (None, table.version):
            return Refused(_stale(table, request.expected_version), table)
        if fault is not None and not request.anyway:
            raise fault
        try:
            if request.present and not await self._let_back(live, request.player):
                return None
        except (Unavailable, UnreadableLog):
            raise
        except Exception:
            if not request.anyway:
                raise
        table = live.table
        decision = Decision(table, max(now, table.updated_at), self._shared_secret)
        with blaming(table.id, table.game, table.mode):
            refusal = command(decision)
        if decision.fault is not None:
            blame(decision.fault, table.id, table.game, table.mode)
            fault_told = fault_of(decision.fault)
            logger.error("a table was left without its round's end: %s", fault_told, exc_info=decision.fault)
        if refusal is not None:
            return Refused(refusal, table)
        if not decision.events:
            return Update(Commit(table.id, table.version, table.updated_at, ()), table)
        return await self._writer.commit(live, decision, request)

    async def _let_due(self, live: Live, now: datetime) -> Exception | None:
        """Let happen what was due by now; what a plugin raised at it, if one did."""
        try:
            await self._apply_deadlines(live, now)
        except (PluginMissing, Unavailable, UnreadableLog):
            raise
        except Exception as error:
            return error
        return None

    async def _apply_deadlines(self, live: Live, now: datetime) -> None:
        """Let happen what was due by now, each at its own time."""
        lost = 0
        for _ in range(_MOST_DUE):
            table = live.table
            with blaming(table.id, table.game, table.mode):
                due = table.deadline()
                if due is None or due > now:
                    return
                # Somebody may have left since, while a plugin failed at it.
                decision = Decision(table, max(due, table.updated_at), self._shared_secret)
                happened = tick(decision)
            if not happened:
                return
            if await self._writer.commit(live, decision) is None:
                lost += 1
                if lost == _ATTEMPTS:
                    break
        raise Unavailable(f"table {live.table.id} was too busy to let happen what was due")

    async def _earlier(self, live: Live, request: Request) -> Update | Refused | None:
        """What an earlier request with the same idempotency key was answered."""
        if request.key is None:
            return None
        version = live.keys.get((request.player, request.key))
        commit: Commit | None
        if version is not None:
            commit = (await self._store.read(live.table.id, version - 1, 1))[0]
        elif live.keys_complete:
            return None
        else:
            commit = await self._store.find_key(live.table.id, request.player, request.key)
        if commit is None:
            return None
        if commit.digest != request.digest:
            message = "The idempotency key was already used at this table for another request."
            return Refused(Refusal("KEY_REUSED", message, "idempotencyKey"), live.table)
        async for update in self._log.updates(live.table.id, commit.version - 1, commit.version):
            return update
        return None

    async def _let_back(self, live: Live, player: str) -> bool:
        """Whoever asks for something is there, also without a subscription.

        False when that was to be stored and another worker was first.
        """
        table = live.table
        seat = table.seat_of(player)
        if seat is None or table.seats[seat].connected or not watched(table):
            return True
        decision = Decision(table, max(self._clock(), table.updated_at), self._shared_secret)
        with blaming(table.id, table.game, table.mode):
            attendance.reconnected(decision, player)
        return not decision.events or await self._writer.commit(live, decision) is not None


def _stale(table: Table, expected: int | None) -> Refusal:
    message = f"The table is at version {table.version}, not at the expected {expected}."
    return Refusal("STALE_VERSION", message, "expectedVersion")
