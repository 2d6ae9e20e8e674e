"""A hosted match: a host, local seats and a player, by clients that read `prompt` and `legalMoves` alone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from serverkit import JOIN, START, Caller, Server, caller

TABLE = """fragment H on Table { version status overReason mySeat seats { index name local score }
  prompt { seat name round cycle cardsLeft text }
  legalMoves { seat name label input fields { path min max choices } }
  run { ... on MatchRun { totals winners threshold rounds { number points totals } } } }"""
READ = "query ($i: ID!) { table(id: $i) { ...H } }" + TABLE
PLAY = "mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename ... on Refusal { code message } } }"
LOCALS = ["Cleo", "Dan", "Eve", "Finn", "Gus"]


async def open_match(host: Caller, player: Caller, rules: str, tmp: Path | None = None) -> str:
    """Five local seats and one for a player; the host does not play."""
    wanted = {
        "game": {"flip7": {"rules": rules}},
        "mode": {"match": {"threshold": 60}},
        "seats": 6,
        "localSeats": LOCALS,
        "hostPlays": False,
    }
    create = (
        "mutation ($i: CreateTableInput!) { createTable(input: $i) { ... on TableOpened { table { id } } } }"
    )
    table: str = (await host.data(create, i=wanted))["createTable"]["table"]["id"]
    joined = (await player.data(JOIN, i={"tableId": table}))["joinTable"]
    assert joined["table"]["mySeat"] == 0
    assert (await host.data(START, i={"tableId": table}))["startTable"]["__typename"] == "SessionStarted"
    return table


@pytest.mark.parametrize("rules", ["OFFICIAL", "HOSTED"])
async def test_a_match_of_five_local_seats_and_a_player(tmp_path: Path, rules: str) -> None:
    rng = random.Random(7)
    with Server(tmp_path, "--memory") as server:
        async with caller(server.url, "Hana") as host, caller(server.url, "Bob") as player:
            table = await open_match(host, player, rules)
            refusals = moves = 0
            while True:
                seen = {who: (await who.data(READ, i=table))["table"] for who in (host, player)}
                state = seen[host]
                assert state["prompt"] == seen[player]["prompt"], "everybody is told the same"
                if state["status"] == "OVER":
                    break
                prompt = state["prompt"]
                who = player if prompt["seat"] == 0 else host
                offered = [one for one in seen[who]["legalMoves"] if one["seat"] == prompt["seat"]]
                assert offered, prompt
                if prompt["seat"] is not None:
                    assert prompt["name"] in prompt["text"]
                    assert prompt["cycle"] >= 1 and prompt["cardsLeft"] >= 0 and prompt["round"] >= 1
                    # The other one has no move for this seat.
                    other = host if who is player else player
                    assert not [m for m in seen[other]["legalMoves"] if m["seat"] == prompt["seat"]]
                move = rng.choice(offered)
                asked: dict[str, Any] = {"tableId": table, "move": json.loads(json.dumps(move["input"]))}
                if move["seat"] is not None:
                    asked["seat"] = move["seat"]
                answer = (await who.data(PLAY, i=asked))["playMove"]
                refusals += answer["__typename"] == "Refusal"
                moves += 1
                assert moves < 3000
            assert refusals == 0
            run = state["run"]
            assert state["overReason"] in ("WON", "SHARED")
            assert [seat["score"] for seat in state["seats"]] == run["totals"]
            assert [
                sum(points) for points in zip(*[one["points"] for one in run["rounds"]], strict=True)
            ] == (run["totals"])
            best = max(run["totals"])
            assert best >= 60 + (rules == "HOSTED")
            assert run["winners"] == [seat for seat, total in enumerate(run["totals"]) if total == best]


SCORE = """query ($line: Flip7LineInput!) { scoreFlip7Line(line: $line) { __typename
  ... on Flip7LineScore { numbers doubled plus bonus total flipSeven bust }
  ... on Refusal { code message field } } }"""


async def test_a_line_is_scored_without_a_table(tmp_path: Path) -> None:
    with Server(tmp_path, "--memory") as server:
        async with caller(server.url, "Ann") as ann:

            async def score(**line: Any) -> dict[str, Any]:
                answer: dict[str, Any] = (await ann.data(SCORE, line=line))["scoreFlip7Line"]
                return answer

            highest = await score(
                numbers=[12, 11, 10, 9, 8, 7, 6], modifiers=["+2", "+4", "+6", "+8", "+10", "x2"]
            )
            assert (highest["numbers"], highest["doubled"], highest["plus"]) == (63, 63, 30)
            assert (highest["bonus"], highest["total"], highest["flipSeven"]) == (15, 171, True)
            wrong = await score(numbers=[5, 5])
            assert wrong["__typename"] == "Refusal" and wrong["field"].startswith("line")
            chance = await score(numbers=[5, 5], bust=True, secondChance=True)
            assert chance["field"] == "line.secondChance"
