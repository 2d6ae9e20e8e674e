"""Schemathesis makes up documents from the schema: whatever it asks, the server never stumbles.

All its checks are on. `make soak-fuzz` does it for FUZZ_SECONDS, with another seed
(FLIPTABLE_FUZZ_SEED) each time.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import schemathesis
from fuzzkit import CHECKS, LOOSE, cases, complaints, made_up, variants
from graphql import GraphQLSchema
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS as REGISTERED
from serverkit import SIGN_IN, Caller, Server

from fliptable.plugins import Registry
from fliptable_api.schema import build_schema

EXAMPLES = 6
ROOTS = ("Query", "Mutation")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory, mongo_url: str) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fuzzed")
    arguments = ["--mongo-url", mongo_url]
    with Server(folder, *arguments, FLIPTABLE_MONGO_DATABASE="fuzzed", **LOOSE) as server:
        yield server


@pytest.fixture(scope="module")
def token(fuzzed: Server) -> str:
    answer = httpx.post(fuzzed.url, json={"query": SIGN_IN, "variables": {"n": "Ann"}}).json()
    found: str = answer["data"]["signInAsGuest"]["token"]
    return found


@pytest.fixture(scope="module")
def ids(fuzzed: Server, token: str) -> list[str]:
    """A table that waits, some that play, and a player."""
    return asyncio.run(opened(fuzzed, token))


async def opened(fuzzed: Server, token: str) -> list[str]:
    async with Caller(fuzzed.url, token) as ann:
        me = (await ann.data("{ me { id } }"))["me"]["id"]
        seats: list[dict[str, Any]] = [
            {"game": {"callIt": {}}},
            {"game": {"callIt": {}}, "mode": {"practice": {}}},
            {"game": {"flip7": {}}, "seats": 2, "localSeats": ["Lou"]},
            {"game": {"flip": {}}, "seats": 2, "localSeats": ["Lou"]},
            {"game": {"scoreboard": {}}, "seats": 2, "localSeats": ["Lou", "Max"]},
            {"game": {"callIt": {}}, "seats": 3, "visibility": "PUBLIC"},
        ]
        return [me, *[(await ann.open(**one))["id"] for one in seats]]


@pytest.fixture(scope="module")
def described(registry: Registry) -> GraphQLSchema:
    return build_schema(registry).schema._schema


RANDOM = "made up"


class Asker:
    """Asks what Schemathesis makes up, sometimes with a token of its own making, and counts the answers."""

    def __init__(self, server: Server, described: GraphQLSchema, ids: list[str], token: str | None) -> None:
        self._server, self._described, self._token = server, described, token
        self._there = {"id": ids, "tableId": ids, "ids": ids}
        self._documents = schemathesis.graphql.from_url(server.url)
        self.codes: Counter[str] = Counter()

    def operations(self, root: str) -> list[str]:
        return list(self._documents[root])

    def ask(self, client: httpx.Client, root: str, name: str, seed: int) -> None:
        """A few documents for one field of a root type, and a few with something wrong in each."""

        operation = self._documents[root][name]
        for case in cases(operation, seed, EXAMPLES, GenerationMode.POSITIVE):
            for one in variants(self._described, case, self._there):
                self._hold(client, one, seed)
        for case in cases(operation, seed, EXAMPLES, GenerationMode.NEGATIVE):
            self._hold(client, case, seed)

    def _hold(self, client: httpx.Client, case: Case, seed: int) -> None:
        document = str(case.body)
        token = self._token
        if token == RANDOM:
            token = made_up(random.Random(f"{seed} {document}"))
        elif token is not None and "signOut" in document:
            # Of its own, so that the others keep theirs.
            token = another(client, self._server, token)
        headers = {} if token is None else {"authorization": token}
        answer = client.post(self._server.url, json={"query": document}, headers=headers)
        about = (answer.status_code, answer.text, token, document, f"seed {seed}")
        assert answer.status_code in ((200, 400, 401) if self._token == RANDOM else (200, 400)), about
        assert complaints(case, answer, self._described) == [], about
        for error in answer.json().get("errors", ()):
            code = error["extensions"]["code"]
            assert code not in ("INTERNAL", "UNAVAILABLE", "TABLE_UNREADABLE"), about
            self.codes[code] += 1
        self.codes["answered"] += "errors" not in answer.json()

    def hold_the_server(self) -> None:
        """The server has not stumbled, and still answers."""
        assert not re.search(r"Traceback|error [0-9a-f]{16}", self._server.log), self._server.log[-5000:]
        assert httpx.get(self._server.base + "/readyz").status_code == 200


def another(client: httpx.Client, server: Server, token: str) -> str:
    """Another token of the same player."""
    renewal = {"query": "mutation { renewToken { token } }"}
    answer = client.post(server.url, json=renewal, headers={"authorization": token}).json()
    return f"Bearer {answer['data']['renewToken']['token']}"


@pytest.mark.parametrize("signed_in", [False, True], ids=["without a token", "with a token"])
@pytest.mark.parametrize("root", ROOTS)
def test_no_document_makes_the_server_stumble(
    fuzzed: Server, described: GraphQLSchema, token: str, ids: list[str], root: str, signed_in: bool
) -> None:
    asker = Asker(fuzzed, described, ids, f"Bearer {token}" if signed_in else None)
    with httpx.Client(timeout=30) as client:
        for name in asker.operations(root):
            asker.ask(client, root, name, seed=31)
    assert asker.codes["answered"] > 3, asker.codes
    assert asker.codes["GRAPHQL_VALIDATION_FAILED"] > 3, asker.codes
    asker.hold_the_server()


def test_no_document_makes_the_server_stumble_whoever_asks(
    fuzzed: Server, described: GraphQLSchema, token: str, ids: list[str]
) -> None:
    """With a token, without one, and with what is none, for a moment or as long as it is told to."""
    told = "FUZZ_SECONDS" in os.environ
    end = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "2"))
    first = seed = int(os.environ.get("FLIPTABLE_FUZZ_SEED", random.randrange(2**32) if told else 32))
    askers = [Asker(fuzzed, described, ids, one) for one in (f"Bearer {token}", None, RANDOM)]
    wanted = [(root, name) for root in ROOTS for name in askers[0].operations(root)]
    random.Random(first).shuffle(wanted)
    with httpx.Client(timeout=30) as client:
        while seed == first or time.monotonic() < end:
            root, name = wanted[(seed - first) % len(wanted)]
            # Mostly with the token: without it, most get no further than the door.
            askers[random.Random(seed).choice((0, 0, 0, 1, 2))].ask(client, root, name, seed)
            seed += 1
    askers[0].hold_the_server()
    codes = sum((asker.codes for asker in askers), Counter[str]())
    print(f"seeds {first} to {seed - 1}: {dict(codes.most_common())}")
    assert codes.total() > 0


def wrong(path: list[str] | None, code: str, message: str = "?") -> dict[str, Any]:
    error = {"message": message, "extensions": {"code": code}, **({"path": path} if path else {})}
    return {"data": None, "errors": [error]}


BAD_ANSWERS: dict[str, tuple[GenerationMode, int, object, str]] = {
    "a status of the server's fault": (GenerationMode.POSITIVE, 500, {"data": None}, "ServerError"),
    "no JSON": (GenerationMode.POSITIVE, 200, b"<html>", "MalformedJson"),
    "no answer": (GenerationMode.POSITIVE, 200, ["games"], "UnexpectedGraphQLResponse"),
    "a masked error": (GenerationMode.POSITIVE, 200, wrong(["games"], "INTERNAL"), "GraphQLServerError"),
    "a masked error of the whole": (
        GenerationMode.POSITIVE,
        200,
        wrong(None, "INTERNAL"),
        "GraphQLClientError",
    ),
    "null where there is none": (
        GenerationMode.POSITIVE,
        200,
        wrong(["games"], "INTERNAL", "Cannot return null for non-nullable field Query.games."),
        "GraphQLSchemaViolation",
    ),
    "no to a document that is right": (
        GenerationMode.POSITIVE,
        400,
        wrong(None, "GRAPHQL_VALIDATION_FAILED"),
        "GraphQLClientError",
    ),
    "data for a document that is wrong": (
        GenerationMode.NEGATIVE,
        200,
        {"data": {"table": None}},
        "AcceptedNegativeData",
    ),
}


@pytest.mark.parametrize(("mode", "status", "body", "complaint"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_the_checks_find_what_is_wrong(
    fuzzed: Server, described: GraphQLSchema, mode: GenerationMode, status: int, body: object, complaint: str
) -> None:
    operation = schemathesis.graphql.from_url(fuzzed.url)["Query"]["table"]
    (case,) = cases(operation, 1, 1, mode)
    content = {"content": body} if isinstance(body, bytes) else {"json": body}
    answer = httpx.Response(status, request=httpx.Request("POST", fuzzed.url), **content)
    answer.elapsed = timedelta(0)
    assert [type(one).__name__ for one in complaints(case, answer, described)] == [complaint]


def test_every_check_is_on(fuzzed: Server) -> None:
    config = schemathesis.graphql.from_url(fuzzed.url).config.checks_config_for(phase=None)
    assert set(REGISTERED.get_all_names()) >= CHECKS
    assert [name for name in REGISTERED.get_all_names() if not config.get_by_name(name=name).enabled] == []
