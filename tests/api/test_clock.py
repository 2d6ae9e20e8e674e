"""A countdown goes by the server's clock, which a client can compare with its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import httpx
import pytest
from inprocess import local
from serverkit import caller

pytestmark = pytest.mark.anyio


async def test_now_is_the_time_by_which_turns_end() -> None:
    async with local() as server, caller(server.url) as ann:
        wanted = {"game": {"flip": {}}, "localSeats": ["Bob"], "house": {"turnSeconds": 86_400}}
        before = datetime.now(UTC)
        table = (await ann.open(**wanted))["id"]
        asked = "query ($t: ID!) { now table(id: $t) { turnEndsAt } }"
        told = await ann.data(asked, t=table)
        now, ends = [
            datetime.fromisoformat(text.replace("Z", "+00:00"))
            for text in (told["now"], told["table"]["turnEndsAt"])
        ]
        # Times are told to the millisecond or better.
        assert before - timedelta(milliseconds=1) <= now <= datetime.now(UTC)
        assert before - timedelta(milliseconds=1) <= ends - timedelta(days=1) <= now


async def test_every_answer_has_the_date_for_pages_of_other_origins_too() -> None:
    origin = "https://app.example"
    async with (
        local(allowed_origins=(origin,)) as server,
        httpx.AsyncClient(headers={"origin": origin}) as http,
    ):
        answer = await http.post(server.url, json={"query": "{ now }"})
        assert "Date" in answer.headers["access-control-expose-headers"].split(", ")
        told = datetime.fromisoformat(answer.json()["data"]["now"].replace("Z", "+00:00"))
        # The header is made now and then, and without parts of a second.
        assert abs(parsedate_to_datetime(answer.headers["date"]) - told) < timedelta(minutes=1)
