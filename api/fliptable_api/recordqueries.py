"""Looking up records, days and challenges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date
from typing import Any

import strawberry

from fliptable.blame import asking
from fliptable.challenges import Challenge
from fliptable.days import FutureDay, NotDaily
from fliptable.quoting import quoted
from fliptable.records import (
    ALL_TIME,
    Board,
    Period,
    Standing,
    Tally,
    longest_run,
    period_key,
    run_of_days,
)
from fliptable_api import paging
from fliptable_api.catalogue import check_named
from fliptable_api.challengenodes import ChallengeNode
from fliptable_api.context import RequestContext
from fliptable_api.errors import InvalidArgument
from fliptable_api.naming import sentence
from fliptable_api.recordtypes import (
    Daily,
    DayStreaks,
    FlipCount,
    PlayCounts,
    PlayerRecord,
    RecordEntry,
    metric_node,
)
from fliptable_api.seatnodes import PlayerNode

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

CUSTOM = "custom"
"""The mode in which challenges are played."""

NEIGHBOURS = 7
"""How many players are shown around one's own place."""


async def records_page(
    context: RequestContext,
    board: Board,
    period: Period,
    window: paging.Window,
) -> Any:
    """A page of a board. Errors: CodedError for a board that there is not."""
    shared = context.shared
    check_named(context.shared.catalogue, board.game, board.mode)
    registry = shared.registry
    part, played = registry.mode(board.mode), registry.game(board.game)
    if part not in registry.modes_for(played):
        raise InvalidArgument("mode", f"{played.name} cannot be played in the mode {part.id}.")
    names = [metric.name for metric in part.metrics]
    if board.metric not in names:
        kept = ", ".join(names) or "no records at all"
        raise InvalidArgument("metric", f"The mode {board.mode} keeps {kept}, not {quoted(board.metric)}.")
    try:
        with asking("mode", part):
            board = replace(board, scope=part.check_scope(board.scope))
    except ValueError as error:
        raise InvalidArgument("scope", sentence(str(error))) from None
    kind = paging.list_of("record", board.key, period.value)
    after, before = (
        None if cursor is None else paging.from_cursor(kind, cursor, str, name)
        for cursor, name in ((window.after, "after"), (window.before, "before"))
    )
    size, backward = window.size, window.backward
    records = await shared.service.store.records()
    standings = await records.top(board, _key(context, period), size + 1, after, before, backward)
    entries = await _entries(context, standings)
    cursors = [paging.to_cursor(kind, one.place) for one in standings]
    started = (before if backward else after) is not None
    return paging.page(list(zip(cursors, entries, strict=True)), size, started, backward)


def _date(day: str) -> date:
    try:
        return date.fromisoformat(day)
    except ValueError:
        if _DAY.fullmatch(day):
            raise InvalidArgument("date", f"There is no day {day}.") from None
    raise InvalidArgument("date", f"The date is {quoted(day)}; it has to be like 2030-01-31.")


def _key(context: RequestContext, period: Period) -> str:
    return period_key(period, context.shared.service.clock())


async def _entries(context: RequestContext, standings: Sequence[Standing]) -> list[RecordEntry]:
    known = await context.shared.service.store.find_accounts({one.player for one in standings})
    return [_entry(one, known[one.player].name if one.player in known else "Somebody") for one in standings]


def _entry(one: Standing, name: str) -> RecordEntry:
    player: Any = PlayerNode(one.player, name)
    return RecordEntry(
        rank=one.rank, player=player, value=one.value, at=one.at, table_id=strawberry.ID(one.table)
    )


async def records_of_player(context: RequestContext, player: str, period: Period) -> list[PlayerRecord]:
    """Where a player stands on every board without a scope, with their neighbours."""
    shared = context.shared
    records = await shared.service.store.records()
    key = _key(context, period)
    found = []
    for board, standing in await records.of_player(player, key):
        game, mode = shared.catalogue.games.get(board.game), shared.catalogue.modes.get(board.mode)
        if game is None or mode is None:
            continue
        metrics = {one.name: one for one in shared.registry.mode(board.mode).metrics}
        if board.metric not in metrics:
            continue
        around = await _entries(context, await records.around(board, key, player, NEIGHBOURS))
        (mine,) = await _entries(context, [standing])
        parts: Any = {"game": game, "mode": mode}
        found.append(
            PlayerRecord(**parts, metric=metric_node(metrics[board.metric]), mine=mine, around=around)
        )
    return found


async def counts_of(context: RequestContext, game: str, mode: str, scope: str) -> PlayCounts:
    """How often a scope of a mode was played, and with how many flips it was won."""
    records = await context.shared.service.store.records()
    tally: Tally = await records.tally(game, mode, scope)
    metrics = context.shared.registry.mode(mode).metrics
    spread: dict[int, int] = {}
    if metrics:
        spread = await records.spread(Board(game, mode, metrics[0].name, scope), ALL_TIME)
    flips = [FlipCount(flips=value, players=players) for value, players in spread.items()]
    return PlayCounts(attempts=tally.attempts, finished=tally.finished, wins=tally.wins, flips=flips)


async def daily(context: RequestContext, game: str, mode: str, day: str | None) -> Daily:
    """What is played on a date. Errors: CodedError for a date or mode that it cannot be said of."""
    service = context.shared.service
    today = service.clock().astimezone(UTC).date()
    check_named(context.shared.catalogue, game, mode)
    wanted = today if day is None else _date(day)
    try:
        plan = service.day_plan(game, mode, wanted)
    except FutureDay:
        message = f"The date {wanted.isoformat()} has not come yet."
        raise InvalidArgument("date", message) from None
    except NotDaily as error:
        raise InvalidArgument("mode", sentence(str(error))) from None
    node: Any = context.shared.catalogue.games[game]
    target = plan.terms.get("target")
    mine, days = None, None
    if context.player is not None:
        if wanted == today:
            mine = await service.claimed(game, mode, context.player)
        records = await service.store.records()
        runs = await records.days(game, mode, context.player)
        days = DayStreaks(
            played=run_of_days(runs.played, today),
            won=run_of_days(runs.won, today),
            longest_played=longest_run(runs.played),
            longest_won=longest_run(runs.won),
        )
    return Daily(
        date=wanted.isoformat(),
        game=node,
        target=target,
        commitment=plan.commitment,
        seed=plan.seed,
        ends_at=plan.until,
        counts=await counts_of(context, game, mode, wanted.isoformat()),
        my_table=None if mine is None else strawberry.ID(mine),
        my_days=days,
    )


async def counts_of_challenge(context: RequestContext, made: Challenge) -> PlayCounts:
    """How often a challenge was played. Errors: PluginMissing."""
    return await counts_of(context, made.game, CUSTOM, made.code)


async def best_flips_of(context: RequestContext, made: Challenge) -> int | None:
    """The fewest flips of a win at a challenge. Errors: PluginMissing."""
    metrics = context.shared.registry.mode(CUSTOM).metrics
    records = await context.shared.service.store.records()
    board = Board(made.game, CUSTOM, metrics[0].name, made.code)
    best = await records.top(board, ALL_TIME, 1, None, None, False)
    return best[0].value if best else None


async def challenges_page(context: RequestContext, window: paging.Window) -> Any:
    """A page of the challenges that the caller made. Errors: CodedError when nobody is signed in."""
    player = context.signed_in().id
    kind = paging.list_of("challenge", player)
    older, newer = (
        None if cursor is None else paging.from_cursor(kind, cursor, paging.read_place, name)
        for cursor, name in ((window.after, "after"), (window.before, "before"))
    )
    size, backward = window.size, window.backward
    found = await context.shared.challenges.made_by(player, size + 1, older, newer, backward)
    if backward:
        found.reverse()
    entries = [
        (
            paging.to_cursor(kind, f"{one.created_at.isoformat()}|{one.code}"),
            ChallengeNode(context.shared, one),
        )
        for one in found
    ]
    return paging.page(entries, size, (newer if backward else older) is not None, backward)
