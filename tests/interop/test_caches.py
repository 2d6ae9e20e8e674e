"""Caches that keep objects by their identity give back what the server said."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLSchema,
    NameNode,
    SelectionSetNode,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    build_schema,
    is_composite_type,
    parse,
    print_ast,
    visit,
)
from inprocess import local
from nodekit import INTEROP, node, package
from serverkit import caller

pytestmark = pytest.mark.anyio

SDL = (Path(__file__).parents[2] / "schema.graphql").read_text(encoding="utf-8")
OPTIONS = "options { name type list description required default choices fields { name type default } }"
MODE = f"id name summary input {OPTIONS} metrics {{ name title unit better }}"
GAME = f"""id name summary rules input minSeats maxSeats {OPTIONS}
  modes {{ {MODE} }} defaultMode {{ {MODE} }}
  seating {{ mode {{ {MODE} }} minSeats maxSeats seatCounts }}"""
TABLE = f"""id version game {{ {GAME} }} mode {{ {MODE} }} host {{ id name }}
  seats {{ index name taken player {{ id name }} local ready connected score }}"""
CHALLENGE = f"""code title target game {{ {GAME} }} author {{ id name }} constraints {{ constraint text }}"""
CREATE = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { id } } ... on Refusal { code message } } }"""
CHALLENGED = """mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) {
  ... on ChallengeCreated { challenge { code } } ... on Refusal { code message } } }"""


class _Identities(Visitor):
    """What clients with such caches ask for besides: the type of everything, and the id of what has one."""

    def __init__(self, types: TypeInfo) -> None:
        super().__init__()
        self.types = types

    def leave_selection_set(self, node: SelectionSetNode, *_: Any) -> SelectionSetNode | None:
        kind = self.types.get_parent_type()
        if kind is None or not is_composite_type(kind) or kind.name == "Query":
            return None
        asked = {one.name.value for one in node.selections if isinstance(one, FieldNode)}
        wanted = {"__typename"} | ({"id"} & set(getattr(kind, "fields", ())))
        more = tuple(FieldNode(name=NameNode(value=name)) for name in sorted(wanted - asked))
        return SelectionSetNode(selections=(*node.selections, *more))


def identified(schema: GraphQLSchema, text: str) -> str:
    types = TypeInfo(schema)
    document: DocumentNode = visit(parse(text), TypeInfoVisitor(types, _Identities(types)))
    return print_ast(document)


async def test_a_cache_has_what_the_server_said(registry: Any) -> None:
    schema = build_schema(SDL)
    async with local(registry) as server, caller(server.url, "Ann") as ann:
        tables = []
        for game in (await ann.data("{ games { input seating { mode { input } minSeats } } }"))["games"]:
            for seating in game["seating"]:
                mode, seats = seating["mode"]["input"], seating["minSeats"]
                if mode != "custom":
                    wanted = {"game": {game["input"]: {}}, "mode": {mode: {}}, "seats": seats}
                    tables.append((await ann.data(CREATE, i=wanted))["createTable"]["table"]["id"])
        codes = []
        for flips in (5, 6):
            limits = [{"exactFlips": {"flips": flips}}]
            made = await ann.data(CHALLENGED, i={"title": "Five", "target": 40, "constraints": limits})
            codes.append(made["createChallenge"]["challenge"]["code"])
        queries = [f"{{ games {{ {GAME} }} }}", f"{{ modes {{ {MODE} }} }}", "{ me { id name } }"]
        listed = [f'{{ table(id: "{id}") {{ {TABLE} }} }}' for id in tables]
        challenges = [f'{{ challenge(code: "{code}") {{ {CHALLENGE} }} }}' for code in codes]
        answers = []
        for query in [*queries, *listed, *challenges]:
            asked = identified(schema, query)
            answers.append({"query": asked, "data": await ann.data(asked)})
    kept = read_again(answers)
    assert len(answers) > len(queries) + 2
    for client in ("apollo", "relay"):
        for answer, again in zip(answers, kept[client], strict=True):
            assert again == answer["data"], (client, answer["query"][:200])


def read_again(answers: list[dict[str, Any]]) -> dict[str, Any]:
    package("relay-runtime"), package("@apollo/client")
    told = subprocess.run(
        [node(), str(INTEROP / "caches.mjs")],
        input=json.dumps({"schema": SDL, "answers": answers}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr
    found: dict[str, Any] = json.loads(told.stdout)
    return found
