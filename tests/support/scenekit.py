"""A scene for wrong requests: tables in the middle of play that nothing of this may change."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import httpx
from serverkit import UPDATE, Caller

INSIDE = re.compile(
    r"Traceback|site-packages|\.py\b|object at 0x|fliptable_api|strawberry|pymongo|orjson|NoneType|KeyError"
)
"""What tells of the server's inside."""


EVERYTHING = (
    "query ($a: ID!, $b: ID!, $c: ID!) { a: table(id: $a) { ...X } b: table(id: $b) { ...X } "
    "c: table(id: $c) { ...X } tables(filter: {mine: true}) { nodes { id version } } } "
    "fragment X on Table { updates { nodes { ...U } } }" + UPDATE
)


@dataclass
class Scene:
    """A table in the middle of play, its player, and somebody else with a table of their own."""

    player: Caller
    other: Caller
    table: str
    others: str
    fresh: str
    before: Any = None

    async def state(self) -> Any:
        """Everything there is to see, and whether the server is well."""
        base = self.player._url().removesuffix("/graphql")
        health = [(await self.player.http.get(base + path)).status_code for path in ("/healthz", "/readyz")]
        tables = {"a": self.table, "b": self.others, "c": self.fresh}
        return [health, *[await one.data(EVERYTHING, **tables) for one in (self.player, self.other)]]


def told(answer: httpx.Response, *codes: str) -> dict[str, Any]:
    """The first error of an answer, which has one of the codes and tells nothing of the inside."""
    assert answer.headers["content-type"].startswith("application/json"), answer.text
    errors = answer.json()["errors"]
    assert errors
    for error in errors:
        assert error["extensions"]["code"] in codes, error
        assert error["message"] and not INSIDE.search(json.dumps(error)), error
        assert len(error["message"]) < 600, error
    found: dict[str, Any] = errors[0]
    return found
