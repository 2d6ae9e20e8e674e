"""Whatever is asked of a table, and by whom, the answer tells nothing of cards that they have not seen.

Two servers hold the same table, and get the same documents from somebody who cannot tell them apart: see
test_leaks.py, which asks for every field, but always in the same way. Here hypothesis-graphql makes up
what is asked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from fuzzkit import drawn, made_up
from graphql import (
    REMOVE,
    ArgumentNode,
    GraphQLSchema,
    Visitor,
    parse,
    print_ast,
    validate,
    visit,
)
from hypothesis_graphql import queries
from inprocess import Local
from leakkit import TABLES, scene, twins
from serverkit import Caller

from fliptable.plugins import Registry, load_plugins

EXAMPLES = 8
TOGETHER = 8
"""So many selections go with each request."""

pytestmark = [pytest.mark.anyio]


@pytest.fixture(scope="module")
def plugins() -> Registry:
    return load_plugins()


@pytest.fixture(scope="module")
async def pair(plugins: Registry) -> AsyncIterator[tuple[Local, Local]]:
    async with twins(plugins) as both:
        yield both


class Plain(Visitor):
    """Leaves out what would only be refused, such as a cursor of nowhere."""

    def enter_argument(self, node: ArgumentNode, *_: Any) -> Any:
        return REMOVE if node.name.value in ("first", "last", "after", "before") else None


def made_of(schema: GraphQLSchema, kind: Any) -> list[str]:
    """Selections of each field of a type."""
    # As if it were the root, so that what is made up is of it.
    rooted = GraphQLSchema(query=kind, types=list(schema.type_map.values()))
    made = []
    for name in kind.fields:
        for document in drawn(queries(rooted, fields=[name]), 7, EXAMPLES):
            plain = visit(parse(document), Plain())
            # Fields of one name and of different types may collide in it.
            if not validate(rooted, plain):
                made.append(print_ast(plain))
    return made


@pytest.fixture(scope="module")
def selections(pair: tuple[Local, Local]) -> list[str]:
    """What can be asked of a table, and of its round, which has most of the cards."""
    schema = pair[0].parts.built.schema._schema
    rounds: Any = schema.type_map["Round"]
    made = made_of(schema, schema.type_map["Table"])
    for kind in schema.get_implementations(rounds).objects:
        made += [f"{{ round {{ ... on {kind.name} {one} }} }}" for one in made_of(schema, kind)]
    return made


@pytest.fixture(scope="module")
def documents(selections: list[str]) -> list[str]:
    """The same in documents: queries, and mutations whose refusal shows the table."""
    made = []
    for first in range(0, len(selections), TOGETHER):
        some = selections[first : first + TOGETHER]
        asked = " ".join(f"a{at}: table(id: $i) {one}" for at, one in enumerate(some))
        made.append(f"query ($i: ID!) {{ {asked} }}")
        shown = " ".join(f"a{at}: table {one}" for at, one in enumerate(some))
        made.append(
            f"mutation ($i: ID!) {{ startTable(input: {{tableId: $i}}) {{ ... on Refusal {{ {shown} }} }} }}"
        )
    return made


@pytest.mark.parametrize("kind", TABLES)
async def test_no_document_tells_what_its_sender_has_not_seen(
    pair: tuple[Local, Local], documents: list[str], kind: str
) -> None:
    told: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Caller(pair[0].url)) for _ in range(4)]
        for person, name in zip(people, ("Ann", "Bob", "Cyd"), strict=False):
            await person.sign_in(name)
        ann, bob, cyd, nobody = people
        for seed in range(30):
            if len(told) == 3:
                break
            async with scene(pair, ann, bob, kind, seed) as found:
                for who, viewer in (("a player", found.players[-1]), ("a stranger", cyd), ("nobody", nobody)):
                    if who in told or not found.spread(viewer):
                        continue
                    for document in documents:
                        headers = viewer.headers
                        if viewer is nobody and len(document) % 4 == 0:
                            headers = {"authorization": made_up(random.Random(document))}
                        sent = {"query": document, "variables": {"i": found.id}}
                        one, other = [
                            await viewer.http.post(server.url, json=sent, headers=headers) for server in pair
                        ]
                        assert one.content == other.content, (who, document)
                        assert one.status_code in (200, 401) and b'"INTERNAL"' not in one.content
                        told[who] += one.status_code == 200 and "errors" not in one.json()
    assert len(told) == 3 and min(told.values()) > len(documents) / 4, told
