"""Pages of the lobby, also where the list is behind the tables that it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inprocess import local
from serverkit import Caller

pytestmark = pytest.mark.anyio

PAGE = (
    "query ($a: String) { tables(first: 2, after: $a, filter: {status: OPEN}) "
    "{ nodes { id } edges { cursor } pageInfo { hasNextPage endCursor } } }"
)


async def test_a_table_that_is_not_shown_after_all_does_not_end_the_list() -> None:
    async with local() as server, Caller(server.url) as ann:
        await ann.sign_in()
        tables = [
            (await ann.open(visibility="PUBLIC", seats=2 if number % 3 else 1))["id"] for number in range(9)
        ]
        # The list says of all that they are open, as it may for a moment.
        for table, head in server.store._heads.items():
            server.store._heads[table] = replace(head, status="OPEN")
        found, after, pages = [], None, 0
        while True:
            page = (await ann.data(PAGE, a=after))["tables"]
            found += [node["id"] for node in page["nodes"]]
            pages += 1
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        opened = [table for number, table in enumerate(tables) if number % 3]
        assert found == opened[::-1]
        assert pages == 5


async def test_a_table_that_cannot_be_read_spoils_no_list() -> None:
    async with local() as server, Caller(server.url) as ann:
        await ann.sign_in()
        good, bad, worse = [(await ann.open(visibility="PUBLIC", seats=2))["id"] for _ in range(3)]
        server.store._commits[bad][0]["e"][0]["@"] = "poker/Dealt"
        server.store._commits[worse][0]["e"] = [{"nonsense": True}]
        for table in (bad, worse):
            cache = server.parts.service._cache  # type: ignore[union-attr]
            cache.drop(cache.peek(table))
        assert [one["id"] for one in (await ann.data("{ tables { nodes { id } } }"))["tables"]["nodes"]] == [
            good
        ]
        codes = []
        for table in (bad, worse):
            payload = await ann.ask("query ($i: ID!) { table(id: $i) { id } }", i=table)
            codes.append(payload["errors"][0]["extensions"]["code"])
            assert "nonsense" not in str(payload) and "Error" not in str(payload)
        assert codes == ["PLUGIN_MISSING", "TABLE_UNREADABLE"]
