"""Players who only ask, without a subscription: what they ask for shows that they are there (R6)."""

from __future__ import annotations

import asyncio
from functools import partial

from servicekit import opening

from fliptable import decide, lobby
from fliptable.events import SeatDisconnected, SeatReconnected
from fliptable.house import HouseRules
from fliptable.memory import MemoryStore
from fliptable.plugins import Registry
from fliptable.requests import Refused, Request
from fliptable.service import TableService
from fliptable.table import Status
from fliptable_games.call_it.vocabulary import Call
from fliptable_modes.race import RaceOptions


async def opened(registry: Registry, grace: int, started: bool = True) -> TableService:
    service = TableService(registry, MemoryStore(registry.codec))
    await service.start()
    await service.open(
        opening(
            registry,
            "call-it",
            "race",
            id="tbl_polling",
            mode_options=RaceOptions(winning_score=3),
            seats=2,
            host="ann",
            house=HouseRules(grace_seconds=grace),
        )
    )
    await service.act("tbl_polling", Request("bob"), partial(lobby.join, player="bob", name="Bob"))
    if started:
        await service.act("tbl_polling", Request("ann"), partial(lobby.start, player="ann"))
    return service


async def test_who_opens_a_table_has_time_to_follow_it(registry: Registry) -> None:
    """Without a grace period, whoever comes first by a subscription would take the opener for gone."""
    service = await opened(registry, grace=0, started=False)
    bobs = service.subscribe("tbl_polling", 0, "bob")
    assert [(await anext(bobs)).commit.version for _ in range(2)] == [1, 2]
    # A look at the table makes it no shorter.
    service.looked(await service.get("tbl_polling"), "ann")
    anns = service.subscribe("tbl_polling", 0, "ann")
    assert [(await anext(anns)).commit.version for _ in range(2)] == [1, 2]
    # Once they have followed it, the grace period is that of the table: none.
    await anns.aclose()
    async with asyncio.timeout(30):
        gone = await anext(bobs)
    assert SeatDisconnected(0) in gone.commit.events
    assert gone.table.host == "bob"
    await bobs.aclose()
    await service.stop()


async def test_who_asks_again_and_again_is_there(registry: Registry) -> None:
    service = await opened(registry, grace=3)
    for _ in range(5):
        await asyncio.sleep(0.8)
        for player in ("ann", "bob"):
            # A refusal is a sign of life too.
            answer = await service.act("tbl_polling", Request(player), partial(lobby.start, player=player))
            assert isinstance(answer, Refused)
    table = await service.get("tbl_polling")
    assert [place.connected for place in table.seats] == [True, True]
    await service.stop()


async def test_who_is_gone_is_back_with_the_next_request(registry: Registry) -> None:
    service = await opened(registry, grace=2)
    async with asyncio.timeout(30):
        async for update in service.subscribe("tbl_polling"):
            if update.table.status is Status.PAUSED:
                break
    move = partial(decide.play, seat=0, move=Call(40))
    answer = await service.act("tbl_polling", Request("ann"), move)
    assert isinstance(answer, Refused) and answer.refusal.code == "TABLE_PAUSED"
    assert answer.table.seats[0].connected
    # With the second player there are enough again.
    await service.act("tbl_polling", Request("bob"), partial(lobby.start, player="bob"))
    answer = await service.act("tbl_polling", Request("ann"), move)
    assert not isinstance(answer, Refused), answer.refusal
    kinds = [type(event) for commit in await service.store.read("tbl_polling") for event in commit.events]
    assert SeatDisconnected in kinds and SeatReconnected in kinds
    await service.stop()


async def test_who_only_looks_is_there_too(registry: Registry) -> None:
    service = await opened(registry, grace=2)
    async with asyncio.timeout(30):
        async for update in service.subscribe("tbl_polling"):
            if update.table.status is Status.PAUSED:
                break
        for player in ("ann", "bob"):
            service.looked(await service.get("tbl_polling"), player)
        async for update in service.subscribe("tbl_polling"):
            if update.table.status is Status.PLAYING:
                break
    assert all(place.connected for place in update.table.seats)
    await service.stop()
