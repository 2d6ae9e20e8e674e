"""A host who wants no spectators: who looked on before the start sees nothing of the play."""

from __future__ import annotations

import pytest
from inprocess import local
from serverkit import JOIN, START, Failed, caller, socket

FOLLOW = "subscription ($i: ID!) { tableUpdates(tableId: $i, after: 0) { version table { status } } }"
# A root field in a fragment makes it a subscription that is answered to each one alone.
ALONE = """subscription ($i: ID!) { ...F }
  fragment F on Subscription { tableUpdates(tableId: $i, after: 0) { version } }"""


@pytest.mark.parametrize("document", [FOLLOW, ALONE])
async def test_who_subscribed_before_the_start_is_sent_away_by_it(document: str) -> None:
    create = (
        "mutation ($i: CreateTableInput!) { createTable(input: $i) { ... on TableOpened { table { id } } } }"
    )
    async with local() as server, caller(server.url, "Ann") as ann, caller(server.url, "Bob") as bob:
        wanted = {"game": {"flip": {}}, "seats": 2, "house": {"spectators": False}}
        table = (await ann.data(create, i=wanted))["createTable"]["table"]["id"]
        async with socket(server.socket_url) as stranger:
            feed = stranger.run(document, i=table)
            assert (await anext(feed))["data"]
            await bob.data(JOIN, i={"tableId": table})
            assert (await anext(feed))["data"]
            await ann.data(START, i={"tableId": table})
            with pytest.raises(Failed) as failed:
                await anext(feed)
            assert failed.value.code == "FORBIDDEN"
