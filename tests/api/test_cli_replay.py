"""`fliptable replay`: the log of a table."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from clikit import Cli
from serverkit import CALL_31, JOIN, START, Caller, caller, eventually, finish

from fliptable_api.cli.replay import print_replay


@pytest.fixture
def cli(tmp_path: Path, address: str) -> Cli:
    return Cli(tmp_path, address)


async def test_it_tells_version_time_and_what_happened(cli: Cli) -> None:
    async with caller(f"{cli.server}/graphql") as ann:
        table = await ann.open()
        await finish(ann, table["id"])
    result = await asyncio.to_thread(cli, "replay", table["code"])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert re.fullmatch(r"   1  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  Table \w+ is open\.", lines[0])
    assert lines[1].strip() == "Ann sits down."
    assert re.fullmatch(r"   2  \S+ \S+  Ann calls 31\.", lines[6])
    assert lines[-1].endswith("The table is over (played).")


async def test_json_is_one_update_a_line(cli: Cli) -> None:
    async with caller(f"{cli.server}/graphql") as ann:
        table = await ann.open()
        await ann.move(table["id"], CALL_31)
    told = await asyncio.to_thread(cli, "replay", table["id"], "--json")
    updates = [json.loads(line) for line in told.output.splitlines()]
    assert [update["version"] for update in updates] == [1, 2]
    assert updates[1]["events"] == [{"__typename": "CallItCalled", "seat": 0, "text": "Ann calls 31."}]


async def test_a_long_table_is_told_whole(cli: Cli) -> None:
    """More than a page of updates."""
    async with caller(f"{cli.server}/graphql") as ann:
        table = await ann.open(mode={"practice": {}})
        answer = table
        while answer["version"] < 130:
            [move, *_] = answer["legalMoves"]
            answer = (await ann.move(table["id"], move["input"]))["table"]
    told = await asyncio.to_thread(cli, "replay", table["id"], "--json")
    updates = [json.loads(line) for line in told.output.splitlines()]
    assert [update["version"] for update in updates] == list(range(1, 131))


async def test_what_is_hidden_is_told_to_its_owner_alone(cli: Cli) -> None:
    async with caller(f"{cli.server}/graphql") as ann, Caller(f"{cli.server}/graphql") as bob:
        table = await ann.open(seats=2)
        await bob.sign_in("Bob")
        await bob.data(JOIN, i={"code": table["code"]})
        await ann.data(START, i={"tableId": table["id"]})
        await ann.move(table["id"], CALL_31)
        await ann.move(table["id"], {"callIt": {"flip": True}})
    told = await asyncio.to_thread(cli, "replay", table["code"])
    assert "Ann flips a card." in told.output
    told = await asyncio.to_thread(cli, "replay", table["code"], "--token", str(ann.token))
    assert re.search(r"Ann flips \S+[♣♦♥♠]\.", told.output)


async def test_follow_goes_on_until_the_table_is_over(cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    async with caller(f"{cli.server}/graphql") as ann:
        table = await ann.open()
        following = asyncio.create_task(print_replay(cli.server, table["id"], None, False, follow=True))
        told: list[str] = []

        def heard() -> bool:
            told.append(capsys.readouterr().out)
            return "Shuffle 1:" in "".join(told)

        await eventually(heard, "the first update")
        await finish(ann, table["id"])
        assert await asyncio.wait_for(following, 30) == 0
    versions = re.findall(r"^ *(\d+)  \d{4}", "".join(told) + capsys.readouterr().out, re.MULTILINE)
    assert versions == [str(number) for number in range(1, len(versions) + 1)]


def test_an_unknown_table_or_token_is_said_so(cli: Cli) -> None:
    result = cli("replay", "ZZZZZZ")
    assert result.exit_code == 1
    assert "There is no table 'ZZZZZZ'" in result.stderr
    result = cli("replay", "ZZZZZZ", "--token", "ft_nobody")
    assert result.exit_code == 1
    assert "The server does not know the token" in result.stderr
