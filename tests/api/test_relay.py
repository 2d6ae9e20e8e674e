"""Ids, nodes and connections are as Relay wants them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLObjectType, build_schema
from inprocess import local
from serverkit import CALL_31, FLIP, Caller, Server, caller

pytestmark = pytest.mark.anyio

ABOUT = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
PAGE = f"{{ nodes {{ id }} edges {{ cursor node {{ id }} }} {ABOUT} }}"
TABLES = (
    "query ($first: Int, $after: String, $last: Int, $before: String) { tables(filter: {mine: true}, "
    f"first: $first, after: $after, last: $last, before: $before) {PAGE} }}"
)
UPDATES = (
    "query ($i: ID!, $first: Int, $after: String, $last: Int, $before: String) { table(id: $i) { updates("
    "first: $first, after: $after, last: $last, before: $before) { nodes { version } edges { cursor } "
    "pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }"
)


@pytest.fixture(params=["mongo", "memory"], scope="module")
async def player(request: pytest.FixtureRequest) -> AsyncIterator[Caller]:
    """Somebody with seven tables, on each kind of store."""
    if request.param == "mongo":
        server: Server = request.getfixturevalue("server")
        async with caller(server.url) as one:
            yield await with_tables(one)
    else:
        async with local() as here, caller(here.url) as one:
            yield await with_tables(one)


async def with_tables(one: Caller) -> Caller:
    one.tables = [(await one.open())["id"] for _ in range(7)][::-1]  # type: ignore[attr-defined]
    return one


async def tables(player: Caller, **page: Any) -> tuple[list[str], dict[str, Any]]:
    found = (await player.data(TABLES, **page))["tables"]
    ids = [one["id"] for one in found["nodes"]]
    assert [one["node"]["id"] for one in found["edges"]] == ids
    return ids, found["pageInfo"]


async def test_tables_forward_and_backward(player: Caller) -> None:
    all: list[str] = player.tables  # type: ignore[attr-defined]
    ids, about = await tables(player, first=3)
    assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[:3], True, False)
    ids, about = await tables(player, first=3, after=about["endCursor"])
    assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[3:6], True, True)
    middle = about
    ids, about = await tables(player, first=3, after=about["endCursor"])
    assert (ids, about["hasNextPage"]) == (all[6:9], False)
    ids, about = await tables(player, last=2)
    assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[-2:], False, True)
    ids, about = await tables(player, last=2, before=middle["startCursor"])
    assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[1:3], True, True)
    ids, about = await tables(player, last=5, before=about["startCursor"])
    assert (ids, about["hasNextPage"], about["hasPreviousPage"]) == (all[:1], True, False)
    ids, _ = await tables(player, before=middle["startCursor"])
    assert ids == all[:3]


async def test_cursors_of_tables_stay_when_tables_come(player: Caller) -> None:
    all: list[str] = player.tables  # type: ignore[attr-defined]
    _, about = await tables(player, first=2)
    player.tables = [(await player.open())["id"], *all]  # type: ignore[attr-defined]
    ids, _ = await tables(player, first=2, after=about["endCursor"])
    assert ids == all[2:4]
    ids, _ = await tables(player, last=2, before=about["endCursor"])
    assert ids == [player.tables[0], all[0]]  # type: ignore[attr-defined]


async def versions(player: Caller, table: str, **page: Any) -> tuple[list[int], dict[str, Any]]:
    found = (await player.data(UPDATES, i=table, **page))["table"]["updates"]
    return [one["version"] for one in found["nodes"]], found["pageInfo"]


async def test_updates_forward_and_backward_while_more_come(player: Caller) -> None:
    table = player.tables[0]  # type: ignore[attr-defined]
    await player.move(table, CALL_31)
    await player.move(table, FLIP)
    seen, start = await versions(player, table, first=2)
    assert (seen, start["hasNextPage"], start["hasPreviousPage"]) == ([1, 2], True, False)
    seen, end = await versions(player, table, last=2)
    assert (seen, end["hasNextPage"], end["hasPreviousPage"]) == ([2, 3], False, True)
    seen, about = await versions(player, table, last=5, before=end["endCursor"])
    assert (seen, about["hasNextPage"], about["hasPreviousPage"]) == ([1, 2], True, False)
    await player.move(table, FLIP)
    # What was before and after a cursor is so for ever.
    assert (await versions(player, table, last=5, before=end["endCursor"]))[0] == [1, 2]
    assert (await versions(player, table, first=1, after=end["endCursor"]))[0] == [4]
    assert (await versions(player, table, after=start["startCursor"], before=end["endCursor"]))[0] == [2]


@pytest.mark.parametrize(
    ("page", "code", "word"),
    [
        ({"last": 0}, "INVALID_ARGUMENT", "last is 0"),
        ({"last": 101}, "INVALID_ARGUMENT", "last is 101"),
        ({"first": 101}, "INVALID_ARGUMENT", "first is 101"),
        ({"first": 1, "last": 1}, "INVALID_ARGUMENT", "exclude"),
        ({"last": 1, "before": "x"}, "INVALID_CURSOR", 'before: "x"'),
        ({"first": 1, "after": "x"}, "INVALID_CURSOR", 'after: "x"'),
    ],
)
async def test_what_is_no_page(player: Caller, page: dict[str, Any], code: str, word: str) -> None:
    table = player.tables[0]  # type: ignore[attr-defined]
    for answer in (await player.ask(TABLES, **page), await player.ask(UPDATES, i=table, **page)):
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == code and word in error["message"]


async def test_nodes_come_in_order_and_null_where_there_is_none(player: Caller) -> None:
    table = player.tables[0]  # type: ignore[attr-defined]
    text = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }"
    ids = [player.player, "tbl_" + "0" * 20, table, "", "x", player.player]
    found = (await player.data(text, ids=ids))["nodes"]
    assert found == [
        {"__typename": "Player", "id": player.player},
        None,
        {"__typename": "Table", "id": table},
        None,
        None,
        {"__typename": "Player", "id": player.player},
    ]
    (error,) = (await player.ask(text, ids=["x"] * 101))["errors"]
    assert error["extensions"]["code"] == "INVALID_ARGUMENT"


async def test_all_that_has_an_id_is_a_node(server: Server) -> None:
    """Whatever type has an id, the object of that id is found by it, and is that object."""
    schema = build_schema((Path(__file__).parents[2] / "schema.graphql").read_text(encoding="utf-8"))
    kinds = [kind for kind in schema.type_map.values() if isinstance(kind, GraphQLObjectType)]
    assert [
        kind.name for kind in kinds if "id" in kind.fields and "Node" not in map(str, kind.interfaces)
    ] == []
    catalogue = (
        "query { games { __typename id name modes { __typename id name } } modes { __typename id name } }"
    )
    named = "... on Game { name } ... on Mode { name }"
    by_id = f"query ($ids: [ID!]!) {{ nodes(ids: $ids) {{ __typename id {named} }} }}"
    async with caller(server.url) as one:
        found = await one.data(catalogue)
        games = [{**game, "modes": None} for game in found["games"]]
        nodes = [{key: part[key] for key in ("__typename", "id", "name")} for part in games + found["modes"]]
        assert len(nodes) > 10 and {node["__typename"] for node in nodes} == {"Game", "Mode"}
        assert (await one.data(by_id, ids=[node["id"] for node in nodes]))["nodes"] == nodes
        for node in nodes:
            asked = "query ($i: ID!) { node(id: $i) { __typename id } }"
            assert (await one.data(asked, i=node["id"]))["node"]["__typename"] == node["__typename"]


async def test_an_id_means_the_same_thing_wherever_it_is_given(player: Caller) -> None:
    table = player.tables[0]  # type: ignore[attr-defined]
    text = "query ($i: ID!) { node(id: $i) { id ... on Table { host { id } } } table(id: $i) { id } }"
    found = await player.data(text, i=table)
    assert found["node"] == {"id": table, "host": {"id": player.player}}
    assert found["table"] == {"id": table}
