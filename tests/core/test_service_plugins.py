"""Plugins that are missing, broken or watching."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from servicekit import Workers, asks, kept_table, opening, play

from fliptable import hookimpl
from fliptable.decide import BrokenPlugin
from fliptable.house import HouseRules
from fliptable.migrations import UnreadableLog
from fliptable.mongo import MongoStore
from fliptable.plugins import PluginMissing, load_plugins
from fliptable.service import TableService
from fliptable.table import Status
from fliptable.testing import FakeClock


async def test_a_table_of_a_missing_plugin_is_named_and_undamaged(
    workers: Workers, high: SimpleNamespace
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    await service.act(table, asks(), play(high.Swap()))
    without = load_plugins()
    poor_store: Any
    if workers.kind == "memory":
        poor_store = await workers.store()
        codec, poor_store._codec = poor_store._codec, without.codec
    else:
        poor_store = MongoStore(workers._url(), without.codec, workers._database)
        await poor_store.open()
    poor = TableService(without, poor_store, clock=FakeClock())
    for _ in range(2):
        with pytest.raises((PluginMissing, UnreadableLog), match="high-card"):
            await poor.get(table)
        with pytest.raises((PluginMissing, UnreadableLog), match="high-card"):
            await poor.act(table, asks(), play(high.Swap()))
    # Other tables of the same worker are fine.
    assert (await poor.open(opening(without, "call-it", "classic"))).table.version == 1
    await poor.stop()
    if workers.kind == "memory":
        poor_store._codec = codec
    else:
        await poor_store.close()
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 3


async def test_a_plugin_that_raises_hurts_only_its_request(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await workers.service()
    table, neighbour = [await kept_table(service, workers.registry) for _ in range(2)]
    game = workers.registry.game("high-card")

    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("a bug in the rules")

    for part, name in (
        (game, "decide"),
        (game, "evolve"),
        (game, "outcome"),
        (workers.registry.mode("timed"), "moved"),
    ):
        monkeypatch.setattr(type(part), name, broken)
        with pytest.raises(ZeroDivisionError):
            await service.act(table, asks(), play(high.Swap()))
        monkeypatch.undo()
        assert (await service.get(table)).version == 1
    assert (await service.act(neighbour, asks(), play(high.Swap()))).commit.version == 2
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 2


@pytest.mark.parametrize("asked", ["to_act", "deadline"])
async def test_a_move_after_which_a_plugin_raises_is_not_stored(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """Whose time runs next, and until when, is asked when all is decided; stored, nobody could go on."""
    service = await workers.service()
    table = await kept_table(service, workers.registry, house=HouseRules(turn_seconds=30))
    now = await service.get(table)
    kind, known = (high.HighCard, now.round.state) if asked == "to_act" else (high.Timed, now.run)
    answer = getattr(kind, asked)

    def broken(part: Any, state: Any) -> Any:
        if state != known:
            raise ZeroDivisionError("a bug in the rules")
        return answer(part, state)

    monkeypatch.setattr(kind, asked, broken)
    with pytest.raises(ZeroDivisionError) as raised:
        await service.act(table, asks(), play(high.Swap()))
    assert table in raised.value.__notes__[0]
    monkeypatch.undo()
    assert len(await service.store.read(table)) == 1
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 2


async def test_of_what_is_due_the_plugin_at_fault_is_named(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    service = await workers.service(clock=clock)
    table = await kept_table(service, workers.registry)

    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("a bug in the mode")

    monkeypatch.setattr(type(workers.registry.mode("timed")), "at_deadline", broken)
    clock.advance(61)
    with pytest.raises(ZeroDivisionError) as raised:
        await service.act(table, asks(), play(high.Swap()))
    (note,) = raised.value.__notes__
    assert table in note and "game high-card" in note and "mode timed" in note
    monkeypatch.undo()
    assert (await service.get(table)).status is Status.OVER


async def test_an_event_that_cannot_be_stored_hurts_only_its_request(
    workers: Workers, high: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await workers.service()
    table = await kept_table(service, workers.registry)
    undeclared = type("Undeclared", (high.Gone,), {})
    monkeypatch.setattr(type(workers.registry.game("high-card")), "decide", lambda *_: [undeclared(0)])
    with pytest.raises(BrokenPlugin, match=r"the game high-card has .*Undeclared.*, which is none of its"):
        await service.act(table, asks(), play(high.Swap()))
    monkeypatch.undo()
    assert (await service.get(table)).version == 1
    assert (await service.act(table, asks(), play(high.Swap()))).commit.version == 2


async def test_observers_hear_of_every_commit_once(workers: Workers, high: SimpleNamespace) -> None:
    heard: list[tuple[str, int]] = []

    class Observer:
        @hookimpl
        def fliptable_committed(self, commit: Any) -> None:
            heard.append((commit.table, commit.version))
            raise ZeroDivisionError("observers may fail")

    workers.registry.register(Observer(), "observer")
    one, other = [await workers.service(shared_store=True) for _ in range(2)]
    table = await kept_table(one, workers.registry)
    await asyncio.gather(
        *[worker.act(table, asks(), play(high.Swap())) for _ in range(5) for worker in (one, other)]
    )
    assert sorted(heard) == [(table, version) for version in range(1, 12)]
