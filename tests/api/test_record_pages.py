"""Lists of records come in pages, from both ends, on each kind of store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from inprocess import Local, local
from serverkit import Caller, caller

from fliptable.records import RoundRecord, Score
from fliptable.scores import Better, Metric

pytestmark = pytest.mark.anyio

RECORDS = """query ($first: Int, $after: String, $last: Int, $before: String) {
  records(mode: "speedrun", metric: "flips", first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { rank value } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}"""
FLIPS = Metric("flips", "Fewest flips", "flips", Better.LOWER)


@pytest.fixture(params=["memory", "mongo"])
async def guest(request: pytest.FixtureRequest, mongo_database: str) -> AsyncIterator[Caller]:
    """Somebody who looks at a list of seven, where the second and the third share their rank."""
    where: dict[str, Any] = {}
    if request.param == "mongo":
        where = {"mongo_url": request.getfixturevalue("mongo_url"), "mongo_database": mongo_database}
    async with local(**where) as server, caller(server.url) as one:
        await fill(server)
        yield one


async def fill(server: Local) -> None:
    at = datetime(2026, 11, 29, 12, tzinfo=UTC)
    scores = [(f"ply_{number}", flips) for number, flips in enumerate([3, 4, 4, 5, 6, 7, 8])]
    await (await server.store.records()).apply(
        [
            RoundRecord(
                f"tbl_{player}",
                1,
                at,
                "call-it",
                "speedrun",
                began=(player,),
                scores=(Score(FLIPS, player, flips),),
            )
            for player, flips in scores
        ]
    )


async def page(guest: Caller, **wanted: Any) -> tuple[list[tuple[int, int]], tuple[bool, bool], Any]:
    found = (await guest.data(RECORDS, **wanted))["records"]
    about = found["pageInfo"]
    cursors = [edge["cursor"] for edge in found["edges"]]
    assert (about["startCursor"], about["endCursor"]) == (cursors[0], cursors[-1])
    shown = [(edge["node"]["rank"], edge["node"]["value"]) for edge in found["edges"]]
    return shown, (about["hasPreviousPage"], about["hasNextPage"]), about


async def test_records_forward_and_backward(guest: Caller) -> None:
    shown, more, first = await page(guest, first=3)
    assert (shown, more) == ([(1, 3), (2, 4), (2, 4)], (False, True))
    shown, more, middle = await page(guest, first=3, after=first["endCursor"])
    assert (shown, more) == ([(4, 5), (5, 6), (6, 7)], (True, True))
    shown, more, _ = await page(guest, last=2)
    assert (shown, more) == ([(6, 7), (7, 8)], (True, False))
    shown, more, _ = await page(guest, last=2, before=middle["startCursor"])
    assert (shown, more) == ([(2, 4), (2, 4)], (True, True))
    shown, more, _ = await page(guest, last=5, before=middle["startCursor"])
    assert (shown, more) == ([(1, 3), (2, 4), (2, 4)], (False, True))
    shown, _, _ = await page(guest, before=middle["endCursor"], after=first["startCursor"])
    assert shown == [(2, 4), (2, 4), (4, 5), (5, 6)]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"last": 0}, "INVALID_ARGUMENT"),
        ({"first": 1, "last": 1}, "INVALID_ARGUMENT"),
        ({"last": 1, "before": "x"}, "INVALID_CURSOR"),
    ],
)
async def test_what_is_no_page_of_records_is_told(guest: Caller, wanted: dict[str, Any], code: str) -> None:
    (error,) = (await guest.ask(RECORDS, **wanted))["errors"]
    assert error["extensions"]["code"] == code


async def test_the_usual_number_of_lives_names_the_list_without_a_scope() -> None:
    document = """query ($s: String!) {
      records(mode: "survival", metric: "wins", scope: $s) { nodes { value } } }"""
    wins = Metric("wins", "Most wins", "wins")
    async with local() as server, Caller(server.url) as nobody:
        for number, (scope, value) in enumerate({"": 7, "9-lives": 8}.items(), start=1):
            score = Score(wins, "ply_1", value)
            record = RoundRecord(
                "tbl_1", number, datetime.now(UTC), "call-it", "survival", scope=scope, scores=(score,)
            )
            await (await server.store.records()).apply([record])
        kept = {
            scope: [one["value"] for one in (await nobody.data(document, s=scope))["records"]["nodes"]]
            for scope in ("", "3-lives", "9-lives", "8-lives")
        }
        assert kept == {"": [7], "3-lives": [7], "9-lives": [8], "8-lives": []}
