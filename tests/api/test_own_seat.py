"""Whoever asks is there: their seat is connected in the answer to what they ask for."""

from __future__ import annotations

import pytest
from inprocess import local
from serverkit import caller

from fliptable.plugins import Registry

pytestmark = pytest.mark.anyio

OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { id seats { connected } } } } }"""
READ = "query ($t: ID!) { table(id: $t) { seats { connected } } }"


@pytest.mark.parametrize("local_seats", [[], ["Bob"], ["Bob", "Cleo"]])
async def test_the_caller_is_connected_in_what_they_get(registry: Registry, local_seats: list[str]) -> None:
    async with local(registry) as server, caller(server.url, "Ann") as ann, caller(server.url, "Eve") as eve:
        wanted = {"game": {"callIt": {}}, "localSeats": local_seats, "hostPlays": not local_seats}
        opened = (await ann.data(OPEN, i=wanted))["createTable"]["table"]
        there = [{"connected": True}] * len(opened["seats"])
        assert opened["seats"] == there
        assert (await ann.data(READ, t=opened["id"]))["table"]["seats"] == there
        if len(there) == 1:
            # Nobody follows a table of one seat but by subscribing, so others see that they are not there.
            assert (await eve.data(READ, t=opened["id"]))["table"]["seats"] == [{"connected": False}]
