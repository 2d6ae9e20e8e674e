"""A mode and a constraint of other distributions: typed inputs, records, and challenges made with them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from inprocess import local
from serverkit import Caller, caller

from fliptable import (
    Better,
    Constraint,
    ConstraintStatus,
    Metric,
    Mode,
    Outcome,
    Seat,
    SeatOutcome,
    Session,
    Viewer,
    hookimpl,
)
from fliptable.plugins import load_plugins


@dataclass(frozen=True, slots=True)
class MarathonOptions:
    """How long it is."""

    rounds: Annotated[int, "How many rounds."] = 2


@dataclass(frozen=True, slots=True)
class MarathonRun:
    """How many rounds are left, and all flips so far."""

    left: int
    flips: int = 0


@dataclass(frozen=True, slots=True)
class MarathonView:
    """How it stands."""

    left: Annotated[int, "The rounds that are left."]


@dataclass(frozen=True, slots=True)
class RoundRun:
    """A round is over."""

    flips: Annotated[int, "The flips of the round."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{self.flips} more flips."


class Marathon(Mode[MarathonRun]):
    """Some rounds; the score of each is its flips, and more are better."""

    id = "marathon"
    name = "Marathon"
    graphql = "Marathon"
    summary = "As many flips as you can."
    Options = MarathonOptions
    Run = MarathonRun
    View = MarathonView
    events = (RoundRun,)
    metrics = (Metric("most-flips", "Most flips", "flips", Better.HIGHER),)

    def begin(self, session: Session) -> MarathonRun:
        return MarathonRun(session.options.rounds)

    def round_over(self, run: MarathonRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [RoundRun(outcome.seats[0].measures["flips"])]

    def over(self, run: MarathonRun) -> str | None:
        return "RUN" if run.left == 0 else None

    def evolve(self, run: MarathonRun, event: Any) -> MarathonRun:
        return MarathonRun(run.left - 1, run.flips + event.flips)

    def scores(self, run: MarathonRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return {"most-flips": outcome.measures["flips"]}

    def view(self, run: MarathonRun, viewer: Viewer) -> MarathonView:
        return MarathonView(run.left)


@dataclass(frozen=True, slots=True)
class OddOptions:
    """Which way round."""

    odd: Annotated[bool, "Whether the number of cards has to be odd."] = True


class OddFlips(Constraint):
    """An odd number of cards at the hit."""

    id = "odd-flips"
    name = "Odd flips"
    graphql = "OddFlips"
    summary = "Hit with an odd number of cards."
    games = ("call-it",)
    Options = OddOptions

    def status(self, options: OddOptions, view: Any, over: bool) -> ConstraintStatus:
        if not over:
            return ConstraintStatus.OPEN
        met = (view.hands[0].flips % 2 == 1) is options.odd
        return ConstraintStatus.MET if met else ConstraintStatus.FAILED


class Stranger:
    """The plugin of another distribution."""

    @hookimpl
    def fliptable_modes(self) -> list[Mode[Any]]:
        return [Marathon()]

    @hookimpl
    def fliptable_constraints(self) -> list[Constraint]:
        return [OddFlips()]


CREATE = """mutation ($i: CreateTableInput!) { createTable(input: $i) { __typename
  ... on TableOpened { table { id } } ... on Refusal { code message field } } }"""
PLAY = """mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename
  ... on MovePlayed { table { status overReason
    run { ... on MarathonRun { left } ... on CustomRun { constraints { constraint status } } }
    round { status outcome { seats { result reason measures { name value } } } } } } } }"""


async def play_round(player: Caller, table: str, target: int | None = None) -> dict[str, Any]:
    """Call, unless the target is fixed, and flip until the round is over; the table then."""
    move: dict[str, Any] = {"flip": True} if target is None else {"call": {"target": target}}
    while True:
        answer = await player.data(PLAY, i={"tableId": table, "move": {"callIt": move}})
        seen: dict[str, Any] = answer["playMove"]["table"]
        if seen["round"]["status"] == "OVER" and "flip" in move:
            return seen
        move = {"flip": True}


async def test_an_outside_mode_is_typed_and_its_metric_ranks() -> None:
    registry = load_plugins(builtin_only=True)
    registry.register(Stranger(), "stranger", "fliptable-stranger")
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        wanted = {"game": {"callIt": {}}, "mode": {"marathon": {"rounds": 2}}}
        table = (await ann.data(CREATE, i=wanted))["createTable"]["table"]["id"]
        most = 0
        for left in (1, 0):
            seen = await play_round(ann, table, 60)
            assert seen["run"]["left"] == left
            measures = {one["name"]: one["value"] for one in seen["round"]["outcome"]["seats"][0]["measures"]}
            most = max(most, measures["flips"])
        assert (seen["status"], seen["overReason"]) == ("OVER", "RUN")
        query = """{ records(mode: "marathon", metric: "most-flips") { nodes { rank value player { name } } }
          mode: modes { id metrics { name unit better } }
          me { records { metric { name } mine { rank } } } }"""

        async def ranked() -> dict[str, Any] | None:
            found = await ann.data(query)
            return found if [one["value"] for one in found["records"]["nodes"]] == [most] else None

        # Records follow a moment after the moves.
        async with asyncio.timeout(10):
            while (answer := await ranked()) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert answer["records"]["nodes"] == [{"rank": 1, "value": most, "player": {"name": "Ann"}}]
        assert {"name": "most-flips", "unit": "flips", "better": "HIGHER"} in [
            metric for mode in answer["mode"] for metric in mode["metrics"]
        ]
        assert answer["me"]["records"] == [{"metric": {"name": "most-flips"}, "mine": {"rank": 1}}]


async def test_an_outside_constraint_makes_challenges() -> None:
    registry = load_plugins(builtin_only=True)
    registry.register(Stranger(), "stranger", "fliptable-stranger")
    make = """mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) { __typename
      ... on ChallengeCreated { challenge { code constraints { constraint } } }
      ... on Refusal { code message } } }"""
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        wanted = {"title": "Odd", "target": 40, "constraints": [{"oddFlips": {"odd": True}}]}
        made = (await ann.data(make, i=wanted))["createChallenge"]["challenge"]
        assert made["constraints"] == [{"constraint": "odd-flips"}]
        table = (
            await ann.data(
                CREATE, i={"game": {"callIt": {}}, "mode": {"custom": {"challenge": made["code"]}}}
            )
        )["createTable"]["table"]["id"]
        for _ in range(25):
            seen = await play_round(ann, table)
            (seat,) = seen["round"]["outcome"]["seats"]
            flips = {one["name"]: one["value"] for one in seat["measures"]}["flips"]
            (status,) = seen["run"]["constraints"]
            if seat["result"] == "WON":
                assert flips % 2 == 1 and status == {"constraint": "odd-flips", "status": "MET"}
            elif seat["reason"] == "CONSTRAINT_FAILED":
                assert flips % 2 == 0 and status["status"] == "FAILED"
