"""What plugins are asked before a commit is stored: what it keeps out, and that nothing is asked twice."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from servicekit import ANN, BOB, Workers, asks, followed, kept_table, play, until, versions

from fliptable import lobby, projection
from fliptable.requests import Request
from fliptable.table import Table

HERS, HIS, NOBODYS = frozenset({0}), frozenset({1}), frozenset[int]()


async def table_for_two(workers: Workers, service: Any) -> str:
    """Ann is to act, and once she keeps her card, Bob is."""
    table = await kept_table(service, workers.registry, seats=2)
    await service.act(table, Request(BOB), partial(lobby.join, player=BOB, name="Bob"))
    await service.act(table, asks(), partial(lobby.start, player=ANN))
    return table


def fail_for(monkeypatch: pytest.MonkeyPatch, kind: Any, asked: str, *eyes: frozenset[int]) -> None:
    """Have what a plugin shows raise for some viewers, in every state but those that there are by now."""
    answer = getattr(kind, asked)

    def broken(part: Any, state: Any, viewer: Any, *more: Any) -> Any:
        if viewer in eyes:
            raise ZeroDivisionError("a bug in the view")
        return answer(part, state, viewer, *more)

    monkeypatch.setattr(kind, asked, broken)


@pytest.mark.parametrize("kind", ["HighCard", "Timed"])
async def test_a_move_after_which_who_is_to_act_would_see_nothing_is_not_stored(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    service = await workers.service()
    table = await table_for_two(workers, service)
    fail_for(monkeypatch, getattr(high, kind), "view", HIS)
    with pytest.raises(ZeroDivisionError):
        await service.act(table, asks(), play(high.Keep()))
    # What leaves the turn where it is shows Ann the round.
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 4
    monkeypatch.undo()
    assert (await service.act(table, asks(), play(high.Keep()))).commit.version == 5


@pytest.mark.parametrize("kind", ["HighCard", "Timed"])
async def test_a_view_that_fails_for_others_hurts_nobody_else(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    service = await workers.service()
    table = await table_for_two(workers, service)
    fail_for(monkeypatch, getattr(high, kind), "view", HIS, NOBODYS)
    shows = projection.view_run if kind == "Timed" else _round
    async with followed(service, table) as seen:
        assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 4
        await until(lambda: len(seen) == 4)
        assert versions(seen) == [1, 2, 3, 4]
        now = await service.get(table)
        for eyes in (HIS, NOBODYS):
            with pytest.raises(ZeroDivisionError):
                shows(now, eyes)
            assert projection.prompt(now) is not None and projection.legal_moves(now, eyes) == []
            assert [
                event.text(now.names)
                for event in projection.seen_events(seen[-1].commit.events, eyes, NOBODYS)
            ]
        assert shows(now, HERS) and projection.legal_moves(now, HERS)
        # Bob can still leave.
        assert (
            await service.act(table, asks(player=BOB), partial(lobby.leave, player=BOB))
        ).commit.version == 5


def _round(table: Table, eyes: frozenset[int]) -> Any:
    assert table.round is not None
    return projection.view_round(table, table.round, eyes)


@pytest.fixture
def asked(high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> Counter[Any]:
    """How often plugins were asked: for views by whose they are, for moves by the seat."""
    counted: Counter[Any] = Counter()

    def count(kind: Any, name: str, of: Any) -> None:
        answer = getattr(kind, name)

        def counting(part: Any, state: Any, *given: Any) -> Any:
            counted[f"{kind.__name__}.{name}", of(*given)] += 1
            return answer(part, state, *given)

        monkeypatch.setattr(kind, name, counting)

    count(high.HighCard, "view", lambda viewer: viewer)
    count(high.HighCard, "legal_moves", lambda seat: seat)
    count(high.Timed, "view", lambda viewer: viewer)
    return counted


async def test_what_was_asked_ahead_is_not_asked_again_for_the_answer(
    workers: Workers, high: SimpleNamespace, asked: Counter[Any]
) -> None:
    service = await workers.service()
    table = await table_for_two(workers, service)
    asked.clear()
    answer = await service.act(table, asks(), play(high.Swap()))
    now = answer.table
    game, mode = high.HighCard(), now.mode
    for _ in range(2):
        assert _round(now, HERS) == game.view(now.round.state, HERS)
        assert projection.view_run(now, HERS) == mode.view(now.run, HERS)
        assert [one.move for one in projection.legal_moves(now, HERS)] == [high.Swap(), high.Keep()]
        assert _round(now, HIS).hands[0] is None and projection.legal_moves(now, HIS) == []
    # Hers were asked once for the table, and each time for these lines; of his, one answer served twice.
    assert asked["HighCard.view", HERS] == 1 + 2 and asked["Timed.view", HERS] == 1 + 2
    assert asked["HighCard.legal_moves", 0] == 1
    assert asked["HighCard.view", HIS] == 1
    # Who changes what they got, changes it for themselves.
    projection.legal_moves(now, HERS).clear()
    assert len(projection.legal_moves(now, HERS)) == 2


async def test_answers_are_those_of_the_table_as_it_stands(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await table_for_two(workers, service)
    first = await service.act(table, asks(), play(high.Swap()))
    shown = _round(first.table, HERS)
    second = await service.act(table, asks(), play(high.Swap()))
    assert _round(second.table, HERS).hands != shown.hands
    assert _round(first.table, HERS) == shown
    changed = second.table.having(run=None, round=first.table.round)
    assert _round(changed, HERS) == shown


async def test_answers_go_with_the_update_that_they_are_for(
    workers: Workers, high: SimpleNamespace, asked: Counter[Any]
) -> None:
    """A table in memory that nobody follows has no views beside it, nor have those that are behind."""
    service = await workers.service()
    table = await table_for_two(workers, service)
    answer = await service.act(table, asks(), play(high.Swap()))
    now = answer.table
    del answer
    # What had the request in hand lets go of it, too.
    await asyncio.sleep(0)
    gc.collect()
    asked.clear()
    for _ in range(2):
        _round(now, HERS)
    assert asked["HighCard.view", HERS] == 2
    async with followed(service, table) as seen:
        for _ in range(2):
            await service.act(table, asks(), play(high.Swap()))
        await until(lambda: len(seen) == 6)
        asked.clear()
        for update in seen[-2:]:
            _round(update.table, HERS)
        assert asked["HighCard.view", HERS] == 1


async def test_other_workers_ask_once_for_all_who_follow(
    workers: Workers, high: SimpleNamespace, asked: Counter[Any]
) -> None:
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await table_for_two(workers, one)
    async with followed(other, table) as seen:
        await until(lambda: len(seen) == 3)
        await one.act(table, asks(), play(high.Swap()))
        await until(lambda: len(seen) == 4)
        asked.clear()
        for _ in range(3):
            _round(seen[-1].table, HIS)
        assert asked["HighCard.view", HIS] == 1
