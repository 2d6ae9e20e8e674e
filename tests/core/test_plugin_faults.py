"""A plugin that fails at what is due, or raises what would end a server, hurts its own request alone."""

from __future__ import annotations

import asyncio
import logging
import signal
from types import SimpleNamespace
from typing import Any

import pytest
from servicekit import Workers, asks, followed, kept_table, opening, play, until

from fliptable import Outcome, Result, SeatOutcome, lobby
from fliptable import timers as timers_module
from fliptable.blame import PluginRaised, blame_of, blaming
from fliptable.decide import BrokenPlugin
from fliptable.events import SeatLeft
from fliptable.house import HouseRules
from fliptable.requests import Request
from fliptable.setbacks import Setbacks
from fliptable.table import Status
from fliptable.testing import FakeClock

ANYWAY = Request("ply_ann", anyway=True)


def broken(*args: Any) -> Any:
    raise ZeroDivisionError("a bug in the rules")


def leaving(decision: Any) -> Any:
    return lobby.leave(decision, "ply_ann")


@pytest.mark.parametrize("at", ["expired", "at_deadline", "view"])
async def test_a_table_at_whose_deadline_a_plugin_fails_is_readable_and_can_be_left(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    clock = FakeClock()
    service = await workers.service(clock=clock)
    seconds = 3600 if at == "at_deadline" else 5
    table = await kept_table(service, workers.registry, house=HouseRules(turn_seconds=seconds))
    await service.act(table, asks("key-1"), play(high.Swap()))
    kind = high.Timed if at == "at_deadline" else high.HighCard
    monkeypatch.setattr(kind, at, broken)
    clock.advance(61)
    for _ in range(3):
        found = await service.get(table)
        assert found.version == 2 and found.status is Status.PLAYING
    async with followed(service, table) as seen:
        await until(lambda: len(seen) == 2)
    # Nothing is played after its time, and what was played before it is still told.
    with pytest.raises(ZeroDivisionError) as raised:
        await service.act(table, asks(), play(high.Swap()))
    assert table in raised.value.__notes__[0]
    assert (await service.act(table, asks("key-1"), play(high.Swap()))).commit.version == 2
    left = await service.act(table, ANYWAY, leaving)
    assert left.table.status is Status.OVER and left.commit.at == clock.now
    assert any(isinstance(event, SeatLeft) for event in left.commit.events)


async def test_what_is_due_happens_once_its_plugin_is_mended(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when somebody has left since: time does not go back at a table."""
    clock = FakeClock()
    service = await workers.service(clock=clock)
    opened = opening(workers.registry, seats=2)
    table = (await service.open(opened)).table.id
    await service.act(table, Request("ply_bob"), lambda decision: lobby.join(decision, "ply_bob", "Bob"))
    await service.act(table, asks(), lambda decision: lobby.start(decision, "ply_ann"))
    monkeypatch.setattr(high.Timed, "at_deadline", broken)
    clock.advance(61)
    left = await service.act(table, ANYWAY, leaving)
    assert left.table.status is Status.PLAYING
    monkeypatch.undo()
    over = await service.get(table)
    assert over.status is Status.OVER and over.updated_at == left.table.updated_at
    commits = await service.store.read(table)
    assert [one.at for one in commits] == sorted(one.at for one in commits)


async def test_a_deadline_that_fails_is_told_of_once_and_tried_ever_more_rarely(
    workers: Workers,
    high: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, tries = FakeClock(), []

    def counted(*args: Any) -> Any:
        tries.append(1)
        raise ZeroDivisionError("a bug in the mode")

    monkeypatch.setattr(timers_module, "_AGAIN", 0.01)
    monkeypatch.setattr(high.Timed, "at_deadline", counted)
    service = await workers.service(clock=clock)
    table = await kept_table(service, workers.registry)
    clock.advance(61)
    service._timers.note(table, None)
    with caplog.at_level(logging.WARNING):
        service._timers.note(table, (await service.get(table)).deadline())
        await until(lambda: len(tries) > 3)
    (told,) = [one for one in caplog.records if one.name == "fliptable.timers"]
    assert told.levelno == logging.ERROR and told.exc_info
    said = told.getMessage()
    assert table in said and "game high-card" in said and "mode timed of high-card" in said
    assert "ZeroDivisionError: a bug in the mode" in said


def test_pauses_grow_and_have_a_bound() -> None:
    setbacks: Setbacks[str] = Setbacks()
    pauses = []
    for _ in range(2000):
        first = setbacks.first("table")
        pauses.append(setbacks.pause("table", 1.0))
        assert first == (len(pauses) == 1)
    assert pauses[:4] == [1.0, 2.0, 4.0, 8.0] and max(pauses) == pauses[-1] == 600.0
    setbacks.forget("table")
    assert setbacks.first("table") and setbacks.pause("table", 1.0) == 1.0


async def test_a_player_who_cannot_be_said_to_be_gone_is_told_of_once(
    workers: Workers,
    high: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tries = []

    def counted(*args: Any) -> Any:
        tries.append(1)
        raise ZeroDivisionError("a bug in the rules")

    monkeypatch.setattr("fliptable.presence._AGAIN", 0.01)
    monkeypatch.setattr(high.HighCard, "absent", counted)
    monkeypatch.setattr(high.Timed, "quorum", lambda *_: 1)
    service = await workers.service()
    table = (await service.open(opening(workers.registry, seats=2))).table.id
    await service.act(table, Request("ply_bob"), lambda decision: lobby.join(decision, "ply_bob", "Bob"))
    await service.act(table, asks(), lambda decision: lobby.start(decision, "ply_ann"))
    service._presence._graces.pop((table, "ply_bob")).cancel()
    service._presence._arm((table, "ply_bob"), 0.0, 0.0)
    with caplog.at_level(logging.WARNING):
        await until(lambda: len(tries) > 3)
    told = [one.getMessage() for one in caplog.records if one.name == "fliptable.presence"]
    assert len(told) == 1 and table in told[0] and "game high-card of high-card" in told[0]
    assert (await service.get(table)).version == 3


ENDS = [
    SystemExit(3),
    KeyboardInterrupt("own"),
    GeneratorExit(),
    asyncio.CancelledError(),
    RecursionError("deep"),
]


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_what_would_end_the_server_is_an_error_of_the_plugin(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    # As in a server, where Ctrl-C raises nothing.
    monkeypatch.setattr("signal.getsignal", lambda _: signal.SIG_IGN)
    service = await workers.service()
    table = await kept_table(service, workers.registry)

    def ending(*args: Any) -> Any:
        raise error

    monkeypatch.setattr(high.HighCard, "decide", ending)
    with pytest.raises(
        (PluginRaised, RecursionError), match=r"SystemExit: 3|Interrupt|Exit|Cancel|deep"
    ) as raised:
        await service.act(table, asks(), play(high.Swap()))
    assert table in raised.value.__notes__[0] and "game high-card of high-card" in raised.value.__notes__[0]
    monkeypatch.undo()
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 2


@pytest.mark.parametrize("reason", ["not a code!", "", "late", 3])
async def test_the_reason_of_an_end_is_a_code(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, reason: Any
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    outcome = high.HighCard.outcome
    monkeypatch.setattr(high.Timed, "over", lambda *_: reason)
    with pytest.raises(BrokenPlugin, match=r"the mode timed is over for the reason .*, which is no code"):
        await service.act(table, asks(), play(high.Swap()))
    monkeypatch.undo()
    ends = Outcome((SeatOutcome(Result.SCORED, 3, reason),))
    monkeypatch.setattr(high.HighCard, "outcome", lambda game, state: outcome(game, state) and ends)
    with pytest.raises(BrokenPlugin, match=r"a round is over for the reason .*, which is no code"):
        await service.act(table, asks(), play(high.Keep(3)))
    monkeypatch.undo()
    assert (await service.get(table)).version == 1


def test_an_exception_that_a_plugin_keeps_names_the_table_of_its_last_time(high: SimpleNamespace) -> None:
    """Also where the plugin has notes of its own."""
    kept = ZeroDivisionError("always the same")
    kept.add_note("a note of the plugin")
    for table in ("tbl_1", "tbl_2"):
        with pytest.raises(ZeroDivisionError), blaming(table, high.HighCard(), high.Timed()):
            raise kept
        assert blame_of(kept) == f"table {table}, game high-card, mode timed"
    assert kept.__notes__[0] == "a note of the plugin" and len(kept.__notes__) == 2


def test_ctrl_c_is_heard_while_a_plugin_is_asked(
    high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing else takes the signal, what it raises is nobody's fault."""
    # Whoever runs the tests may take it, so that the process has another handler.
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), blaming("tbl_1", high.HighCard(), high.Timed()):
        raise KeyboardInterrupt


async def test_a_cancelled_request_is_cancelled(workers: Workers, high: SimpleNamespace) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    task = asyncio.create_task(service.act(table, asks(), play(high.Swap())))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # It is finished nevertheless: once under way, a request is.
    await until(lambda: bool(service._cache.peek(table).table.version == 2))
