"""A cursor is good in the list that gave it out, and in no other."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from inprocess import local
from serverkit import CALL_31, FLIP, Caller, caller

from fliptable.records import RoundRecord, Score
from fliptable.scores import Better, Metric

UPDATES = """query ($i: ID!, $after: String, $before: String) { table(id: $i) {
  updates(after: $after, before: $before) { nodes { version } edges { cursor } } } }"""
TABLES = """query ($f: TableFilter, $after: String, $before: String) {
  tables(filter: $f, after: $after, before: $before) { nodes { id } edges { cursor } } }"""
RECORDS = """query ($mode: ID!, $metric: ID!, $period: RecordPeriod, $after: String, $before: String) {
  records(mode: $mode, metric: $metric, period: $period, after: $after, before: $before) {
    nodes { rank } edges { cursor } } }"""


@pytest.fixture
async def ann() -> AsyncIterator[Caller]:
    """Somebody at two tables, on a server where two records are kept."""
    async with local() as server, caller(server.url) as ann:
        metrics = [("speedrun", "flips"), ("streak", "streak")]
        at = datetime.now(UTC)
        records = await server.store.records()
        for number, (mode, name) in enumerate(metrics, start=1):
            score = Score(Metric(name, name, name, Better.LOWER), ann.player, 3)
            await records.apply([RoundRecord("tbl_1", number, at, "call-it", mode, scores=(score,))])
        for moves in (1, 3):
            table = (await ann.open())["id"]
            for move in [CALL_31, FLIP, FLIP][:moves]:
                await ann.move(table, move)
        yield ann


async def lists(ann: Caller) -> dict[str, tuple[str, dict[str, Any]]]:
    tables = (await ann.data(TABLES, f={"mine": True}))["tables"]["nodes"]
    assert len(tables) == 2
    return {
        "one table": (UPDATES, {"i": tables[0]["id"]}),
        "another": (UPDATES, {"i": tables[1]["id"]}),
        "tables": (TABLES, {"f": {"mine": True}}),
        "speedrun": (RECORDS, {"mode": "speedrun", "metric": "flips"}),
        "today": (RECORDS, {"mode": "speedrun", "metric": "flips", "period": "TODAY"}),
        "streak": (RECORDS, {"mode": "streak", "metric": "streak"}),
    }


def page_of(data: dict[str, Any]) -> dict[str, Any]:
    (found,) = data.values()
    page: dict[str, Any] = found.get("updates", found)
    return page


async def test_a_cursor_of_another_list_is_refused(ann: Caller) -> None:
    there = await lists(ann)
    cursors = {}
    for name, (document, wanted) in there.items():
        edges = page_of(await ann.data(document, **wanted))["edges"]
        assert edges, name
        cursors[name] = edges[0]["cursor"]
    for name, (document, wanted) in there.items():
        for owner, cursor in cursors.items():
            for side in ("after", "before"):
                payload = await ann.ask(document, **wanted, **{side: cursor})
                if owner == name:
                    assert "errors" not in payload, (name, side)
                else:
                    (error,) = payload["errors"]
                    told = (error["extensions"]["code"], error["extensions"]["field"])
                    assert told == ("INVALID_CURSOR", side), (owner, name)


CHALLENGES = """query ($after: String, $before: String) {
  myChallenges(after: $after, before: $before) { nodes { id } edges { cursor } } }"""
CHALLENGE = (
    """mutation { createChallenge(input: {game: "call-it", title: "Mine", target: 31}) { __typename } }"""
)


@pytest.mark.parametrize("stored", ["memory", "database"])
@pytest.mark.parametrize(
    "at", ["2030-01-31", "2030-01-31T00:00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"]
)
async def test_a_cursor_made_up_with_a_time_that_is_not_in_utc_is_refused(
    request: pytest.FixtureRequest, at: str, stored: str
) -> None:
    database = {}
    if stored == "database":
        database = {one: request.getfixturevalue(one) for one in ("mongo_url", "mongo_database")}
    async with local(**database) as server, caller(server.url) as ann:
        await ann.open()
        await ann.data(CHALLENGE)
        for document, wanted in ((TABLES, {"f": {"mine": True}}), (CHALLENGES, {})):
            (edge,) = page_of(await ann.data(document, **wanted))["edges"]
            kind, _, name = b64decode(edge["cursor"] + "==", b"-_").decode().split("|")
            for side in ("after", "before"):
                made_up = b64encode(f"{kind}|{at}|{name}".encode(), b"-_").decode().rstrip("=")
                (error,) = (await ann.ask(document, **wanted, **{side: made_up}))["errors"]
                assert error["extensions"] == {"code": "INVALID_CURSOR", "field": side}


async def test_a_cursor_of_tables_is_a_place_under_any_filter(ann: Caller) -> None:
    newest, oldest = (await ann.data(TABLES, f={"mine": True}))["tables"]["edges"]
    wanted = {"f": {"mine": True, "game": "call-it", "status": "PLAYING"}}
    page = (await ann.data(TABLES, **wanted, after=newest["cursor"]))["tables"]
    assert [edge["cursor"] for edge in page["edges"]] == [oldest["cursor"]]
