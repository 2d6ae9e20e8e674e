"""Things by their ids: one that the caller cannot have spoils nothing for the others."""

from __future__ import annotations

from inprocess import local
from serverkit import Caller, caller

NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } me { id } }"


async def test_each_id_has_its_own_answer() -> None:
    async with local() as server, caller(server.url) as ann, Caller(server.url) as nobody:
        await nobody.sign_in("Bob")
        good, missing, unreadable = [(await ann.open())["id"] for _ in range(3)]
        hidden = (await ann.open(house={"spectators": False}))["id"]
        server.store._commits[missing][0]["e"][0]["@"] = "poker/Dealt"
        server.store._commits[unreadable][0]["e"] = [{"nonsense": True}]
        for table in (missing, unreadable):
            cache = server.parts.service._cache  # type: ignore[union-attr]
            cache.drop(cache.peek(table))
        ids = [hidden, good, "tbl_nothing", missing, ann.player, unreadable, "?", good]
        payload = await nobody.ask(NODES, ids=ids)
        table = {"__typename": "Table", "id": good}
        player = {"__typename": "Player", "id": ann.player}
        assert payload["data"]["nodes"] == [None, table, None, None, player, None, None, table]
        assert payload["data"]["me"] == {"id": nobody.player}
        told = [(error["path"], error["extensions"]["code"]) for error in payload["errors"]]
        assert sorted(told) == [
            (["nodes", 0], "FORBIDDEN"),
            (["nodes", 3], "PLUGIN_MISSING"),
            (["nodes", 5], "TABLE_UNREADABLE"),
        ]
        for place, id in enumerate(ids):
            alone = await nobody.ask("query ($i: ID!) { node(id: $i) { __typename id } }", i=id)
            assert alone["data"]["node"] == payload["data"]["nodes"][place]
            codes = [error["extensions"]["code"] for error in alone.get("errors", ())]
            assert codes == [code for path, code in told if path == ["nodes", place]]
