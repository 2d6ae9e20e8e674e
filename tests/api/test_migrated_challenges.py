"""A server with the next version of a constraint, and the challenges that the last one has stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from inprocess import local
from serverkit import Caller, caller

from fliptable import Constraint, ConstraintStatus, hookimpl
from fliptable.plugins import Registry, load_plugins


@dataclass(frozen=True, slots=True)
class ShortOptions:
    """Options of version 1.0."""

    short: Annotated[bool, "Whether five flips are the most, instead of nine."] = False


@dataclass(frozen=True, slots=True)
class CountOptions:
    """Options of version 1.1."""

    flips: Annotated[int, "The most flips."] = 9


class Brief(Constraint):
    """Version 1.0."""

    id = "brief"
    name = "Brief"
    graphql = "Brief"
    summary = "Win with few flips."
    games = ("call-it",)
    Options = ShortOptions

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        return ConstraintStatus.FAILED if over else ConstraintStatus.OPEN

    def text(self, options: Any) -> str:
        return f"in at most {5 if options.short else 9} flips"


class Counted(Brief):
    """Version 1.1, without a migration."""

    version = "1.1"
    Options = CountOptions

    def text(self, options: Any) -> str:
        return f"in at most {options.flips} flips"


class Migrated(Counted):
    """Version 1.1, with one."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"flips": 5 if document["short"] else 9}


def having(one: Constraint) -> Registry:
    class Brings:
        @hookimpl
        def fliptable_constraints(self) -> list[Constraint]:
            return [one]

    registry = load_plugins(builtin_only=True)
    registry.register(Brings(), "brief", "fliptable-brief")
    return registry


MAKE = """mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) {
  ... on ChallengeCreated { challenge { code } } ... on Refusal { code message } } }"""
OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { id } } ... on Refusal { code message field } } }"""
CHALLENGE = "query ($code: String!) { challenge(code: $code) { constraints { constraint text } } }"
TABLE = "query ($id: ID!) { table(id: $id) { run { ... on CustomRun { constraints { text status } } } } }"
TEXT = "in at most 5 flips"


async def stored(player: Caller) -> tuple[str, str]:
    """A challenge and a table that plays it."""
    wanted = {"title": "Brief", "constraints": [{"brief": {"short": True}}]}
    code = (await player.data(MAKE, i=wanted))["createChallenge"]["challenge"]["code"]
    return code, (await opened(player, code))["createTable"]["table"]["id"]


async def opened(player: Caller, code: str) -> dict[str, Any]:
    return await player.data(OPEN, i=opening(code))


def opening(code: str) -> dict[str, Any]:
    return {"game": {"callIt": {}}, "mode": {"custom": {"challenge": code}}}


@pytest.fixture
def database(mongo_url: str, mongo_database: str) -> dict[str, Any]:
    return {"mongo_url": mongo_url, "mongo_database": mongo_database}


async def test_they_are_shown_and_played_through_the_migration(database: dict[str, Any]) -> None:
    async with local(having(Brief()), **database) as server, caller(server.url, "Ann") as ann:
        code, table = await stored(ann)
    async with local(having(Migrated()), **database) as server, caller(server.url, "Bob") as bob:
        shown = await bob.data(CHALLENGE, code=code)
        assert shown["challenge"]["constraints"] == [{"constraint": "brief", "text": TEXT}]
        assert (await bob.data(TABLE, id=table))["table"]["run"]["constraints"] == [
            {"text": TEXT, "status": "OPEN"}
        ]
        assert "table" in (await opened(bob, code))["createTable"]


async def test_without_a_migration_they_are_refused_and_kept(database: dict[str, Any]) -> None:
    async with local(having(Brief()), **database) as server, caller(server.url, "Ann") as ann:
        code, table = await stored(ann)
    async with local(having(Counted()), **database) as server, caller(server.url, "Bob") as bob:
        told = {"part": "constraint 'brief'", "stored": "1.0", "loaded": "1.1", "retryable": False}
        for answer, error in (
            (await bob.ask(CHALLENGE, code=code), "CHALLENGE_UNREADABLE"),
            (await bob.ask(OPEN, i=opening(code)), "CHALLENGE_UNREADABLE"),
            (await bob.ask(TABLE, id=table), "TABLE_UNREADABLE"),
        ):
            (seen,) = answer["errors"]
            assert seen["extensions"] == {"code": error, **told}
            assert "declares no migration" in seen["message"]
    async with local(having(Brief()), **database) as server, caller(server.url, "Bob") as bob:
        assert (await bob.data(CHALLENGE, code=code))["challenge"]["constraints"][0]["text"] == TEXT
        assert (await bob.data(TABLE, id=table))["table"]["run"]["constraints"][0]["text"] == TEXT
