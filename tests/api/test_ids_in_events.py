"""What is the id of something is an ID wherever it is told or taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphql import build_schema
from inprocess import local
from serverkit import Caller

from fliptable.plugins import Registry

SCHEMA = build_schema((Path(__file__).parents[2] / "schema.graphql").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("TableCreated", "game"),
        ("TableCreated", "mode"),
        ("TableUpgraded", "game"),
        ("TableUpgraded", "mode"),
        ("RematchOpened", "table"),
        ("ChallengeConstraint", "constraint"),
    ],
)
def test_what_is_told(kind: str, field: str) -> None:
    assert str(SCHEMA.type_map[kind].fields[field].type) == "ID!"  # type: ignore[attr-defined]


@pytest.mark.parametrize("field", ["game", "mode", "constraint", "table", "node"])
def test_what_is_asked_for(field: str) -> None:
    assert str(SCHEMA.query_type.fields[field].args["id"].type) == "ID!"  # type: ignore[union-attr]


async def test_each_part_of_the_catalogue_is_found_alone_as_in_its_list(registry: Registry) -> None:
    async with local(registry) as server, Caller(server.url) as nobody:
        for one in ("game", "mode", "constraint"):
            listed = (await nobody.data(f"{{ all: {one}s {{ __typename id name summary }} }}"))["all"]
            assert listed
            asked = f"query ($i: ID!) {{ {one}(id: $i) {{ __typename id name summary }} }}"
            for part in listed:
                assert (await nobody.data(asked, i=part["id"]))[one] == part
            assert (await nobody.data(asked, i="no-such-thing"))[one] is None
